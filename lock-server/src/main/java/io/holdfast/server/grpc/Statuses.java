package io.holdfast.server.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.holdfast.server.proposer.Unanswered;
import io.holdfast.v1.ErrorReason;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Failures, as the public API tells them: a gRPC status with {@code google.rpc.ErrorInfo} in its details. */
final class Statuses {
    /** The domain of our reasons in {@code google.rpc.ErrorInfo}. */
    static final String DOMAIN = "holdfast";

    private static final Logger LOG = LoggerFactory.getLogger(Statuses.class);

    private Statuses() {}

    /**
     * Translates a failure. What nobody foresaw is logged, with an id that the client is told.
     *
     * @param failure why a call ends without an answer
     * @param method the full name of the RPC, for the log
     */
    static StatusRuntimeException of(Throwable failure, String method) {
        return switch (cause(failure)) {
            case Refused refused -> of(refused);
            case Unanswered unanswered ->
                of(Refused.because(reason(unanswered), String.valueOf(unanswered.getMessage())));
            case OperationRefused refused -> of(Refused.because(reason(refused), String.valueOf(refused.getMessage())));
            case StatusRuntimeException relayed -> relayed;
            case Throwable bug -> {
                String id =
                        HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
                LOG.error("Bug {} in {}", id, method, bug);
                yield of(Refused.because(
                        ErrorReason.INTERNAL_ERROR,
                        "a bug of the server; please report it with the lines of its log about " + id,
                        Map.of("id", id)));
            }
        };
    }

    /** {@return why the call failed, if the failure says so in the terms of the public API} */
    static Optional<ErrorReason> reason(Throwable failure) {
        return switch (cause(failure)) {
            case Refused refused -> Optional.of(refused.reason());
            case Unanswered unanswered -> Optional.of(reason(unanswered));
            case OperationRefused refused -> Optional.of(reason(refused));
            case StatusRuntimeException relayed -> reasonInDetails(relayed);
            case Throwable other -> Optional.empty();
        };
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static ErrorReason reason(Unanswered unanswered) {
        return switch (unanswered.why()) {
            case NOT_LEADER -> ErrorReason.NO_LEADER;
            case OVERLOADED -> ErrorReason.OVERLOADED;
            case STOPPING -> ErrorReason.SHUTTING_DOWN;
            case OUTCOME_UNKNOWN -> ErrorReason.OUTCOME_UNKNOWN;
        };
    }

    private static ErrorReason reason(OperationRefused refused) {
        return switch (refused.why()) {
            case NO_SUCH_MEMBER -> ErrorReason.NO_SUCH_MEMBER;
            case ALREADY_MEMBER -> ErrorReason.ALREADY_MEMBER;
            case CHANGE_UNDER_WAY -> ErrorReason.CHANGE_UNDER_WAY;
            case NOT_READY -> ErrorReason.MEMBER_NOT_READY;
            case LAST_MEMBER -> ErrorReason.LAST_MEMBER;
            case DISK_UNUSABLE -> ErrorReason.DISK_UNUSABLE;
        };
    }

    private static Optional<ErrorReason> reasonInDetails(StatusRuntimeException relayed) {
        com.google.rpc.Status status = StatusProto.fromThrowable(relayed);
        if (status == null) {
            return Optional.empty();
        }
        for (Any detail : status.getDetailsList()) {
            if (detail.is(ErrorInfo.class)) {
                try {
                    ErrorInfo info = detail.unpack(ErrorInfo.class);
                    return info.getDomain().equals(DOMAIN) ? reasonNamed(info.getReason()) : Optional.empty();
                } catch (InvalidProtocolBufferException e) {
                    return Optional.empty(); // not a status of ours
                }
            }
        }
        return Optional.empty();
    }

    /** A newer node may name a reason that this one does not know. */
    private static Optional<ErrorReason> reasonNamed(String name) {
        for (ErrorReason reason : ErrorReason.values()) {
            if (reason.name().equals(name)) {
                return Optional.of(reason);
            }
        }
        return Optional.of(ErrorReason.UNRECOGNIZED);
    }

    private static StatusRuntimeException of(Refused refused) {
        com.google.rpc.Status.Builder status = com.google.rpc.Status.newBuilder()
                .setCode(code(refused.reason()).value())
                .setMessage(String.valueOf(refused.getMessage()))
                .addDetails(Any.pack(ErrorInfo.newBuilder()
                        .setDomain(DOMAIN)
                        .setReason(refused.reason().name())
                        .putAllMetadata(refused.metadata())
                        .build()));
        if (!refused.violations().isEmpty()) {
            BadRequest.Builder bad = BadRequest.newBuilder();
            refused.violations()
                    .forEach(violation -> bad.addFieldViolations(BadRequest.FieldViolation.newBuilder()
                            .setField(violation.field())
                            .setDescription(violation.message())
                            .build()));
            status.addDetails(Any.pack(bad.build()));
        }
        return StatusProto.toStatusRuntimeException(status.build());
    }

    private static Status.Code code(ErrorReason reason) {
        return switch (reason) {
            case INVALID_FIELD -> Status.Code.INVALID_ARGUMENT;
            case REQUEST_TOO_LARGE, LIMIT_REACHED, WATCH_TOO_SLOW -> Status.Code.RESOURCE_EXHAUSTED;
            case TOO_OLD -> Status.Code.OUT_OF_RANGE;
            case NO_LEADER, OUTCOME_UNKNOWN, SHUTTING_DOWN, OVERLOADED, DISK_UNUSABLE, WATCH_INTERRUPTED ->
                Status.Code.UNAVAILABLE;
            case NO_SUCH_SESSION, NO_SUCH_MEMBER -> Status.Code.NOT_FOUND;
            case ALREADY_MEMBER -> Status.Code.ALREADY_EXISTS;
            case CHANGE_UNDER_WAY -> Status.Code.ABORTED;
            case TOO_LATE, ALREADY_ANSWERED, MEMBER_NOT_READY, LAST_MEMBER, FEATURE_LEVEL_TOO_LOW ->
                Status.Code.FAILED_PRECONDITION;
            case INTERNAL_ERROR, ERROR_REASON_UNSPECIFIED, UNRECOGNIZED -> Status.Code.INTERNAL;
        };
    }
}
