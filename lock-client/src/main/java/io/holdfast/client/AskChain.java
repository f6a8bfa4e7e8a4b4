package io.holdfast.client;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Waits in a queue: a chain of asks with one tag. Each keeps the place, renews the waiter's lease, and gives a fresh clock reading from which the deadline of the grant is counted.
 *
 * @param <G> what is granted
 */
final class AskChain<G> {
    /** How long giving up may take: what is not given up leaves the queue with its lease. */
    private static final Duration GIVE_UP_PATIENCE = Duration.ofSeconds(2);

    private final Ask<G> ask;
    private final ClientClock clock;
    private final Duration timeout;

    /**
     * Creates it.
     *
     * @param timeout how long a call looks for a leader
     */
    AskChain(Ask<G> ask, ClientClock clock, Duration timeout) {
        this.ask = ask;
        this.clock = clock;
        this.timeout = timeout;
    }

    /**
     * Asks until it is granted or refused, or the patience is over. Leaves nothing behind, as far as that is possible.
     *
     * @param waiting hears who holds what is waited for
     * @return granted or refused
     */
    Ask.Reply<G> run(Duration patience, Consumer<Holder> waiting) throws InterruptedException {
        ClientClock.Reading begun = clock.read();
        try {
            return chain(begun.nanos(), patience, waiting);
        } catch (InterruptedException e) {
            abandon(begun);
            throw e;
        } catch (HoldfastException.Unavailable e) {
            throw e; // nobody would hear that it is given up: the place, or the lock, goes with its lease
        } catch (HoldfastException e) {
            if (e.mayHaveTakenEffect()) {
                abandon(begun);
            }
            throw e;
        }
    }

    /** Why a reply that ended a chain is no grant. */
    static Acquisition.NotGranted refusal(Ask.Reply<?> reply) {
        if (reply instanceof Ask.Reply.Refused<?> refused) {
            return refused.why();
        }
        throw new IllegalStateException("no refusal: " + reply);
    }

    private Ask.Reply<G> chain(long start, Duration patience, Consumer<Holder> waiting) throws InterruptedException {
        long block = ask.blockMillis();
        while (true) {
            Ask.Reply<G> reply = ask.send(block);
            if (!(reply instanceof Ask.Reply.Waiting<G> queued)) {
                return reply;
            }
            queued.holder().ifPresent(waiting);
            long left = left(start, patience);
            if (left <= 0) {
                return giveUp(queued);
            }
            block = Math.min(block, Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
        }
    }

    /** What is left of the patience on this process's own clock; the store counts in lease time, which may stand still. */
    private long left(long start, Duration patience) {
        return patience.compareTo(LockRequest.FOREVER) >= 0
                ? Long.MAX_VALUE
                : patience.toNanos() - (clock.nanoTime() - start);
    }

    /** The patience is over. If it was granted meanwhile, it is ours, since the last ask that was answered. */
    private Ask.Reply<G> giveUp(Ask.Reply.Waiting<G> last) throws InterruptedException {
        Optional<G> tooLate = ask.giveUp(last.sent(), timeout);
        return tooLate.isPresent()
                ? new Ask.Reply.Granted<>(tooLate.get())
                : new Ask.Reply.Refused<>(new Acquisition.NotGranted(Acquisition.Reason.TIMED_OUT, last.holder()));
    }

    /** Leaves nothing behind, as far as that is possible: gives up the place, or the lock if it was granted. */
    private void abandon(ClientClock.Reading begun) {
        boolean interrupted = Thread.interrupted();
        try {
            Optional<G> granted = ask.giveUp(begun, GIVE_UP_PATIENCE);
            if (granted.isPresent()) {
                ask.release(granted.get(), GIVE_UP_PATIENCE);
            }
        } catch (HoldfastException e) {
            // Nobody answers: the place, or the lock, goes with its lease.
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
