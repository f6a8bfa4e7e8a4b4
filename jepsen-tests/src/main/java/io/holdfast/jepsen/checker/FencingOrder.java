package io.holdfast.jepsen.checker;

import static io.holdfast.jepsen.history.Action.ACQUIRE;
import static io.holdfast.jepsen.history.Action.RENEW;
import static java.util.Comparator.comparingLong;

import io.holdfast.jepsen.history.History;
import io.holdfast.jepsen.history.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tokens are unique over the whole store, and grow in real time: who asks after another was granted gets a greater one (invariant I2). A renewal keeps its token.
 */
public final class FencingOrder implements Checker {
    @Override
    public String name() {
        return "fencing-order";
    }

    @Override
    public Verdict check(History history) {
        List<Operation> grants =
                history.operations().stream().filter(o -> o.did(ACQUIRE)).toList();
        List<String> problems = new ArrayList<>();
        unique(grants, problems);
        growing(grants, problems);
        renewed(history, problems);
        return new Verdict(name(), grants.size(), problems);
    }

    private static void unique(List<Operation> grants, List<String> problems) {
        Map<Long, Operation> byToken = new HashMap<>();
        for (Operation grant : grants) {
            Operation other = byToken.putIfAbsent(token(grant), grant);
            if (other != null) {
                problems.add("one token, two grants: " + other.brief() + " and " + grant.brief());
            }
        }
    }

    /** Walks the grants as they were asked for, and keeps the greatest token that was known before. */
    private static void growing(List<Operation> grants, List<String> problems) {
        List<Operation> asked =
                grants.stream().sorted(comparingLong(Operation::invokedNanos)).toList();
        List<Operation> known =
                grants.stream().sorted(comparingLong(Operation::completedNanos)).toList();
        int next = 0;
        Operation greatest = null;
        for (Operation grant : asked) {
            while (next < known.size() && known.get(next).completedNanos() < grant.invokedNanos()) {
                Operation candidate = known.get(next++);
                greatest = greatest == null || token(candidate) > token(greatest) ? candidate : greatest;
            }
            if (greatest != null && token(grant) < token(greatest)) {
                problems.add("a later grant, a lower token: " + greatest.brief() + " then " + grant.brief());
            }
        }
    }

    private static void renewed(History history, List<String> problems) {
        history.operations().stream()
                .filter(o -> o.did(RENEW) && token(o) != o.token())
                .forEach(o -> problems.add("a renewal changed the token " + o.token() + ": " + o.brief()));
    }

    private static long token(Operation grant) {
        return grant.lease().orElseThrow().token();
    }
}
