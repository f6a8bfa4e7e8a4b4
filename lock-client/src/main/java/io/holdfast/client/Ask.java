package io.holdfast.client;

import java.time.Duration;
import java.util.Optional;

/**
 * A request for a lock, or for several as one, that is sent until it is answered: a port of {@link AskChain}. All its sendings carry one tag.
 *
 * @param <G> what is granted
 */
interface Ask<G> {
    /** The answer to one sending. */
    sealed interface Reply<G> {
        /** It is yours. */
        record Granted<G>(G grant) implements Reply<G> {}

        /** A clear no. */
        record Refused<G>(Acquisition.NotGranted why) implements Reply<G> {}

        /** In the queue; ask again. */
        record Waiting<G>(Optional<Holder> holder, ClientClock.Reading sent) implements Reply<G> {}
    }

    /** How long one sending may block at most, in ms. */
    long blockMillis();

    /**
     * Asks once.
     *
     * @param blockMillis how long the node may wait with its answer
     */
    Reply<G> send(long blockMillis) throws InterruptedException;

    /**
     * Gives the place up.
     *
     * @param lastAsk when the last ask was sent that was answered: if it was granted meanwhile, it is ours since then
     * @param patience how long to try
     * @return the grant, if this came too late
     */
    Optional<G> giveUp(ClientClock.Reading lastAsk, Duration patience) throws InterruptedException;

    /**
     * Gives back what was granted.
     *
     * @param patience how long to try
     */
    void release(G grant, Duration patience) throws InterruptedException;
}
