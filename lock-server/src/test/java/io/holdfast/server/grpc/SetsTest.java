package io.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Command;
import io.holdfast.core.LockName;
import io.holdfast.core.Outcome;
import io.holdfast.v1.AcquireAllRequest;
import io.holdfast.v1.AcquireAllResponse;
import io.holdfast.v1.AcquireResponse.NotGranted;
import io.holdfast.v1.Ended;
import io.holdfast.v1.GiveUpAllResponse;
import io.holdfast.v1.Hold;
import io.holdfast.v1.Lock;
import io.holdfast.v1.ReleaseAllResponse;
import io.holdfast.v1.RequestTag;
import io.holdfast.v1.Terms;
import io.holdfast.v1.Want;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several locks at once, as a client sees them; carried out by a real lock table. */
class SetsTest {
    private final TestDoor door = TestDoor.leading();

    @BeforeEach
    void raise() {
        door.store.raiseFeatureLevel();
    }

    @AfterEach
    void close() {
        door.close();
    }

    @Test
    void all_are_granted_under_one_token_each_on_its_terms() {
        AcquireAllRequest request = Requests.acquireAll("A", "b", "a")
                .addWants(Want.newBuilder()
                        .setName("c")
                        .setTerms(Terms.newBuilder().setMode(Lock.Mode.SHARED).setValue("v")))
                .setOwnerLabel("host-a")
                .build();

        AcquireAllResponse answer = door.locks().acquireAll(request);

        assertThat(answer.getGranted().getHoldsList()).extracting(Hold::getName).containsExactly("a", "b", "c");
        assertThat(answer.getGranted().getHoldsList())
                .extracting(Hold::getToken)
                .containsOnly(answer.getGranted().getToken());
        assertThat(answer.getGranted().getHolds(2).getTerms())
                .isEqualTo(Terms.newBuilder()
                        .setMode(Lock.Mode.SHARED)
                        .setValue("v")
                        .build());
        assertThat(((Command.AcquireAll) door.store.last()).label()).isEqualTo("host-a");
        assertThat(answer.getHeader().getNodeId()).isEqualTo("n1");
    }

    @Test
    void who_only_tries_gets_none_if_one_is_held() {
        hold("b", "B");

        AcquireAllResponse answer =
                door.locks().acquireAll(Requests.acquireAll("A", "a", "b").build());

        assertThat(answer.getNotGranted().getReason()).isEqualTo(NotGranted.Reason.HELD);
        assertThat(answer.getNotGranted().getHolder().getOwner().getId()).isEqualTo("B");
        hold("a", "C");
    }

    @Test
    void who_waits_is_told_for_whom_and_blocks_for_a_third_of_the_ttl() {
        hold("b", "B");

        AcquireAllResponse answer = door.locks()
                .acquireAll(Requests.acquireAll("A", "a", "b")
                        .setWaitMs(-1)
                        .setTtlMs(9_000)
                        .build());

        assertThat(answer.getWaiting().getHolder().getName()).isEqualTo("b");
        assertThat(door.store.lastBlock()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void each_refusal_has_its_answer() {
        door.store.answerNext(new Outcome.PartOfSet(new LockName("b")));
        AcquireAllRequest request = Requests.acquireAll("A", "a", "b").build();
        assertThat(door.locks().acquireAll(request).getNotGranted().getReason())
                .isEqualTo(NotGranted.Reason.PART_OF_SET);
        hold("a", "A");
        assertThat(door.locks().acquireAll(request).getNotGranted().getReason())
                .isEqualTo(NotGranted.Reason.OWNER_BUSY);
    }

    @Test
    void a_wait_for_all_is_given_up_or_that_comes_too_late() {
        hold("b", "B");
        RequestTag tag = Requests.tag();
        AcquireAllRequest waiting =
                Requests.acquireAll("A", "a", "b").setTag(tag).setWaitMs(-1).build();
        var unused = door.locks().acquireAll(waiting);

        assertThat(giveUp(tag).getEnded().getHow()).isEqualTo(Ended.How.GAVE_UP);
        assertThat(door.locks().acquireAll(waiting).getEnded().getHow()).isEqualTo(Ended.How.GAVE_UP);

        RequestTag other = Requests.tag();
        long token = door.locks()
                .acquireAll(Requests.acquireAll("A", "a", "c").setTag(other).build())
                .getGranted()
                .getToken();
        assertThat(giveUp(other).getGranted().getToken()).isEqualTo(token);

        RequestTag refused = Requests.tag();
        unused = door.locks()
                .acquireAll(Requests.acquireAll("C", "a", "b").setTag(refused).build());
        assertThat(door.locks()
                        .giveUpAll(Requests.giveUpAll("C", "a", "b")
                                .setTag(refused)
                                .build())
                        .getEnded()
                        .getHow())
                .isEqualTo(Ended.How.GAVE_UP);
    }

    private GiveUpAllResponse giveUp(RequestTag tag) {
        return door.locks()
                .giveUpAll(Requests.giveUpAll("A", "a", "b").setTag(tag).build());
    }

    @Test
    void all_are_released_together_and_each_once() {
        long token = door.locks()
                .acquireAll(Requests.acquireAll("A", "a", "b").build())
                .getGranted()
                .getToken();

        ReleaseAllResponse released = door.locks()
                .releaseAll(Requests.releaseAll("A", "a", "b").setToken(token).build());

        assertThat(released.getReleased().getToken()).isEqualTo(token);
        assertThat(door.locks()
                        .releaseAll(Requests.releaseAll("A", "a", "b").build())
                        .hasNotHeld())
                .isTrue();
        hold("a", "B");
        assertThat(door.locks()
                        .releaseAll(Requests.releaseAll("A", "a").build())
                        .getNotHeld()
                        .getHolder()
                        .getOwner()
                        .getId())
                .isEqualTo("B");
    }

    private void hold(String name, String owner) {
        assertThat(door.locks().acquire(Requests.acquire(name, owner).build()).hasGranted())
                .isTrue();
    }
}
