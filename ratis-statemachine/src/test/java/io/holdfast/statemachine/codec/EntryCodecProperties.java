package io.holdfast.statemachine.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.holdfast.core.Bounds;
import io.holdfast.core.Command;
import io.holdfast.core.FencingToken;
import io.holdfast.core.LockName;
import io.holdfast.core.Mode;
import io.holdfast.core.Owner;
import io.holdfast.core.Request;
import io.holdfast.core.RequestId;
import io.holdfast.core.SessionId;
import io.holdfast.core.Terms;
import io.holdfast.core.Want;
import io.holdfast.log.v1.EntryRecord;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;

class EntryCodecProperties {
    @Property(tries = 200)
    void an_entry_comes_back_as_it_was(@ForAll("entries") Entry entry) {
        assertThat(EntryCodec.decode(EntryCodec.encode(entry))).isEqualTo(entry);
    }

    @Property(tries = 200)
    void an_entry_grows_by_what_a_command_is_said_to_take(@ForAll("entries") Entry entry)
            throws InvalidProtocolBufferException {
        int alone = bodySize(new Entry(entry.proposalId(), entry.leaseTimeNanos(), List.of()));
        int sum = entry.commands().stream().mapToInt(EntryCodec::sizeOf).sum();

        assertThat(bodySize(entry)).isEqualTo(alone + sum);
    }

    @Property(tries = 1000)
    void bytes_at_random_are_refused(@ForAll byte[] bytes) {
        assertThatThrownBy(() -> EntryCodec.decode(bytes)).isInstanceOf(UnreadableEntryException.class);
    }

    /** As a leader with a bug would write it: the checksum is right, the body is not. */
    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void a_body_with_the_right_checksum_is_read_in_full_or_refused(
            @ForAll("entries") Entry entry, @ForAll @IntRange(min = 0) int at, @ForAll byte with)
            throws InvalidProtocolBufferException {
        EntryRecord written = EntryRecord.parseFrom(EntryCodec.encode(entry));
        byte[] body = written.getBody().toByteArray();
        if (body.length > 0) {
            body[at % body.length] = with;
        }
        byte[] bytes = EntryCodec.envelope(written.getFormat(), ByteString.copyFrom(body));

        Optional<Entry> read = tryToDecode(bytes);

        read.ifPresent(
                it -> assertThat(EntryCodec.decode(EntryCodec.encode(it))).isEqualTo(it));
    }

    private static Optional<Entry> tryToDecode(byte[] bytes) {
        try {
            return Optional.of(EntryCodec.decode(bytes));
        } catch (UnreadableEntryException e) {
            return Optional.empty();
        }
    }

    private static int bodySize(Entry entry) throws InvalidProtocolBufferException {
        return EntryRecord.parseFrom(EntryCodec.encode(entry)).getBody().size();
    }

    @Provide
    static Arbitrary<Entry> entries() {
        return Combinators.combine(
                        Arbitraries.longs(),
                        Arbitraries.longs().greaterOrEqual(0),
                        commands().list().ofMaxSize(4))
                .as(Entry::new);
    }

    private static Arbitrary<Command> commands() {
        Arbitrary<Long> ttls = Arbitraries.longs().between(Bounds.MIN_TTL_NANOS, Bounds.MAX_TTL_NANOS);
        Arbitrary<Long> waits = Arbitraries.longs().greaterOrEqual(0);
        Arbitrary<String> labels = texts(Bounds.MAX_LABEL_BYTES);
        return Arbitraries.oneOf(
                Combinators.combine(sessions(), Arbitraries.longs(), ttls, labels, texts(Bounds.MAX_METADATA_BYTES))
                        .as(Command.OpenSession::new),
                sessions().map(Command.CloseSession::new),
                sessions().list().ofMaxSize(20).map(Command.RenewSessions::new),
                Combinators.combine(
                                owners(),
                                names(),
                                requests(),
                                ttls,
                                waits,
                                labels,
                                terms(),
                                Arbitraries.of(true, false))
                        .as(Command.Acquire::new),
                Combinators.combine(owners(), names(), requests()).as(Command.GiveUp::new),
                Combinators.combine(
                                owners(),
                                names(),
                                requests(),
                                tokens(),
                                Arbitraries.integers().greaterOrEqual(0))
                        .as(Command.Release::new),
                Combinators.combine(oneShots(), names(), tokens(), Arbitraries.oneOf(ttls, Arbitraries.just(0L)))
                        .as(Command.RenewHold::new),
                Combinators.combine(owners(), names(), requests(), tokens(), modes())
                        .as(Command.Convert::new),
                Combinators.combine(owners(), wants(), requests(), ttls, waits, labels, Arbitraries.of(true, false))
                        .as(Command.AcquireAll::new),
                Combinators.combine(owners(), names(), requests(), tokens(), texts(Bounds.MAX_VALUE_BYTES))
                        .as(Command.Proclaim::new),
                Combinators.combine(owners(), nameLists(), requests()).as(Command.GiveUpAll::new),
                Combinators.combine(owners(), nameLists(), requests(), tokens()).as(Command.ReleaseAll::new),
                Combinators.combine(owners(), names(), requests(), tokens(), owners(), ttls, labels)
                        .as(Command.HandOff::new),
                revocations(),
                Arbitraries.integers().between(1, 2).map(Command.RaiseFeatureLevel::new));
    }

    private static Arbitrary<Command> revocations() {
        Arbitrary<FencingToken> tokens = Arbitraries.longs().greaterOrEqual(1).map(FencingToken::new);
        Arbitrary<Long> graces = Arbitraries.longs().between(0, Bounds.MAX_GRACE_NANOS);
        Arbitrary<String> reasons = texts(Bounds.MAX_REASON_BYTES).filter(it -> !it.isEmpty());
        return Combinators.combine(names(), tokens, identified(), graces, reasons, texts(Bounds.MAX_LABEL_BYTES))
                .as(Command.Revoke::new);
    }

    private static Arbitrary<List<LockName>> nameLists() {
        return names().list().ofMinSize(1).ofMaxSize(4).uniqueElements();
    }

    private static Arbitrary<List<Want>> wants() {
        return Combinators.combine(names(), terms())
                .as(Want::new)
                .list()
                .ofMinSize(2)
                .ofMaxSize(4)
                .uniqueElements(Want::name);
    }

    private static Arbitrary<Terms> terms() {
        Arbitrary<Mode> permits = Arbitraries.integers()
                .between(1, Bounds.MAX_CAPACITY)
                .flatMap(capacity ->
                        Arbitraries.integers().between(1, capacity).map(some -> new Mode.Permits(some, capacity)));
        Arbitrary<Long> delays = Arbitraries.longs().between(0, Bounds.MAX_LOCK_DELAY_NANOS);
        return Combinators.combine(Arbitraries.oneOf(modes(), permits), texts(Bounds.MAX_VALUE_BYTES), delays)
                .as(Terms::new);
    }

    private static Arbitrary<Mode> modes() {
        return Arbitraries.of(Mode.EXCLUSIVE, Mode.SHARED);
    }

    private static Arbitrary<Owner> owners() {
        return Arbitraries.oneOf(oneShots(), sessions().map(Owner.OfSession::new));
    }

    private static Arbitrary<Owner.OneShot> oneShots() {
        return texts(Bounds.MAX_OWNER_BYTES).filter(it -> !it.isEmpty()).map(Owner.OneShot::new);
    }

    private static Arbitrary<LockName> names() {
        return texts(Bounds.MAX_NAME_BYTES).filter(it -> !it.isEmpty()).map(LockName::new);
    }

    private static Arbitrary<Request> requests() {
        Arbitrary<Long> times = Arbitraries.longs().greaterOrEqual(0);
        Arbitrary<Request> numbered = Combinators.combine(Arbitraries.longs().greaterOrEqual(1), times)
                .as((number, seen) -> new Request.Numbered(number, seen % number));
        return Arbitraries.oneOf(numbered, identified());
    }

    private static Arbitrary<Request.Identified> identified() {
        Arbitrary<Long> times = Arbitraries.longs().greaterOrEqual(0);
        return Combinators.combine(Arbitraries.longs(), Arbitraries.longs(), times)
                .as((high, low, issued) -> new Request.Identified(new RequestId(high, low), issued));
    }

    private static Arbitrary<SessionId> sessions() {
        return Combinators.combine(Arbitraries.longs(), Arbitraries.longs()).as(SessionId::new);
    }

    private static Arbitrary<Optional<FencingToken>> tokens() {
        return Arbitraries.longs().greaterOrEqual(1).map(FencingToken::new).optional();
    }

    /** All of Unicode but control characters and halves of surrogate pairs; mostly short, some as long as may be. */
    private static Arbitrary<String> texts(int maxBytes) {
        Arbitrary<String> some = Arbitraries.strings()
                .withCharRange(' ', '~')
                .withCharRange('\u00a0', '\ud7ff')
                .withCharRange('\ue000', '\uffff')
                .ofMaxLength(12)
                .map(text -> text.length() % 3 == 0 ? text : text + "🔒");
        return Arbitraries.frequencyOf(Tuple.of(20, some), Tuple.of(1, Arbitraries.just("x".repeat(maxBytes))));
    }
}
