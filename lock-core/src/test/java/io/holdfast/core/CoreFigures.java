package io.holdfast.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntConsumer;

/** Measures the lock table alone. Run by {@code build-tools/measure-core}; no test, since it is about time. */
final class CoreFigures {
    private static final int[] WAITERS = {100, 1_000, 10_000, 100_000};
    private static final int ROUNDS = 200;
    private static final LockName HOT = new LockName("hot");

    private LockTable table = new LockTable(Limits.DEFAULT);
    private long requests;

    private CoreFigures() {}

    /**
     * Prints the tables.
     *
     * @param args none
     */
    public static void main(String[] args) {
        new CoreFigures().waiters(10_000); // warms up
        System.out.println("| waiters on one name | queue | give up, from the middle | time out | release and grant |");
        System.out.println("|---|---|---|---|---|");
        for (int waiters : WAITERS) {
            System.out.println(new CoreFigures().waiters(waiters));
        }
        System.out.println();
        System.out.println(
                "| 10,000 waiting sessions | to check and queue, average | median | to queue only, average | refused |");
        System.out.println("|---|---|---|---|---|");
        for (Shape shape : Shape.values()) {
            new CoreFigures().deadlocks(shape, 2_000, false); // warms up
            Times checked = new CoreFigures().deadlocks(shape, 10_000, false);
            Times unchecked = new CoreFigures().deadlocks(shape, 10_000, true);
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.1f µs | %.1f µs | %.1f µs | %,d |%n",
                    shape,
                    checked.averageMicros,
                    checked.medianMicros,
                    unchecked.averageMicros,
                    checked.refused);
        }
    }

    // ---- many waiters on one name

    private String waiters(int count) {
        raise();
        run(acquire(new Owner.OneShot("holder"), HOT, false));
        for (int i = 0; i < count; i++) {
            run(acquire(waiter(i), HOT, false));
        }
        long queue = median(i -> run(acquire(waiter(count + i), HOT, false)));
        Command.Acquire[] given = new Command.Acquire[ROUNDS];
        // Those that came at some place in the middle; giving up by an acquire's own request.
        List<Command.Acquire> middle = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            middle.add(acquire(new Owner.OneShot("m" + i), HOT, false));
            run(middle.get(i));
        }
        for (int i = 0; i < count / 2; i++) {
            run(acquire(waiter(2 * count + i), HOT, false));
        }
        Arrays.setAll(given, middle::get);
        long giveUp = median(i -> run(new Command.GiveUp(given[i].owner(), HOT, given[i].request())));
        long timeOut = timeOut();
        String[] holder = {"holder"};
        long grant = median(i -> {
            run(new Command.Release(new Owner.OneShot(holder[0]), HOT, request(), Optional.empty()));
            holder[0] =
                    table.lock(HOT, 0).orElseThrow().holders().get(0).owner().toString();
        });
        return String.format(
                Locale.ROOT, "| %,d | %,d ns | %,d ns | %,d ns | %,d ns |", count, queue, giveUp, timeOut, grant);
    }

    /** Those whose wait is over leave by a tick. */
    private long timeOut() {
        for (int i = 0; i < ROUNDS; i++) {
            Owner owner = new Owner.OneShot("t" + i);
            run(new Command.Acquire(owner, HOT, request(), Bounds.MAX_TTL_NANOS, 1_000_000L * (i + 1), ""));
        }
        return median(i -> table.apply(new Position(table.appliedIndex() + 1, 1_000_000L * (i + 1)), List.of()));
    }

    private static Owner waiter(int i) {
        return new Owner.OneShot("w" + i);
    }

    // ---- deadlocks

    /** How the waits of the sessions hang together. */
    private enum Shape {
        /** Each session holds a lock, and waits for that of any other. */
        FOREST,
        /** Each session holds a lock, and all wait for one. */
        HOT_LOCK,
        /** Each holds a lock and waits for that of the next: a long way to go. */
        CHAIN,
        /** Each shares a lock of 100 with others, holds permits of a semaphore of 100, and waits for any. */
        MIXED
    }

    private record Times(double averageMicros, double medianMicros, int refused) {}

    private Times deadlocks(Shape shape, int count, boolean allowDeadlock) {
        raise();
        Random random = new Random(7);
        for (int i = 0; i < count; i++) {
            run(new Command.OpenSession(session(i), 0, Bounds.MAX_TTL_NANOS, ""));
            run(acquire(new Owner.OfSession(session(i)), own(shape, i), false, terms(shape, i)));
        }
        long[] nanos = new long[count];
        int refused = 0;
        for (int i = 0; i < count; i++) {
            int other = target(shape, i, count, random);
            Command ask =
                    acquire(new Owner.OfSession(session(i)), own(shape, other), allowDeadlock, wanted(shape, other));
            long start = System.nanoTime();
            Outcome outcome = run(ask);
            nanos[i] = System.nanoTime() - start;
            refused += outcome instanceof Outcome.Deadlock ? 1 : 0;
        }
        double average = Arrays.stream(nanos).average().orElseThrow() / 1_000;
        Arrays.sort(nanos);
        return new Times(average, nanos[count / 2] / 1_000.0, refused);
    }

    private static int target(Shape shape, int i, int count, Random random) {
        return switch (shape) {
            case FOREST, MIXED -> (i + 1 + random.nextInt(count - 1)) % count;
            case HOT_LOCK -> i == 0 ? 1 : 0;
            // From the end on: each new one has the whole chain before it.
            case CHAIN -> i == 0 ? count - 1 : i - 1;
        };
    }

    private static LockName own(Shape shape, int i) {
        return shape == Shape.MIXED
                ? new LockName((i % 2 == 0 ? "shared" : "permits") + i / 200)
                : new LockName("own" + i);
    }

    private static Terms terms(Shape shape, int i) {
        return shape != Shape.MIXED ? Terms.PLAIN : i % 2 == 0 ? Terms.SHARED : new Terms(new Mode.Permits(1, 100));
    }

    private static Terms wanted(Shape shape, int i) {
        return shape != Shape.MIXED ? Terms.PLAIN : i % 2 == 0 ? Terms.PLAIN : new Terms(new Mode.Permits(2, 100));
    }

    private static SessionId session(int i) {
        return new SessionId(0, i);
    }

    // ----

    private void raise() {
        table = new LockTable(Limits.DEFAULT);
        run(new Command.RaiseFeatureLevel(LockTable.NEWEST_FEATURE_LEVEL));
    }

    private Command.Acquire acquire(Owner owner, LockName name, boolean allowDeadlock) {
        return acquire(owner, name, allowDeadlock, Terms.PLAIN);
    }

    private Command.Acquire acquire(Owner owner, LockName name, boolean allowDeadlock, Terms terms) {
        return new Command.Acquire(
                owner, name, request(), Bounds.MAX_TTL_NANOS, Bounds.WAIT_FOREVER, "", terms, allowDeadlock);
    }

    private Request request() {
        return new Request.Identified(new RequestId(1, ++requests), table.clockNanos());
    }

    private Outcome run(Command command) {
        return table.apply(new Position(table.appliedIndex() + 1, table.clockNanos()), List.of(command))
                .outcomes()
                .get(0);
    }

    private static long median(IntConsumer step) {
        long[] nanos = new long[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            long start = System.nanoTime();
            step.accept(i);
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        return nanos[ROUNDS / 2];
    }
}
