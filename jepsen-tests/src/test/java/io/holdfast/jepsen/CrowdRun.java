package io.holdfast.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.jepsen.WatchCrowd.Guest;
import io.holdfast.jepsen.process.NodeProcess;
import io.holdfast.jepsen.process.RealCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Many watchers of one prefix at one node, while events come at a steady rate.
 *
 * @param watchers how many watch, the slow ones included
 * @param slow how many of them take nothing
 * @param perConnection how many share a connection
 * @param eventsPerSecond the rate
 * @param span for how long
 */
record CrowdRun(int watchers, int slow, int perConnection, int eventsPerSecond, Duration span) {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /**
     * Runs it, and checks that each watcher that takes its messages is told each event once and in order.
     *
     * @return figures, a line each
     */
    List<String> on(RealCluster cluster) throws InterruptedException {
        NodeProcess leader = cluster.leader();
        NodeProcess watched = cluster.followers().getFirst();
        List<String> figures = new ArrayList<>();
        String prefix = Names.fresh("crowd") + "/";
        long heapBefore = watched.liveHeapBytes();
        try (WatchCrowd crowd = new WatchCrowd(watched.address().endpoint(), watchers, perConnection, prefix, slow)) {
            figures.add(String.format(
                    Locale.ROOT,
                    "%,d watchers on %,d connections: %,d bytes of live heap each",
                    watchers,
                    (watchers + perConnection - 1) / perConnection,
                    (watched.liveHeapBytes() - heapBefore) / watchers));
            Duration cpuBefore = watched.cpuTime();
            long began = System.nanoTime();
            int events = new EventFlow(leader.wire(), prefix).run(eventsPerSecond, span);
            long made = System.nanoTime();
            List<Guest> quick = crowd.guests().stream().filter(it -> !it.isSlow).toList();
            await().atMost(PATIENCE)
                    .until(() -> quick.stream()
                            .allMatch(it -> it.count() >= events || !it.end().isEmpty()));
            long told = System.nanoTime();
            figures.add(String.format(
                    Locale.ROOT,
                    "%,d events in %.1f s (%,.0f/s); the last watcher had all %.1f s after the last one: %,.0f events/s"
                            + " told in %,d messages, %.1f s of processor time of the node",
                    events,
                    (made - began) / 1e9,
                    events * 1e9 / (made - began),
                    (told - made) / 1e9,
                    (double) events * quick.size() * 1e9 / (told - began),
                    crowd.messages(),
                    watched.cpuTime().minus(cpuBefore).toMillis() / 1e3));
            figures.add(new Figures(
                            "last event told after the last one was made",
                            quick.stream()
                                    .map(it -> Math.max(0, it.heardAtNanos() - made))
                                    .toList())
                    .toString());
            figures.add(
                    String.format(Locale.ROOT, "resident memory of the node: %,d MiB", watched.residentBytes() >> 20));
            check(quick, events);
            checkSlow(crowd, figures);
        }
        return figures;
    }

    private static void check(List<Guest> quick, int events) {
        assertThat(quick).allSatisfy(guest -> {
            assertThat(guest.end()).isEmpty();
            assertThat(guest.trouble()).isEmpty();
            assertThat(guest.count()).isEqualTo(events);
        });
    }

    private void checkSlow(WatchCrowd crowd, List<String> figures) {
        List<Guest> all = crowd.guests().stream().filter(it -> it.isSlow).toList();
        all.forEach(Guest::takeAll);
        await().atMost(PATIENCE)
                .until(() -> all.stream().noneMatch(it -> it.end().isEmpty()));
        assertThat(all).allSatisfy(guest -> {
            assertThat(guest.end()).contains("so slowly");
            assertThat(guest.trouble()).isEmpty();
        });
        if (slow > 0) {
            figures.add(slow + " watchers that took nothing were cut off");
        }
    }
}
