package io.holdfast.statemachine.ratis;

/**
 * When a node takes snapshots by itself, and how many it keeps.
 *
 * @param logBytes after so many bytes of log, ≥ 1: a restart replays no more than about that
 * @param changes after so many changed records, ≥ 1: applying waits while they are gathered, some tens of ms for 65,536
 * @param keep how many of the newest stay on the disk, ≥ 2: a follower may be receiving the one before the newest
 */
public record SnapshotPolicy(long logBytes, int changes, int keep) {
    /** After 32 MiB of log or 65,536 changed records; three stay. */
    public static final SnapshotPolicy DEFAULT = new SnapshotPolicy(32 << 20, 65_536, 3);

    /** Refuses numbers out of range. */
    public SnapshotPolicy {
        if (logBytes < 1 || changes < 1 || keep < 2) {
            throw new IllegalArgumentException(
                    "a snapshot after " + logBytes + " bytes or " + changes + " changes, of which " + keep + " stay");
        }
    }
}
