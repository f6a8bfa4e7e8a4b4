package io.holdfast.cli;

import io.holdfast.cli.process.Signals;
import io.holdfast.cli.process.Supervisor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The signals that {@code run} gets: until the command runs, those that end a process end the waiting; all go to the supervisor. */
final class RunSignals {
    private final Supervisor supervisor;

    // Guards the two fields: an interrupt must not reach its thread after the waiting is over.
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Thread waiting;
    private @Nullable String ending;

    RunSignals(Supervisor supervisor) {
        this.supervisor = supervisor;
        Signals.handle(Signals.PASSED_ON, this::came);
    }

    /** Waits for something, interrupted by a signal that ends a process. */
    <T> T endingWait(Caller.Interruptible<T> call) throws InterruptedException {
        begin(Thread.currentThread());
        try {
            return call.call();
        } finally {
            begin(null);
            boolean unused = Thread.interrupted(); // one that came just too late
        }
    }

    /** The exit code that tells of the signal which ended the waiting. */
    int exitCode() {
        lock.lock();
        try {
            return Signals.exitCode(ending == null ? "TERM" : ending);
        } finally {
            lock.unlock();
        }
    }

    private void begin(@Nullable Thread waiter) {
        lock.lock();
        try {
            waiting = waiter;
            if (waiter != null && ending != null) {
                waiter.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    private void came(String name) {
        supervisor.signalled(name);
        if (!Signals.endsUs(name)) {
            return;
        }
        lock.lock();
        try {
            ending = name;
            if (waiting != null) {
                waiting.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }
}
