package io.holdfast.client;

import java.time.Duration;
import java.util.Optional;

/**
 * What to ask for. Make it with {@link #of}, change it with the {@code with…} methods.
 *
 * @param name the lock, 1 to 512 bytes of UTF-8 without control characters
 * @param owner in whose name
 * @param ttl how long a one-shot lease lasts unless it is renewed, 100 ms to 24 h; a session has its own
 * @param patience how long to wait in the queue; zero only tries, {@link #FOREVER} has no end
 * @param label who asks, for people, up to 256 bytes
 * @param requestId makes a retry by another process recognisable: the same id, the same grant; empty for a new request
 * @param terms in which mode, with which value and lock-delay
 * @param allowsDeadlock whether a session waits even if it would wait for itself in the end; otherwise that is refused
 */
public record LockRequest(
        String name,
        Owner owner,
        Duration ttl,
        Duration patience,
        String label,
        Optional<String> requestId,
        Terms terms,
        boolean allowsDeadlock) {
    /** The patience that never ends. */
    public static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    /**
     * A try for a lock, alone, under a random one-shot owner and a TTL of 10 s.
     *
     * @param name the lock
     * @return the request
     */
    public static LockRequest of(String name) {
        return new LockRequest(
                name, Owner.random(), Duration.ofSeconds(10), Duration.ZERO, "", Optional.empty(), Terms.PLAIN, false);
    }

    /**
     * The same with another owner.
     *
     * @param other in whose name
     * @return the request
     */
    public LockRequest withOwner(Owner other) {
        return new LockRequest(name, other, ttl, patience, label, requestId, terms, allowsDeadlock);
    }

    /**
     * The same with another TTL.
     *
     * @param other 100 ms to 24 h
     * @return the request
     */
    public LockRequest withTtl(Duration other) {
        return new LockRequest(name, owner, other, patience, label, requestId, terms, allowsDeadlock);
    }

    /**
     * The same with another patience.
     *
     * @param other how long to wait; zero only tries
     * @return the request
     */
    public LockRequest withPatience(Duration other) {
        return new LockRequest(name, owner, ttl, other, label, requestId, terms, allowsDeadlock);
    }

    /**
     * The same with another label.
     *
     * @param other who asks, for people
     * @return the request
     */
    public LockRequest withLabel(String other) {
        return new LockRequest(name, owner, ttl, patience, other, requestId, terms, allowsDeadlock);
    }

    /**
     * The same with a request id.
     *
     * @param id 32 hexadecimal digits
     * @return the request
     */
    public LockRequest withRequestId(String id) {
        return new LockRequest(name, owner, ttl, patience, label, Optional.of(id), terms, allowsDeadlock);
    }

    /**
     * The same on other terms.
     *
     * @param other in which mode, with which value and lock-delay
     * @return the request
     */
    public LockRequest withTerms(Terms other) {
        return new LockRequest(name, owner, ttl, patience, label, requestId, other, allowsDeadlock);
    }

    /**
     * The same, shared with any number of others.
     *
     * @return the request
     */
    public LockRequest shared() {
        return withTerms(terms.withMode(Mode.SHARED));
    }

    /**
     * The same for permits of a semaphore.
     *
     * @param permits how many, 1 to {@code capacity}
     * @param capacity how many there are in all, 1 to 1,000,000; everybody must say the same
     * @return the request
     */
    public LockRequest withPermits(int permits, int capacity) {
        return withTerms(terms.withMode(new Mode.Permits(permits, capacity)));
    }

    /**
     * The same with a value that is published with the hold.
     *
     * @param value up to 4,096 bytes
     * @return the request
     */
    public LockRequest withValue(String value) {
        return withTerms(terms.withValue(value));
    }

    /**
     * The same with a pause between the expiry of this hold and the next grant.
     *
     * @param lockDelay 0 to 1 h
     * @return the request
     */
    public LockRequest withLockDelay(Duration lockDelay) {
        return withTerms(terms.withLockDelay(lockDelay));
    }

    /**
     * The same, waiting even if a session would wait for itself in the end.
     *
     * @return the request
     */
    public LockRequest allowingDeadlock() {
        return new LockRequest(name, owner, ttl, patience, label, requestId, terms, true);
    }
}
