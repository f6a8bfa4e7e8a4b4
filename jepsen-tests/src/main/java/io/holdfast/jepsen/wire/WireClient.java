package io.holdfast.jepsen.wire;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.holdfast.v1.AcquireRequest;
import io.holdfast.v1.AcquireResponse;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.Lock;
import io.holdfast.v1.Owner;
import io.holdfast.v1.ReleaseRequest;
import io.holdfast.v1.ReleaseResponse;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.RenewResponse;
import io.holdfast.v1.RequestTag;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Acquires and releases by hand, as the public API says it is done. What fails for want of a leader is sent again as it is, which has one effect. Safe for use by many threads. */
public final class WireClient {
    /** For one call that does not block. */
    private static final Duration CALL = Duration.ofSeconds(5);

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Supplier<Wire> node;

    /**
     * Connects when called.
     *
     * @param node where to send the next call
     */
    public WireClient(Supplier<Wire> node) {
        this.node = node;
    }

    /** {@return a request of a new owner with a new tag, issued now} */
    public AcquireRequest request(String name, Duration ttl, Duration wait) {
        return AcquireRequest.newBuilder()
                .setName(name)
                .setOwner(Owner.newBuilder().setId("owner-" + UUID.randomUUID()))
                .setTag(tag())
                .setTtlMs(ttl.toMillis())
                .setWaitMs(wait.toMillis())
                .build();
    }

    /** {@return a new tag, issued at the lease time that the node knows} */
    public RequestTag tag() {
        long leaseTime = node.get()
                .status()
                .or(() -> node.get().status())
                .orElseThrow(() -> new IllegalStateException("the node does not answer"))
                .getLeaseTime();
        return RequestTag.newBuilder().setId(randomId()).setIssuedAt(leaseTime).build();
    }

    /** {@return 16 random bytes} */
    public static ByteString randomId() {
        UUID id = UUID.randomUUID();
        ByteBuffer bytes = ByteBuffer.allocate(16).putLong(id.getMostSignificantBits());
        return ByteString.copyFrom(bytes.putLong(id.getLeastSignificantBits()).flip());
    }

    /**
     * Asks until there is an answer other than 'waiting'.
     *
     * @return the grant, or empty if it was not granted
     */
    public Optional<Grant> acquire(AcquireRequest request) {
        while (true) {
            AtomicLong sending = new AtomicLong();
            AcquireResponse answer = again(() -> {
                sending.set(System.nanoTime());
                return once(request);
            });
            long answered = System.nanoTime();
            long sent = sending.get();
            switch (answer.getResultCase()) {
                case GRANTED -> {
                    return Optional.of(new Grant(request, answer.getGranted(), sent, answered));
                }
                case WAITING -> {}
                case NOT_GRANTED, ENDED -> {
                    return Optional.empty();
                }
                case RESULT_NOT_SET -> throw new IllegalStateException("an answer without a result: " + answer);
            }
        }
    }

    /** {@return the grant of a request that must be granted} */
    public Grant mustAcquire(AcquireRequest request) {
        return acquire(request).orElseThrow(() -> new IllegalStateException("not granted: " + request.getName()));
    }

    /** {@return the answer to one ask} */
    public AcquireResponse send(AcquireRequest request) {
        return again(() -> once(request));
    }

    private AcquireResponse once(AcquireRequest request) {
        return node.get().locks(CALL.plusMillis(request.getTtlMs() / 3)).acquire(request);
    }

    /** {@return a release of that hold, with a new tag} */
    public ReleaseRequest releaseOf(Grant grant) {
        return ReleaseRequest.newBuilder()
                .setOwner(grant.request().getOwner())
                .setName(grant.request().getName())
                .setTag(tag())
                .setToken(grant.token())
                .build();
    }

    /** {@return the answer to a release} */
    public ReleaseResponse send(ReleaseRequest request) {
        return again(() -> node.get().locks(CALL).release(request));
    }

    /** {@return a renewal of that hold} */
    public static RenewRequest renewalOf(Grant grant) {
        return RenewRequest.newBuilder()
                .setOwnerId(grant.request().getOwner().getId())
                .setName(grant.request().getName())
                .setToken(grant.token())
                .build();
    }

    /** {@return the answer to a renewal} */
    public RenewResponse send(RenewRequest request) {
        return again(() -> node.get().locks(CALL).renew(request));
    }

    /** {@return the lock as the store sees it, or empty if nobody holds it} */
    public Optional<Lock> look(String name) {
        GetLockRequest request = GetLockRequest.newBuilder().setName(name).build();
        var answer = again(() -> node.get().locks(CALL).getLock(request));
        return answer.hasLock() ? Optional.of(answer.getLock()) : Optional.empty();
    }

    /** {@return the answer of a call that is repeated while nobody can carry it out} */
    private static <T> T again(Supplier<T> call) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return call.get();
            } catch (StatusRuntimeException e) {
                if (!isUnavailable(e) || System.nanoTime() - deadline >= 0) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    private static boolean isUnavailable(StatusRuntimeException e) {
        Status.Code code = e.getStatus().getCode();
        return code == Status.Code.UNAVAILABLE || code == Status.Code.DEADLINE_EXCEEDED;
    }
}
