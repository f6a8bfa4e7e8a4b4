package io.holdfast.client;

import java.util.List;

/**
 * Several locks in your hands under one token, for as long as its deadline has not passed. Thread safe.
 *
 * @param token the one fencing token of all of them
 * @param grants each of the locks, in order of names, at least one. They have one lease: to renew any of them renews all, also for {@link HoldfastClient#keepAlive}
 */
public record LockSetGrant(long token, List<Grant> grants) {
    /** Copies the list. */
    public LockSetGrant {
        grants = List.copyOf(grants);
    }

    /**
     * Names the locks.
     *
     * @return their names, in order
     */
    public List<String> names() {
        return grants.stream().map(Grant::name).toList();
    }

    /**
     * Tells in whose name they are held.
     *
     * @return the owner of the one-shot lease, or the session
     */
    public Owner owner() {
        return grants.get(0).owner();
    }

    /**
     * Tells whether the locks may be believed in now; see {@link Grant#isHeld()}.
     *
     * @return whether all of them may
     */
    public boolean isHeld() {
        return grants.stream().allMatch(Grant::isHeld);
    }
}
