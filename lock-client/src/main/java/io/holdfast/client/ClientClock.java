package io.holdfast.client;

/** The clocks of this process: a port, so that tests can move them. */
interface ClientClock {
    /** The clocks of the JVM. */
    ClientClock SYSTEM = new ClientClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }

        @Override
        public void sleep(long nanos) throws InterruptedException {
            java.util.concurrent.TimeUnit.NANOSECONDS.sleep(nanos);
        }
    };

    /** The monotonic clock, in ns. All deadlines are in its terms. */
    long nanoTime();

    /** The wall clock, in ms. Only ever makes a client more careful. */
    long wallMillis();

    /** Lets time pass. */
    void sleep(long nanos) throws InterruptedException;

    /** Both clocks at one moment. */
    default Reading read() {
        return new Reading(nanoTime(), wallMillis());
    }

    /**
     * Both clocks at one moment.
     *
     * @param nanos the monotonic clock, in ns
     * @param wallMillis the wall clock, in ms
     */
    record Reading(long nanos, long wallMillis) {}
}
