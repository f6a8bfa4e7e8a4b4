package io.holdfast.statemachine.codec;

import io.holdfast.core.Command;
import java.util.List;

/**
 * What one log entry says.
 *
 * @param proposalId the leader's number for this entry: random start, then counted, so that the node that proposed it knows it again; means nothing to the state
 * @param leaseTimeNanos the lease time at which the leader made it, in ns
 * @param commands what it asks, in order of effect; none in a tick
 */
public record Entry(long proposalId, long leaseTimeNanos, List<Command> commands) {
    /** Copies the list. */
    public Entry {
        commands = List.copyOf(commands);
    }
}
