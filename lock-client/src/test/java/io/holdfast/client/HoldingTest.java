package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.holdfast.v1.AcquireResponse;
import io.holdfast.v1.CheckTokenResponse;
import io.holdfast.v1.ConvertResponse;
import io.holdfast.v1.Ended;
import io.holdfast.v1.ErrorReason;
import io.holdfast.v1.Lock;
import io.holdfast.v1.NotHeld;
import io.holdfast.v1.OtherKind;
import io.holdfast.v1.PartOfSet;
import io.holdfast.v1.ProclaimResponse;
import io.holdfast.v1.ReleaseResponse;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Modes, values and tokens, as an application meets them. */
class HoldingTest {
    private static final Owner ME = new Owner.OneShot("me");
    private static final LockRequest TRY =
            LockRequest.of("orders/42").withOwner(ME).withTtl(Duration.ofSeconds(9));

    private final FakeClock clock = new FakeClock();
    private final FakeCluster cluster = new FakeCluster(UUID.randomUUID().toString());
    private final HoldfastClient client =
            new HoldfastClient(new Router(List.of("n1:1"), cluster, clock, Duration.ofSeconds(2)), clock, 0.01);

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void terms_are_sent_and_come_back_with_the_grant() throws InterruptedException {
        cluster.onAcquire = request -> {
            AcquireResponse.Builder granted = cluster.granted(request, 65_536).toBuilder();
            granted.getGrantedBuilder().setTerms(request.getTerms());
            return granted.build();
        };
        LockRequest request = TRY.withPermits(2, 5).withValue("http://me:1").withLockDelay(Duration.ofMillis(250));

        Grant grant = ((Acquisition.Granted) client.acquire(request)).grant();

        assertThat(cluster.acquires.get(0).getTerms())
                .isEqualTo(io.holdfast.v1.Terms.newBuilder()
                        .setMode(Lock.Mode.SEMAPHORE)
                        .setPermits(2)
                        .setCapacity(5)
                        .setValue("http://me:1")
                        .setLockDelayMs(250)
                        .build());
        assertThat(grant.terms()).isEqualTo(new Terms(new Mode.Permits(2, 5), "http://me:1", Duration.ofMillis(250)));
        var unused = client.acquire(TRY.shared());
        assertThat(cluster.acquires.get(1).getTerms().getMode()).isEqualTo(Lock.Mode.SHARED);
    }

    @Test
    void each_refusal_of_the_store_has_its_reason() throws InterruptedException {
        assertThat(refused(AcquireResponse.NotGranted.Reason.OTHER_MODE).reason())
                .isEqualTo(Acquisition.Reason.OTHER_MODE);
        assertThat(refused(AcquireResponse.NotGranted.Reason.PART_OF_SET).reason())
                .isEqualTo(Acquisition.Reason.PART_OF_SET);
        Acquisition.NotGranted other = refused(AcquireResponse.NotGranted.Reason.OTHER_KIND);
        assertThat(other.reason()).isEqualTo(Acquisition.Reason.OTHER_KIND);
        assertThat(other.capacity()).isEqualTo(5);
        assertThat(other.name()).isEqualTo("orders/42");
    }

    private Acquisition.NotGranted refused(AcquireResponse.NotGranted.Reason reason) throws InterruptedException {
        cluster.onAcquire = request -> AcquireResponse.newBuilder()
                .setNotGranted(AcquireResponse.NotGranted.newBuilder()
                        .setReason(reason)
                        .setName("orders/42")
                        .setCapacity(5))
                .build();
        return (Acquisition.NotGranted) client.acquire(TRY);
    }

    @Test
    void a_feature_level_that_is_too_low_is_told_and_had_no_effect() {
        cluster.onAcquire = request -> {
            throw FakeCluster.error(Status.Code.FAILED_PRECONDITION.value(), ErrorReason.FEATURE_LEVEL_TOO_LOW, "");
        };

        assertThatThrownBy(() -> client.acquire(TRY.shared()))
                .isInstanceOfSatisfying(
                        HoldfastException.FeatureLevelTooLow.class,
                        e -> assertThat(e.mayHaveTakenEffect()).isFalse());
        assertThat(cluster.acquires).hasSize(1);
    }

    @Test
    void a_waiter_that_waits_for_nobody_hears_of_nobody() throws InterruptedException {
        cluster.onAcquire = request -> {
            clock.passMillis(request.getBlockMs());
            return AcquireResponse.newBuilder()
                    .setWaiting(AcquireResponse.Waiting.getDefaultInstance())
                    .build();
        };
        Acquisition end = client.acquire(TRY.withPatience(Duration.ofSeconds(4)), holder -> {
            throw new AssertionError("told of " + holder);
        });

        assertThat(end)
                .isInstanceOfSatisfying(
                        Acquisition.NotGranted.class,
                        no -> assertThat(no.holder()).isEmpty());
    }

    @Test
    void a_conversion_is_a_new_grant_from_the_sending_on() throws InterruptedException {
        Grant before = ((Acquisition.Granted) client.acquire(TRY)).grant();
        clock.passMillis(5_000);
        cluster.onConvert = request -> ConvertResponse.newBuilder()
                .setConverted(FakeCluster.hold(request.getName(), request.getOwner(), 131_072, 9_000))
                .build();

        Conversion.Converted converted = (Conversion.Converted) client.holds().downgrade(before);

        assertThat(cluster.conversions.get(0).getMode()).isEqualTo(Lock.Mode.SHARED);
        assertThat(cluster.conversions.get(0).getToken()).isEqualTo(65_536);
        assertThat(converted.grant().token()).isEqualTo(131_072);
        assertThat(converted.grant().remaining()).isEqualTo(Duration.ofMillis(8_910));
    }

    @Test
    void a_conversion_that_cannot_be_says_why() throws InterruptedException {
        assertThat(upgrade(ConvertResponse.newBuilder()
                        .setNotAlone(ConvertResponse.NotAlone.newBuilder().setHolders(3))))
                .isEqualTo(new Conversion.NotAlone(3));
        assertThat(upgrade(ConvertResponse.newBuilder().setPartOfSet(PartOfSet.getDefaultInstance())))
                .isEqualTo(new Conversion.PartOfSet());
        assertThat(upgrade(ConvertResponse.newBuilder()
                        .setOtherKind(OtherKind.newBuilder().setCapacity(5))))
                .isEqualTo(new Conversion.IsSemaphore(5));
        assertThat(upgrade(ConvertResponse.newBuilder().setNotHeld(NotHeld.getDefaultInstance())))
                .isInstanceOf(Conversion.NotHeld.class);
        assertThat(upgrade(ConvertResponse.newBuilder().setEnded(Ended.getDefaultInstance())))
                .isInstanceOf(Conversion.NotHeld.class);
        assertThatThrownBy(() -> client.holds().convert("orders/42", ME, OptionalLong.empty(), new Mode.Permits(1, 1)))
                .isInstanceOf(HoldfastException.InvalidArgument.class);
    }

    private Conversion upgrade(ConvertResponse.Builder answer) throws InterruptedException {
        cluster.onConvert = request -> answer.build();
        return client.holds().convert("orders/42", ME, OptionalLong.empty(), Mode.EXCLUSIVE);
    }

    @Test
    void permits_are_given_back_in_part() throws InterruptedException {
        cluster.onRelease = request -> ReleaseResponse.newBuilder()
                .setPermitsReleased(ReleaseResponse.PermitsReleased.newBuilder().setToken(65_536))
                .build();
        assertThat(client.releasePermits("s", ME, OptionalLong.of(65_536), 2))
                .isEqualTo(new ReleaseResult.PermitsReleased(65_536, java.util.Optional.empty()));
        assertThat(cluster.releases.get(0).getPermits()).isEqualTo(2);

        cluster.onRelease = request -> ReleaseResponse.newBuilder()
                .setFewerPermits(ReleaseResponse.FewerPermits.newBuilder().setHeld(1))
                .build();
        assertThat(client.releasePermits("s", ME, OptionalLong.empty(), 2))
                .isEqualTo(new ReleaseResult.FewerPermits(1));
        cluster.onRelease = request -> ReleaseResponse.newBuilder()
                .setOtherKind(OtherKind.getDefaultInstance())
                .build();
        assertThat(client.releasePermits("s", ME, OptionalLong.empty(), 2)).isEqualTo(new ReleaseResult.NoSemaphore());
        assertThatThrownBy(() -> client.releasePermits("s", ME, OptionalLong.empty(), 0))
                .isInstanceOf(HoldfastException.InvalidArgument.class);
    }

    @Test
    void another_value_is_proclaimed() throws InterruptedException {
        cluster.onProclaim = request -> ProclaimResponse.newBuilder()
                .setProclaimed(ProclaimResponse.Proclaimed.newBuilder().setToken(65_536))
                .build();
        assertThat(client.holds().proclaim("e", ME, OptionalLong.of(65_536), "two"))
                .isEqualTo(new Proclamation.Proclaimed(65_536));
        assertThat(cluster.proclamations.get(0).getValue()).isEqualTo("two");

        cluster.onProclaim = request -> ProclaimResponse.newBuilder()
                .setNotHeld(NotHeld.getDefaultInstance())
                .build();
        assertThat(client.holds().proclaim("e", ME, OptionalLong.empty(), "two"))
                .isInstanceOf(Proclamation.NotHeld.class);
    }

    @Test
    void a_token_is_current_or_stale_or_the_lock_is_free() throws InterruptedException {
        cluster.onCheck = request -> CheckTokenResponse.newBuilder()
                .setCurrent(FakeCluster.hold(request.getName(), FakeCluster.owner("me"), request.getToken(), 9_000))
                .build();
        assertThat(client.check("a", 65_536))
                .isInstanceOfSatisfying(
                        TokenCheck.Current.class,
                        it -> assertThat(it.holder().owner()).isEqualTo("me"));
        cluster.onCheck = request -> CheckTokenResponse.newBuilder()
                .setStale(CheckTokenResponse.Stale.newBuilder().setNewestToken(7))
                .build();
        assertThat(client.check("a", 1)).isEqualTo(new TokenCheck.Stale(7));
        cluster.onCheck = request -> CheckTokenResponse.newBuilder()
                .setFree(CheckTokenResponse.Free.getDefaultInstance())
                .build();
        assertThat(client.check("a", 1)).isEqualTo(new TokenCheck.Free());
    }
}
