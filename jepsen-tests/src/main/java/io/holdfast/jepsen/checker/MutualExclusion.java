package io.holdfast.jepsen.checker;

import static java.util.Comparator.comparingLong;
import static java.util.stream.Collectors.groupingBy;

import io.holdfast.jepsen.history.History;
import java.util.ArrayList;
import java.util.List;

/**
 * No two clients believe in the same lock at one time (invariant I1, as clients see it).
 *
 * <p>A client believes from the answer that gave it a lease until its own deadline, or until it releases or forgets. A client whose process was frozen while it believed is no exception: it believes until its deadline, and what it does after that is the fence's business.
 */
public final class MutualExclusion implements Checker {
    @Override
    public String name() {
        return "mutual-exclusion";
    }

    @Override
    public Verdict check(History history) {
        List<Holding> holdings = Holding.of(history);
        List<String> problems = new ArrayList<>();
        holdings.stream()
                .collect(groupingBy(Holding::lock))
                .values()
                .forEach(ofOneLock -> disjoint(ofOneLock, problems));
        return new Verdict(name(), holdings.size(), problems);
    }

    private static void disjoint(List<Holding> ofOneLock, List<String> problems) {
        List<Belief> beliefs = ofOneLock.stream()
                .flatMap(holding -> beliefs(holding).stream())
                .sorted(comparingLong(Belief::fromNanos))
                .toList();
        Belief longest = null;
        for (Belief belief : beliefs) {
            if (longest != null
                    && belief.fromNanos() < longest.untilNanos()
                    && !belief.holding().equals(longest.holding())) {
                problems.add("two believed in " + belief.holding().lock() + " for "
                        + (Math.min(longest.untilNanos(), belief.untilNanos()) - belief.fromNanos()) / 1_000
                        + " us: " + longest.brief() + " and " + belief.brief());
            }
            longest = longest == null || belief.untilNanos() > longest.untilNanos() ? belief : longest;
        }
    }

    private static List<Belief> beliefs(Holding holding) {
        return holding.extensions().stream()
                .map(given -> new Belief(
                        holding,
                        given.completedNanos(),
                        Math.min(Holding.leaseOf(given).deadlineNanos(), holding.givenUpNanos())))
                .filter(belief -> belief.fromNanos() < belief.untilNanos())
                .toList();
    }

    private record Belief(Holding holding, long fromNanos, long untilNanos) {
        String brief() {
            return holding.grant().brief() + " (believed " + fromNanos / 1_000_000 + ".." + untilNanos / 1_000_000
                    + "ms)";
        }
    }
}
