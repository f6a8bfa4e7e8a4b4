package io.holdfast.core;

import java.util.Optional;

/**
 * A hold as of the applied index at which it was looked at.
 *
 * @param name the lock
 * @param owner who holds it
 * @param label who that is, for people; may be empty
 * @param token its fencing token
 * @param logIndex the index of the entry that granted it
 * @param ttlNanos the TTL of its lease, in ns
 * @param heldNanos since when, in ns of lease time, ≥ 0
 * @param remainingNanos what is left of its lease, in ns of lease time, ≥ 0
 * @param terms on which terms it is held
 * @param notice that it is revoked, if it is: its holder should stop, and release it, before the grace is over
 */
public record HoldView(
        LockName name,
        Owner owner,
        String label,
        FencingToken token,
        long logIndex,
        long ttlNanos,
        long heldNanos,
        long remainingNanos,
        Terms terms,
        Optional<NoticeView> notice) {
    /**
     * A hold on plain terms that is not revoked.
     *
     * @param name the lock
     * @param owner who holds it
     * @param label who that is, for people; may be empty
     * @param token its fencing token
     * @param logIndex the index of the entry that granted it
     * @param ttlNanos the TTL of its lease, in ns
     * @param heldNanos since when, in ns of lease time, ≥ 0
     * @param remainingNanos what is left of its lease, in ns of lease time, ≥ 0
     */
    public HoldView(
            LockName name,
            Owner owner,
            String label,
            FencingToken token,
            long logIndex,
            long ttlNanos,
            long heldNanos,
            long remainingNanos) {
        this(name, owner, label, token, logIndex, ttlNanos, heldNanos, remainingNanos, Terms.PLAIN, Optional.empty());
    }
}
