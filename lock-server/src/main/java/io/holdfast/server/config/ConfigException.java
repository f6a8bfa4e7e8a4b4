package io.holdfast.server.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration with which no node can start, and all that is wrong with it. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    /**
     * Creates it.
     *
     * @param problems what is wrong, at least one thing
     */
    public ConfigException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** {@return what is wrong, in the order of the file} */
    public List<Problem> problems() {
        return problems;
    }
}
