package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.v1.ClusterServiceGrpc;
import io.holdfast.v1.ListMembersRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members come and go while a client works. */
class RouterMembersTest {
    private final FakeClock clock = new FakeClock();
    private final FakeMembers nodes =
            new FakeMembers().node("n1", 40).node("n2", 42).node("n3", 41);
    private final Router router = new Router(List.of("n1:1"), nodes, clock, Duration.ofSeconds(2));

    @AfterEach
    void close() {
        router.close();
    }

    @Test
    void a_busy_client_learns_of_members_that_come_and_forgets_those_that_go() throws Exception {
        call();
        assertThat(router.endpoints()).containsExactly("n1:1");

        clock.passMillis(5_000);
        call();
        await().untilAsserted(() -> assertThat(router.endpoints()).containsExactly("n1:1", "n2:1", "n3:1"));

        nodes.members.removeIf(member -> member.getNodeId().equals("n2"));
        call();
        assertThat(router.endpoints()).contains("n2:1");
        clock.passMillis(5_000);
        call();
        await().untilAsserted(() -> assertThat(router.endpoints()).containsExactly("n1:1", "n3:1"));
    }

    @Test
    void those_it_was_given_stay_even_if_they_are_no_members() throws Exception {
        nodes.members.removeIf(member -> member.getNodeId().equals("n1"));
        clock.passMillis(5_000);
        call();

        await().untilAsserted(() -> assertThat(router.endpoints()).containsExactly("n1:1", "n2:1", "n3:1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dead:1 n1:1", "n1:1 dead:1"})
    void calls_with_time_for_one_try_do_not_meet_the_same_dead_node_each_time(String given) throws Exception {
        try (Router router = new Router(List.of(given.split(" ")), nodes, clock, Duration.ofSeconds(2))) {
            List<Boolean> answered = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                answered.add(isAnswered(router));
            }
            assertThat(answered).contains(true);
        }
    }

    private static boolean isAnswered(Router router) throws InterruptedException {
        try {
            var unused = router.call(
                    ClusterServiceGrpc.getListMembersMethod(),
                    ListMembersRequest.getDefaultInstance(),
                    0,
                    Duration.ofNanos(1));
            return true;
        } catch (HoldfastException.Unavailable e) {
            return false;
        }
    }

    private void call() throws InterruptedException {
        var unused = router.call(ClusterServiceGrpc.getListMembersMethod(), ListMembersRequest.getDefaultInstance());
    }
}
