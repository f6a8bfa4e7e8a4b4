package io.holdfast.core;

/** Who holds or waits, in an {@link Image}. The lease of a one-shot owner lies in the record of its hold or wait; that of a session has a record of its own. */
public sealed interface OwnerImage {
    /** {@return the owner} */
    Owner owner();

    /**
     * A session.
     *
     * @param session its id
     */
    record OfSession(SessionId session) implements OwnerImage {
        @Override
        public Owner owner() {
            return new Owner.OfSession(session);
        }
    }

    /**
     * A one-shot owner with the lease of this one hold or wait.
     *
     * @param owner who it is
     * @param sequence when the lease was made, among all leases and waiters, ≥ 1
     * @param deadlineNanos when the lease ends, in ns of lease time, ≥ 0
     * @param ttlNanos its TTL, 100 ms to 24 h, in ns
     * @param label who that is, for people; may be empty
     */
    record OneShot(Owner.OneShot owner, long sequence, long deadlineNanos, long ttlNanos, String label)
            implements OwnerImage {
        /** Refuses what {@link Bounds} refuses, and numbers out of range. */
        public OneShot {
            Checks.atLeast(1, sequence, "sequence");
            Checks.atLeast(0, deadlineNanos, "deadline");
            Checks.ttl(ttlNanos);
            Checks.label(label);
        }
    }
}
