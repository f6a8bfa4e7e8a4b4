package io.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A crowd waits for one name: what concerns one of them looks at no other, however many they are. */
class CrowdTest {
    private static final int CROWD = 10_000;
    private static final long SECOND = 1_000_000_000;
    private static final LockName K = new LockName("k");
    private static final LockName MINE = new LockName("mine");
    private static final Owner.OfSession ASKER = new Owner.OfSession(new SessionId(7, 7));

    private final State state = new State(Limits.DEFAULT, StoreImage.NEW);
    private final Memory memory = new Memory(state);
    private final Grants grants = new Grants(state, memory);
    private final Leases leases = new Leases(state, grants);
    private final Requests requests = new Requests(state, grants, leases, memory, new Deadlocks(state));
    private long index;
    private long ids;

    /** The first, one in the middle that times out, one whose lease ends, one that gives up; all others must not be touched. */
    @BeforeEach
    void queue() throws ReflectiveOperationException {
        move(0);
        state.raiseFeatureLevel(2);
        leases.open(ASKER.session(), Bounds.MAX_TTL_NANOS, "", "");
        run(acquire(ASKER, MINE, 0, Bounds.WAIT_FOREVER));
        run(acquire(new Owner.OneShot("other"), MINE, Bounds.MAX_TTL_NANOS, Bounds.WAIT_FOREVER));
        run(acquire(owner("holder"), K, Bounds.MAX_TTL_NANOS, 0));
        run(acquire(owner("first"), K, Bounds.MAX_TTL_NANOS, Bounds.WAIT_FOREVER));
        run(acquire(owner("second"), K, Bounds.MAX_TTL_NANOS, Bounds.WAIT_FOREVER));
        crowd("a");
        run(acquire(owner("times out"), K, Bounds.MAX_TTL_NANOS, SECOND));
        run(acquire(owner("expires"), K, SECOND, Bounds.WAIT_FOREVER));
        run(acquire(owner("gives up"), K, Bounds.MAX_TTL_NANOS, Bounds.WAIT_FOREVER));
        crowd("b");
        for (Waiter waiter : lock().queue.all()) {
            if (waiter.lease.owner().toString().startsWith("crowd")) {
                poison(waiter);
            }
        }
        state.takeEvents();
    }

    private void crowd(String part) {
        for (int i = 0; i < CROWD / 2; i++) {
            run(acquire(owner("crowd " + part + i), K, Bounds.MAX_TTL_NANOS, Bounds.WAIT_FOREVER));
        }
    }

    /** Whoever looks at it fails. */
    private static void poison(Waiter waiter) throws ReflectiveOperationException {
        for (String name : List.of("lease", "wants")) {
            Field field = Waiter.class.getDeclaredField(name);
            field.setAccessible(true);
            field.set(waiter, null);
        }
    }

    @Test
    void the_poison_works() {
        assertThat(lock().queue.all()).hasSize(CROWD + 5);
        assertThat(lock().queue.all().stream().filter(it -> it.lease == null)).hasSize(CROWD);
    }

    @Test
    void releasing_tells_one_waiter_and_looks_at_no_other() {
        run(new Command.Release(owner("holder"), K, request(), Optional.empty()));
        assertThat(state.takeEvents())
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("HoldEnded", "Acquired");
        assertThat(holder().lease.owner()).isEqualTo(owner("first"));
    }

    @Test
    void the_end_of_a_lease_tells_one_waiter_and_looks_at_no_other() {
        leases.setTtl(holder().lease, SECOND);
        state.deadlines.move(holder().lease, SECOND / 2);
        move(SECOND / 2);
        leases.sweep();
        assertThat(state.takeEvents())
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("HoldEnded", "Acquired");
    }

    @Test
    void giving_up_in_the_middle_looks_at_no_other() {
        Waiter waiter = Objects.requireNonNull(lock().queue.of(owner("gives up")));
        run(new Command.GiveUp(owner("gives up"), K, waiter.requests.get(0)));
        assertThat(state.takeEvents()).containsExactly(new Event.LeftQueue(K, owner("gives up"), "", End.GAVE_UP));
    }

    @Test
    void timing_out_and_expiring_in_the_middle_look_at_no_other() {
        move(SECOND);
        leases.sweep();
        assertThat(state.takeEvents())
                .containsExactlyInAnyOrder(
                        new Event.LeftQueue(K, owner("times out"), "", End.TIMED_OUT),
                        new Event.LeftQueue(K, owner("expires"), "", End.EXPIRED));
        assertThat(lock().queue.size()).isEqualTo(CROWD + 3);
    }

    @Test
    void one_more_joins_and_is_asked_for_and_looks_at_no_other() {
        Command.Acquire acquire = acquire(owner("last"), K, Bounds.MAX_TTL_NANOS, Bounds.WAIT_FOREVER);
        assertThat(run(acquire)).isInstanceOf(Outcome.Queued.class);
        assertThat(run(acquire)).isInstanceOf(Outcome.Queued.class);
        assertThat(requests.standing(acquire)).isInstanceOf(Outcome.Queued.class);
    }

    @Test
    void a_session_that_others_wait_for_joins_and_looks_at_no_other() {
        assertThat(run(acquire(ASKER, K, 0, Bounds.WAIT_FOREVER)))
                .as("checked for deadlock")
                .isInstanceOf(Outcome.Queued.class);
    }

    @Test
    void handing_off_to_one_in_the_middle_looks_at_no_other() {
        run(new Command.HandOff(
                owner("holder"), K, request(), Optional.empty(), owner("gives up"), Bounds.MAX_TTL_NANOS, ""));
        assertThat(state.takeEvents()).hasSize(1);
    }

    private Hold holder() {
        return Objects.requireNonNull(lock().holders.first());
    }

    private Lock lock() {
        return Objects.requireNonNull(state.lock(K));
    }

    private void move(long nanos) {
        state.moveTo(new Position(++index, nanos));
    }

    private Outcome run(Command.Once command) {
        return requests.run(command);
    }

    private Command.Acquire acquire(Owner owner, LockName name, long ttl, long wait) {
        return new Command.Acquire(owner, name, request(), ttl, wait, "");
    }

    private Request request() {
        return new Request.Identified(new RequestId(0, ++ids), 0);
    }

    private static Owner.OneShot owner(String id) {
        return new Owner.OneShot(id);
    }
}
