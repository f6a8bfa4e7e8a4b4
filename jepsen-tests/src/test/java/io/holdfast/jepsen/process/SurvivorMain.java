package io.holdfast.jepsen.process;

import java.io.IOException;

/** A JVM that starts a child as the harness does, prints its pid, and waits to be killed. */
final class SurvivorMain {
    private SurvivorMain() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Reaper reaper = new Reaper();
        Process child = new ProcessBuilder("sleep", "600").start();
        reaper.born(child);
        System.out.println(child.pid());
        Thread.currentThread().join();
    }
}
