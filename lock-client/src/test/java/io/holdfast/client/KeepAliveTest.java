package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeepAliveTest {
    private static final Duration TTL = Duration.ofSeconds(9);

    private final FakeClock clock = new FakeClock();
    private final Grant grant =
            new Leases(0.01, clock).grant(FakeCluster.hold("a", FakeCluster.owner("me"), 65_536, 9_000), clock.read());
    private final List<String> heard = new ArrayList<>();
    private final List<Long> renewals = new ArrayList<>();

    private final LeaseListener listener = new LeaseListener() {
        @Override
        public void renewed(Grant renewed) {
            heard.add("renewed");
        }

        @Override
        public void atRisk(Grant atRisk, Duration remaining) {
            heard.add("at risk, held " + atRisk.isHeld());
        }

        @Override
        public void lost(Grant lost, String reason) {
            heard.add("lost, held " + lost.isHeld());
        }
    };

    @Test
    void it_renews_at_a_third_of_the_ttl_and_the_deadline_moves() {
        long start = clock.nanoTime();
        run((renewed, patience) -> {
            renewals.add(clock.nanoTime() - start);
            ClientClock.Reading sent = clock.read();
            clock.passMillis(20);
            renewed.renewed(sent, TTL);
            return renewals.size() < 4;
        });

        assertThat(renewals.get(0)).isBetween(2_700_000_000L, 3_000_000_000L);
        assertThat(renewals.get(3) - renewals.get(2)).isBetween(2_700_000_000L, 3_000_000_000L);
        assertThat(heard).containsExactly("renewed", "renewed", "renewed", "lost, held true");
    }

    @Test
    void while_renewing_fails_it_tries_again_warns_once_and_stops_believing_at_the_deadline() {
        run((renewed, patience) -> {
            renewals.add(clock.nanoTime());
            clock.pass(patience.toNanos()); // nobody answers
            throw new HoldfastException.Unavailable(true, "no leader");
        });

        assertThat(renewals).hasSizeGreaterThan(3);
        assertThat(heard).containsExactly("at risk, held true", "lost, held false");
        assertThat(clock.nanoTime() - grant.deadlineNanos()).isBetween(0L, 10_000_000L);
    }

    @Test
    void one_failure_costs_nothing() {
        run((renewed, patience) -> {
            renewals.add(clock.nanoTime());
            if (renewals.size() == 1) {
                throw new HoldfastException.Unavailable(true, "no leader");
            }
            renewed.renewed(clock.read(), TTL);
            return renewals.size() < 5;
        });

        assertThat(heard).startsWith("at risk, held true", "renewed", "renewed", "renewed");
    }

    @Test
    void a_listener_that_throws_does_not_stop_the_renewing() {
        LeaseListener throwing = new LeaseListener() {
            @Override
            public void renewed(Grant renewed) {
                throw new IllegalStateException("bug in the application");
            }

            @Override
            public void lost(Grant lost, String reason) {
                heard.add("lost");
            }
        };
        new KeepAlive(
                        grant,
                        throwing,
                        (renewed, patience) -> {
                            renewals.add(clock.nanoTime());
                            renewed.renewed(clock.read(), TTL);
                            return renewals.size() < 4;
                        },
                        clock)
                .run();

        assertThat(renewals).hasSize(4);
        assertThat(heard).containsExactly("lost");
    }

    @Test
    void once_closed_it_renews_no_more_and_says_nothing() {
        KeepAlive keepAlive = new KeepAlive(grant, listener, (renewed, patience) -> true, clock);
        keepAlive.close();
        keepAlive.run();

        assertThat(heard).isEmpty();
    }

    @Test
    void a_grant_is_never_believed_in_after_its_deadline_nor_after_a_suspend_until_it_is_renewed() {
        clock.pass(grant.deadlineNanos() - clock.nanoTime() - 1);
        assertThat(grant.isHeld()).isTrue();
        clock.pass(1);
        assertThat(grant.isHeld()).isFalse();

        grant.renewed(clock.read(), TTL);
        assertThat(grant.isHeld()).isTrue();
        clock.suspendMillis(1_500);
        assertThat(grant.isHeld()).isFalse();
        grant.renewed(clock.read(), TTL);
        assertThat(grant.isHeld()).isTrue();
    }

    @Test
    void an_answer_to_an_earlier_renewal_that_comes_late_does_not_shorten_what_a_later_one_gave() {
        ClientClock.Reading earlier = clock.read();
        clock.passMillis(500);
        grant.renewed(clock.read(), TTL);
        long deadline = grant.deadlineNanos();

        grant.renewed(earlier, TTL);

        assertThat(grant.deadlineNanos()).isEqualTo(deadline);
    }

    private void run(KeepAlive.Renewing renewing) {
        new KeepAlive(grant, listener, renewing, clock).run();
    }
}
