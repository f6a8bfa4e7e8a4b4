package io.holdfast.core;

import java.util.Optional;

/**
 * What is remembered of a finished request: enough to answer it again.
 *
 * @param answer which answer it was
 * @param token the token in that answer, or 0
 */
record Past(Answer answer, long token) {
    enum Answer {
        WAS_RELEASED,
        HAS_EXPIRED,
        TIMED_OUT,
        GAVE_UP,
        HELD,
        OWNER_BUSY,
        RELEASED,
        NOT_HELD
    }

    static Past ended(End how, Optional<FencingToken> token) {
        Answer answer = switch (how) {
            case RELEASED -> Answer.WAS_RELEASED;
            case EXPIRED -> Answer.HAS_EXPIRED;
            case TIMED_OUT -> Answer.TIMED_OUT;
            case GAVE_UP -> Answer.GAVE_UP;
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
     * @param holder who holds the lock by now
     */
    Outcome again(Optional<HoldView> holder) {
        return switch (answer) {
            case WAS_RELEASED -> new Outcome.Ended(End.RELEASED, knownToken());
            case HAS_EXPIRED -> new Outcome.Ended(End.EXPIRED, knownToken());
            case TIMED_OUT -> new Outcome.Ended(End.TIMED_OUT, knownToken());
            case GAVE_UP -> new Outcome.Ended(End.GAVE_UP, knownToken());
            case HELD -> new Outcome.Held(holder);
            case OWNER_BUSY -> new Outcome.OwnerBusy(holder);
            case RELEASED -> new Outcome.Released(new FencingToken(token));
            case NOT_HELD -> new Outcome.NotHeld(holder);
        };
    }

    private Optional<FencingToken> knownToken() {
        return token == 0 ? Optional.empty() : Optional.of(new FencingToken(token));
    }
}
