package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.holdfast.v1.AcquireRequest;
import io.holdfast.v1.ErrorReason;
import io.holdfast.v1.GiveUpResponse;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AcquiringTest {
    private static final int UNAVAILABLE = Status.Code.UNAVAILABLE.value();
    private static final int FAILED_PRECONDITION = Status.Code.FAILED_PRECONDITION.value();
    private static final int INVALID_ARGUMENT = Status.Code.INVALID_ARGUMENT.value();
    private static final LockRequest TRY =
            LockRequest.of("orders/42").withOwner(new Owner.OneShot("me")).withTtl(Duration.ofSeconds(9));
    private static final LockRequest WAIT = TRY.withPatience(Duration.ofSeconds(30));

    private final FakeClock clock = new FakeClock();
    private final FakeCluster cluster = new FakeCluster(UUID.randomUUID().toString());
    private final HoldfastClient client =
            new HoldfastClient(new Router(List.of("n1:1"), cluster, clock, Duration.ofSeconds(2)), clock, 0.01);

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void a_grant_counts_its_deadline_from_the_sending_less_the_drift() throws InterruptedException {
        long before = clock.nanoTime();
        cluster.onAcquire = request -> {
            clock.passMillis(400); // the answer was slow
            return cluster.granted(request, 65_536);
        };

        Grant grant = granted(client.acquire(TRY));

        assertThat(grant.token()).isEqualTo(65_536);
        assertThat(grant.deadlineNanos()).isEqualTo(before + 8_910_000_000L);
        assertThat(grant.remaining()).isEqualTo(Duration.ofMillis(8_510));
    }

    @Test
    void a_request_whose_answer_was_lost_is_sent_again_with_the_same_tag() throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        cluster.onAcquire = request -> {
            if (asked.incrementAndGet() == 1) {
                throw FakeCluster.error(UNAVAILABLE, ErrorReason.OUTCOME_UNKNOWN, "");
            }
            return cluster.granted(request, 65_536);
        };

        granted(client.acquire(TRY));

        assertThat(cluster.acquires).hasSize(2);
        assertThat(cluster.acquires.get(1).getTag())
                .isEqualTo(cluster.acquires.get(0).getTag());
        assertThat(cluster.acquires.get(0).getTag().getIssuedAt()).isEqualTo(cluster.leaseTime);
    }

    @Test
    void a_waiter_asks_in_a_chain_and_counts_its_deadline_from_the_ask_that_brought_the_grant()
            throws InterruptedException {
        cluster.onAcquire = request -> {
            clock.passMillis(2_900);
            return cluster.acquires.size() < 9 ? cluster.waiting(request) : cluster.granted(request, 131_072);
        };

        Grant grant = granted(client.acquire(WAIT));

        assertThat(cluster.acquires.stream().map(AcquireRequest::getTag).distinct())
                .hasSize(1);
        assertThat(cluster.acquires)
                .allSatisfy(it -> assertThat(it.getBlockMs()).isLessThanOrEqualTo(3_000));
        // Waited 26 s under a TTL of 9 s, and two thirds of it are left.
        assertThat(grant.remaining()).isGreaterThan(Duration.ofSeconds(6));
    }

    @Test
    void a_waiter_whose_patience_is_over_gives_its_place_up() throws InterruptedException {
        cluster.onAcquire = request -> {
            clock.passMillis(request.getBlockMs());
            return cluster.waiting(request);
        };

        Acquisition end = client.acquire(WAIT);

        assertThat(end)
                .isInstanceOfSatisfying(
                        Acquisition.NotGranted.class,
                        no -> assertThat(no.reason()).isEqualTo(Acquisition.Reason.TIMED_OUT));
        assertThat(cluster.giveUps)
                .singleElement()
                .satisfies(it -> assertThat(it.getTag())
                        .isEqualTo(cluster.acquires.get(0).getTag()));
    }

    @Test
    void a_lock_that_was_granted_while_it_was_given_up_is_held_since_the_last_ask() throws InterruptedException {
        cluster.onAcquire = request -> {
            clock.passMillis(request.getBlockMs());
            return cluster.waiting(request);
        };
        cluster.onGiveUp = request -> GiveUpResponse.newBuilder()
                .setGranted(FakeCluster.hold(request.getName(), request.getOwner(), 65_536, 9_000))
                .build();

        Grant grant = granted(client.acquire(WAIT));

        assertThat(grant.remaining()).isLessThanOrEqualTo(Duration.ofMillis(8_910 - 3_000));
    }

    @Test
    void an_interrupted_waiter_leaves_nothing_behind() {
        cluster.onAcquire = request -> {
            clock.passMillis(request.getBlockMs());
            return cluster.waiting(request);
        };
        cluster.onGiveUp = request -> GiveUpResponse.newBuilder()
                .setGranted(FakeCluster.hold(request.getName(), request.getOwner(), 65_536, 9_000))
                .build();

        assertThatThrownBy(() ->
                        client.acquire(WAIT, holder -> Thread.currentThread().interrupt()))
                .isInstanceOf(InterruptedException.class);

        assertThat(cluster.giveUps).hasSize(1);
        assertThat(cluster.releases)
                .singleElement()
                .satisfies(it -> assertThat(it.getToken()).isEqualTo(65_536));
    }

    @Test
    void a_request_that_was_too_late_though_sent_once_is_made_anew() throws InterruptedException {
        cluster.onAcquire = request -> {
            if (cluster.acquires.size() == 1) {
                cluster.leaseTime = 99_000;
                throw FakeCluster.error(FAILED_PRECONDITION, ErrorReason.TOO_LATE, "");
            }
            return cluster.granted(request, 65_536);
        };

        granted(client.acquire(TRY));

        assertThat(cluster.acquires.get(1).getTag().getId())
                .isNotEqualTo(cluster.acquires.get(0).getTag().getId());
        assertThat(cluster.acquires.get(1).getTag().getIssuedAt()).isEqualTo(99_000);
    }

    @Test
    void a_request_that_was_too_late_after_an_unknown_outcome_is_not() {
        cluster.onAcquire = request -> {
            throw cluster.acquires.size() == 1
                    ? FakeCluster.error(UNAVAILABLE, ErrorReason.OUTCOME_UNKNOWN, "")
                    : FakeCluster.error(FAILED_PRECONDITION, ErrorReason.TOO_LATE, "");
        };

        assertThatThrownBy(() -> client.acquire(TRY))
                .isInstanceOfSatisfying(
                        HoldfastException.TooLate.class,
                        e -> assertThat(e.mayHaveTakenEffect()).isTrue());
        assertThat(cluster.acquires).hasSize(2);
    }

    @Test
    void bad_input_is_told_with_its_field_and_not_sent_again() {
        cluster.onAcquire = request -> {
            throw FakeCluster.error(INVALID_ARGUMENT, ErrorReason.INVALID_FIELD, "ttl");
        };

        assertThatThrownBy(() -> client.acquire(TRY))
                .isInstanceOfSatisfying(
                        HoldfastException.InvalidArgument.class,
                        e -> assertThat(e.field()).isEqualTo("ttl"));
        assertThat(cluster.acquires).hasSize(1);
    }

    @Test
    void without_a_leader_the_client_tries_until_its_timeout_and_says_that_nothing_happened() {
        cluster.onAcquire = request -> {
            throw FakeCluster.error(UNAVAILABLE, ErrorReason.NO_LEADER, "");
        };

        assertThatThrownBy(() -> client.acquire(TRY))
                .isInstanceOfSatisfying(
                        HoldfastException.Unavailable.class,
                        e -> assertThat(e.mayHaveTakenEffect()).isFalse());
        assertThat(cluster.acquires).hasSizeGreaterThan(5);
    }

    @Test
    void text_that_has_no_utf8_form_is_refused_here() {
        assertThatThrownBy(() -> client.acquire(LockRequest.of("a\uD800b")))
                .isInstanceOfSatisfying(
                        HoldfastException.InvalidArgument.class,
                        e -> assertThat(e.field()).isEqualTo("name"));
        assertThat(cluster.acquires).isEmpty();
    }

    private static Grant granted(Acquisition acquisition) {
        return ((Acquisition.Granted) acquisition).grant();
    }
}
