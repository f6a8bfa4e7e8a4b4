package io.holdfast.jepsen.history;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Writes down what the clients of a run do. Safe for use by many threads. */
public final class Recorder {
    private final long originNanos = System.nanoTime();
    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, Operation> open = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Operation> done = new ConcurrentLinkedQueue<>();

    /** {@return a reading of {@link System#nanoTime()}, as a time of this history} */
    public long at(long nanoTime) {
        return nanoTime - originNanos;
    }

    /** {@return the present time of this history} */
    public long now() {
        return at(System.nanoTime());
    }

    /**
     * A client is about to call.
     *
     * @param token the hold that is meant, or 0
     * @return the id of the operation
     */
    public long invoke(String client, Action action, String lock, long token) {
        long id = ids.incrementAndGet();
        open.put(
                id,
                new Operation(
                        id,
                        client,
                        action,
                        lock,
                        now(),
                        Operation.NEVER,
                        Answer.UNKNOWN,
                        Optional.empty(),
                        token,
                        "open"));
        return id;
    }

    /** A call was answered with a lease. */
    public void granted(long id, Lease lease) {
        complete(id, Answer.YES, Optional.of(lease), "");
    }

    /** A call ended without a lease. */
    public void ended(long id, Answer answer, String note) {
        complete(id, answer, Optional.empty(), note);
    }

    /** A client stops believing in a hold by itself. */
    public void forget(String client, String lock, long token, String why) {
        ended(invoke(client, Action.FORGET, lock, token), Answer.YES, why);
    }

    /** {@return everything up to now; calls that are still open have answer {@link Answer#UNKNOWN}} */
    public History history() {
        Map<Long, Operation> all = new HashMap<>(open);
        // An operation that completes just now may be in both.
        done.forEach(operation -> all.put(operation.id(), operation));
        return new History(List.copyOf(all.values()));
    }

    private void complete(long id, Answer answer, Optional<Lease> lease, String note) {
        // The clock is read first: a call must not seem to end later than it did.
        long completed = now();
        Operation begun = open.remove(id);
        if (begun == null) {
            throw new IllegalStateException("operation " + id + " is not open");
        }
        done.add(new Operation(
                id,
                begun.client(),
                begun.action(),
                begun.lock(),
                begun.invokedNanos(),
                completed,
                answer,
                lease,
                begun.token(),
                note));
    }
}
