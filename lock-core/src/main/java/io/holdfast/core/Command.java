package io.holdfast.core;

import java.util.List;
import java.util.Optional;

/** What a log entry may ask of the lock table. Order within an entry is order of effect. */
public sealed interface Command {
    /** {@return the feature level that the store must have reached before this may be proposed; until then it is answered with {@link Outcome.FeatureLevelTooLow}} */
    default int featureLevel() {
        return switch (this) {
            case Acquire it -> it.terms.equals(Terms.PLAIN) && !it.allowDeadlock ? 1 : 2;
            case Convert it -> 2;
            case Proclaim it -> 2;
            case HandOff it -> 2;
            case Revoke it -> 2;
            case AcquireAll it -> 2;
            case GiveUpAll it -> 2;
            case ReleaseAll it -> 2;
            case GiveUp it -> 1;
            case Release it -> it.permits == 0 ? 1 : 2;
            case RenewHold it -> 1;
            case OpenSession it -> it.metadata.isEmpty() ? 1 : 2;
            case CloseSession it -> 1;
            case RenewSessions it -> 1;
            case RaiseFeatureLevel it -> 1;
        };
    }

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
     * @param metadata what else its client has to say about it, 0 to 1,024 bytes of UTF-8
     */
    record OpenSession(SessionId session, long issuedAtNanos, long ttlNanos, String label, String metadata)
            implements Command {
        /** Refuses what {@link Bounds} refuses. */
        public OpenSession {
            Checks.ttl(ttlNanos);
            Checks.label(label);
            Checks.metadata(metadata);
        }

        /**
         * Opens a session without metadata.
         *
         * @param session its id
         * @param issuedAtNanos as in {@link Request.Identified#issuedAtNanos()}
         * @param ttlNanos how long its lease lasts after each renewal, in ns
         * @param label who it is, for people; may be empty
         */
        public OpenSession(SessionId session, long issuedAtNanos, long ttlNanos, String label) {
            this(session, issuedAtNanos, ttlNanos, label, "");
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
     * @param terms on which terms
     * @param allowDeadlock whether a session waits even if it would wait for itself; otherwise that is refused, from feature level 2 on
     */
    record Acquire(
            Owner owner,
            LockName name,
            Request request,
            long ttlNanos,
            long waitNanos,
            String label,
            Terms terms,
            boolean allowDeadlock)
            implements Once {
        /** Refuses what {@link Bounds} refuses, and a negative wait. */
        public Acquire {
            Checks.ask(owner, ttlNanos, waitNanos, label);
        }

        /**
         * Asks for a lock on plain terms.
         *
         * @param owner who asks
         * @param name the lock wanted
         * @param request what all sendings share
         * @param ttlNanos lease of a one-shot hold, in ns
         * @param waitNanos how long to stay in the queue, in ns of lease time
         * @param label who asks, for people; may be empty
         */
        public Acquire(Owner owner, LockName name, Request request, long ttlNanos, long waitNanos, String label) {
            this(owner, name, request, ttlNanos, waitNanos, label, Terms.PLAIN);
        }

        /**
         * Asks for a lock, and allows no deadlock.
         *
         * @param owner who asks
         * @param name the lock wanted
         * @param request what all sendings share
         * @param ttlNanos lease of a one-shot hold, in ns
         * @param waitNanos how long to stay in the queue, in ns of lease time
         * @param label who asks, for people; may be empty
         * @param terms on which terms
         */
        public Acquire(
                Owner owner, LockName name, Request request, long ttlNanos, long waitNanos, String label, Terms terms) {
            this(owner, name, request, ttlNanos, waitNanos, label, terms, false);
        }
    }

    /**
     * Asks for several locks as one. It enters all their queues by one entry and is granted by one entry, once it is the first in each of them and each has room; until then it holds none. So sets never deadlock with each other and none starves. One token is for all of them.
     *
     * @param owner who asks
     * @param wants the locks wanted, 2 to {@link Bounds#MAX_SET}, each once; kept in order of names
     * @param request what all sendings share
     * @param ttlNanos lease of a one-shot owner for all these holds, 100 ms to 24 h, in ns; ignored for a session, which has its own
     * @param waitNanos as in {@link Acquire}
     * @param label who asks, for people; may be empty
     * @param allowDeadlock as in {@link Acquire}
     */
    record AcquireAll(
            Owner owner,
            List<Want> wants,
            Request request,
            long ttlNanos,
            long waitNanos,
            String label,
            boolean allowDeadlock)
            implements Once {
        /** Sorts and copies the list. Refuses what {@link Bounds} refuses, a negative wait, and a lock that is wanted twice. */
        public AcquireAll {
            wants = Checks.set(2, wants);
            Checks.ask(owner, ttlNanos, waitNanos, label);
        }

        /**
         * Asks for several locks, and allows no deadlock.
         *
         * @param owner who asks
         * @param wants the locks wanted
         * @param request what all sendings share
         * @param ttlNanos lease of a one-shot owner, in ns
         * @param waitNanos how long to stay in the queues, in ns of lease time
         * @param label who asks, for people; may be empty
         */
        public AcquireAll(Owner owner, List<Want> wants, Request request, long ttlNanos, long waitNanos, String label) {
            this(owner, wants, request, ttlNanos, waitNanos, label, false);
        }

        /** {@return the first of the locks in question} */
        @Override
        public LockName name() {
            return wants.get(0).name();
        }
    }

    /**
     * Gives several locks back at once. Those that the owner does not hold make no difference.
     *
     * @param owner who holds them
     * @param names the locks, 1 to {@link Bounds#MAX_SET}, each once; kept in order
     * @param request what all sendings share
     * @param token if given, release only holds that have this token
     */
    record ReleaseAll(Owner owner, List<LockName> names, Request request, Optional<FencingToken> token)
            implements Once {
        /** Sorts and copies the list. Refuses too many or no names, and a name twice. */
        public ReleaseAll {
            names = Checks.names(names);
        }

        /** {@return the first of the locks in question} */
        @Override
        public LockName name() {
            return names.get(0);
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
     * Gives up waiting for several locks as one; otherwise as {@link GiveUp}.
     *
     * @param owner who asked
     * @param names the locks, 1 to {@link Bounds#MAX_SET}, each once; kept in order
     * @param request the request of the {@link AcquireAll} that is given up
     */
    record GiveUpAll(Owner owner, List<LockName> names, Request request) implements Once {
        /** Sorts and copies the list. Refuses too many or no names, and a name twice. */
        public GiveUpAll {
            names = Checks.names(names);
        }

        /** {@return the first of the locks in question} */
        @Override
        public LockName name() {
            return names.get(0);
        }
    }

    /**
     * Gives a lock back.
     *
     * @param owner who holds it
     * @param name the lock
     * @param request what all sendings share
     * @param token if given, release only the hold that has this token
     * @param permits how many of a semaphore's permits to give back, if not all; 0 ends the hold
     */
    record Release(Owner owner, LockName name, Request request, Optional<FencingToken> token, int permits)
            implements Once {
        /** Refuses less than no permits. */
        public Release {
            Checks.atLeast(0, permits, "permits");
        }

        /**
         * Gives a lock back, all of it.
         *
         * @param owner who holds it
         * @param name the lock
         * @param request what all sendings share
         * @param token if given, release only the hold that has this token
         */
        public Release(Owner owner, LockName name, Request request, Optional<FencingToken> token) {
            this(owner, name, request, token, 0);
        }
    }

    /**
     * Changes how a lock is held, with no gap in which anybody else could get it. To share always goes; to hold alone goes only if nobody else holds it too. It is a new grant, with a new token, and it renews the lease.
     *
     * @param owner who holds it
     * @param name the lock
     * @param request what all sendings share
     * @param token if given, change only the hold that has this token
     * @param mode the mode wanted: exclusive or shared
     */
    record Convert(Owner owner, LockName name, Request request, Optional<FencingToken> token, Mode mode)
            implements Once {
        /** Refuses permits: a lock does not become a semaphore. */
        public Convert {
            if (mode instanceof Mode.Permits) {
                throw new IllegalArgumentException("to convert into " + mode);
            }
        }
    }

    /**
     * Publishes another value with a hold, as the leader of an election does. Does not renew the lease.
     *
     * @param owner who holds the lock
     * @param name the lock
     * @param request what all sendings share
     * @param token if given, only with the hold that has this token
     * @param value the value, as in {@link Terms#value()}
     */
    record Proclaim(Owner owner, LockName name, Request request, Optional<FencingToken> token, String value)
            implements Once {
        /** Refuses what {@link Bounds#value} refuses. */
        public Proclaim {
            Checks.value(value);
        }
    }

    /**
     * Passes a lock on to another owner, ahead of the queue, with no gap in which anybody else could get it. The new holder has a new token, and the old one is dead. If it waits for the lock, its wait is over and its acquire granted; otherwise its first acquire finds that it holds. A revocation is not passed on.
     *
     * @param owner who holds it
     * @param name the lock
     * @param request what all sendings share
     * @param token if given, pass on only the hold that has this token
     * @param to who shall hold it: a session that lives, or a one-shot owner
     * @param ttlNanos the lease of a one-shot owner that does not wait for it, 100 ms to 24 h, in ns; ignored for a session
     * @param label who that is, for people; may be empty; ignored for a session
     */
    record HandOff(
            Owner owner,
            LockName name,
            Request request,
            Optional<FencingToken> token,
            Owner to,
            long ttlNanos,
            String label)
            implements Once {
        /** Refuses what {@link Bounds} refuses. */
        public HandOff {
            Checks.ask(to, ttlNanos, 0, label);
        }
    }

    /**
     * Takes a lock from its holder, with notice: what operators do. Never touches another hold than that with the given token, and never comes later than an earlier notice said.
     *
     * @param name the lock
     * @param token the token of the hold
     * @param request what all sendings share
     * @param graceNanos how long the holder has to stop by itself, 0 to 24 h, in ns of lease time
     * @param reason why, for people
     * @param by who revokes it, for people; may be empty
     */
    record Revoke(
            LockName name, FencingToken token, Request.Identified request, long graceNanos, String reason, String by)
            implements Command {
        /** Refuses what {@link Bounds} refuses. */
        public Revoke {
            Checks.grace(graceNanos);
            Checks.reason(reason);
            Checks.label(by);
        }
    }

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
