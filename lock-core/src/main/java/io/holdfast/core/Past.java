package io.holdfast.core;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a finished request: enough to answer it again.
 *
 * @param answer which answer it was
 * @param token the token in that answer; 0 if it has none
 */
public record Past(Answer answer, long token) {
    /** Refuses a negative token, and none where the answer has one. */
    public Past {
        boolean hasToken = switch (answer) {
            case RELEASED, PERMITS_RELEASED, PROCLAIMED, HANDED_OFF, REVOKED -> true;
            default -> false;
        };
        Checks.atLeast(hasToken ? 1 : 0, token, "token");
    }

    /** Which answer it was. */
    public enum Answer {
        /** To an acquire: granted, and the hold was ended by its owner. */
        WAS_RELEASED,
        /** To an acquire: its lease ran out, in the queue or after the grant. */
        HAS_EXPIRED,
        /** To an acquire: its wait deadline passed. */
        TIMED_OUT,
        /** To an acquire, or to what gave it up: given up. */
        GAVE_UP,
        /** To an acquire that would not wait: somebody holds the lock. */
        HELD,
        /** To an acquire: its owner holds the lock, or waits for it, through another request. */
        OWNER_BUSY,
        /** To a release: done. */
        RELEASED,
        /** To a release or a conversion: the owner did not hold the lock, or not under that token. */
        NOT_HELD,
        /** To what got a hold: granted, and the hold went on in another mode. */
        WAS_CONVERTED,
        /** To an acquire: its owner holds the lock, or waits for it, in another mode. */
        OTHER_MODE,
        /** To a conversion: others share the lock. */
        NOT_ALONE,
        /** To a request: the name is another kind of lock, or a semaphore of another capacity. */
        OTHER_KIND,
        /** To a release: the hold has fewer permits. */
        FEWER_PERMITS,
        /** To a release: some of the permits were given back. */
        PERMITS_RELEASED,
        /** To a request: a set and a single lock are in each other's way. */
        PART_OF_SET,
        /** To a proclamation: done. */
        PROCLAIMED,
        /** To what got a hold: granted, and its owner passed it on. */
        WAS_HANDED_OFF,
        /** To what got a hold: granted, and it was taken away. */
        WAS_REVOKED,
        /** To a hand-off: done; with the token of the new holder. */
        HANDED_OFF,
        /** To a hand-off: there is no such session. */
        NO_SUCH_TARGET,
        /** To a hand-off: the other has a part in the lock already. */
        TARGET_BUSY,
        /** To a revocation: the hold is revoked. */
        REVOKED,
        /** To an acquire: its session would wait for itself. */
        DEADLOCK
    }

    static Past ended(End how, Optional<FencingToken> token) {
        Answer answer = switch (how) {
            case RELEASED -> Answer.WAS_RELEASED;
            case EXPIRED -> Answer.HAS_EXPIRED;
            case TIMED_OUT -> Answer.TIMED_OUT;
            case GAVE_UP -> Answer.GAVE_UP;
            case CONVERTED -> Answer.WAS_CONVERTED;
            case HANDED_OFF -> Answer.WAS_HANDED_OFF;
            case REVOKED -> Answer.WAS_REVOKED;
        };
        return new Past(answer, token.map(FencingToken::value).orElse(0L));
    }

    static Past of(Answer answer) {
        return new Past(answer, 0);
    }

    static Past released(FencingToken token) {
        return new Past(Answer.RELEASED, token.value());
    }

    /**
     * The same answer once more.
     *
     * @param name the lock in question
     * @param lock the lock as it is by now, if anybody holds it
     * @param hold who asks holds it so by now, if it does
     */
    Outcome again(LockName name, @Nullable Lock lock, @Nullable Hold hold, long clockNanos) {
        Optional<HoldView> holder = lock == null ? Optional.empty() : lock.holder(clockNanos);
        return switch (answer) {
            case WAS_RELEASED -> new Outcome.Ended(End.RELEASED, knownToken());
            case HAS_EXPIRED -> new Outcome.Ended(End.EXPIRED, knownToken());
            case TIMED_OUT -> new Outcome.Ended(End.TIMED_OUT, knownToken());
            case GAVE_UP -> new Outcome.Ended(End.GAVE_UP, knownToken());
            case HELD -> new Outcome.Held(holder);
            case OWNER_BUSY -> new Outcome.OwnerBusy(holder);
            case RELEASED -> new Outcome.Released(new FencingToken(token));
            case NOT_HELD -> new Outcome.NotHeld(holder);
            case WAS_CONVERTED -> new Outcome.Ended(End.CONVERTED, knownToken());
            case OTHER_MODE -> new Outcome.OtherMode(holder);
            case NOT_ALONE -> new Outcome.NotAlone(lock == null ? 0 : lock.holders.size());
            case OTHER_KIND -> new Outcome.OtherKind(name, lock == null ? 0 : lock.capacity);
            case PART_OF_SET -> new Outcome.PartOfSet(name);
            case FEWER_PERMITS -> new Outcome.FewerPermits(hold == null ? 0 : hold.permits());
            case PERMITS_RELEASED -> new Outcome.PermitsReleased(new FencingToken(token), same(hold, clockNanos));
            case WAS_HANDED_OFF -> new Outcome.Ended(End.HANDED_OFF, knownToken());
            case WAS_REVOKED -> new Outcome.Ended(End.REVOKED, knownToken());
            case HANDED_OFF -> new Outcome.HandedOff(new FencingToken(token));
            case NO_SUCH_TARGET -> new Outcome.NoSuchTarget();
            case TARGET_BUSY -> new Outcome.TargetBusy();
            case REVOKED -> revoked(lock, clockNanos);
            case DEADLOCK -> new Outcome.Deadlock(List.of());
            case PROCLAIMED -> new Outcome.Proclaimed(new FencingToken(token), same(hold, clockNanos));
        };
    }

    /** A hold that lives yet shows what is left of its grace. */
    private Outcome revoked(@Nullable Lock lock, long clockNanos) {
        Hold hold = lock == null ? null : lock.holders.of(new FencingToken(token));
        return hold == null
                ? new Outcome.Revoked(new FencingToken(token))
                : new Outcome.Revoking(hold.view(clockNanos));
    }

    /** The hold if it is still the one that the answer was about. */
    private Optional<HoldView> same(@Nullable Hold hold, long clockNanos) {
        return Optional.ofNullable(hold).filter(it -> it.token.value() == token).map(it -> it.view(clockNanos));
    }

    private Optional<FencingToken> knownToken() {
        return token == 0 ? Optional.empty() : Optional.of(new FencingToken(token));
    }
}
