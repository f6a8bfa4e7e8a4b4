package io.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Of many random histories: a wait is refused as a deadlock if, and only if, it would not end though everybody who can does give everything back. */
@Tag("faults")
class DeadlockHistoriesTest {
    private static final long HISTORIES = Long.getLong("holdfast.deadlock.histories", 10_000);
    private static final int SESSIONS = 5;
    private static final int LOCKS = 4;

    private long requests;
    private int refused;
    private int queued;

    @Test
    void exactly_those_waits_are_refused_that_would_not_end_by_themselves() {
        for (long seed = 1; seed <= HISTORIES; seed++) {
            try {
                run(new Random(seed));
            } catch (AssertionError e) {
                throw new AssertionError("history " + seed + ": " + e.getMessage(), e);
            }
        }
        assertThat(refused).as("refused").isGreaterThan((int) HISTORIES / 4);
        assertThat(queued).as("queued").isGreaterThan((int) HISTORIES);
    }

    private void run(Random random) {
        LockTable table = new LockTable(Limits.DEFAULT);
        apply(table, new Command.RaiseFeatureLevel(2));
        for (int i = 0; i < SESSIONS; i++) {
            apply(table, new Command.OpenSession(new SessionId(0, i), 0, Bounds.MAX_TTL_NANOS, "s" + i));
        }
        for (int i = 0; i < 20; i++) {
            step(table, random);
        }
    }

    private void step(LockTable table, Random random) {
        int who = random.nextInt(SESSIONS + 1);
        Owner owner = who == SESSIONS
                ? new Owner.OneShot("o" + random.nextInt(3))
                : new Owner.OfSession(new SessionId(0, who));
        LockName name = name(random.nextInt(LOCKS));
        switch (random.nextInt(8)) {
            case 0 -> apply(table, new Command.Release(owner, name, request(), Optional.empty()));
            case 1 -> {
                if (owner instanceof Owner.OfSession session && random.nextInt(3) == 0) {
                    // A session that ends makes room for one that begins.
                    apply(table, new Command.CloseSession(session.session()));
                }
            }
            case 2, 3 -> ask(table, owner, set(random));
            default -> ask(table, owner, List.of(new Want(name, new Terms(mode(name, random)))));
        }
    }

    private void ask(LockTable table, Owner owner, List<Want> wants) {
        Request request = request();
        LockTable other = copy(table);
        Outcome allowed = apply(other, acquire(owner, wants, request, true));
        Outcome outcome = apply(table, acquire(owner, wants, request, false));
        if (!(allowed instanceof Outcome.Queued) || !(owner instanceof Owner.OfSession session)) {
            assertThat(outcome).isEqualTo(allowed);
            return;
        }
        boolean isNew = isNew(table, owner, wants, outcome);
        boolean ends = !isNew || endsByItself(other, session.session(), acquire(owner, wants, request, true));
        assertThat(outcome instanceof Outcome.Deadlock)
                .as(() -> owner + " for " + wants + ": " + table.waits(99).edges())
                .isEqualTo(!ends);
        if (ends) {
            queued++;
        } else {
            refused++;
            checkCycle(((Outcome.Deadlock) outcome).cycle(), owner);
        }
    }

    private static boolean isNew(LockTable table, Owner owner, List<Want> wants, Outcome outcome) {
        return outcome instanceof Outcome.Deadlock
                || table.why(wants.get(0).name(), owner, 0)
                                .orElseThrow()
                                .waiter()
                                .logIndex()
                        == table.appliedIndex();
    }

    /** Whoever waits for nothing gives everything back, again and again; the one that asks never does. */
    private boolean endsByItself(LockTable table, SessionId asker, Command acquire) {
        boolean goesOn = true;
        while (goesOn) {
            goesOn = false;
            for (SessionView session : table.sessions(Optional.empty(), SESSIONS)) {
                if (!session.session().equals(asker) && session.waits() == 0) {
                    apply(table, new Command.CloseSession(session.session()));
                    goesOn = true;
                }
            }
            for (LockView lock : table.locks("", "", LOCKS, 0)) {
                for (HoldView hold : lock.holders()) {
                    if (hold.owner() instanceof Owner.OneShot) {
                        apply(table, new Command.Release(hold.owner(), lock.name(), request(), Optional.empty()));
                        goesOn = true;
                    }
                }
            }
        }
        Outcome standing = acquire instanceof Command.AcquireAll all
                ? table.standing(all)
                : table.standing((Command.Acquire) acquire);
        return !(standing instanceof Outcome.Queued);
    }

    private static void checkCycle(List<WaitEdge> cycle, Owner asker) {
        assertThat(cycle.get(0).waiter()).isEqualTo(asker);
        assertThat(cycle.get(cycle.size() - 1).blocker()).isEqualTo(asker);
    }

    private static Command acquire(Owner owner, List<Want> wants, Request request, boolean allowDeadlock) {
        long ttl = Bounds.MAX_TTL_NANOS;
        return wants.size() > 1
                ? new Command.AcquireAll(owner, wants, request, ttl, Bounds.WAIT_FOREVER, "", allowDeadlock)
                : new Command.Acquire(
                        owner,
                        wants.get(0).name(),
                        request,
                        ttl,
                        Bounds.WAIT_FOREVER,
                        "",
                        wants.get(0).terms(),
                        allowDeadlock);
    }

    private static List<Want> set(Random random) {
        int first = random.nextInt(LOCKS - 1);
        List<Want> wants = new ArrayList<>();
        for (int i = first; i < LOCKS && wants.size() < 2; i++) {
            wants.add(new Want(name(i), new Terms(mode(name(i), random))));
        }
        return wants;
    }

    /** The last one is a semaphore. */
    private static Mode mode(LockName name, Random random) {
        if (name.equals(name(LOCKS - 1))) {
            return new Mode.Permits(1 + random.nextInt(3), 3);
        }
        return random.nextInt(3) > 0 ? Mode.EXCLUSIVE : Mode.SHARED;
    }

    private static LockName name(int i) {
        return new LockName("n" + i);
    }

    private Request request() {
        return new Request.Identified(new RequestId(1, ++requests), 0);
    }

    private static Outcome apply(LockTable table, Command command) {
        return table.apply(new Position(table.appliedIndex() + 1, 0), List.of(command))
                .outcomes()
                .get(0);
    }

    private static LockTable copy(LockTable table) {
        List<Image> images = new ArrayList<>();
        table.images().forEach(images::add);
        return LockTable.restore(Limits.DEFAULT, table.takeChanges().store(), images);
    }
}
