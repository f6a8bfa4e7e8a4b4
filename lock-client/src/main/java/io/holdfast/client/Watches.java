package io.holdfast.client;

import java.util.function.Consumer;

/** What happens to locks and sessions, as it happens. Any node tells it; when that one is lost, another goes on, without a gap and without telling anything twice. Thread safe. */
public final class Watches {
    private final Router router;
    private final ClientClock clock;

    Watches(Router router, ClientClock clock) {
        this.router = router;
        this.clock = clock;
    }

    /**
     * Tells a listener what happens, on a thread of its own.
     *
     * @param request what to watch, and from where
     * @param listener hears it
     * @return the watch, to be closed; it begins at once, and {@link WatchListener#ended} says if it cannot
     */
    public Watch watch(WatchRequest request, WatchListener listener) {
        return Watch.start(
                request.target(), events(request, listener::interrupted), listener::happened, listener::ended);
    }

    /**
     * Gives what happens to whoever asks for the next event.
     *
     * @param request what to watch, and from where
     * @return the events, to be closed
     */
    public EventStream events(WatchRequest request) {
        return events(request, reason -> {});
    }

    /**
     * The same, and tells when a node is lost.
     *
     * @param request what to watch, and from where
     * @param interrupted hears why another node is looked for, for people
     * @return the events, to be closed
     */
    public EventStream events(WatchRequest request, Consumer<String> interrupted) {
        return new EventStream(router, clock, request, interrupted);
    }

    /**
     * Tells a listener who leads an election, on a thread of its own: first who leads now.
     *
     * @param name the election: the name of its lock
     * @param listener hears it
     * @return the watch, to be closed
     */
    public Watch observe(String name, ElectionListener listener) {
        return Watch.start(
                name,
                leaders(name, listener::interrupted),
                leader -> leader.ifPresentOrElse(listener::leads, listener::vacant),
                listener::ended);
    }

    /**
     * Gives who leads an election to whoever asks for the next change: first who leads now.
     *
     * @param name the election: the name of its lock
     * @param interrupted hears why another node is looked for, for people
     * @return the leaders, to be closed
     */
    public LeaderStream leaders(String name, Consumer<String> interrupted) {
        return new LeaderStream(router, clock, name, interrupted);
    }
}
