package io.holdfast.core;

import java.util.List;
import java.util.Optional;

/** What a log entry may ask of the lock table. Order within an entry is order of effect. */
public sealed interface Command {
    /** A command that has one effect however often it arrives. */
    sealed interface Once extends Command {
        /** {@return who asks} */
        Owner owner();

        /** {@return the lock in question} */
        LockName name();

        /** {@return what all sendings of this request share} */
        Request request();
    }

    /**
     * Opens a session. Idempotent: a session id is never used twice.
     *
     * @param session its id
     * @param issuedAtNanos as in {@link Request.Identified#issuedAtNanos()}
     * @param ttlNanos how long its lease lasts after each renewal, 100 ms to 24 h, in ns
     * @param label who it is, for people: host, process, free text; may be empty
     */
    record OpenSession(SessionId session, long issuedAtNanos, long ttlNanos, String label) implements Command {
        /** Refuses what {@link Bounds} refuses. */
        public OpenSession {
            Checks.ttl(ttlNanos);
            Checks.label(label);
        }
    }

    /**
     * Ends a session: all that it holds is released, all that it waits for is given up.
     *
     * @param session its id
     */
    record CloseSession(SessionId session) implements Command {}

    /**
     * Renews the leases of sessions.
     *
     * @param sessions their ids
     */
    record RenewSessions(List<SessionId> sessions) implements Command {
        /** Copies the list. */
        public RenewSessions {
            sessions = List.copyOf(sessions);
        }
    }

    /**
     * Asks for a lock. A waiter asks again and again with the same request: each ask keeps its place and renews its lease (DESIGN §2).
     *
     * @param owner who asks
     * @param name the lock wanted
     * @param request what all sendings share
     * @param ttlNanos lease of a one-shot hold, 100 ms to 24 h, in ns; ignored for a session, which has its own
     * @param waitNanos how long to stay in the queue, from the first time that this request is applied, in ns of lease time; 0 only tries, {@link Bounds#WAIT_FOREVER} has no end
     * @param label who asks, for people; may be empty
     */
    record Acquire(Owner owner, LockName name, Request request, long ttlNanos, long waitNanos, String label)
            implements Once {
        /** Refuses what {@link Bounds} refuses, and a negative wait. */
        public Acquire {
            if (owner instanceof Owner.OneShot) {
                Checks.ttl(ttlNanos);
            }
            if (waitNanos < 0) {
                throw new IllegalArgumentException("wait of " + waitNanos + " ns");
            }
            Checks.label(label);
        }
    }

    /**
     * Gives up waiting. If the acquire was granted meanwhile the answer says so, and the lock stays held. If it has not arrived yet it will find itself given up.
     *
     * @param owner who asked
     * @param name the lock
     * @param request the request of the {@link Acquire} that is given up
     */
    record GiveUp(Owner owner, LockName name, Request request) implements Once {}

    /**
     * Gives a lock back.
     *
     * @param owner who holds it
     * @param name the lock
     * @param request what all sendings share
     * @param token if given, release only the hold that has this token
     */
    record Release(Owner owner, LockName name, Request request, Optional<FencingToken> token) implements Once {}

    /**
     * Renews the lease of a one-shot hold. Never shortens it: its holder may count on what it was given.
     *
     * @param owner who holds
     * @param name the lock
     * @param token if given, renew only the hold that has this token
     * @param ttlNanos a new TTL, 100 ms to 24 h, in ns; 0 keeps the present one
     */
    record RenewHold(Owner.OneShot owner, LockName name, Optional<FencingToken> token, long ttlNanos)
            implements Command {
        /** Refuses what {@link Bounds} refuses. */
        public RenewHold {
            if (ttlNanos != 0) {
                Checks.ttl(ttlNanos);
            }
        }
    }

    /**
     * Raises the feature level of the store: from then on all nodes may use what it brings. Idempotent, and never lowers it.
     *
     * @param level the level wanted, ≥ 1; every member must know it, or it stops at this entry
     */
    record RaiseFeatureLevel(int level) implements Command {
        /** Refuses a level below 1. */
        public RaiseFeatureLevel {
            Checks.atLeast(1, level, "feature level");
        }
    }
}
