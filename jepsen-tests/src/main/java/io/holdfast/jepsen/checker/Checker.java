package io.holdfast.jepsen.checker;

import io.holdfast.jepsen.history.History;
import java.util.List;

/** A rule that every history must obey. */
public interface Checker {
    /** All rules. */
    List<Checker> ALL = List.of(new FencingOrder(), new MutualExclusion(), new NoEarlyExpiry());

    /** {@return the rule's name, for reports} */
    String name();

    /** {@return whether the history obeys} */
    Verdict check(History history);
}
