package io.holdfast.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews all the sessions of a client, each at a third of its TTL, as many at a time as can be, over one stream. A session that cannot be renewed is lost at its own deadline, whatever the network does.
 *
 * <p>Its one thread runs while there are sessions to renew.
 */
final class SessionKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SessionKeeper.class);

    /** One answer is waited for no longer than this: a node that is frozen must not cost more. */
    private static final long LONGEST_WAIT_NANOS = 1_000_000_000L;

    private static final long PAUSE_NANOS = 20_000_000;

    /** Most sessions in one message. */
    private static final int MAX_BATCH = 10_000;

    /** Sends renewals: a port. */
    interface Renewing extends AutoCloseable {
        /**
         * Renews sessions.
         *
         * @param ids the sessions
         * @param patience how long to wait for the answer
         * @return those that are gone, 32 hexadecimal digits each
         * @throws HoldfastException if there is no answer; the next call may find another node
         */
        Set<String> renew(List<String> ids, Duration patience) throws InterruptedException;

        @Override
        void close();
    }

    private final Renewing renewing;
    private final ClientClock clock;

    // Guards all that follows.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<SessionKeepAlive> kept = new ArrayList<>();
    private @Nullable Thread thread;
    private boolean isClosed;

    SessionKeeper(Renewing renewing, ClientClock clock) {
        this.renewing = renewing;
        this.clock = clock;
    }

    void keep(SessionKeepAlive session) {
        lock.lock();
        try {
            kept.add(session);
            changed.signalAll();
            if (thread == null && !isClosed) {
                thread = new Thread(this::run, "holdfast-sessions");
                thread.setDaemon(true);
                thread.start();
            }
        } finally {
            lock.unlock();
        }
    }

    void forget(SessionKeepAlive session) {
        lock.lock();
        try {
            kept.remove(session);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            kept.clear();
            changed.signalAll();
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
        renewing.close();
    }

    private void run() {
        try {
            List<SessionKeepAlive> due = awaitDue();
            while (!due.isEmpty()) {
                renew(due);
                due = awaitDue();
            }
        } catch (InterruptedException e) {
            LOG.debug("Renewing of sessions ends with the client");
        }
    }

    /** Waits until some are to be renewed; none if there are none any more. */
    private List<SessionKeepAlive> awaitDue() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!kept.isEmpty()) {
                List<SessionKeepAlive> due = due();
                if (!due.isEmpty()) {
                    return due;
                }
                long next = kept.stream()
                        .mapToLong(it -> dueNanos(it) - clock.nanoTime())
                        .min()
                        .orElse(0);
                var unused = changed.awaitNanos(Math.max(1, next));
            }
            thread = null;
            return List.of();
        } finally {
            lock.unlock();
        }
    }

    /** Those whose time has come, and those whose time will soon: they go with them. */
    private List<SessionKeepAlive> due() {
        long now = clock.nanoTime();
        boolean isTime = kept.stream().anyMatch(it -> dueNanos(it) - now <= 0);
        return isTime
                ? kept.stream()
                        .filter(it -> dueNanos(it) - now <= it.lease().ttl().toNanos() / 10)
                        .limit(MAX_BATCH)
                        .toList()
                : List.of();
    }

    private static long dueNanos(SessionKeepAlive session) {
        return session.lease().sentNanos() + session.lease().ttl().toNanos() / 3;
    }

    /** One try. What is not renewed is due still. Tests call it. */
    void renew(List<SessionKeepAlive> due) throws InterruptedException {
        loseThoseThatAreOver(due);
        long least = due.stream()
                .mapToLong(it -> it.lease().remaining().toNanos())
                .filter(left -> left > 0)
                .min()
                .orElse(0);
        if (least == 0) {
            return;
        }
        ClientClock.Reading sent = clock.read();
        List<String> ids = due.stream().map(SessionKeepAlive::id).toList();
        try {
            Set<String> gone = renewing.renew(ids, Duration.ofNanos(Math.min(LONGEST_WAIT_NANOS, least)));
            for (SessionKeepAlive session : due) {
                if (gone.contains(session.id())) {
                    lose(session, "the store says that it does not exist any more");
                } else {
                    session.lease().renewed(sent, session.lease().ttl());
                }
            }
        } catch (HoldfastException e) {
            LOG.debug("Cannot renew {} sessions: {}", ids.size(), e.getMessage());
            clock.sleep(Math.min(PAUSE_NANOS, least));
        }
    }

    private void loseThoseThatAreOver(List<SessionKeepAlive> due) {
        due.stream()
                .filter(it -> it.lease().remaining().isZero())
                .forEach(it -> lose(it, "the lease could not be renewed before its deadline"));
    }

    private void lose(SessionKeepAlive session, String reason) {
        forget(session);
        try {
            session.lose(reason);
        } catch (RuntimeException e) {
            // A listener's bug must not cost the others their leases.
            LOG.error("The listener of session {} threw", session.id(), e);
        }
    }
}
