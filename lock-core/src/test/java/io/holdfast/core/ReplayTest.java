package io.holdfast.core;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** etcd#6102: whatever the situation in which a node is started again, from its log or from a snapshot, the story ends as if it had not been (I5). */
class ReplayTest {
    private static final Duration TTL = ofSeconds(10);

    @TestFactory
    Stream<DynamicTest> etcd_6102_a_restart_changes_nothing_when_the_lock_is() {
        return Stream.of(
                situation("held", world -> world.tries("k", "A", TTL)),
                situation("released", world -> {
                    world.tries("k", "A", TTL);
                    world.release("k", "A");
                }),
                situation("expired", world -> {
                    world.tries("k", "A", TTL);
                    world.pass(TTL);
                }),
                situation("expired, not swept", world -> {
                    world.tries("k", "A", TTL);
                    world.passUnnoticed(TTL);
                }),
                situation("taken by another since", world -> {
                    world.tries("k", "A", TTL);
                    world.release("k", "A");
                    world.tries("k", "B", TTL);
                }),
                situation("waited for", world -> {
                    world.tries("k", "A", TTL);
                    world.waits("k", "B", ofSeconds(30));
                    world.asks("k", "C", ofSeconds(30), ofSeconds(2));
                }),
                situation("given up by a waiter", world -> {
                    world.tries("k", "A", TTL);
                    world.waits("k", "B", TTL).giveUp();
                }),
                situation("passed on", world -> {
                    world.tries("k", "A", TTL);
                    world.waits("k", "B", TTL);
                    world.release("k", "A");
                }),
                situation("held by a session", world -> {
                    var client = world.session(TTL);
                    client.tries("k");
                    client.tries("k");
                    world.waits("k", "B", ofSeconds(30));
                }),
                situation("left by a session", world -> {
                    var client = world.session(TTL);
                    client.tries("k");
                    client.close();
                }));
    }

    private static DynamicTest situation(String name, Consumer<World> beginning) {
        return DynamicTest.dynamicTest(name, () -> {
            World world = new World();
            beginning.accept(world);
            World restarted = world.restarted();
            World restored = world.restored();
            assertThat(restarted.table.digest()).isEqualTo(world.table.digest());
            assertThat(restored.table.digest()).isEqualTo(world.table.digest());
            List<Object> end = end(world);
            assertThat(end(restarted)).isEqualTo(end);
            assertThat(end(restored)).isEqualTo(end);
            assertThat(restarted.table.digest()).isEqualTo(world.table.digest());
            assertThat(restored.table.digest()).isEqualTo(world.table.digest());
        });
    }

    /** The rest of the story: everything arrives once more, then each party acts, then time passes. */
    private static List<Object> end(World world) {
        List<Object> seen = new ArrayList<>();
        world.sent().forEach(command -> seen.add(world.run(command)));
        for (String owner : List.of("A", "B", "C")) {
            seen.add(world.renew("k", owner));
            seen.add(world.lock("k"));
            seen.add(world.release("k", owner));
            seen.add(world.events());
        }
        for (int i = 0; i < 14; i++) {
            world.pass(ofSeconds(5));
            seen.add(world.events());
        }
        world.sent().forEach(command -> seen.add(world.run(command)));
        seen.add(world.tries("k", "A", TTL).answer);
        return seen;
    }
}
