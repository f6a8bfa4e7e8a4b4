package io.holdfast.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Time since the machine was booted, suspends included, which {@link System#nanoTime()} leaves out. A lease goes on running out while a laptop sleeps.
 *
 * <p>Where the system does not tell (no {@code /proc/uptime}), it is the monotonic clock. Confined to one thread.
 */
final class BootClock {
    private static final Path UPTIME = Path.of("/proc/uptime");
    private static final long NANOS_PER_HUNDREDTH = 10_000_000;

    private final LongSupplier monotonic;
    private final Uptime uptime;

    // Boot time less monotonic time, by the monotonic moment since which it is known. It only grows: at a suspend, and
    // by less than 10 ms as better readings of the coarse uptime come in.
    private final TreeMap<Long, Long> offsets = new TreeMap<>();
    private long offset;

    /** Reads the time since boot, in hundredths of a second. */
    interface Uptime {
        long hundredths() throws IOException;
    }

    BootClock(LongSupplier monotonic, Uptime uptime) {
        this.monotonic = monotonic;
        this.uptime = uptime;
        long nanos = monotonic.getAsLong();
        this.offset = read(nanos, 0);
        offsets.put(nanos, offset);
    }

    /** The clock of this machine. */
    static BootClock system() {
        return new BootClock(System::nanoTime, BootClock::systemUptime);
    }

    /** Now, in ns since boot. Looks whether the machine was suspended. */
    long now() {
        long nanos = monotonic.getAsLong();
        long seen = read(nanos, offset);
        if (seen > offset) {
            offset = seen;
            offsets.put(nanos, offset);
        }
        return nanos + offset;
    }

    /**
     * A moment of the monotonic clock on this clock. Never too late: counts no suspend before {@code since} that may have come after it.
     *
     * @param moment in terms of {@link System#nanoTime()}
     * @param since the moment from which {@code moment} was counted, in the same terms
     */
    long at(long moment, long since) {
        var known = offsets.floorEntry(since);
        return moment + (known == null ? offsets.firstEntry() : known).getValue();
    }

    static long hundredths(long bootNanos) {
        return Math.floorDiv(bootNanos, NANOS_PER_HUNDREDTH);
    }

    private long read(long nanos, long otherwise) {
        try {
            return uptime.hundredths() * NANOS_PER_HUNDREDTH - nanos;
        } catch (IOException | NumberFormatException e) {
            return otherwise; // a system without it: suspends go unseen here, the client's wall clock check remains
        }
    }

    private static long systemUptime() throws IOException {
        String text = Files.readString(UPTIME);
        return Long.parseLong(text.substring(0, text.indexOf(' ')).replace(".", ""));
    }
}
