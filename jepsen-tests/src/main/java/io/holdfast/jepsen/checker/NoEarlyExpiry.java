package io.holdfast.jepsen.checker;

import static java.util.Comparator.comparingLong;
import static java.util.stream.Collectors.groupingBy;

import io.holdfast.jepsen.history.Answer;
import io.holdfast.jepsen.history.History;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A lease that was not given back lives for its full TTL from the sending of the ask that granted or renewed it (invariant I3): until then nobody else is granted the lock, and neither a renewal nor the release is told that it is gone.
 */
public final class NoEarlyExpiry implements Checker {
    @Override
    public String name() {
        return "no-early-expiry";
    }

    @Override
    public Verdict check(History history) {
        List<Holding> holdings = Holding.of(history);
        List<String> problems = new ArrayList<>();
        holdings.forEach(holding -> goneEarly(holding, problems));
        holdings.stream().collect(groupingBy(Holding::lock)).values().forEach(ofOneLock -> {
            List<Holding> byToken =
                    ofOneLock.stream().sorted(comparingLong(Holding::token)).toList();
            for (int i = 1; i < byToken.size(); i++) {
                passedOnEarly(byToken.get(i - 1), byToken.get(i), problems);
            }
        });
        return new Verdict(name(), holdings.size(), problems);
    }

    private static void passedOnEarly(Holding holding, Holding next, List<String> problems) {
        long granted = next.grant().completedNanos();
        long owed = Math.min(earliestEnd(holding), holding.givenUpNanos());
        if (granted < owed) {
            problems.add("passed on " + (owed - granted) / 1_000 + " us early: "
                    + holding.grant().brief() + " to " + next.grant().brief());
        }
    }

    private static void goneEarly(Holding holding, List<String> problems) {
        Stream.concat(holding.renewals().stream(), holding.endings().stream().limit(1))
                .filter(call -> call.answer() == Answer.NO
                        && call.invokedNanos() <= holding.givenUpNanos()
                        && call.completedNanos() < earliestEnd(holding))
                .forEach(call -> problems.add("gone early: " + holding.grant().brief() + ", says " + call.brief()));
    }

    /**
     * When the store may take the hold away. All renewals count, also those that were answered late: what was renewed was not gone, and what is gone stays gone.
     */
    private static long earliestEnd(Holding holding) {
        return holding.extensions().stream()
                .mapToLong(given -> Holding.leaseOf(given).earliestEndNanos())
                .max()
                .orElseThrow();
    }
}
