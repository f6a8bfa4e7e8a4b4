package io.holdfast.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.client.EventStream;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.Leader;
import io.holdfast.client.LeaderStream;
import io.holdfast.client.LockEvent;
import io.holdfast.client.LockEvent.Kind;
import io.holdfast.client.Watch;
import io.holdfast.client.WatchListener;
import io.holdfast.client.WatchRequest;
import io.holdfast.jepsen.process.NodeProcess;
import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.jepsen.wire.Grant;
import io.holdfast.jepsen.wire.WireClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Watching through the library, while nodes die. */
@OnSharedCluster
class WatchIT {
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final int WATCHERS = 6;

    /** Remembers what it is told. */
    private static final class Ear implements WatchListener {
        final List<LockEvent> heard = new CopyOnWriteArrayList<>();
        final List<HoldfastException> ends = new CopyOnWriteArrayList<>();

        @Override
        public void happened(LockEvent event) {
            heard.add(event);
        }

        @Override
        public void ended(HoldfastException failure) {
            ends.add(failure);
        }

        private static String place(LockEvent event) {
            return event.logIndex() + "." + event.number() + " " + event.kind() + " " + event.name() + " "
                    + event.token();
        }

        List<String> places() {
            return heard.stream().map(Ear::place).toList();
        }
    }

    @Test
    void when_leaders_die_nothing_is_missed_told_twice_or_out_of_order(RealCluster cluster) throws Exception {
        String prefix = Names.fresh("watched") + "/";
        var client = new WireClient(() -> cluster.leader().wire());
        List<Ear> ears = new ArrayList<>();
        List<AutoCloseable> open = new ArrayList<>();
        long from = cluster.leader().status().orElseThrow().getAppliedIndex() + 1;
        for (int i = 0; i < WATCHERS; i++) {
            HoldfastClient library = Scenarios.library(cluster);
            Ear ear = new Ear();
            Watch watch = library.watches().watch(WatchRequest.ofPrefix(prefix).from(from), ear);
            ears.add(ear);
            open.add(watch);
            open.add(library);
        }
        ConcurrentLinkedQueue<Long> tokens = new ConcurrentLinkedQueue<>();
        AtomicBoolean isOver = new AtomicBoolean();
        CompletableFuture<Void> load = Background.run(() -> {
            for (int i = 0; !isOver.get(); i++) {
                Grant grant = client.mustAcquire(client.request(prefix + i % 5, TTL, Duration.ZERO));
                tokens.add(grant.token());
                client.send(client.releaseOf(grant));
            }
            return null;
        });
        for (int kill = 0; kill < Rounds.orElse(2); kill++) {
            int before = tokens.size();
            await().until(() -> tokens.size() > before + 20);
            cluster.leader().kill();
            await().until(() -> cluster.presentLeader().isPresent());
            int after = tokens.size();
            await().until(() -> tokens.size() > after + 20);
            cluster.heal();
        }
        isOver.set(true);
        load.get();

        for (Ear ear : ears) {
            await().untilAsserted(() -> assertThat(granted(ear)).hasSameSizeAs(tokens));
            assertThat(ear.ends).isEmpty();
            assertThat(granted(ear)).containsExactlyElementsOf(tokens);
            assertThat(ear.heard).extracting(LockEvent::logIndex).isSorted();
            assertThat(ear.places()).doesNotHaveDuplicates();
            await().untilAsserted(() ->
                    assertThat(ear.places()).isEqualTo(ears.getFirst().places()));
        }
        for (AutoCloseable it : open) {
            it.close();
        }
    }

    @Test
    void a_node_that_freezes_is_left_for_another(RealCluster cluster) throws Exception {
        String name = Names.fresh("frozen");
        var client = new WireClient(() -> cluster.leader().wire());
        NodeProcess frozen = cluster.followers().getFirst();
        try (HoldfastClient library = HoldfastClient.connect(frozen.address().endpoint());
                EventStream events = library.watches().events(WatchRequest.ofName(name))) {
            events.begin();
            Grant first = client.mustAcquire(client.request(name, TTL, Duration.ZERO));
            assertThat(events.next().token()).isEqualTo(first.token());
            frozen.pause();
            client.send(client.releaseOf(first));

            assertThat(events.next().kind()).isEqualTo(Kind.RELEASED);
        } finally {
            cluster.heal();
        }
    }

    @Test
    void an_observer_sees_each_leader_of_an_election_in_turn(RealCluster cluster) throws Exception {
        String name = Names.fresh("election");
        var client = new WireClient(() -> cluster.leader().wire());
        Grant first = client.mustAcquire(client.request(name, TTL, Duration.ZERO));
        try (HoldfastClient library = Scenarios.library(cluster);
                LeaderStream leaders = library.watches().leaders(name, reason -> {})) {
            assertThat(leaders.next()).map(Leader::token).hasValue(first.token());
            client.send(client.releaseOf(first));
            assertThat(leaders.next()).isEqualTo(Optional.empty());
            Grant second = client.mustAcquire(client.request(name, TTL, Duration.ZERO));
            assertThat(leaders.next()).map(Leader::token).hasValue(second.token());
            client.send(client.releaseOf(second));
        }
    }

    private static List<Long> granted(Ear ear) {
        return ear.heard.stream()
                .filter(event -> event.kind() == Kind.ACQUIRED)
                .map(LockEvent::token)
                .toList();
    }
}
