package io.holdfast.jepsen.load;

import io.holdfast.jepsen.history.History;
import io.holdfast.jepsen.history.Recorder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/** Many clients at work. Starts them when made; owned by the thread that made it. */
public final class Load implements AutoCloseable {
    private final Recorder recorder = new Recorder();

    // Told to all clients by the owner.
    private final AtomicBoolean goesOn = new AtomicBoolean(true);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<CompletableFuture<Void>> running = new ArrayList<>();

    /**
     * Starts the clients.
     *
     * @param plan what they do
     * @param callers how each of them calls: as many as the plan has clients
     */
    public Load(LoadPlan plan, List<Caller> callers) {
        if (callers.size() != plan.clients()) {
            throw new IllegalArgumentException(callers.size() + " callers for " + plan.clients() + " clients");
        }
        Random random = new Random(plan.seed());
        for (int i = 0; i < plan.clients(); i++) {
            var client = new LoadClient("c" + (i + 1), plan, callers.get(i), recorder, new Random(random.nextLong()));
            running.add(CompletableFuture.runAsync(() -> client.run(goesOn::get), threads));
        }
    }

    /** {@return what the clients have seen up to now} */
    public History sofar() {
        return recorder.history();
    }

    /** Lets each client end what it is at, and waits for it. A client that broke breaks this. */
    public History stop() {
        goesOn.set(false);
        running.forEach(CompletableFuture::join);
        return recorder.history();
    }

    @Override
    public void close() {
        goesOn.set(false);
        threads.close();
    }
}
