package io.holdfast.statemachine.snapshot;

import io.holdfast.core.Image;
import io.holdfast.core.Mode;
import io.holdfast.core.OwnerImage;
import io.holdfast.core.Past;
import io.holdfast.core.Request;
import io.holdfast.core.StoreImage;
import io.holdfast.core.Terms;
import io.holdfast.core.Want;
import io.holdfast.snapshot.v1.AnswerKind;
import io.holdfast.snapshot.v1.AnsweredRecord;
import io.holdfast.snapshot.v1.DelayRecord;
import io.holdfast.snapshot.v1.EndedRecord;
import io.holdfast.snapshot.v1.EventsRecord;
import io.holdfast.snapshot.v1.FinishedRecord;
import io.holdfast.snapshot.v1.IdRecord;
import io.holdfast.snapshot.v1.IdentifiedRecord;
import io.holdfast.snapshot.v1.LockRecord;
import io.holdfast.snapshot.v1.MemoryRecord;
import io.holdfast.snapshot.v1.ModeKind;
import io.holdfast.snapshot.v1.NumberedRecord;
import io.holdfast.snapshot.v1.OneShotRecord;
import io.holdfast.snapshot.v1.OwnerRecord;
import io.holdfast.snapshot.v1.PastRecord;
import io.holdfast.snapshot.v1.RequestRecord;
import io.holdfast.snapshot.v1.RevocationRecord;
import io.holdfast.snapshot.v1.SessionRecord;
import io.holdfast.snapshot.v1.StoreRecord;
import io.holdfast.snapshot.v1.TermsRecord;
import io.holdfast.snapshot.v1.WaiterRecord;
import io.holdfast.snapshot.v1.WantRecord;

/** Records of the state as a checkpoint has them. */
final class ImageWriter {
    private ImageWriter() {}

    static StoreRecord store(StoreImage store) {
        StoreRecord.Builder out = StoreRecord.newBuilder()
                .setAppliedIndex(store.appliedIndex())
                .setClockNanos(store.clockNanos())
                .setLastToken(store.lastToken())
                .setLastSequence(store.lastSequence())
                .setFeatureLevel(store.featureLevel())
                .setFinished(memory(store.finished()))
                .setEnded(memory(store.ended()));
        return store.events().equals(StoreImage.Events.NONE)
                ? out.build()
                : out.setEvents(events(store.events())).build();
    }

    private static EventsRecord.Builder events(StoreImage.Events events) {
        return EventsRecord.newBuilder()
                .setLastOrdinal(events.lastOrdinal())
                .setForgottenUpToIndex(events.forgottenUpToIndex())
                .setForgottenUpToNanos(events.forgottenUpToNanos());
    }

    private static MemoryRecord.Builder memory(StoreImage.Memory memory) {
        return MemoryRecord.newBuilder()
                .setLastOrdinal(memory.lastOrdinal())
                .setCrowdedOutUpToNanos(memory.crowdedOutUpToNanos());
    }

    static SessionRecord session(Image.OfSession session) {
        SessionRecord.Builder out = SessionRecord.newBuilder()
                .setSequence(session.sequence())
                .setDeadlineNanos(session.deadlineNanos())
                .setTtlNanos(session.ttlNanos())
                .setLabel(session.label())
                .setSeenUpTo(session.seenUpTo())
                .setMetadata(session.metadata());
        for (Image.Answered answer : session.answers()) {
            out.addAnswers(
                    AnsweredRecord.newBuilder().setNumber(answer.number()).setPast(past(answer.past())));
        }
        return out.build();
    }

    static LockRecord lock(Image.OfLock lock) {
        LockRecord.Builder out = LockRecord.newBuilder()
                .setOwner(owner(lock.owner()))
                .setToken(lock.token().value())
                .setLogIndex(lock.logIndex())
                .setGrantedAtNanos(lock.grantedAtNanos());
        lock.requests().forEach(request -> out.addRequests(request(request)));
        if (!lock.terms().equals(Terms.PLAIN)) {
            out.setTerms(terms(lock.terms()));
        }
        lock.setRequests().forEach(request -> out.addSetRequests(request(request)));
        lock.revocation().ifPresent(revocation -> out.setRevocation(revocation(revocation)));
        return out.build();
    }

    private static RevocationRecord.Builder revocation(Image.Revocation revocation) {
        return RevocationRecord.newBuilder()
                .setSequence(revocation.sequence())
                .setDeadlineNanos(revocation.deadlineNanos())
                .setReason(revocation.reason())
                .setBy(revocation.by());
    }

    static WaiterRecord waiter(Image.OfWaiter waiter) {
        WaiterRecord.Builder out = WaiterRecord.newBuilder()
                .setOwner(owner(waiter.owner()))
                .setLogIndex(waiter.logIndex())
                .setQueuedAtNanos(waiter.queuedAtNanos())
                .setDeadlineNanos(waiter.deadlineNanos());
        waiter.requests().forEach(request -> out.addRequests(request(request)));
        if (!waiter.terms().equals(Terms.PLAIN)) {
            out.setTerms(terms(waiter.terms()));
        }
        waiter.others().forEach(want -> out.addOthers(want(want)));
        return out.build();
    }

    private static WantRecord.Builder want(Want want) {
        WantRecord.Builder out = WantRecord.newBuilder().setName(want.name().value());
        return want.terms().equals(Terms.PLAIN) ? out : out.setTerms(terms(want.terms()));
    }

    static TermsRecord.Builder terms(Terms terms) {
        TermsRecord.Builder out = TermsRecord.newBuilder()
                .setMode(mode(terms.mode()))
                .setValue(terms.value())
                .setLockDelayNanos(terms.lockDelayNanos());
        if (terms.mode() instanceof Mode.Permits some) {
            out.setPermits(some.permits()).setCapacity(some.capacity());
        }
        return out;
    }

    private static ModeKind mode(Mode mode) {
        return switch (mode) {
            case Mode.Exclusive it -> ModeKind.MODE_KIND_EXCLUSIVE;
            case Mode.Shared it -> ModeKind.MODE_KIND_SHARED;
            case Mode.Permits it -> ModeKind.MODE_KIND_PERMITS;
        };
    }

    static DelayRecord delay(Image.OfDelay delay) {
        return DelayRecord.newBuilder()
                .setSequence(delay.sequence())
                .setDeadlineNanos(delay.deadlineNanos())
                .setCapacity(delay.capacity())
                .build();
    }

    static FinishedRecord finished(Image.OfFinished finished) {
        return FinishedRecord.newBuilder()
                .setRequest(id(finished.request().high(), finished.request().low()))
                .setPast(past(finished.past()))
                .setAtNanos(finished.atNanos())
                .build();
    }

    static EndedRecord ended(Image.OfEnded ended) {
        return EndedRecord.newBuilder()
                .setSession(id(ended.session().high(), ended.session().low()))
                .setHow(EventWriter.end(ended.how()))
                .setAtNanos(ended.atNanos())
                .build();
    }

    private static OwnerRecord.Builder owner(OwnerImage owner) {
        OwnerRecord.Builder out = OwnerRecord.newBuilder();
        return switch (owner) {
            case OwnerImage.OfSession it ->
                out.setSession(id(it.session().high(), it.session().low()));
            case OwnerImage.OneShot it ->
                out.setOneShot(OneShotRecord.newBuilder()
                        .setOwner(it.owner().id())
                        .setSequence(it.sequence())
                        .setDeadlineNanos(it.deadlineNanos())
                        .setTtlNanos(it.ttlNanos())
                        .setLabel(it.label()));
        };
    }

    private static RequestRecord.Builder request(Request request) {
        RequestRecord.Builder out = RequestRecord.newBuilder();
        return switch (request) {
            case Request.Numbered one ->
                out.setNumbered(
                        NumberedRecord.newBuilder().setNumber(one.number()).setSeenUpTo(one.seenUpTo()));
            case Request.Identified one ->
                out.setIdentified(IdentifiedRecord.newBuilder()
                        .setId(id(one.id().high(), one.id().low()))
                        .setIssuedAtNanos(one.issuedAtNanos()));
        };
    }

    private static PastRecord.Builder past(Past past) {
        return PastRecord.newBuilder().setAnswer(answer(past.answer())).setToken(past.token());
    }

    private static AnswerKind answer(Past.Answer answer) {
        return switch (answer) {
            case WAS_RELEASED -> AnswerKind.ANSWER_KIND_WAS_RELEASED;
            case HAS_EXPIRED -> AnswerKind.ANSWER_KIND_HAS_EXPIRED;
            case TIMED_OUT -> AnswerKind.ANSWER_KIND_TIMED_OUT;
            case GAVE_UP -> AnswerKind.ANSWER_KIND_GAVE_UP;
            case HELD -> AnswerKind.ANSWER_KIND_HELD;
            case OWNER_BUSY -> AnswerKind.ANSWER_KIND_OWNER_BUSY;
            case RELEASED -> AnswerKind.ANSWER_KIND_RELEASED;
            case NOT_HELD -> AnswerKind.ANSWER_KIND_NOT_HELD;
            case WAS_CONVERTED -> AnswerKind.ANSWER_KIND_WAS_CONVERTED;
            case OTHER_MODE -> AnswerKind.ANSWER_KIND_OTHER_MODE;
            case NOT_ALONE -> AnswerKind.ANSWER_KIND_NOT_ALONE;
            case OTHER_KIND -> AnswerKind.ANSWER_KIND_OTHER_KIND;
            case FEWER_PERMITS -> AnswerKind.ANSWER_KIND_FEWER_PERMITS;
            case PERMITS_RELEASED -> AnswerKind.ANSWER_KIND_PERMITS_RELEASED;
            case PART_OF_SET -> AnswerKind.ANSWER_KIND_PART_OF_SET;
            case PROCLAIMED -> AnswerKind.ANSWER_KIND_PROCLAIMED;
            case WAS_HANDED_OFF -> AnswerKind.ANSWER_KIND_WAS_HANDED_OFF;
            case WAS_REVOKED -> AnswerKind.ANSWER_KIND_WAS_REVOKED;
            case HANDED_OFF -> AnswerKind.ANSWER_KIND_HANDED_OFF;
            case NO_SUCH_TARGET -> AnswerKind.ANSWER_KIND_NO_SUCH_TARGET;
            case TARGET_BUSY -> AnswerKind.ANSWER_KIND_TARGET_BUSY;
            case REVOKED -> AnswerKind.ANSWER_KIND_REVOKED;
            case DEADLOCK -> AnswerKind.ANSWER_KIND_DEADLOCK;
        };
    }

    static IdRecord.Builder id(long high, long low) {
        return IdRecord.newBuilder().setHigh(high).setLow(low);
    }
}
