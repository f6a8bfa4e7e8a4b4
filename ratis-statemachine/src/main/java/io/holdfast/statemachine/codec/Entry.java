package io.holdfast.statemachine.codec;

import io.holdfast.core.Command;
import java.util.List;

/**
 * What one log entry says.
 *
 * @param proposalId the leader's number for this entry: random start, then counted, so that the node that proposed it knows it again; means nothing to the state
 * @param leaseTimeNanos the lease time at which the leader made it, in ns, 0 or more
 * @param commands what it asks, in order of effect; none in a tick
 */
public record Entry(long proposalId, long leaseTimeNanos, List<Command> commands) {
    /** Copies the list. Refuses a negative lease time, which no node could apply. */
    public Entry {
        if (leaseTimeNanos < 0) {
            throw new IllegalArgumentException("lease time " + leaseTimeNanos);
        }
        commands = List.copyOf(commands);
    }
}
