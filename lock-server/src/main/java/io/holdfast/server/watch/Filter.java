package io.holdfast.server.watch;

import io.holdfast.core.Event;
import io.holdfast.core.LockName;

/** Which events a watcher sees. */
public sealed interface Filter {
    /**
     * Those of one lock.
     *
     * @param name the lock
     */
    record OfName(LockName name) implements Filter {
        @Override
        public boolean shows(Event event) {
            return event.lock().filter(name::equals).isPresent();
        }
    }

    /**
     * Those of all locks whose names begin alike.
     *
     * @param prefix how they begin; empty for all locks, and for all sessions, which have no name
     */
    record OfPrefix(String prefix) implements Filter {
        @Override
        public boolean shows(Event event) {
            return event.isAbout(prefix);
        }
    }

    /** {@return whether a watcher sees this event} */
    boolean shows(Event event);
}
