package io.holdfast.core;

/** Who holds a lock or waits for one: the party whose lease decides how long. */
public sealed interface Owner extends Comparable<Owner> {
    /**
     * A session. Its one lease covers all that it holds or waits for.
     *
     * @param session the session
     */
    record OfSession(SessionId session) implements Owner {
        @Override
        public String toString() {
            return session.toString();
        }
    }

    /**
     * An owner of one-shot leases. Each of its holds has a lease of its own.
     *
     * @param id 1 to 256 bytes of UTF-8 without control characters
     */
    record OneShot(String id) implements Owner {
        /** Refuses what {@link Bounds#owner} refuses; doors ask there first. */
        public OneShot {
            Bounds.owner(id).ifPresent(violation -> {
                throw new IllegalArgumentException(violation.message());
            });
        }

        @Override
        public String toString() {
            return id;
        }
    }

    /** Orders one-shot owners before sessions; a total order, the same on every node. */
    @Override
    default int compareTo(Owner other) {
        return switch (this) {
            case OneShot one -> other instanceof OneShot two ? one.id.compareTo(two.id) : -1;
            case OfSession one -> other instanceof OfSession two ? one.session.compareTo(two.session) : 1;
        };
    }
}
