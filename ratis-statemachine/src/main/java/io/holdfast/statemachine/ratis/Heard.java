package io.holdfast.statemachine.ratis;

/**
 * What this node last heard of how far the cluster is.
 *
 * @param millisAgo when, in ms before now, by the monotonic clock, ≥ 0
 * @param commitIndex the last log index that was committed then, as far as it was told
 * @param appliedIndex the last log index applied here by now, configuration entries included
 */
public record Heard(long millisAgo, long commitIndex, long appliedIndex) {
    /** {@return whether this node has by now applied all that was committed then} */
    public boolean isCaughtUp() {
        return appliedIndex >= commitIndex;
    }
}
