package io.holdfast.jepsen;

import io.grpc.stub.StreamObserver;
import io.holdfast.jepsen.wire.Wire;
import io.holdfast.jepsen.wire.WireClient;
import io.holdfast.v1.AcquireRequest;
import io.holdfast.v1.AcquireResponse;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.LockServiceGrpc.LockServiceStub;
import io.holdfast.v1.Owner;
import io.holdfast.v1.ReleaseRequest;
import io.holdfast.v1.ReleaseResponse;
import io.holdfast.v1.RequestTag;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Locks that are acquired and released at a steady rate: two events each. */
final class EventFlow {
    private static final int MOST_UNDER_WAY = 2_000;

    private final LockServiceStub locks;
    private final String prefix;
    private final Semaphore underWay = new Semaphore(MOST_UNDER_WAY);
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private int asked;

    EventFlow(Wire leader, String prefix) {
        this.locks = LockServiceGrpc.newStub(leader.channel());
        this.prefix = prefix;
    }

    /**
     * Makes events, and waits until all have been answered.
     *
     * @return how many there were
     */
    int run(int eventsPerSecond, Duration span) throws InterruptedException {
        long began = System.nanoTime();
        long pairNanos = 2_000_000_000L / eventsPerSecond;
        int before = done.get();
        int pairs = (int) (span.toNanos() / pairNanos);
        for (int i = 0; i < pairs; i++) {
            long due = began + i * pairNanos;
            long early = due - System.nanoTime();
            if (early > 0) {
                LockSupport.parkNanos(early);
            }
            underWay.acquire();
            acquire();
        }
        underWay.acquire(MOST_UNDER_WAY);
        underWay.release(MOST_UNDER_WAY);
        if (failed.get() > 0) {
            throw new IllegalStateException(failed.get() + " requests failed");
        }
        return 2 * (done.get() - before);
    }

    private void acquire() {
        String name = prefix + asked++;
        Owner owner = Owner.newBuilder().setId("o" + asked).build();
        AcquireRequest request = AcquireRequest.newBuilder()
                .setName(name)
                .setOwner(owner)
                .setTag(RequestTag.newBuilder().setId(WireClient.randomId()))
                .setTtlMs(600_000)
                .build();
        locks.acquire(request, new Once<AcquireResponse>() {
            @Override
            public void onNext(AcquireResponse answer) {
                if (answer.hasGranted()) {
                    release(name, owner);
                } else {
                    fail();
                }
            }
        });
    }

    private void release(String name, Owner owner) {
        ReleaseRequest request = ReleaseRequest.newBuilder()
                .setName(name)
                .setOwner(owner)
                .setTag(RequestTag.newBuilder().setId(WireClient.randomId()))
                .build();
        locks.release(request, new Once<ReleaseResponse>() {
            @Override
            public void onNext(ReleaseResponse answer) {
                done.incrementAndGet();
                underWay.release();
            }
        });
    }

    private void fail() {
        failed.incrementAndGet();
        underWay.release();
    }

    /** One answer. */
    private abstract class Once<A> implements StreamObserver<A> {
        @Override
        public void onError(Throwable failure) {
            fail();
        }

        @Override
        public void onCompleted() {}
    }
}
