package io.holdfast.jepsen;

import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.MoreExecutors;
import io.holdfast.jepsen.wire.Wire;
import io.holdfast.jepsen.wire.WireClient;
import io.holdfast.v1.AcquireRequest;
import io.holdfast.v1.AcquireResponse;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.Owner;
import io.holdfast.v1.ReleaseRequest;
import io.holdfast.v1.RequestTag;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/** Many commands at a time, all of which must succeed. For one thread. */
final class LeaseFlood {
    private static final int IN_FLIGHT = 256;

    // Issued anew for each so many commands, since a request must not be older than the store's memory of finished
    // ones.
    private static final int COMMANDS_PER_TAG = 10_000;

    private final Wire wire;
    private final Semaphore slots = new Semaphore(IN_FLIGHT);
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private long leaseTime;

    LeaseFlood(Wire wire) {
        this.wire = wire;
    }

    /** Acquires that many locks for owners of their own. */
    void acquire(int count, Duration ttl, IntFunction<String> name) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            AcquireRequest request = AcquireRequest.newBuilder()
                    .setName(name.apply(i))
                    .setOwner(Owner.newBuilder().setId("o-" + i))
                    .setTag(tag(i))
                    .setTtlMs(ttl.toMillis())
                    .build();
            slots.acquire();
            Futures.addCallback(
                    LockServiceGrpc.newFutureStub(wire.channel()).acquire(request),
                    new Slot<>(AcquireResponse::hasGranted),
                    MoreExecutors.directExecutor());
        }
        awaitAll();
    }

    /** Releases them. */
    void release(int count, IntFunction<String> name) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            ReleaseRequest request = ReleaseRequest.newBuilder()
                    .setName(name.apply(i))
                    .setOwner(Owner.newBuilder().setId("o-" + i))
                    .setTag(tag(i))
                    .build();
            slots.acquire();
            Futures.addCallback(
                    LockServiceGrpc.newFutureStub(wire.channel()).release(request),
                    new Slot<>(answer -> true),
                    MoreExecutors.directExecutor());
        }
        awaitAll();
    }

    private RequestTag tag(int i) {
        if (i % COMMANDS_PER_TAG == 0) {
            // A node that is busy with a snapshot of a million records may be late once.
            leaseTime = await().until(wire::status, Optional::isPresent)
                    .orElseThrow()
                    .getLeaseTime();
        }
        return RequestTag.newBuilder()
                .setId(WireClient.randomId())
                .setIssuedAt(leaseTime)
                .build();
    }

    private void awaitAll() throws InterruptedException {
        slots.acquire(IN_FLIGHT);
        slots.release(IN_FLIGHT);
        Throwable failure = failures.poll();
        if (failure != null) {
            throw new IllegalStateException("a command failed", failure);
        }
    }

    private final class Slot<T> implements FutureCallback<T> {
        private final Predicate<T> isGood;

        Slot(Predicate<T> isGood) {
            this.isGood = isGood;
        }

        @Override
        public void onSuccess(T answer) {
            if (!isGood.test(answer)) {
                failures.add(new IllegalStateException(String.valueOf(answer)));
            }
            slots.release();
        }

        @Override
        public void onFailure(Throwable t) {
            failures.add(t);
            slots.release();
        }
    }
}
