package io.holdfast.jepsen;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jepsen.process.NodeProcess;
import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.jepsen.wire.Grant;
import io.holdfast.jepsen.wire.WireClient;
import io.holdfast.v1.AcquireRequest;
import io.holdfast.v1.AcquireResponse;
import io.holdfast.v1.Ended.How;
import io.holdfast.v1.Hold;
import io.holdfast.v1.Owner;
import io.holdfast.v1.ReleaseRequest;
import io.holdfast.v1.RenewRequest;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A request that the network delivers again, and late, has no second effect. */
@OnSharedCluster
class OnceIT {
    private static final Duration TTL = Duration.ofSeconds(30);

    private final String name = Names.fresh("once");
    private RealCluster cluster;
    private WireClient client;

    @BeforeEach
    void connect(RealCluster healthy) {
        cluster = healthy;
        client = new WireClient(() -> cluster.leader().wire());
    }

    @Test
    void an_acquire_that_comes_again_while_it_is_held_gets_the_same_grant() {
        AcquireRequest acquire = client.request(name, TTL, Duration.ZERO);
        Grant first = client.mustAcquire(acquire);
        assertThat(client.mustAcquire(acquire).token()).isEqualTo(first.token());
        client.send(client.releaseOf(first));
    }

    @Test
    void an_acquire_that_comes_again_after_the_release_takes_nothing() {
        AcquireRequest acquire = client.request(name, TTL, Duration.ZERO);
        Grant grant = client.mustAcquire(acquire);
        client.send(client.releaseOf(grant));

        AcquireResponse late = client.send(acquire);

        assertThat(late.getEnded().getHow()).isEqualTo(How.RELEASED);
        assertThat(late.getEnded().getToken()).isEqualTo(grant.token());
        assertThat(client.look(name)).isEmpty();
    }

    @Test
    void a_waiting_acquire_that_comes_again_after_it_was_given_up_does_not_queue() {
        Grant holder = client.mustAcquire(client.request(name, TTL, Duration.ZERO));
        AcquireRequest waiting = client.request(name, TTL, Duration.ofMillis(100));
        assertThat(client.acquire(waiting)).isEmpty();

        assertThat(client.send(waiting).getEnded().getHow()).isEqualTo(How.TIMED_OUT);
        assertThat(client.look(name).orElseThrow().getWaiterCount()).isZero();
        client.send(client.releaseOf(holder));
        assertThat(client.look(name)).isEmpty();
    }

    @Test
    void what_an_owner_sent_before_never_touches_the_next_holder() {
        nothingOldTouchesTheNextHold(client.request(name, TTL, Duration.ZERO));
    }

    @Test
    void what_an_owner_sent_before_never_touches_its_own_next_hold() {
        AcquireRequest next = client.request(name, TTL, Duration.ZERO);
        nothingOldTouchesTheNextHold(next.toBuilder()
                .setOwner(Owner.newBuilder().setId("one-owner-twice"))
                .build());
    }

    @Test
    void late_duplicates_have_no_effect_on_another_leader_either() {
        AcquireRequest acquire = client.request(name, TTL, Duration.ZERO);
        Grant grant = client.mustAcquire(acquire);
        ReleaseRequest release = client.releaseOf(grant);
        client.send(release);
        Grant next = client.mustAcquire(client.request(name, TTL, Duration.ZERO));
        NodeProcess old = cluster.leader();
        old.kill();

        assertThat(client.send(acquire).getEnded().getHow()).isEqualTo(How.RELEASED);
        assertThat(client.send(release).getReleased().getToken())
                .as("the answer of the first time")
                .isEqualTo(grant.token());
        assertThat(cluster.leader()).isNotSameAs(old);
        assertThat(held().getToken()).isEqualTo(next.token());
        client.send(client.releaseOf(next));
    }

    private void nothingOldTouchesTheNextHold(AcquireRequest nextRequest) {
        AcquireRequest acquire = client.request(name, TTL, Duration.ZERO).toBuilder()
                .setOwner(Owner.newBuilder().setId("one-owner-twice"))
                .build();
        Grant grant = client.mustAcquire(acquire);
        RenewRequest renewal = WireClient.renewalOf(grant).toBuilder()
                .setTtlMs(TTL.multipliedBy(100).toMillis())
                .build();
        // Even without the token, the tag alone must tell that this release is over.
        ReleaseRequest release = client.releaseOf(grant).toBuilder().setToken(0).build();
        assertThat(client.send(release).hasReleased()).isTrue();
        Grant next = client.mustAcquire(nextRequest);

        assertThat(client.send(acquire).getEnded().getHow()).isEqualTo(How.RELEASED);
        assertThat(client.send(release).getReleased().getToken()).isEqualTo(grant.token());
        assertThat(client.send(renewal).hasNotHeld()).isTrue();

        assertThat(held().getToken()).isEqualTo(next.token());
        assertThat(held().getTtlMs()).isEqualTo(TTL.toMillis());
        assertThat(held().getRemainingMs()).isLessThanOrEqualTo(TTL.toMillis());
        client.send(client.releaseOf(next));
    }

    private Hold held() {
        return client.look(name).orElseThrow().getHolders(0);
    }
}
