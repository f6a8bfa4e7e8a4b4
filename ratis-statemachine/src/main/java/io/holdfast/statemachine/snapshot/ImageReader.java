package io.holdfast.statemachine.snapshot;

import com.google.protobuf.Message;
import io.holdfast.core.End;
import io.holdfast.core.FencingToken;
import io.holdfast.core.Image;
import io.holdfast.core.ImageKey;
import io.holdfast.core.LockName;
import io.holdfast.core.LockTable;
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
import io.holdfast.snapshot.v1.AnswerKind;
import io.holdfast.snapshot.v1.AnsweredRecord;
import io.holdfast.snapshot.v1.DelayRecord;
import io.holdfast.snapshot.v1.EndKind;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Records of the state out of a checkpoint. Refuses fields that it does not know: half a record is not a record.
 *
 * <p>Throws {@link IllegalArgumentException} for what is no record, as the core's constructors do.
 */
final class ImageReader {
    private ImageReader() {}

    static StoreImage store(StoreRecord store) {
        // First: what a newer version wrote may have fields that are not known here, and the level says why.
        if (store.getFeatureLevel() > LockTable.NEWEST_FEATURE_LEVEL) {
            throw new IllegalArgumentException("it is of feature level " + store.getFeatureLevel()
                    + ", and this node knows levels up to " + LockTable.NEWEST_FEATURE_LEVEL
                    + ": start a newer version of Holdfast on it");
        }
        refuseUnknown(store);
        return new StoreImage(
                store.getAppliedIndex(),
                store.getClockNanos(),
                store.getLastToken(),
                store.getLastSequence(),
                store.getFeatureLevel(),
                memory(store.getFinished()),
                memory(store.getEnded()),
                events(store.getEvents()));
    }

    private static StoreImage.Events events(EventsRecord events) {
        refuseUnknown(events);
        return new StoreImage.Events(
                events.getLastOrdinal(), events.getForgottenUpToIndex(), events.getForgottenUpToNanos());
    }

    private static StoreImage.Memory memory(MemoryRecord memory) {
        refuseUnknown(memory);
        return new StoreImage.Memory(memory.getLastOrdinal(), memory.getCrowdedOutUpToNanos());
    }

    static Image session(ImageKey.OfSession key, SessionRecord session) {
        refuseUnknown(session);
        List<Image.Answered> answers = new ArrayList<>(session.getAnswersCount());
        for (AnsweredRecord answer : session.getAnswersList()) {
            refuseUnknown(answer);
            answers.add(new Image.Answered(answer.getNumber(), past(answer.getPast())));
        }
        return new Image.OfSession(
                key.session(),
                session.getSequence(),
                session.getDeadlineNanos(),
                session.getTtlNanos(),
                session.getLabel(),
                session.getSeenUpTo(),
                answers,
                session.getMetadata());
    }

    static Image lock(ImageKey key, LockName name, LockRecord lock) {
        refuseUnknown(lock);
        Image image = new Image.OfLock(
                name,
                owner(lock.getOwner()),
                new FencingToken(lock.getToken()),
                lock.getLogIndex(),
                lock.getGrantedAtNanos(),
                requests(lock.getRequestsList()),
                lock.hasTerms() ? terms(lock.getTerms()) : Terms.PLAIN,
                requests(lock.getSetRequestsList()),
                lock.hasRevocation() ? Optional.of(revocation(lock.getRevocation())) : Optional.empty());
        if (!image.key().equals(key)) {
            throw new IllegalArgumentException("it belongs under " + image.key());
        }
        return image;
    }

    private static Image.Revocation revocation(RevocationRecord it) {
        refuseUnknown(it);
        return new Image.Revocation(it.getSequence(), it.getDeadlineNanos(), it.getReason(), it.getBy());
    }

    private static Terms terms(TermsRecord terms) {
        refuseUnknown(terms);
        return new Terms(mode(terms), terms.getValue(), terms.getLockDelayNanos());
    }

    static Mode mode(TermsRecord terms) {
        if (terms.getMode() == ModeKind.MODE_KIND_PERMITS) {
            return new Mode.Permits(terms.getPermits(), terms.getCapacity());
        }
        if (terms.getPermits() != 0 || terms.getCapacity() != 0) {
            throw new IllegalArgumentException("permits of what is no semaphore");
        }
        return mode(terms.getMode());
    }

    private static Mode mode(ModeKind mode) {
        return switch (mode) {
            case MODE_KIND_EXCLUSIVE -> Mode.EXCLUSIVE;
            case MODE_KIND_SHARED -> Mode.SHARED;
            case MODE_KIND_PERMITS, MODE_KIND_UNSPECIFIED, UNRECOGNIZED ->
                throw new IllegalArgumentException("an unknown mode");
        };
    }

    static Image waiter(ImageKey.OfWaiter key, WaiterRecord waiter) {
        refuseUnknown(waiter);
        return new Image.OfWaiter(
                key.name(),
                key.sequence(),
                owner(waiter.getOwner()),
                waiter.getLogIndex(),
                waiter.getQueuedAtNanos(),
                waiter.getDeadlineNanos(),
                requests(waiter.getRequestsList()),
                waiter.hasTerms() ? terms(waiter.getTerms()) : Terms.PLAIN,
                waiter.getOthersList().stream().map(ImageReader::want).toList());
    }

    private static Want want(WantRecord want) {
        refuseUnknown(want);
        return new Want(new LockName(want.getName()), want.hasTerms() ? terms(want.getTerms()) : Terms.PLAIN);
    }

    static Image delay(ImageKey.OfDelay key, DelayRecord delay) {
        refuseUnknown(delay);
        return new Image.OfDelay(key.name(), delay.getSequence(), delay.getDeadlineNanos(), delay.getCapacity());
    }

    static Image finished(ImageKey.OfFinished key, FinishedRecord finished) {
        refuseUnknown(finished);
        IdRecord request = finished.getRequest();
        refuseUnknown(request);
        return new Image.OfFinished(
                key.ordinal(),
                new RequestId(request.getHigh(), request.getLow()),
                past(finished.getPast()),
                finished.getAtNanos());
    }

    static Image ended(ImageKey.OfEnded key, EndedRecord ended) {
        refuseUnknown(ended);
        return new Image.OfEnded(key.ordinal(), session(ended.getSession()), end(ended.getHow()), ended.getAtNanos());
    }

    private static OwnerImage owner(OwnerRecord owner) {
        refuseUnknown(owner);
        return switch (owner.getOwnerCase()) {
            case SESSION -> new OwnerImage.OfSession(session(owner.getSession()));
            case ONE_SHOT -> oneShot(owner.getOneShot());
            case OWNER_NOT_SET -> throw new IllegalArgumentException("it has no owner");
        };
    }

    private static OwnerImage oneShot(OneShotRecord one) {
        refuseUnknown(one);
        return new OwnerImage.OneShot(
                new Owner.OneShot(one.getOwner()),
                one.getSequence(),
                one.getDeadlineNanos(),
                one.getTtlNanos(),
                one.getLabel());
    }

    private static List<Request> requests(List<RequestRecord> records) {
        return records.stream().map(ImageReader::request).toList();
    }

    private static Request request(RequestRecord request) {
        refuseUnknown(request);
        return switch (request.getRequestCase()) {
            case NUMBERED -> {
                NumberedRecord one = request.getNumbered();
                refuseUnknown(one);
                yield new Request.Numbered(one.getNumber(), one.getSeenUpTo());
            }
            case IDENTIFIED -> {
                IdentifiedRecord one = request.getIdentified();
                refuseUnknown(one);
                refuseUnknown(one.getId());
                yield new Request.Identified(
                        new RequestId(one.getId().getHigh(), one.getId().getLow()), one.getIssuedAtNanos());
            }
            case REQUEST_NOT_SET -> throw new IllegalArgumentException("a request without number or id");
        };
    }

    private static Past past(PastRecord past) {
        refuseUnknown(past);
        return new Past(answer(past.getAnswer()), past.getToken());
    }

    private static Past.Answer answer(AnswerKind answer) {
        return switch (answer) {
            case ANSWER_KIND_WAS_RELEASED -> Past.Answer.WAS_RELEASED;
            case ANSWER_KIND_HAS_EXPIRED -> Past.Answer.HAS_EXPIRED;
            case ANSWER_KIND_TIMED_OUT -> Past.Answer.TIMED_OUT;
            case ANSWER_KIND_GAVE_UP -> Past.Answer.GAVE_UP;
            case ANSWER_KIND_HELD -> Past.Answer.HELD;
            case ANSWER_KIND_OWNER_BUSY -> Past.Answer.OWNER_BUSY;
            case ANSWER_KIND_RELEASED -> Past.Answer.RELEASED;
            case ANSWER_KIND_NOT_HELD -> Past.Answer.NOT_HELD;
            case ANSWER_KIND_WAS_CONVERTED -> Past.Answer.WAS_CONVERTED;
            case ANSWER_KIND_OTHER_MODE -> Past.Answer.OTHER_MODE;
            case ANSWER_KIND_NOT_ALONE -> Past.Answer.NOT_ALONE;
            case ANSWER_KIND_OTHER_KIND -> Past.Answer.OTHER_KIND;
            case ANSWER_KIND_FEWER_PERMITS -> Past.Answer.FEWER_PERMITS;
            case ANSWER_KIND_PERMITS_RELEASED -> Past.Answer.PERMITS_RELEASED;
            case ANSWER_KIND_PART_OF_SET -> Past.Answer.PART_OF_SET;
            case ANSWER_KIND_PROCLAIMED -> Past.Answer.PROCLAIMED;
            case ANSWER_KIND_WAS_HANDED_OFF -> Past.Answer.WAS_HANDED_OFF;
            case ANSWER_KIND_WAS_REVOKED -> Past.Answer.WAS_REVOKED;
            case ANSWER_KIND_HANDED_OFF -> Past.Answer.HANDED_OFF;
            case ANSWER_KIND_NO_SUCH_TARGET -> Past.Answer.NO_SUCH_TARGET;
            case ANSWER_KIND_TARGET_BUSY -> Past.Answer.TARGET_BUSY;
            case ANSWER_KIND_REVOKED -> Past.Answer.REVOKED;
            case ANSWER_KIND_DEADLOCK -> Past.Answer.DEADLOCK;
            case ANSWER_KIND_UNSPECIFIED, UNRECOGNIZED -> throw new IllegalArgumentException("an unknown answer");
        };
    }

    static End end(EndKind how) {
        return switch (how) {
            case END_KIND_RELEASED -> End.RELEASED;
            case END_KIND_EXPIRED -> End.EXPIRED;
            case END_KIND_TIMED_OUT -> End.TIMED_OUT;
            case END_KIND_GAVE_UP -> End.GAVE_UP;
            case END_KIND_REVOKED -> End.REVOKED;
            case END_KIND_UNSPECIFIED, UNRECOGNIZED -> throw new IllegalArgumentException("an unknown end");
        };
    }

    static SessionId session(IdRecord id) {
        refuseUnknown(id);
        return new SessionId(id.getHigh(), id.getLow());
    }

    private static void refuseUnknown(Message message) {
        if (!message.getUnknownFields().asMap().isEmpty()) {
            throw new IllegalArgumentException(message.getDescriptorForType().getName() + " has an unknown field "
                    + message.getUnknownFields().asMap().keySet().iterator().next());
        }
    }
}
