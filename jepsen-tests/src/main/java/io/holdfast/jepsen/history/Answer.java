package io.holdfast.jepsen.history;

/** How a call ended, as its client knows. */
public enum Answer {
    /** It happened. */
    YES,
    /** The store decided against it: held by somebody else, not held any more. */
    NO,
    /** It reached no decision, and never will: no leader, a bad request. */
    FAILED,
    /** It may have happened, or may yet. */
    UNKNOWN
}
