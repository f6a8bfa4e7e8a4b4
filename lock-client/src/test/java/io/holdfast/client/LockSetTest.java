package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.v1.AcquireAllResponse;
import io.holdfast.v1.AcquireResponse;
import io.holdfast.v1.GiveUpAllResponse;
import io.holdfast.v1.GrantedAll;
import io.holdfast.v1.Lock;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several locks as one, as an application meets them. */
class LockSetTest {
    private static final LockSetRequest TRY =
            LockSetRequest.of("a", "b").withOwner(new Owner.OneShot("me")).withTtl(Duration.ofSeconds(9));
    private static final LockSetRequest WAIT = TRY.withPatience(Duration.ofSeconds(30));

    private final FakeClock clock = new FakeClock();
    private final FakeCluster cluster = new FakeCluster(UUID.randomUUID().toString());
    private final HoldfastClient client =
            new HoldfastClient(new Router(List.of("n1:1"), cluster, clock, Duration.ofSeconds(2)), clock, 0.01);

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void all_have_one_token_and_one_lease() throws InterruptedException {
        LockSetGrant set = granted(client.acquireAll(TRY.and("c", Terms.PLAIN.withMode(Mode.SHARED))));

        assertThat(set.names()).containsExactly("a", "b", "c");
        assertThat(set.token()).isEqualTo(65_536);
        assertThat(cluster.setAcquires.get(0).getWants(2).getTerms().getMode()).isEqualTo(Lock.Mode.SHARED);

        clock.passMillis(8_000);
        set.grants().get(1).renewed(clock.read(), Duration.ofSeconds(9));
        assertThat(set.grants())
                .allSatisfy(grant -> assertThat(grant.remaining()).isEqualTo(Duration.ofMillis(8_910)));
        assertThat(set.isHeld()).isTrue();
        clock.passMillis(8_910);
        assertThat(set.isHeld()).isFalse();
    }

    @Test
    void who_waits_asks_in_a_chain_with_one_tag() throws InterruptedException {
        cluster.onAcquireAll = request -> {
            clock.passMillis(2_900);
            return cluster.setAcquires.size() < 4 ? waiting() : cluster.grantedAll(request, 131_072);
        };

        LockSetGrant set = granted(client.acquireAll(WAIT));

        assertThat(set.token()).isEqualTo(131_072);
        assertThat(cluster.setAcquires.stream().map(it -> it.getTag()).distinct())
                .hasSize(1);
        assertThat(set.grants().get(0).remaining()).isGreaterThan(Duration.ofSeconds(6));
    }

    @Test
    void who_has_no_patience_left_gives_all_places_up() throws InterruptedException {
        cluster.onAcquireAll = request -> {
            clock.passMillis(request.getBlockMs());
            return waiting();
        };

        LockSetAcquisition end = client.acquireAll(WAIT);

        assertThat(end)
                .isInstanceOfSatisfying(
                        LockSetAcquisition.NotGranted.class,
                        no -> assertThat(no.why().reason()).isEqualTo(Acquisition.Reason.TIMED_OUT));
        assertThat(cluster.setGiveUps)
                .singleElement()
                .satisfies(it -> assertThat(it.getNamesList()).containsExactly("a", "b"));
    }

    @Test
    void an_interrupted_waiter_leaves_nothing_behind() {
        cluster.onAcquireAll = request -> {
            clock.passMillis(request.getBlockMs());
            return waiting();
        };
        cluster.onGiveUpAll = request -> GiveUpAllResponse.newBuilder()
                .setGranted(GrantedAll.newBuilder()
                        .setToken(65_536)
                        .addHolds(FakeCluster.hold("a", request.getOwner(), 65_536, 9_000)))
                .build();

        assertThatThrownBy(() ->
                        client.acquireAll(WAIT, holder -> Thread.currentThread().interrupt()))
                .isInstanceOf(InterruptedException.class);

        assertThat(cluster.setReleases)
                .singleElement()
                .satisfies(it -> assertThat(it.getToken()).isEqualTo(65_536));
    }

    @Test
    void all_are_released_at_once() throws InterruptedException {
        LockSetGrant set = granted(client.acquireAll(TRY));

        assertThat(client.releaseAll(set.names(), set.owner(), OptionalLong.of(set.token())))
                .isEqualTo(new ReleaseResult.Released(65_536));

        assertThat(cluster.setReleases.get(0).getNamesList()).containsExactly("a", "b");
    }

    @Test
    void text_that_has_no_utf8_form_is_refused_here() {
        assertThatThrownBy(() -> client.acquireAll(TRY.and("a\uD800b", Terms.PLAIN)))
                .isInstanceOf(HoldfastException.InvalidArgument.class);
        assertThat(cluster.setAcquires).isEmpty();
    }

    private static AcquireAllResponse waiting() {
        return AcquireAllResponse.newBuilder()
                .setWaiting(AcquireResponse.Waiting.newBuilder()
                        .setHolder(FakeCluster.hold("b", FakeCluster.owner("other"), 1, 10_000)))
                .build();
    }

    private static LockSetGrant granted(LockSetAcquisition acquisition) {
        return ((LockSetAcquisition.Granted) acquisition).grant();
    }
}
