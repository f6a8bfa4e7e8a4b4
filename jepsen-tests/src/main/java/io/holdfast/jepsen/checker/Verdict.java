package io.holdfast.jepsen.checker;

import java.util.List;

/**
 * What a checker found.
 *
 * @param checker its name
 * @param operations how many operations it could judge; a verdict on none says nothing
 * @param problems one line for each violation
 */
public record Verdict(String checker, int operations, List<String> problems) {
    /** Takes a copy. */
    public Verdict {
        problems = List.copyOf(problems);
    }

    /** {@return whether nothing was found} */
    public boolean valid() {
        return problems.isEmpty();
    }
}
