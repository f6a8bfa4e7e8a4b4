package io.holdfast.core;

/**
 * An event with its place in the log.
 *
 * @param ordinal its place among all events of the store: 1, 2, 3 … without gaps
 * @param logIndex the index of the entry that brought it about; several events may share one
 * @param leaseTimeNanos when that was, in ns of lease time
 * @param event the event
 */
public record LoggedEvent(long ordinal, long logIndex, long leaseTimeNanos, Event event) {
    /** Refuses numbers out of range. */
    public LoggedEvent {
        Checks.atLeast(1, ordinal, "ordinal");
        Checks.atLeast(1, logIndex, "log index");
        Checks.atLeast(0, leaseTimeNanos, "lease time");
    }

    /** About how many bytes of memory it takes. The same on every node. */
    int size() {
        return switch (event) {
            case Event.Acquired it -> size(it.name(), it.owner(), it.label(), it.value());
            case Event.ValueChanged it -> size(it.name(), it.owner(), it.label(), it.value());
            case Event.Converted it -> size(it.name(), it.owner(), it.label(), "");
            case Event.HandedOff it ->
                size(it.name(), it.from(), it.fromLabel(), it.value()) + size(it.name(), it.to(), it.toLabel(), "");
            case Event.Revoking it ->
                size(it.name(), it.owner(), it.label(), it.reason())
                        + 2 * it.by().length();
            case Event.HoldEnded it -> size(it.name(), it.owner(), it.label(), "");
            case Event.PermitsReleased it -> size(it.name(), it.owner(), it.label(), "");
            case Event.Queued it -> size(it.name(), it.owner(), it.label(), "");
            case Event.LeftQueue it -> size(it.name(), it.owner(), it.label(), "");
            case Event.SessionOpened it -> BASE + 2 * it.label().length();
            case Event.SessionEnded it -> BASE + 2 * it.label().length();
        };
    }

    private static final int BASE = 128;

    private static int size(LockName name, Owner owner, String label, String text) {
        int ofOwner = owner instanceof Owner.OneShot one ? one.id().length() : 0;
        return BASE + 2 * (name.value().length() + ofOwner + label.length() + text.length());
    }
}
