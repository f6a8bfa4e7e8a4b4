package io.holdfast.server.node;

import io.holdfast.core.LockTable;
import io.holdfast.server.proposer.Replica;
import io.holdfast.statemachine.ratis.LockStateMachine;
import java.util.OptionalLong;
import java.util.function.Function;

/** This node's own state, for reads that do without the leader. Thread safe. */
record LocalReplica(LockStateMachine stateMachine, Freshness freshness) implements Replica {
    @Override
    public <T> T read(Function<LockTable, T> query) {
        return stateMachine.read(query);
    }

    @Override
    public OptionalLong ageMillis() {
        return freshness.ageMillis();
    }
}
