package io.holdfast.jepsen;

/** How often a test repeats what may go wrong by chance. */
final class Rounds {
    private Rounds() {}

    /** {@return the system property {@code holdfast.rounds}, or what the ordinary build can afford} */
    static int orElse(int few) {
        return Integer.getInteger("holdfast.rounds", few);
    }
}
