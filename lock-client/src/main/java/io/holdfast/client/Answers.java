package io.holdfast.client;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.holdfast.v1.AcquireResponse;
import io.holdfast.v1.Ended;
import io.holdfast.v1.ErrorReason;
import io.holdfast.v1.Hold;
import io.holdfast.v1.Lock;
import io.holdfast.v1.NotHeld;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.Session;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;

/** The API's messages and errors as this library's types. */
final class Answers {
    private Answers() {}

    static Holder holder(Hold hold) {
        return new Holder(
                hold.getName(),
                ownerId(hold.getOwner()),
                hold.getOwner().hasSessionId(),
                hold.getOwnerLabel(),
                hold.getToken(),
                hold.getLogIndex(),
                Duration.ofMillis(hold.getTtlMs()),
                Duration.ofMillis(hold.getHeldMs()),
                Duration.ofMillis(hold.getRemainingMs()),
                terms(hold.getTerms()),
                hold.hasNotice() ? Optional.of(notice(hold.getNotice())) : Optional.empty());
    }

    private static Notice notice(io.holdfast.v1.Notice notice) {
        return new Notice(Duration.ofMillis(notice.getRemainingMs()), notice.getReason(), notice.getBy());
    }

    static Optional<Holder> holder(NotHeld no) {
        return holder(no.hasHolder(), no.getHolder());
    }

    static Optional<Holder> holder(AcquireResponse.Waiting waiting) {
        return holder(waiting.hasHolder(), waiting.getHolder());
    }

    static Optional<Holder> holder(boolean isThere, Hold hold) {
        return isThere ? Optional.of(holder(hold)) : Optional.empty();
    }

    static RenewRequest renewal(String name, String ownerId, OptionalLong token, Optional<Long> ttlMillis) {
        return RenewRequest.newBuilder()
                .setName(wellFormed("name", name))
                .setOwnerId(wellFormed("owner", ownerId))
                .setToken(token.orElse(0))
                .setTtlMs(ttlMillis.orElse(0L))
                .build();
    }

    static LockInfo lock(Lock lock) {
        return new LockInfo(
                lock.getName(),
                lock.getMode() == Lock.Mode.MODE_UNSPECIFIED
                        ? "NONE"
                        : lock.getMode().name(),
                lock.getHoldersList().stream().map(Answers::holder).toList(),
                lock.getHolderCount(),
                lock.getWaitersList().stream().map(Answers::waiter).toList(),
                lock.getWaiterCount(),
                lock.getCapacity(),
                lock.getPermitsOut(),
                Duration.ofMillis(lock.getDelayRemainingMs()));
    }

    static io.holdfast.v1.Terms terms(Terms terms) {
        io.holdfast.v1.Terms.Builder message = io.holdfast.v1.Terms.newBuilder()
                .setValue(wellFormed("value", terms.value()))
                .setLockDelayMs(terms.lockDelay().toMillis());
        if (terms.mode() instanceof Mode.Permits some) {
            message.setMode(Lock.Mode.SEMAPHORE).setPermits(some.permits()).setCapacity(some.capacity());
        } else if (terms.mode() instanceof Mode.Shared) {
            message.setMode(Lock.Mode.SHARED);
        }
        return message.build();
    }

    private static Terms terms(io.holdfast.v1.Terms terms) {
        Mode mode = switch (terms.getMode()) {
            case SEMAPHORE -> new Mode.Permits(terms.getPermits(), terms.getCapacity());
            case SHARED -> Mode.SHARED;
            case EXCLUSIVE, MODE_UNSPECIFIED, UNRECOGNIZED -> Mode.EXCLUSIVE;
        };
        return new Terms(mode, terms.getValue(), Duration.ofMillis(terms.getLockDelayMs()));
    }

    static Acquisition.NotGranted notGranted(AcquireResponse.NotGranted no) {
        Acquisition.Reason reason = switch (no.getReason()) {
            case OWNER_BUSY -> Acquisition.Reason.OWNER_BUSY;
            case OTHER_MODE -> Acquisition.Reason.OTHER_MODE;
            case OTHER_KIND -> Acquisition.Reason.OTHER_KIND;
            case PART_OF_SET -> Acquisition.Reason.PART_OF_SET;
            case DEADLOCK -> Acquisition.Reason.DEADLOCK;
            // A newer server may know more reasons; what this client knows is that it is not granted.
            case HELD, REASON_UNSPECIFIED, UNRECOGNIZED -> Acquisition.Reason.HELD;
        };
        return new Acquisition.NotGranted(
                reason,
                holder(no.hasHolder(), no.getHolder()),
                no.getName(),
                no.getCapacity(),
                no.getCycleList().stream().map(Answers::edge).toList());
    }

    /** To a retry of an acquire: it was granted or waited once, and that is over. */
    static Acquisition.NotGranted over(Ended ended) {
        return new Acquisition.NotGranted(reason(ended.getHow()), Optional.empty());
    }

    static HoldfastException unknownKind() {
        return new HoldfastException.ServerFault("an answer of a kind that this client does not know");
    }

    static SessionInfo session(Session session) {
        return new SessionInfo(
                hex(session.getSessionId()),
                session.getHandle(),
                session.getOwnerLabel(),
                Duration.ofMillis(session.getTtlMs()),
                Duration.ofMillis(session.getRemainingMs()),
                session.getHolds(),
                session.getWaits());
    }

    private static Acquisition.Reason reason(Ended.How how) {
        return switch (how) {
            case RELEASED -> Acquisition.Reason.RELEASED;
            case TIMED_OUT -> Acquisition.Reason.TIMED_OUT;
            case GAVE_UP -> Acquisition.Reason.GAVE_UP;
            case CONVERTED -> Acquisition.Reason.CONVERTED;
            case HANDED_OFF -> Acquisition.Reason.HANDED_OFF;
            case REVOKED -> Acquisition.Reason.REVOKED;
            // A newer server may know more ways; what this client knows is that the lease is gone.
            case EXPIRED, HOW_UNSPECIFIED, UNRECOGNIZED -> Acquisition.Reason.EXPIRED;
        };
    }

    static io.holdfast.v1.Owner owner(Owner owner) {
        io.holdfast.v1.Owner.Builder message = io.holdfast.v1.Owner.newBuilder();
        if (owner instanceof Owner.Session session) {
            message.setSessionId(bytes("session", session.id()));
        } else if (owner instanceof Owner.OneShot one) {
            message.setId(wellFormed("owner", one.id()));
        }
        return message.build();
    }

    /** 16 bytes from 32 hexadecimal digits. */
    static ByteString bytes(String field, String hex) {
        try {
            if (hex.length() == 32) {
                return ByteString.copyFrom(HexFormat.of().parseHex(hex));
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw new HoldfastException.InvalidArgument(
                field, field + " is \"" + shortened(hex) + "\"; it must be 32 hexadecimal digits");
    }

    /** Text that has a UTF-8 form; protobuf would send a question mark for an unpaired surrogate. */
    static String wellFormed(String field, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                throw new HoldfastException.InvalidArgument(
                        field, field + " has an unpaired surrogate at " + i + "; it must be UTF-8");
            }
        }
        return text;
    }

    static String hex(ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    /** What a failed call says. */
    record Failure(ErrorReason reason, String field, String message, boolean isIndefinite) {
        boolean isWorthRepeating() {
            return switch (reason) {
                case NO_LEADER, OUTCOME_UNKNOWN, SHUTTING_DOWN, OVERLOADED, ERROR_REASON_UNSPECIFIED -> true;
                case DISK_UNUSABLE, WATCH_TOO_SLOW, WATCH_INTERRUPTED -> true; // at another node
                default -> false;
            };
        }

        /** Whether a node would not do what its operator asked for. */
        boolean isOperationRefused() {
            return switch (reason) {
                case NO_SUCH_MEMBER, ALREADY_MEMBER, CHANGE_UNDER_WAY, MEMBER_NOT_READY, LAST_MEMBER, DISK_UNUSABLE ->
                    true;
                default -> false;
            };
        }

        HoldfastException asException(int sendings) {
            if (isOperationRefused()) {
                return new HoldfastException.OperationRefused(reason.name(), message);
            }
            return switch (reason) {
                case INVALID_FIELD, REQUEST_TOO_LARGE -> new HoldfastException.InvalidArgument(field, message);
                case NO_SUCH_SESSION -> new HoldfastException.NoSuchSession(message);
                case TOO_LATE, ALREADY_ANSWERED -> new HoldfastException.TooLate(sendings == 1, message);
                case LIMIT_REACHED -> new HoldfastException.LimitReached(message);
                case FEATURE_LEVEL_TOO_LOW -> new HoldfastException.FeatureLevelTooLow(message);
                default -> new HoldfastException.ServerFault(message);
            };
        }
    }

    static Failure failure(StatusRuntimeException e) {
        String message = Optional.ofNullable(e.getStatus().getDescription())
                .orElse(e.getStatus().getCode().name());
        com.google.rpc.Status status =
                Optional.ofNullable(StatusProto.fromThrowable(e)).orElse(com.google.rpc.Status.getDefaultInstance());
        ErrorReason reason = reasonIn(status);
        if (reason == ErrorReason.ERROR_REASON_UNSPECIFIED) {
            return withoutReason(e, message);
        }
        boolean indefinite = reason == ErrorReason.OUTCOME_UNKNOWN || reason == ErrorReason.INTERNAL_ERROR;
        return new Failure(reason, fieldIn(status), message, indefinite);
    }

    /** Failures of the transport. Unless the connection was refused, the request may have arrived. */
    private static Failure withoutReason(StatusRuntimeException e, String message) {
        return switch (e.getStatus().getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, UNKNOWN ->
                new Failure(ErrorReason.ERROR_REASON_UNSPECIFIED, "", message, !isConnectFailure(e));
            case INVALID_ARGUMENT -> new Failure(ErrorReason.INVALID_FIELD, "request", message, false);
            case RESOURCE_EXHAUSTED -> new Failure(ErrorReason.REQUEST_TOO_LARGE, "request", message, false);
            default -> new Failure(ErrorReason.INTERNAL_ERROR, "", message, true);
        };
    }

    private static boolean isConnectFailure(StatusRuntimeException e) {
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof java.net.ConnectException) {
                return true;
            }
        }
        return false;
    }

    private static ErrorReason reasonIn(com.google.rpc.Status status) {
        try {
            for (Any detail : status.getDetailsList()) {
                if (detail.is(ErrorInfo.class)) {
                    return ErrorReason.valueOf(detail.unpack(ErrorInfo.class).getReason());
                }
            }
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            // A reason that this version does not know: its status code must do.
            return ErrorReason.ERROR_REASON_UNSPECIFIED;
        }
        return ErrorReason.ERROR_REASON_UNSPECIFIED;
    }

    private static String fieldIn(com.google.rpc.Status status) {
        try {
            for (Any detail : status.getDetailsList()) {
                if (detail.is(BadRequest.class)) {
                    BadRequest bad = detail.unpack(BadRequest.class);
                    return bad.getFieldViolationsCount() == 0
                            ? ""
                            : bad.getFieldViolations(0).getField();
                }
            }
        } catch (InvalidProtocolBufferException e) {
            return "";
        }
        return "";
    }

    static PastHolders.PastHold pastHold(io.holdfast.v1.PastHold hold, long leaseTime) {
        return new PastHolders.PastHold(
                ownerId(hold.getOwner()),
                hold.getOwner().hasSessionId(),
                hold.getOwnerLabel(),
                hold.getToken(),
                hold.hasEnding()
                        ? Optional.of(new PastHolders.Ending(
                                hold.getEnding().getHow().name(),
                                hold.getEnding().getLogIndex(),
                                Duration.ofNanos(leaseTime - hold.getEnding().getLeaseTime())))
                        : Optional.empty());
    }

    static WaitEdge edge(io.holdfast.v1.WaitEdge edge) {
        return new WaitEdge(
                ownerId(edge.getWaiter()),
                edge.getWaiter().hasSessionId(),
                edge.getWaiterLabel(),
                edge.getName(),
                ownerId(edge.getBlocker()),
                edge.getBlocker().hasSessionId(),
                edge.getBlockerLabel(),
                edge.getIsHolder());
    }

    static Waiter waiter(io.holdfast.v1.Waiter waiter) {
        return new Waiter(
                ownerId(waiter.getOwner()),
                waiter.getOwner().hasSessionId(),
                waiter.getOwnerLabel(),
                waiter.getLogIndex(),
                Duration.ofMillis(waiter.getWaitedMs()),
                waiter.getWaitRemainingMs() < 0
                        ? Optional.empty()
                        : Optional.of(Duration.ofMillis(waiter.getWaitRemainingMs())),
                Duration.ofMillis(waiter.getLeaseRemainingMs()),
                terms(waiter.getTerms()));
    }

    static String ownerId(io.holdfast.v1.Owner owner) {
        return owner.hasSessionId() ? hex(owner.getSessionId()) : owner.getId();
    }

    private static String shortened(String text) {
        return text.length() <= 64 ? text : text.substring(0, 64) + "…";
    }
}
