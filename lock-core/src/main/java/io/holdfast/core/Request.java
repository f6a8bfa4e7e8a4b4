package io.holdfast.core;

/**
 * How a retry, or a duplicate that arrives late, is told from a new request (DESIGN §4, <em>Once</em>). All sendings of one request carry the same.
 *
 * @see <a href="https://raft.github.io/raft.pdf">Raft, section 8</a> on requests that a client sends again
 */
public sealed interface Request {
    /**
     * The n-th request of a session. Cheap: the store forgets an answer as soon as the client says that it has seen it.
     *
     * @param number 1, 2, 3 … within the session
     * @param seenUpTo the client has the answers to all its requests up to this number and will never send them again; below {@code number}
     */
    record Numbered(long number, long seenUpTo) implements Request {
        /** Refuses a number below 1 and a request that claims to be answered already. */
        public Numbered {
            if (number < 1 || seenUpTo < 0 || seenUpTo >= number) {
                throw new IllegalArgumentException("request " + number + ", answers seen up to " + seenUpTo);
            }
        }
    }

    /**
     * A request with an id of its own, from a client that keeps no count.
     *
     * @param id random, chosen by the client
     * @param issuedAtNanos a lease time that had certainly been reached when the client first sent the request: the last that it saw in an answer, in ns. A request older than the store's memory of finished ones is refused, not carried out
     */
    record Identified(RequestId id, long issuedAtNanos) implements Request {
        /** Refuses a negative time. */
        public Identified {
            if (issuedAtNanos < 0) {
                throw new IllegalArgumentException("issued at " + issuedAtNanos);
            }
        }
    }

    /**
     * Tells whether the other is a sending of the same request.
     *
     * @param other a request of the same owner
     * @return whether number or id agree
     */
    default boolean isSameAs(Request other) {
        return switch (this) {
            case Numbered one -> other instanceof Numbered two && one.number == two.number;
            case Identified one -> other instanceof Identified two && one.id.equals(two.id);
        };
    }
}
