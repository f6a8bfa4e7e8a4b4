package io.holdfast.client;

/** Clocks that a test moves. Sleeping moves them too. */
final class FakeClock implements ClientClock {
    private long nanos = 1_000_000_000L;
    private long wallMillis = 50_000;

    @Override
    public synchronized long nanoTime() {
        return nanos;
    }

    @Override
    public synchronized long wallMillis() {
        return wallMillis;
    }

    @Override
    public void sleep(long toSleep) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        pass(toSleep);
    }

    synchronized void pass(long passed) {
        nanos += passed;
        wallMillis += passed / 1_000_000;
    }

    void passMillis(long millis) {
        pass(millis * 1_000_000);
    }

    /** The machine was suspended: the wall clock ran, the monotonic one stood still. */
    synchronized void suspendMillis(long millis) {
        wallMillis += millis;
    }
}
