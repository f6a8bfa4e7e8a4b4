package io.holdfast.cli;

import io.holdfast.client.Acquisition;
import io.holdfast.client.Holder;
import io.holdfast.client.Mode;
import io.holdfast.client.WaitEdge;
import io.holdfast.client.Waiter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Facts in words, for people. */
final class Words {
    private Words() {}

    /** Who holds a lock, since when, and for how long yet. */
    static String holding(Holder holder) {
        return name(holder) + " since " + Durations.text(holder.held()) + ", for " + Durations.text(holder.remaining())
                + " more unless renewed (token " + holder.token() + ")";
    }

    private static String cycle(List<WaitEdge> cycle) {
        return cycle.isEmpty() ? "" : ": " + cycle.stream().map(Words::edge).collect(Collectors.joining("; "));
    }

    /** Who waits for whom. */
    static String edge(WaitEdge edge) {
        return party(edge.waiter(), edge.waiterLabel(), edge.waiterIsSession()) + " waits for " + edge.name()
                + (edge.isHolder() ? ", held by " : ", behind ")
                + party(edge.blocker(), edge.blockerLabel(), edge.blockerIsSession());
    }

    private static String party(String owner, String label, boolean isSession) {
        return (isSession ? "session " : "owner ") + owner + (label.isEmpty() ? "" : " [" + label + "]");
    }

    /** Who waits, and since when. */
    static String waiting(Waiter waiter) {
        Mode mode = waiter.terms().mode();
        return waiter.owner() + (waiter.ownerLabel().isEmpty() ? "" : " [" + waiter.ownerLabel() + "]") + " since "
                + Durations.text(waiter.waited()) + (mode instanceof Mode.Exclusive ? "" : ", " + mode(mode));
    }

    static String name(Holder holder) {
        String owner = (holder.isSession() ? "session " : "owner ") + holder.owner();
        return holder.ownerLabel().isEmpty() ? owner : owner + " [" + holder.ownerLabel() + "]";
    }

    /** How a lock is held. */
    static String mode(Mode mode) {
        return switch (mode) {
            case Mode.Exclusive it -> "exclusive";
            case Mode.Shared it -> "shared";
            case Mode.Permits it -> it.permits() + " of " + it.capacity() + " permits";
        };
    }

    /** Text from elsewhere, on one line of a terminal: what is no plain character is shown as an escape. */
    static String quoted(String text) {
        StringBuilder shown = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            boolean isPlain = Character.isLetterOrDigit(c) || (c >= ' ' && c < 0x7f);
            shown.append(isPlain ? Character.toString(c) : String.format(Locale.ROOT, "\\u%04x", c));
        });
        return shown.append('"').toString();
    }

    /** How many permits; 0 of what is no semaphore. */
    static int permits(Mode mode) {
        return mode instanceof Mode.Permits some ? some.permits() : 0;
    }

    static String notHeld(String name, Optional<Holder> holder) {
        return name + " is not held by that owner (under that token); "
                + holder.map(it -> "it is held by " + holding(it)).orElse("nobody holds it");
    }

    static String notGranted(String name, Acquisition.NotGranted no) {
        String why = switch (no.reason()) {
            case HELD ->
                name
                        + (no.holder().isPresent()
                                ? " is held"
                                : " is kept, for a set that is first in its queue or for a lock-delay");
            case OWNER_BUSY ->
                name + " is held or waited for by the same owner through another request; repeat that request"
                        + " with --request, or use another --owner";
            case OTHER_MODE ->
                name + " is held or waited for by this session in another mode; change it with 'convert'";
            case OTHER_KIND ->
                no.name()
                        + (no.capacity() == 0
                                ? " is a lock and no semaphore"
                                : " is a semaphore of " + no.capacity() + " permits")
                        + ", as long as somebody holds it or waits for it";
            case PART_OF_SET -> no.name() + " is held or waited for by this session as part of another set, or alone";
            case TIMED_OUT -> name + " was not obtained in time";
            case EXPIRED -> name + ": the lease ran out";
            case RELEASED -> name + ": this request was granted earlier, and has been released since";
            case DEADLOCK -> name + ": the session would wait for itself" + cycle(no.cycle());
            case CONVERTED ->
                name + ": this request was granted earlier, and its hold goes on in another mode under another token";
            case HANDED_OFF -> name + ": this request was granted earlier, and has been passed on to another owner";
            case REVOKED -> name + ": this request was granted earlier, and has been revoked since";
            case GAVE_UP -> name + ": this request was given up";
        };
        return no.holder().map(holder -> why + ": " + holding(holder)).orElse(why);
    }
}
