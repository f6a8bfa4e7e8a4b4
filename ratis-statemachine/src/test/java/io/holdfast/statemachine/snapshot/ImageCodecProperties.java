package io.holdfast.statemachine.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.Bounds;
import io.holdfast.core.End;
import io.holdfast.core.FencingToken;
import io.holdfast.core.Image;
import io.holdfast.core.LockName;
import io.holdfast.core.LoggedEvent;
import io.holdfast.core.Mode;
import io.holdfast.core.Owner;
import io.holdfast.core.OwnerImage;
import io.holdfast.core.Past;
import io.holdfast.core.Request;
import io.holdfast.core.RequestId;
import io.holdfast.core.SessionId;
import io.holdfast.core.StoreImage;
import io.holdfast.core.Terms;
import io.holdfast.core.Want;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class ImageCodecProperties {
    @Property(tries = 500)
    void a_record_comes_back_as_it_was(@ForAll("images") Image image) {
        assertThat(ImageCodec.decode(KeyCodec.encode(image.key()), ImageCodec.encode(image)))
                .isEqualTo(image);
    }

    @Property(tries = 200)
    void so_does_the_store(@ForAll("stores") StoreImage store) {
        assertThat(ImageCodec.decodeStore(ImageCodec.encode(store))).isEqualTo(store);
    }

    @Property(tries = 1000)
    void bytes_at_random_are_refused(@ForAll byte[] key, @ForAll byte[] value) {
        assertThatThrownBy(() -> ImageCodec.decode(key, value)).isInstanceOf(CorruptRecordException.class);
    }

    @Property(tries = 500)
    void a_damaged_record_is_read_in_full_or_refused(
            @ForAll("images") Image image, @ForAll @IntRange(min = 0) int at, @ForAll byte with) {
        byte[] value = ImageCodec.encode(image);
        value[at % value.length] = with;
        Image read;
        try {
            read = ImageCodec.decode(KeyCodec.encode(image.key()), value);
        } catch (CorruptRecordException e) {
            return;
        }
        assertThat(ImageCodec.decode(KeyCodec.encode(read.key()), ImageCodec.encode(read)))
                .isEqualTo(read);
    }

    @Provide
    static Arbitrary<StoreImage> stores() {
        Arbitrary<StoreImage.Memory> memories = Combinators.combine(
                        times(), Arbitraries.longs().greaterOrEqual(-1))
                .as(StoreImage.Memory::new);
        return Combinators.combine(
                        times(),
                        times(),
                        times(),
                        times(),
                        Arbitraries.integers().between(1, 2),
                        memories,
                        memories,
                        Combinators.combine(times(), times(), times()).as(StoreImage.Events::new))
                .as(StoreImage::new);
    }

    @Provide
    static Arbitrary<Image> images() {
        Arbitrary<End> ends = Arbitraries.of(End.RELEASED, End.EXPIRED);
        return Arbitraries.oneOf(
                Combinators.combine(sessions(), counts(), times(), ttls(), labels(), answers(), labels())
                        .as((session, sequence, deadline, ttl, label, answers, metadata) ->
                                new Image.OfSession(session, sequence, deadline, ttl, label, 3, answers, metadata)),
                holds(),
                Combinators.combine(wants(), counts(), owners(), counts(), times(), times(), requests())
                        .as((wants, sequence, owner, index, at, deadline, requests) -> new Image.OfWaiter(
                                wants.get(0).name(),
                                sequence,
                                owner,
                                index,
                                at,
                                deadline,
                                requests,
                                wants.get(0).terms(),
                                rest(wants))),
                Combinators.combine(
                                names(),
                                counts(),
                                times(),
                                Arbitraries.integers().between(0, Bounds.MAX_CAPACITY))
                        .as(Image.OfDelay::new),
                Combinators.combine(counts(), ids(), pasts(), times()).as(Image.OfFinished::new),
                Combinators.combine(counts(), sessions(), ends, times()).as(Image.OfEnded::new),
                Combinators.combine(
                                counts(),
                                counts(),
                                times(),
                                Arbitraries.of(SampleEvents.all().values()))
                        .as(LoggedEvent::new)
                        .map(Image.OfEvent::new));
    }

    private static Arbitrary<Image> holds() {
        Arbitrary<Optional<Image.Revocation>> revocations = Combinators.combine(
                        counts(), times(), texts(Bounds.MAX_REASON_BYTES).filter(it -> !it.isEmpty()), labels())
                .as(Image.Revocation::new)
                .optional();
        Arbitrary<FencingToken> tokens = counts().map(FencingToken::new);
        Arbitrary<List<Request>> ofSets = requests().map(ImageCodecProperties::rest);
        return Combinators.combine(names(), owners(), tokens, counts(), times(), requests(), terms())
                .flatAs((name, owner, token, index, at, requests, terms) -> Combinators.combine(ofSets, revocations)
                        .as((ofSet, revocation) -> new Image.OfLock(
                                name, owner, token, index, at, rest(requests), terms, ofSet, revocation)));
    }

    private static <T> List<T> rest(List<T> list) {
        return list.subList(1, list.size());
    }

    private static Arbitrary<List<Want>> wants() {
        return Combinators.combine(names(), terms())
                .as(Want::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(4)
                .uniqueElements(Want::name)
                .map(wants ->
                        wants.stream().sorted(Comparator.comparing(Want::name)).toList());
    }

    private static Arbitrary<Terms> terms() {
        return Arbitraries.of(
                Terms.PLAIN,
                Terms.SHARED,
                new Terms(new Mode.Permits(1, 1)),
                new Terms(Mode.EXCLUSIVE, "a\nb", 0),
                new Terms(Mode.SHARED, "", Bounds.MAX_LOCK_DELAY_NANOS),
                new Terms(new Mode.Permits(200, Bounds.MAX_CAPACITY)));
    }

    private static Arbitrary<List<Image.Answered>> answers() {
        return pasts().list().ofMaxSize(3).map(pasts -> {
            List<Image.Answered> answers = new ArrayList<>();
            pasts.forEach(past -> answers.add(new Image.Answered(4L + answers.size(), past)));
            return answers;
        });
    }

    private static Arbitrary<Past> pasts() {
        return Combinators.combine(Arbitraries.of(Past.Answer.class), counts()).as(Past::new);
    }

    private static Arbitrary<OwnerImage> owners() {
        Arbitrary<Owner.OneShot> oneShots =
                texts(Bounds.MAX_OWNER_BYTES).filter(it -> !it.isEmpty()).map(Owner.OneShot::new);
        return Arbitraries.oneOf(
                sessions().map(OwnerImage.OfSession::new),
                Combinators.combine(oneShots, counts(), times(), ttls(), labels())
                        .as(OwnerImage.OneShot::new));
    }

    private static Arbitrary<List<Request>> requests() {
        Arbitrary<Request> numbered = Combinators.combine(counts(), times())
                .as((number, seen) -> new Request.Numbered(number, seen % number));
        Arbitrary<Request> identified = Combinators.combine(ids(), times()).as(Request.Identified::new);
        return Arbitraries.oneOf(numbered, identified).list().ofMinSize(1).ofMaxSize(3);
    }

    private static Arbitrary<LockName> names() {
        return texts(Bounds.MAX_NAME_BYTES).filter(it -> !it.isEmpty()).map(LockName::new);
    }

    private static Arbitrary<String> labels() {
        return texts(Bounds.MAX_LABEL_BYTES);
    }

    private static Arbitrary<SessionId> sessions() {
        return Combinators.combine(Arbitraries.longs(), Arbitraries.longs()).as(SessionId::new);
    }

    private static Arbitrary<RequestId> ids() {
        return Combinators.combine(Arbitraries.longs(), Arbitraries.longs()).as(RequestId::new);
    }

    private static Arbitrary<Long> ttls() {
        return Arbitraries.longs().between(Bounds.MIN_TTL_NANOS, Bounds.MAX_TTL_NANOS);
    }

    private static Arbitrary<Long> counts() {
        return Arbitraries.longs().greaterOrEqual(1);
    }

    private static Arbitrary<Long> times() {
        return Arbitraries.longs().greaterOrEqual(0);
    }

    /** All of Unicode but control characters and halves of surrogate pairs; mostly short, some as long as may be. */
    private static Arbitrary<String> texts(int maxBytes) {
        Arbitrary<String> some = Arbitraries.strings()
                .withCharRange(' ', '~')
                .withCharRange('\u00a0', '\ud7ff')
                .withCharRange('\ue000', '\uffff')
                .ofMaxLength(12)
                .map(text -> text.length() % 3 == 0 ? text : text + "🔒");
        return Arbitraries.oneOf(some, some, some, Arbitraries.just("x".repeat(maxBytes)));
    }
}
