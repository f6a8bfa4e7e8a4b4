package io.holdfast.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Several locks to ask for as one: all or none, under one token. Make it with {@link #of}, change it with the {@code with…} methods.
 *
 * @param wants the locks, 2 to 128, each once, in any order
 * @param owner in whose name
 * @param ttl how long the one lease of a one-shot owner lasts unless it is renewed, 100 ms to 24 h; a session has its own
 * @param patience how long to wait in the queues; zero only tries, {@link LockRequest#FOREVER} has no end
 * @param label who asks, for people, up to 256 bytes
 * @param requestId as in {@link LockRequest}
 */
public record LockSetRequest(
        List<Want> wants, Owner owner, Duration ttl, Duration patience, String label, Optional<String> requestId) {
    /** Copies the list. */
    public LockSetRequest {
        wants = List.copyOf(wants);
    }

    /**
     * One of the locks.
     *
     * @param name the lock
     * @param terms in which mode, with which value and lock-delay
     */
    public record Want(String name, Terms terms) {}

    /**
     * A try for several locks, each alone, under a random one-shot owner and a TTL of 10 s.
     *
     * @param names the locks
     * @return the request
     */
    public static LockSetRequest of(String... names) {
        return new LockSetRequest(
                Arrays.stream(names).map(name -> new Want(name, Terms.PLAIN)).toList(),
                Owner.random(),
                Duration.ofSeconds(10),
                Duration.ZERO,
                "",
                Optional.empty());
    }

    /**
     * The same with one lock more.
     *
     * @param name the lock
     * @param terms in which mode, with which value and lock-delay
     * @return the request
     */
    public LockSetRequest and(String name, Terms terms) {
        List<Want> more = new ArrayList<>(wants);
        more.add(new Want(name, terms));
        return new LockSetRequest(more, owner, ttl, patience, label, requestId);
    }

    /**
     * The same with another owner.
     *
     * @param other in whose name
     * @return the request
     */
    public LockSetRequest withOwner(Owner other) {
        return new LockSetRequest(wants, other, ttl, patience, label, requestId);
    }

    /**
     * The same with another TTL.
     *
     * @param other 100 ms to 24 h
     * @return the request
     */
    public LockSetRequest withTtl(Duration other) {
        return new LockSetRequest(wants, owner, other, patience, label, requestId);
    }

    /**
     * The same with another patience.
     *
     * @param other how long to wait; zero only tries
     * @return the request
     */
    public LockSetRequest withPatience(Duration other) {
        return new LockSetRequest(wants, owner, ttl, other, label, requestId);
    }

    /**
     * The same with another label.
     *
     * @param other who asks, for people
     * @return the request
     */
    public LockSetRequest withLabel(String other) {
        return new LockSetRequest(wants, owner, ttl, patience, other, requestId);
    }

    /**
     * The same with a request id.
     *
     * @param id 32 hexadecimal digits
     * @return the request
     */
    public LockSetRequest withRequestId(String id) {
        return new LockSetRequest(wants, owner, ttl, patience, label, Optional.of(id));
    }
}
