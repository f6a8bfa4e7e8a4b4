package io.holdfast.server.grpc;

import io.holdfast.core.Bounds.Violation;
import io.holdfast.core.End;
import io.holdfast.core.FencingToken;
import io.holdfast.core.HoldView;
import io.holdfast.core.Outcome;
import io.holdfast.v1.AcquireResponse.NotGranted;
import io.holdfast.v1.Ended;
import io.holdfast.v1.ErrorReason;
import io.holdfast.v1.NotHeld;
import io.holdfast.v1.OtherKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Outcomes that are a no: as the parts of responses that several have in common, or as errors of the public API. */
final class Refusals {
    private Refusals() {}

    /** {@return the refusal of an acquire, of one lock or of several, if the outcome is one} */
    static Optional<NotGranted> notGranted(Outcome outcome) {
        NotGranted.Builder no = NotGranted.newBuilder();
        return switch (outcome) {
            case Outcome.Held it -> Optional.of(because(NotGranted.Reason.HELD, it.holder()));
            case Outcome.OwnerBusy it -> Optional.of(because(NotGranted.Reason.OWNER_BUSY, it.holder()));
            case Outcome.OtherMode it -> Optional.of(because(NotGranted.Reason.OTHER_MODE, it.holder()));
            case Outcome.OtherKind it ->
                Optional.of(no.setReason(NotGranted.Reason.OTHER_KIND)
                        .setName(it.name().value())
                        .setCapacity(it.capacity())
                        .build());
            case Outcome.Deadlock it ->
                Optional.of(no.setReason(NotGranted.Reason.DEADLOCK)
                        .addAllCycle(Views.fitting(it.cycle(), Views::edge))
                        .build());
            case Outcome.PartOfSet it ->
                Optional.of(no.setReason(NotGranted.Reason.PART_OF_SET)
                        .setName(it.name().value())
                        .build());
            default -> Optional.empty();
        };
    }

    private static NotGranted because(NotGranted.Reason reason, Optional<HoldView> holder) {
        NotGranted.Builder refusal = NotGranted.newBuilder().setReason(reason);
        holder.ifPresent(it -> refusal.setHolder(Views.hold(it)));
        return refusal.build();
    }

    static NotHeld notHeld(Optional<HoldView> holder) {
        NotHeld.Builder refusal = NotHeld.newBuilder();
        holder.ifPresent(it -> refusal.setHolder(Views.hold(it)));
        return refusal.build();
    }

    static OtherKind otherKind(Outcome.OtherKind other) {
        return OtherKind.newBuilder()
                .setName(other.name().value())
                .setCapacity(other.capacity())
                .build();
    }

    static Ended ended(End how, Optional<FencingToken> token) {
        return Ended.newBuilder()
                .setHow(
                        switch (how) {
                            case RELEASED -> Ended.How.RELEASED;
                            case EXPIRED -> Ended.How.EXPIRED;
                            case TIMED_OUT -> Ended.How.TIMED_OUT;
                            case GAVE_UP -> Ended.How.GAVE_UP;
                            case CONVERTED -> Ended.How.CONVERTED;
                            case HANDED_OFF -> Ended.How.HANDED_OFF;
                            case REVOKED -> Ended.How.REVOKED;
                        })
                .setToken(token.map(FencingToken::value).orElse(0L))
                .build();
    }

    /** What giving up an acquire is answered that had been refused: there is nothing to give up, and nothing will be granted. */
    static Ended nothingToGiveUp() {
        return ended(End.GAVE_UP, Optional.empty());
    }

    /** An outcome that is an error in the public API, or that no answer to this request can be. */
    static RuntimeException failure(Outcome outcome) {
        return switch (outcome) {
            case Outcome.NoSuchSession it ->
                Refused.because(ErrorReason.NO_SUCH_SESSION, "the session expired, was closed, or was never opened");
            case Outcome.TooLate it ->
                Refused.because(
                        ErrorReason.TOO_LATE,
                        "the request was first sent too long ago: it was not carried out now, and may have been before");
            case Outcome.AlreadyAnswered it ->
                Refused.because(
                        ErrorReason.ALREADY_ANSWERED, "the client has said that it saw the answer to this request");
            case Outcome.LimitReached it ->
                Refused.because(
                        ErrorReason.LIMIT_REACHED,
                        "there are " + it.limit() + " " + it.what() + " already, and more there cannot be",
                        Map.of("limit", it.what(), "value", Long.toString(it.limit())));
            case Outcome.FeatureLevelTooLow it -> tooLow(it);
            case Outcome.Granted it -> misused();
            case Outcome.GrantedAll it -> misused();
            case Outcome.Queued it -> misused();
            case Outcome.Held it -> misused();
            case Outcome.OwnerBusy it -> misused();
            case Outcome.OtherMode it -> misused();
            case Outcome.OtherKind it -> misused();
            case Outcome.PartOfSet it -> misused();
            case Outcome.Deadlock it -> misused();
            case Outcome.NotAlone it -> misused();
            case Outcome.FewerPermits it -> misused();
            case Outcome.PermitsReleased it -> misused();
            case Outcome.Proclaimed it -> misused();
            case Outcome.HandedOff it -> misused();
            case Outcome.NoSuchTarget it -> misused();
            case Outcome.TargetBusy it -> misused();
            case Outcome.Revoking it -> misused();
            case Outcome.Revoked it -> misused();
            case Outcome.Ended it -> misused();
            case Outcome.Released it -> misused();
            case Outcome.NotHeld it -> misused();
            case Outcome.Renewed it -> misfit(it);
            case Outcome.SessionsRenewed it -> misfit(it);
            case Outcome.SessionOpened it -> misfit(it);
            case Outcome.SessionClosed it -> misfit(it);
            case Outcome.FeatureLevel it -> misfit(it);
        };
    }

    private static RuntimeException tooLow(Outcome.FeatureLevelTooLow it) {
        return Refused.because(
                ErrorReason.FEATURE_LEVEL_TOO_LOW,
                "this takes feature level " + it.needed() + ", and the cluster is at " + it.level()
                        + ": it is raised by itself once all members run, and know and allow it",
                Map.of("needed", Integer.toString(it.needed()), "level", Integer.toString(it.level())));
    }

    /** The store remembers another request under this tag. */
    private static RuntimeException misused() {
        return Refused.invalid(List.of(new Violation(
                "tag", "that of another request", "one that is used for this request and its retries only")));
    }

    /** Not the client's doing: no tag can lead to such an answer. */
    private static RuntimeException misfit(Outcome outcome) {
        return new IllegalStateException("no answer to this request: " + outcome);
    }
}
