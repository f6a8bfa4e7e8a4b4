package io.holdfast.statemachine.ratis;

/**
 * Finds out whether one changed byte explains why a CRC32C does not match.
 *
 * <p>The checksum is linear: an error changes it in a way that depends only on the error and its distance from the end. So the difference is taken back byte by byte, until it is one that a single byte makes.
 */
final class FlippedByte {
    private static final int POLYNOMIAL = 0x82f63b78; // CRC32C, bits reversed

    // What a byte does to a checksum of 0, and which byte has done so, by the highest byte of that.
    private static final int[] EFFECT = new int[256];
    private static final int[] CAUSE = new int[256];

    static {
        for (int b = 0; b < 256; b++) {
            int effect = b;
            for (int bit = 0; bit < 8; bit++) {
                effect = (effect >>> 1) ^ ((effect & 1) == 0 ? 0 : POLYNOMIAL);
            }
            EFFECT[b] = effect;
            CAUSE[effect >>> 24] = b;
        }
    }

    private FlippedByte() {}

    /**
     * Tells whether one byte can be the cause. By chance it says so for one in 2^24 others, times the number of bytes.
     *
     * @param syndrome the checksum of the bytes, xor the one stored; not 0
     * @param length number of bytes that the checksum covers
     * @return whether a change of one of those bytes, or of one of the checksum's four, makes them match
     */
    static boolean explains(int syndrome, int length) {
        for (int shift = 0; shift < 32; shift += 8) {
            if ((syndrome & ~(0xff << shift)) == 0) {
                return true; // in the checksum
            }
        }
        int difference = syndrome;
        for (int i = 0; i < length; i++) {
            int cause = CAUSE[difference >>> 24];
            if (difference == EFFECT[cause]) {
                return true;
            }
            difference = ((difference ^ EFFECT[cause]) << 8) | cause;
        }
        return false;
    }
}
