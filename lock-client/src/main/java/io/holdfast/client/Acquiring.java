package io.holdfast.client;

import com.google.protobuf.ByteString;
import io.holdfast.v1.AcquireRequest;
import io.holdfast.v1.AcquireResponse;
import io.holdfast.v1.GiveUpRequest;
import io.holdfast.v1.GiveUpResponse;
import io.holdfast.v1.Hold;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.RequestTag;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Asks for locks. Waiting is a chain of asks with one tag: each keeps the place in the queue, renews the waiter's lease, and gives a fresh clock reading from which the deadline of the grant is counted. Thread safe.
 */
final class Acquiring {
    /** An ask is answered by then at the latest, so that a node that froze meanwhile is noticed. */
    private static final long LONGEST_BLOCK_MILLIS = 3_000;

    /** How long giving up may take: what is not given up leaves the queue with its lease. */
    private static final Duration GIVE_UP_PATIENCE = Duration.ofSeconds(2);

    private static final SecureRandom RANDOM = new SecureRandom();

    private final Router router;
    private final ClientClock clock;
    private final double drift;

    Acquiring(Router router, ClientClock clock, double drift) {
        this.router = router;
        this.clock = clock;
        this.drift = drift;
    }

    /** A request that can be made with one tag or another. */
    interface Tagged<T> {
        T run(RequestTag tag) throws InterruptedException;
    }

    static ByteString randomId() {
        byte[] id = new byte[16];
        RANDOM.nextBytes(id);
        return ByteString.copyFrom(id);
    }

    /**
     * Makes a request with a new tag. If the store finds it too old, though it was sent only once, it was certainly not carried out: it is made once more, with a tag of now.
     */
    <T> T withFreshTag(Optional<String> givenId, Tagged<T> request) throws InterruptedException {
        try {
            return request.run(tag(givenId));
        } catch (HoldfastException.TooLate e) {
            if (e.mayHaveTakenEffect() || givenId.isPresent()) {
                throw e;
            }
            router.refresh();
            return request.run(tag(givenId));
        }
    }

    Acquisition acquire(LockRequest request, Consumer<Holder> waiting) throws InterruptedException {
        return withFreshTag(request.requestId(), tag -> acquire(message(request, tag), request.patience(), waiting));
    }

    private Acquisition acquire(AcquireRequest message, Duration patience, Consumer<Holder> waiting)
            throws InterruptedException {
        try {
            return chain(message, patience, waiting);
        } catch (InterruptedException e) {
            abandon(message);
            throw e;
        } catch (HoldfastException.Unavailable e) {
            throw e; // nobody would hear that it is given up: the place, or the lock, goes with its lease
        } catch (HoldfastException e) {
            if (e.mayHaveTakenEffect()) {
                abandon(message);
            }
            throw e;
        }
    }

    private Acquisition chain(AcquireRequest first, Duration patience, Consumer<Holder> waiting)
            throws InterruptedException {
        long start = clock.nanoTime();
        AcquireRequest message = first;
        while (true) {
            long block = message.getWaitMs() == 0 ? 0 : TimeUnit.MILLISECONDS.toNanos(message.getBlockMs());
            Router.Answered<AcquireResponse> answered =
                    router.call(LockServiceGrpc.getAcquireMethod(), message, block, router.timeout());
            AcquireResponse response = answered.response();
            router.learn(response.getHeader());
            switch (response.getResultCase()) {
                case GRANTED -> {
                    return granted(response.getGranted(), answered.sent());
                }
                case NOT_GRANTED -> {
                    return notGranted(response.getNotGranted());
                }
                case ENDED -> {
                    return new Acquisition.NotGranted(
                            Answers.reason(response.getEnded().getHow()), Optional.empty());
                }
                case WAITING ->
                    waiting.accept(Answers.holder(response.getWaiting().getHolder()));
                case RESULT_NOT_SET ->
                    throw new HoldfastException.ServerFault("an answer of a kind that this client does not know");
            }
            long left = left(start, patience);
            if (left <= 0) {
                return giveUp(message, answered.sent(), response.getWaiting().getHolder());
            }
            message = blockingAtMost(message, left);
        }
    }

    /** What is left of the patience on this process's own clock; the store counts in lease time, which may stand still. */
    private long left(long start, Duration patience) {
        return patience.compareTo(LockRequest.FOREVER) >= 0
                ? Long.MAX_VALUE
                : patience.toNanos() - (clock.nanoTime() - start);
    }

    private static AcquireRequest blockingAtMost(AcquireRequest message, long nanos) {
        long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
        return millis >= message.getBlockMs()
                ? message
                : message.toBuilder().setBlockMs(millis).build();
    }

    /** The patience is over. If the lock was granted meanwhile, it is ours, since the last ask that was answered. */
    private Acquisition giveUp(AcquireRequest message, ClientClock.Reading lastAsk, Hold holder)
            throws InterruptedException {
        GiveUpResponse response = router.call(LockServiceGrpc.getGiveUpMethod(), givingUp(message))
                .response();
        router.learn(response.getHeader());
        return response.hasGranted()
                ? granted(response.getGranted(), lastAsk)
                : new Acquisition.NotGranted(Acquisition.Reason.TIMED_OUT, Optional.of(Answers.holder(holder)));
    }

    /** Leaves nothing behind, as far as that is possible: gives up the place, or the lock if it was granted. */
    private void abandon(AcquireRequest message) {
        boolean interrupted = Thread.interrupted();
        try {
            GiveUpResponse response = router.call(
                            LockServiceGrpc.getGiveUpMethod(), givingUp(message), 0, GIVE_UP_PATIENCE)
                    .response();
            if (response.hasGranted()) {
                release(message, response.getGranted());
            }
        } catch (HoldfastException e) {
            // Nobody answers: the place, or the lock, goes with its lease.
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void release(AcquireRequest message, Hold granted) throws InterruptedException {
        var unused = router.call(
                LockServiceGrpc.getReleaseMethod(),
                io.holdfast.v1.ReleaseRequest.newBuilder()
                        .setOwner(message.getOwner())
                        .setName(message.getName())
                        .setTag(tag(Optional.empty()))
                        .setToken(granted.getToken())
                        .build(),
                0,
                GIVE_UP_PATIENCE);
    }

    private Acquisition granted(Hold hold, ClientClock.Reading sent) {
        return new Acquisition.Granted(new Grant(Answers.holder(hold), drift, clock, sent));
    }

    private static Acquisition notGranted(AcquireResponse.NotGranted no) {
        Acquisition.Reason reason = no.getReason() == AcquireResponse.NotGranted.Reason.OWNER_BUSY
                ? Acquisition.Reason.OWNER_BUSY
                : Acquisition.Reason.HELD;
        return new Acquisition.NotGranted(
                reason, no.hasHolder() ? Optional.of(Answers.holder(no.getHolder())) : Optional.empty());
    }

    private static GiveUpRequest givingUp(AcquireRequest message) {
        return GiveUpRequest.newBuilder()
                .setOwner(message.getOwner())
                .setName(message.getName())
                .setTag(message.getTag())
                .build();
    }

    private AcquireRequest message(LockRequest request, RequestTag tag) {
        long ttl = request.owner() instanceof Owner.Session ? 0 : millis(request.ttl());
        long wait = request.patience().compareTo(LockRequest.FOREVER) >= 0 ? -1 : millis(request.patience());
        long thirdOfTtl = ttl > 0 ? Math.max(1, ttl / 3) : LONGEST_BLOCK_MILLIS;
        long block = Math.min(LONGEST_BLOCK_MILLIS, thirdOfTtl);
        return AcquireRequest.newBuilder()
                .setOwner(Answers.owner(request.owner()))
                .setName(Answers.wellFormed("name", request.name()))
                .setTag(tag)
                .setTtlMs(ttl)
                .setWaitMs(wait)
                .setOwnerLabel(Answers.wellFormed("owner_label", request.label()))
                .setBlockMs(wait > 0 ? Math.min(block, wait) : block)
                .build();
    }

    /** Whole milliseconds, rounded up: a wait of less than one is still a wait. */
    private static long millis(Duration duration) {
        return duration.plusNanos(999_999).toMillis();
    }

    private RequestTag tag(Optional<String> givenId) throws InterruptedException {
        return RequestTag.newBuilder()
                .setId(givenId.map(id -> Answers.bytes("request", id)).orElseGet(Acquiring::randomId))
                .setIssuedAt(router.issueTime())
                .build();
    }
}
