package io.holdfast.server.grpc;

import com.google.protobuf.ByteString;
import io.holdfast.core.Bounds;
import io.holdfast.core.HoldView;
import io.holdfast.core.LockView;
import io.holdfast.core.Owner;
import io.holdfast.core.SessionId;
import io.holdfast.core.SessionView;
import io.holdfast.core.WaiterView;
import io.holdfast.v1.Hold;
import io.holdfast.v1.Lock;
import io.holdfast.v1.Session;
import io.holdfast.v1.Waiter;
import java.nio.ByteBuffer;

/** What the core shows, as messages of the public API. Times are rounded down to ms. */
final class Views {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private Views() {}

    static Hold hold(HoldView hold) {
        return Hold.newBuilder()
                .setName(hold.name().value())
                .setOwner(owner(hold.owner()))
                .setOwnerLabel(hold.label())
                .setToken(hold.token().value())
                .setLogIndex(hold.logIndex())
                .setTtlMs(millis(hold.ttlNanos()))
                .setHeldMs(millis(hold.heldNanos()))
                .setRemainingMs(millis(hold.remainingNanos()))
                .build();
    }

    static Waiter waiter(WaiterView waiter) {
        long wait = waiter.waitRemainingNanos();
        return Waiter.newBuilder()
                .setOwner(owner(waiter.owner()))
                .setOwnerLabel(waiter.label())
                .setLogIndex(waiter.logIndex())
                .setWaitedMs(millis(waiter.waitedNanos()))
                .setWaitRemainingMs(wait == Bounds.WAIT_FOREVER ? -1 : millis(wait))
                .setLeaseRemainingMs(millis(waiter.leaseRemainingNanos()))
                .build();
    }

    static Lock lock(LockView lock) {
        Lock.Builder shown = Lock.newBuilder()
                .setName(lock.name().value())
                .setMode(Lock.Mode.EXCLUSIVE)
                .setWaiterCount(lock.waiterCount());
        lock.holders().forEach(holder -> shown.addHolders(hold(holder)));
        lock.waiters().forEach(waiter -> shown.addWaiters(waiter(waiter)));
        return shown.build();
    }

    static Session session(SessionView session) {
        return Session.newBuilder()
                .setSessionId(id(session.session()))
                .setOwnerLabel(session.label())
                .setTtlMs(millis(session.ttlNanos()))
                .setRemainingMs(millis(session.remainingNanos()))
                .setHolds(session.holds())
                .setWaits(session.waits())
                .build();
    }

    static ByteString id(SessionId session) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES);
        bytes.putLong(session.high()).putLong(session.low()).flip();
        return ByteString.copyFrom(bytes);
    }

    static io.holdfast.v1.Owner owner(Owner owner) {
        return switch (owner) {
            case Owner.OneShot one ->
                io.holdfast.v1.Owner.newBuilder().setId(one.id()).build();
            case Owner.OfSession one ->
                io.holdfast.v1.Owner.newBuilder()
                        .setSessionId(id(one.session()))
                        .build();
        };
    }

    private static long millis(long nanos) {
        return nanos / NANOS_PER_MILLI;
    }
}
