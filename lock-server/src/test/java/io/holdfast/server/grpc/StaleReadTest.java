package io.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.v1.AnswerHeader;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.ListLocksRequest;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StaleReadTest {
    private final TestDoor door = TestDoor.leading();

    @AfterEach
    void close() {
        door.close();
    }

    @Test
    void a_stale_answer_says_how_old_it_may_be() {
        door.store.wasCurrent(OptionalLong.of(1_234));

        assertThat(get(true).getAgeMs()).isEqualTo(1_234);
        assertThat(list(true).getAgeMs()).isEqualTo(1_234);
    }

    @Test
    void a_stale_answer_of_a_node_that_does_not_know_its_age_says_none() {
        assertThat(get(true).hasAgeMs()).isFalse();
        assertThat(list(true).hasAgeMs()).isFalse();
    }

    @Test
    void a_linearizable_answer_has_no_age() {
        door.store.wasCurrent(OptionalLong.of(0));

        assertThat(get(false).hasAgeMs()).isFalse();
        assertThat(list(false).hasAgeMs()).isFalse();
    }

    private AnswerHeader get(boolean stale) {
        return door.locks()
                .getLock(
                        GetLockRequest.newBuilder().setName("a").setStale(stale).build())
                .getHeader();
    }

    private AnswerHeader list(boolean stale) {
        return door.locks()
                .listLocks(ListLocksRequest.newBuilder().setStale(stale).build())
                .getHeader();
    }
}
