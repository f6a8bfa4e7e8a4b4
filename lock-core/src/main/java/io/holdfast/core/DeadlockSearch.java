package io.holdfast.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One question: would a session wait for itself? It would if its wait cannot end unless it gives something back, and could end if it did.
 *
 * <p>First collects the waits on which that may depend: those of the parties that hold what is waited for, or are ahead in the queue and wait elsewhere too. Mostly the session is not among these parties, and the answer is no. Otherwise finds out which of these waits can end: grants, to one after the other, what those who cannot go on leave of each lock, and lets go on whose waits can all end, until nobody more can. A deadlock that was there before and does not need this session keeps the wait from ending either way, so it plays no part.
 */
final class DeadlockSearch {
    /** Most looks at a hold or a place in a queue; beyond it the question is given up, and the session waits. Bounds what one command may cost. */
    static final int MAX_STEPS = 2_000;

    /** Marks what this search has come to. */
    private final long number;

    private final State state;
    private final Lease.OfSession session;
    private final Waiter asked;

    private final List<Waiter> collected = new ArrayList<>();
    private boolean isSessionReached;
    private int steps;

    /** Whether the session is taken to give back all that it has. */
    private boolean givesBack;

    DeadlockSearch(long number, State state, Lease.OfSession session, List<Want> wants) {
        this.number = number;
        this.state = state;
        this.session = session;
        // Behind all that are there.
        this.asked = new Waiter(wants, session, Long.MAX_VALUE, 0, 0, Bounds.WAIT_FOREVER, List.of());
    }

    /** {@return who waits for whom, from the session to itself; empty if it would not wait for itself} */
    List<WaitEdge> cycle() {
        collect();
        if (!isSessionReached || canEnd(true) == canEnd(false) || steps > MAX_STEPS) {
            return List.of();
        }
        return new CycleFinder(this::blockers, session, asked).cycle();
    }

    // ---- collecting

    private void collect() {
        Deque<Waiter> open = new ArrayDeque<>();
        reach(asked, open);
        for (Waiter waiter = open.poll(); waiter != null && steps <= MAX_STEPS; waiter = open.poll()) {
            collected.add(waiter);
            for (Want want : waiter.wants) {
                Lock lock = state.lock(want.name());
                if (lock != null) {
                    collectAt(lock, waiter, open);
                }
            }
        }
    }

    private void collectAt(Lock lock, Waiter waiter, Deque<Waiter> open) {
        if (lock.seenBy != number) {
            lock.seenBy = number;
            for (Hold hold : lock.holders.all()) {
                if (++steps > MAX_STEPS) {
                    return;
                }
                reach(hold.lease, open);
            }
        }
        for (Waiter ahead : lock.queue.entangledBefore(waiter.sequence)) {
            if (++steps > MAX_STEPS) {
                return;
            }
            reach(ahead, open);
            reach(ahead.lease, open);
        }
        Waiter own = ownAhead(lock, waiter);
        if (own != null) {
            reach(own, open);
            isSessionReached = true;
        }
    }

    /** The session's own place, if it has one before that: it is not entangled while it waits only once. */
    private @Nullable Waiter ownAhead(Lock lock, Waiter waiter) {
        Waiter own = lock.queue.of(session.owner());
        return own != null && own.sequence < waiter.sequence ? own : null;
    }

    private void reach(Lease lease, Deque<Waiter> open) {
        if (lease == session) {
            isSessionReached = true;
        } else if (lease.seenBy != number) {
            lease.seenBy = number;
            lease.endlessWaits = 0;
            for (Waiter waiter : lease.waits()) {
                steps++;
                reach(waiter, open);
            }
        }
    }

    private void reach(Waiter waiter, Deque<Waiter> open) {
        if (waiter.seenBy != number) {
            waiter.seenBy = number;
            open.add(waiter);
        }
    }

    // ---- finding out who can go on

    private boolean canEnd(boolean ifSessionGivesBack) {
        givesBack = ifSessionGivesBack;
        collected.forEach(waiter -> {
            waiter.ends = false;
            waiter.lease.endlessWaits = 0;
        });
        collected.forEach(waiter -> waiter.lease.endlessWaits++);
        boolean goesOn = true;
        while (goesOn && steps <= MAX_STEPS) {
            goesOn = false;
            // The latest collected first: what others depend on.
            for (int i = collected.size() - 1; i >= 0; i--) {
                goesOn |= endsNow(collected.get(i));
            }
        }
        return asked.ends;
    }

    private boolean endsNow(Waiter waiter) {
        if (waiter.ends || !blockers(waiter).isEmpty()) {
            return false;
        }
        waiter.ends = true;
        waiter.lease.endlessWaits--;
        return true;
    }

    /** Who holds and gives nothing back, as far as is known. */
    private boolean isStuck(Lease lease) {
        return lease == session ? !givesBack : lease.seenBy == number && lease.endlessWaits > 0;
    }

    /** Who is in the way of a wait; nobody if it can end. */
    private List<Blocker> blockers(Waiter waiter) {
        for (Want want : waiter.wants) {
            Lock lock = state.lock(want.name());
            if (lock != null && hasStuck(lock, waiter)) {
                List<Blocker> blockers = blockers(lock, waiter);
                if (!blockers.isEmpty()) {
                    return blockers;
                }
            }
        }
        return List.of();
    }

    /** Whether any that cannot go on, as far as is known, holds the lock or is ahead. */
    private boolean hasStuck(Lock lock, Waiter waiter) {
        for (Hold hold : lock.holders.all()) {
            steps++;
            if (isStuck(hold.lease)) {
                return true;
            }
        }
        for (Waiter ahead : lock.queue.entangledBefore(waiter.sequence)) {
            steps++;
            if (isStuck(ahead.lease)) {
                return true;
            }
        }
        return !givesBack && ownAhead(lock, waiter) != null;
    }

    /** Grants the lock to one after the other, as if all that can go on gave it back at once, until one cannot have it. */
    private List<Blocker> blockers(Lock lock, Waiter last) {
        Room room = new Room(lock.capacity);
        for (Hold hold : lock.holders.all()) {
            steps++;
            if (isStuck(hold.lease)) {
                room.keep(hold.terms.mode(), new Blocker(lock.name, hold.lease, true));
            }
        }
        for (Waiter waiter : lock.queue.all()) {
            if (waiter.sequence >= last.sequence || ++steps > MAX_STEPS) {
                break;
            }
            if (givesBack && waiter.lease == session) {
                continue;
            }
            Mode mode = waiter.termsOf(lock.name).mode();
            Blocker itself = new Blocker(lock.name, waiter.lease, false);
            if (waiter.isForSet() && !waiter.ends) {
                return List.of(itself);
            }
            List<Blocker> blockers = room.without(mode);
            if (!blockers.isEmpty()) {
                return blockers;
            }
            if (isStuck(waiter.lease)) {
                room.keep(mode, itself);
            }
        }
        return room.without(last.termsOf(lock.name).mode());
    }

    /** One in the way: a party that holds the lock and gives nothing back, or one ahead in the queue. */
    record Blocker(LockName name, Lease lease, boolean isHolder) {}

    /** What those who cannot go on leave of a lock. */
    private static final class Room {
        private final int capacity;
        private int permits;
        private final List<Blocker> all = new ArrayList<>();
        private final List<Blocker> alone = new ArrayList<>();

        Room(int capacity) {
            this.capacity = capacity;
        }

        void keep(Mode mode, Blocker by) {
            all.add(by);
            switch (mode) {
                case Mode.Exclusive it -> alone.add(by);
                case Mode.Shared it -> {}
                case Mode.Permits it -> permits += it.permits();
            }
        }

        /** Who is in the way of one more. */
        List<Blocker> without(Mode mode) {
            return switch (mode) {
                case Mode.Exclusive it -> all;
                case Mode.Shared it -> alone;
                case Mode.Permits it -> permits + it.permits() > capacity ? all : List.of();
            };
        }
    }
}
