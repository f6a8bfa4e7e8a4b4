package io.holdfast.jepsen;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Calls that block while the test goes on. The common pool of a machine with two cores has one thread. */
final class Background {
    private Background() {}

    static <T> CompletableFuture<T> run(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, Thread::startVirtualThread);
    }
}
