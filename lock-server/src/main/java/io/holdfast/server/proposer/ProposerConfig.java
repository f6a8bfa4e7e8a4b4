package io.holdfast.server.proposer;

import java.time.Duration;

/**
 * How the proposer works.
 *
 * @param tickMaxInterval a tick is committed at least this often while any lease lives
 * @param tickMaxStep most that lease time advances between two entries
 * @param failoverGrace how long lease time stands still after a leader change
 * @param watchdog how old an entry in flight may get before its callers are told that its outcome is unknown: the election timeout's maximum
 * @param maxEntryCommands most commands in one entry
 * @param maxEntryBytes most bytes of commands in one entry; one larger command still goes, alone
 * @param maxQueuedCommands most commands that wait for their entry; beyond it the node is overloaded
 */
public record ProposerConfig(
        Duration tickMaxInterval,
        Duration tickMaxStep,
        Duration failoverGrace,
        Duration watchdog,
        int maxEntryCommands,
        int maxEntryBytes,
        int maxQueuedCommands) {}
