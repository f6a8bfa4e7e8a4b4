package io.holdfast.cli;

import io.holdfast.client.Acquisition;
import io.holdfast.client.Holder;
import java.util.Optional;

/** Facts in words, for people. */
final class Words {
    private Words() {}

    /** Who holds a lock, since when, and for how long yet. */
    static String holding(Holder holder) {
        return name(holder) + " since " + Durations.text(holder.held()) + ", for " + Durations.text(holder.remaining())
                + " more unless renewed (token " + holder.token() + ")";
    }

    static String name(Holder holder) {
        String owner = (holder.isSession() ? "session " : "owner ") + holder.owner();
        return holder.ownerLabel().isEmpty() ? owner : owner + " [" + holder.ownerLabel() + "]";
    }

    static String notHeld(String name, Optional<Holder> holder) {
        return name + " is not held by that owner (under that token); "
                + holder.map(it -> "it is held by " + holding(it)).orElse("nobody holds it");
    }

    static String notGranted(String name, Acquisition.NotGranted no) {
        String why = switch (no.reason()) {
            case HELD -> name + " is held";
            case OWNER_BUSY ->
                name + " is held or waited for by the same owner through another request; repeat that request"
                        + " with --request, or use another --owner";
            case TIMED_OUT -> name + " was not obtained in time";
            case EXPIRED -> name + ": the lease ran out";
            case RELEASED -> name + ": this request was granted earlier, and has been released since";
            case GAVE_UP -> name + ": this request was given up";
        };
        return no.holder().map(holder -> why + ": " + holding(holder)).orElse(why);
    }
}
