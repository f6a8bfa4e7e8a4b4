package io.holdfast.jepsen.checker;

import static io.holdfast.jepsen.history.Action.ACQUIRE;
import static io.holdfast.jepsen.history.Action.FORGET;
import static io.holdfast.jepsen.history.Action.RELEASE;
import static io.holdfast.jepsen.history.Action.RENEW;
import static java.util.stream.Collectors.groupingBy;

import io.holdfast.jepsen.history.History;
import io.holdfast.jepsen.history.Lease;
import io.holdfast.jepsen.history.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One hold as its client knew it, from grant to end.
 *
 * @param grant the acquire that was answered yes
 * @param renewals all attempts to renew it, in order of invocation
 * @param endings releases and forgettings, in order of invocation
 */
record Holding(Operation grant, List<Operation> renewals, List<Operation> endings) {
    /** {@return all holds of a history, in order of invocation of their acquires} */
    static List<Holding> of(History history) {
        Map<Long, List<Operation>> byToken =
                history.operations().stream().filter(o -> o.token() != 0).collect(groupingBy(Operation::token));
        return history.operations().stream()
                .filter(o -> o.did(ACQUIRE))
                .map(grant -> of(grant, byToken.getOrDefault(leaseOf(grant).token(), List.of())))
                .toList();
    }

    private static Holding of(Operation grant, List<Operation> sameToken) {
        List<Operation> mine = sameToken.stream()
                .filter(o -> o.client().equals(grant.client()))
                .toList();
        return new Holding(
                grant,
                mine.stream().filter(o -> o.action() == RENEW).toList(),
                mine.stream()
                        .filter(o -> o.action() == RELEASE || o.action() == FORGET)
                        .toList());
    }

    String lock() {
        return grant.lock();
    }

    long token() {
        return leaseOf(grant).token();
    }

    /** {@return from when on the client does not believe any more, whatever its deadline} */
    long givenUpNanos() {
        return endings.stream().mapToLong(Operation::invokedNanos).min().orElse(Long.MAX_VALUE);
    }

    /** {@return the leases that the client was given for it: the first by the grant, then by renewals} */
    List<Operation> extensions() {
        List<Operation> all = new ArrayList<>();
        all.add(grant);
        renewals.stream().filter(o -> o.did(RENEW)).forEach(all::add);
        return all;
    }

    static Lease leaseOf(Operation operation) {
        return operation.lease().orElseThrow();
    }
}
