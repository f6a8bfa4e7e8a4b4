package io.holdfast.server.node;

import java.util.concurrent.ThreadFactory;

/** Threads with names that a thread dump can be read by. */
final class Threads {
    private Threads() {}

    static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
