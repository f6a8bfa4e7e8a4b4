package io.holdfast.server.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.holdfast.core.Bounds;
import io.holdfast.core.HoldView;
import io.holdfast.core.LockView;
import io.holdfast.core.Mode;
import io.holdfast.core.NoticeView;
import io.holdfast.core.Owner;
import io.holdfast.core.SessionId;
import io.holdfast.core.SessionView;
import io.holdfast.core.WaiterView;
import io.holdfast.v1.Hold;
import io.holdfast.v1.Lock;
import io.holdfast.v1.Notice;
import io.holdfast.v1.Session;
import io.holdfast.v1.Terms;
import io.holdfast.v1.WaitEdge;
import io.holdfast.v1.Waiter;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;

/** What the core shows, as messages of the public API. Times are rounded down to ms. */
final class Views {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Most of what is shown of the holders of one lock, and of its waiters: with both an answer stays below what clients take in by default (4 MiB). */
    private static final int MAX_LIST_BYTES = 1 << 20;

    private static final int HANDLE_BYTES = 8;

    private Views() {}

    static Hold hold(HoldView hold) {
        Hold.Builder shown = Hold.newBuilder()
                .setName(hold.name().value())
                .setOwner(owner(hold.owner()))
                .setOwnerLabel(hold.label())
                .setToken(hold.token().value())
                .setLogIndex(hold.logIndex())
                .setTtlMs(millis(hold.ttlNanos()))
                .setHeldMs(millis(hold.heldNanos()))
                .setRemainingMs(millis(hold.remainingNanos()))
                .setTerms(terms(hold.terms()));
        hold.notice().ifPresent(notice -> shown.setNotice(notice(notice)));
        return shown.build();
    }

    private static Notice notice(NoticeView notice) {
        return Notice.newBuilder()
                .setRemainingMs(millis(notice.remainingNanos()))
                .setReason(notice.reason())
                .setBy(notice.by())
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
                .setTerms(terms(waiter.terms()))
                .build();
    }

    static Lock lock(LockView lock) {
        Lock.Builder shown = Lock.newBuilder()
                .setName(lock.name().value())
                .setHolderCount(lock.holders().size())
                .addAllHolders(fitting(lock.holders(), Views::hold))
                .addAllWaiters(fitting(lock.waiters(), Views::waiter))
                .setWaiterCount(lock.waiterCount())
                .setDelayRemainingMs(millis(lock.delayRemainingNanos()));
        for (HoldView holder : lock.holders()) {
            shown.setMode(mode(holder.terms().mode()));
            if (holder.terms().mode() instanceof Mode.Permits some) {
                shown.setCapacity(some.capacity()).setPermitsOut(shown.getPermitsOut() + some.permits());
            }
        }
        return shown.build();
    }

    static WaitEdge edge(io.holdfast.core.WaitEdge edge) {
        return WaitEdge.newBuilder()
                .setWaiter(owner(edge.waiter()))
                .setWaiterLabel(edge.waiterLabel())
                .setName(edge.name().value())
                .setBlocker(owner(edge.blocker()))
                .setBlockerLabel(edge.blockerLabel())
                .setIsHolder(edge.isHolder())
                .build();
    }

    /** As many of them as fit into an answer. */
    static <V, M extends MessageLite> List<M> fitting(List<V> views, Function<V, M> show) {
        List<M> shown = new ArrayList<>();
        int bytes = 0;
        for (V view : views) {
            M message = show.apply(view);
            bytes += message.getSerializedSize();
            if (bytes > MAX_LIST_BYTES) {
                break;
            }
            shown.add(message);
        }
        return shown;
    }

    private static Terms terms(io.holdfast.core.Terms terms) {
        Terms.Builder shown = Terms.newBuilder()
                .setMode(mode(terms.mode()))
                .setValue(terms.value())
                .setLockDelayMs(millis(terms.lockDelayNanos()));
        if (terms.mode() instanceof Mode.Permits some) {
            shown.setPermits(some.permits()).setCapacity(some.capacity());
        }
        return shown.build();
    }

    private static Lock.Mode mode(Mode mode) {
        return switch (mode) {
            case Mode.Exclusive it -> Lock.Mode.EXCLUSIVE;
            case Mode.Shared it -> Lock.Mode.SHARED;
            case Mode.Permits it -> Lock.Mode.SEMAPHORE;
        };
    }

    static Session session(SessionView session) {
        return Session.newBuilder()
                .setSessionId(id(session.session()))
                .setOwnerLabel(session.label())
                .setTtlMs(millis(session.ttlNanos()))
                .setRemainingMs(millis(session.remainingNanos()))
                .setHolds(session.holds())
                .setWaits(session.waits())
                .setHandle(handle(session.session()))
                .build();
    }

    /** A name from which the id cannot be told. */
    static String handle(SessionId session) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(id(session).toByteArray());
            return HexFormat.of().formatHex(hash, 0, HANDLE_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
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

    static long millis(long nanos) {
        return nanos / NANOS_PER_MILLI;
    }
}
