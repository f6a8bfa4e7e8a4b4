package io.holdfast.statemachine.ratis;

/** What one look at another node's Raft port has shown. Things may have changed since. */
sealed interface Sighting {
    /**
     * It does not answer, or not in time, or not for this cluster: it may be anything.
     *
     * @param why what happened instead
     */
    record Silent(String why) implements Sighting {}

    /** It runs, and has no part in the cluster: it has never had one, or has lost its disk. */
    record Empty() implements Sighting {}

    /** It has a part in the cluster, or waits for one. */
    record Present() implements Sighting {}
}
