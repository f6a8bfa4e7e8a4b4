package io.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What one command costs does not grow with what the store holds. */
class GrowthTest {
    private static final long SECOND = 1_000_000_000;
    private static final int LEASES = 100_000;

    @Test
    void renewing_opening_and_expiring_move_a_handful_of_deadlines_among_many() {
        State state = new State(Limits.DEFAULT, StoreImage.NEW);
        Leases leases = new Leases(state, new Grants(state, new Memory(state)));
        for (int i = 0; i < LEASES; i++) {
            // Deadlines in no order, so that the heap has work.
            leases.open(new SessionId(0, i), SECOND + i * 7_919L % LEASES, "", "");
        }
        int most = 2 * (32 - Integer.numberOfLeadingZeros(LEASES));
        int[] before = places(state);
        state.moveTo(new Position(1, 1));
        leases.renew(state.sessions.firstEntry().getValue());
        before = assertMoved(state, before, most);
        leases.open(new SessionId(1, 0), SECOND / 2, "", "");
        before = assertMoved(state, before, most);
        state.moveTo(new Position(2, SECOND / 2 + 1));
        leases.sweep(); // only the last one is due
        assertThat(state.sessions).hasSize(LEASES);
        assertMoved(state, before, most);
    }

    /** With a cost that grew with the store, this would take hours. */
    @Test
    void etcd_12105_a_store_of_many_leases_serves_and_expires_them_in_a_moment() {
        LockTable table = new LockTable(Limits.DEFAULT);
        assertTimeout(Duration.ofSeconds(60), () -> {
            for (int i = 0; i < LEASES; i++) {
                table.apply(new Position(i + 1, i), List.of(acquire(i, "holder"), acquire(i, "waiter")));
            }
            for (int i = 0; i < LEASES; i++) {
                Owner.OneShot owner = new Owner.OneShot("holder");
                table.apply(
                        new Position(LEASES + i + 1, SECOND),
                        List.of(new Command.RenewHold(owner, new LockName("k" + i), Optional.empty(), 0)));
            }
            assertThat(table.leaseCount()).isEqualTo(2 * LEASES);
            long index = 2 * LEASES;
            for (; table.nextDeadlineNanos().isPresent(); index++) {
                table.apply(new Position(index + 1, 100 * SECOND), List.of());
            }
            assertThat(index - 2 * LEASES).isEqualTo(-Math.floorDiv(-2 * LEASES, Limits.DEFAULT.expiryBatch()));
        });
        assertThat(table.locks("", "", 1, 0)).isEmpty();
    }

    private static Command acquire(int i, String owner) {
        return new Command.Acquire(
                new Owner.OneShot(owner),
                new LockName("k" + i),
                new Request.Identified(new RequestId(owner.length() * 100L + owner.charAt(0), i), i),
                10 * SECOND,
                Bounds.WAIT_FOREVER,
                "");
    }

    private static int[] places(State state) {
        return state.sessions.values().stream().mapToInt(it -> it.heapIndex).toArray();
    }

    private static int[] assertMoved(State state, int[] before, int most) {
        int[] after = places(state);
        int moved = 0;
        for (int i = 0; i < LEASES; i++) {
            moved += after[i] == before[i] ? 0 : 1;
        }
        assertThat(moved).isLessThanOrEqualTo(most);
        return after;
    }
}
