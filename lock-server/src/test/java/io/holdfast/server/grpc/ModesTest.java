package io.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.grpc.StatusRuntimeException;
import io.holdfast.core.Command;
import io.holdfast.core.End;
import io.holdfast.core.FencingToken;
import io.holdfast.core.LockName;
import io.holdfast.core.Outcome;
import io.holdfast.v1.AcquireRequest;
import io.holdfast.v1.AcquireResponse;
import io.holdfast.v1.AcquireResponse.NotGranted;
import io.holdfast.v1.CheckTokenRequest;
import io.holdfast.v1.CheckTokenResponse;
import io.holdfast.v1.ConvertResponse;
import io.holdfast.v1.Ended;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.HandOffRequest;
import io.holdfast.v1.HandOffResponse;
import io.holdfast.v1.Hold;
import io.holdfast.v1.InspectServiceGrpc;
import io.holdfast.v1.ListWaitsRequest;
import io.holdfast.v1.Lock;
import io.holdfast.v1.Notice;
import io.holdfast.v1.OpenSessionRequest;
import io.holdfast.v1.OtherKind;
import io.holdfast.v1.Owner;
import io.holdfast.v1.ProclaimResponse;
import io.holdfast.v1.ReleaseResponse;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.RevokeRequest;
import io.holdfast.v1.RevokeResponse;
import io.holdfast.v1.Terms;
import io.holdfast.v1.WaitEdge;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Modes, values, pauses and tokens, as a client sees them; carried out by a real lock table. */
class ModesTest {
    private static final Terms SHARED =
            Terms.newBuilder().setMode(Lock.Mode.SHARED).build();

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
    void a_store_of_an_older_version_refuses_what_it_does_not_know() {
        try (TestDoor old = TestDoor.leading()) {
            AcquireRequest shared = Requests.acquire("a", "A").setTerms(SHARED).build();

            StatusRuntimeException failure = catchThrowableOfType(
                    StatusRuntimeException.class, () -> old.locks().acquire(shared));

            assertThat(TestDoor.infoOf(failure).getReason()).isEqualTo("FEATURE_LEVEL_TOO_LOW");
        }
    }

    @Test
    void terms_become_those_of_the_hold() {
        Terms terms = Requests.permits(2, 5)
                .setValue("http://me:1")
                .setLockDelayMs(250)
                .build();

        Hold hold = acquire("a", "A", it -> it.setTerms(terms)).getGranted();

        assertThat(hold.getTerms()).isEqualTo(terms);
        assertThat(acquire("b", "A", it -> it).getGranted().getTerms())
                .isEqualTo(Terms.newBuilder().setMode(Lock.Mode.EXCLUSIVE).build());
    }

    @Test
    void a_lock_is_shown_in_its_mode_with_all_who_share_it() {
        acquire("a", "A", it -> it.setTerms(SHARED));
        acquire("a", "B", it -> it.setTerms(SHARED));
        acquire("a", "W", it -> it.setWaitMs(-1).setTerms(Terms.newBuilder().setLockDelayMs(7)));

        Lock lock = look("a");

        assertThat(lock.getMode()).isEqualTo(Lock.Mode.SHARED);
        assertThat(lock.getHoldersList())
                .extracting(it -> it.getOwner().getId())
                .containsExactly("A", "B");
        assertThat(lock.getHolderCount()).isEqualTo(2);
        assertThat(lock.getWaiters(0).getTerms())
                .isEqualTo(Terms.newBuilder()
                        .setMode(Lock.Mode.EXCLUSIVE)
                        .setLockDelayMs(7)
                        .build());
        assertThat(lock.getCapacity()).isZero();
    }

    @Test
    void a_semaphore_is_shown_with_its_permits() {
        acquire("a", "A", it -> it.setTerms(Requests.permits(2, 5)));
        acquire("a", "B", it -> it.setTerms(Requests.permits(1, 5)));

        Lock lock = look("a");

        assertThat(lock.getMode()).isEqualTo(Lock.Mode.SEMAPHORE);
        assertThat(lock.getCapacity()).isEqualTo(5);
        assertThat(lock.getPermitsOut()).isEqualTo(3);
    }

    @Test
    void a_lock_that_a_pause_keeps_is_shown_without_a_mode() {
        acquire("a", "A", it -> it.setTtlMs(100).setTerms(Terms.newBuilder().setLockDelayMs(5_000)));
        door.store.passTo(1_000_000_000);

        Lock lock = look("a");

        assertThat(lock.getMode()).isEqualTo(Lock.Mode.MODE_UNSPECIFIED);
        assertThat(lock.getHolderCount()).isZero();
        assertThat(lock.getDelayRemainingMs()).isEqualTo(5_000);
        assertThat(acquire("a", "B", it -> it).getNotGranted().hasHolder()).isFalse();
    }

    @Test
    void who_holds_and_waits_is_shown_as_far_as_it_fits_into_an_answer() {
        Terms long4k = SHARED.toBuilder().setValue("v".repeat(4_096)).build();
        for (int i = 0; i < 300; i++) {
            acquire("a", "A" + i, it -> it.setTerms(long4k));
        }

        Lock lock = look("a");

        assertThat(lock.getSerializedSize()).isBetween(1 << 19, 1 << 21);
        assertThat(lock.getHoldersCount()).isLessThan(300);
        assertThat(lock.getHolderCount()).isEqualTo(300);
    }

    @Test
    void each_refusal_of_an_acquire_has_its_answer() {
        door.store.answerNext(new Outcome.OtherMode(Optional.empty()));
        assertThat(acquire("a", "A", it -> it).getNotGranted().getReason()).isEqualTo(NotGranted.Reason.OTHER_MODE);
        door.store.answerNext(new Outcome.OtherKind(new LockName("a"), 5));
        assertThat(acquire("a", "A", it -> it).getNotGranted())
                .isEqualTo(NotGranted.newBuilder()
                        .setReason(NotGranted.Reason.OTHER_KIND)
                        .setName("a")
                        .setCapacity(5)
                        .build());
        door.store.answerNext(new Outcome.PartOfSet(new LockName("b")));
        assertThat(acquire("a", "A", it -> it).getNotGranted())
                .isEqualTo(NotGranted.newBuilder()
                        .setReason(NotGranted.Reason.PART_OF_SET)
                        .setName("b")
                        .build());
        door.store.answerNext(new Outcome.Queued(Optional.empty()));
        assertThat(acquire("a", "A", it -> it).getWaiting().hasHolder()).isFalse();
        door.store.answerNext(new Outcome.Ended(End.CONVERTED, Optional.of(new FencingToken(9))));
        assertThat(acquire("a", "A", it -> it).getEnded().getHow()).isEqualTo(Ended.How.CONVERTED);
    }

    @Test
    void a_session_that_would_wait_for_itself_is_refused_with_the_circle_unless_it_wants_to() {
        ByteString one = open();
        ByteString two = open();
        acquireIn(one, "a", 0);
        acquireIn(two, "b", 0);
        assertThat(acquireIn(one, "b", 60_000).hasWaiting()).isTrue();

        NotGranted refused = acquireIn(two, "a", 60_000).getNotGranted();

        assertThat(refused.getReason()).isEqualTo(NotGranted.Reason.DEADLOCK);
        assertThat(refused.getCycleList()).extracting(WaitEdge::getName).containsExactly("a", "b");
        assertThat(refused.getCycle(0).getWaiter().getSessionId()).isEqualTo(two);
        assertThat(refused.getCycle(0).getBlocker().getSessionId()).isEqualTo(one);
        assertThat(refused.getCycle(0).getIsHolder()).isTrue();
        assertThat(InspectServiceGrpc.newBlockingStub(door.channel)
                        .listWaits(ListWaitsRequest.getDefaultInstance())
                        .getEdgesList())
                .containsExactly(refused.getCycle(1));
        assertThat(door.locks()
                        .acquire(inSession(two, "a", 60_000)
                                .setAllowDeadlock(true)
                                .build())
                        .hasWaiting())
                .isTrue();
    }

    private ByteString open() {
        ByteString id = Requests.id();
        var unused = door.sessions()
                .openSession(OpenSessionRequest.newBuilder()
                        .setSessionId(id)
                        .setTtlMs(60_000)
                        .build());
        return id;
    }

    private AcquireResponse acquireIn(ByteString session, String name, long wait) {
        return door.locks().acquire(inSession(session, name, wait).build());
    }

    private static AcquireRequest.Builder inSession(ByteString session, String name, long wait) {
        return Requests.acquire(name, "")
                .setOwner(Requests.session(session))
                .setTtlMs(0)
                .setWaitMs(wait);
    }

    @Test
    void a_hold_is_converted_under_a_new_token_or_for_a_clear_reason_not() {
        long exclusive = acquire("a", "A", it -> it).getGranted().getToken();
        Hold shared = convert("a", Lock.Mode.SHARED).getConverted();
        assertThat(shared.getTerms().getMode()).isEqualTo(Lock.Mode.SHARED);
        assertThat(shared.getToken()).isGreaterThan(exclusive);

        acquire("a", "B", it -> it.setTerms(SHARED));
        assertThat(convert("a", Lock.Mode.EXCLUSIVE).getNotAlone().getHolders()).isEqualTo(2);
        assertThat(convert("b", Lock.Mode.EXCLUSIVE).hasNotHeld()).isTrue();
        assertThat(door.locks()
                        .convert(Requests.convert("a", "A", Lock.Mode.SHARED)
                                .setToken(exclusive)
                                .build())
                        .getNotHeld()
                        .getHolder()
                        .getToken())
                .isEqualTo(shared.getToken());

        acquire("s", "A", it -> it.setTerms(Requests.permits(1, 5)));
        assertThat(convert("s", Lock.Mode.EXCLUSIVE).getOtherKind())
                .isEqualTo(OtherKind.newBuilder().setName("s").setCapacity(5).build());
        door.store.answerNext(new Outcome.PartOfSet(new LockName("a")));
        assertThat(convert("a", Lock.Mode.EXCLUSIVE).getPartOfSet().getName()).isEqualTo("a");
        door.store.answerNext(new Outcome.Ended(End.RELEASED, Optional.of(new FencingToken(7))));
        assertThat(convert("a", Lock.Mode.EXCLUSIVE).getEnded().getToken()).isEqualTo(7);
    }

    private ConvertResponse convert(String name, Lock.Mode mode) {
        return door.locks().convert(Requests.convert(name, "A", mode).build());
    }

    @Test
    void permits_are_given_back_in_part() {
        long token = acquire("s", "A", it -> it.setTerms(Requests.permits(3, 5)))
                .getGranted()
                .getToken();

        ReleaseResponse some = release("s", 2);
        assertThat(some.getPermitsReleased().getToken()).isEqualTo(token);
        assertThat(some.getPermitsReleased().getHold().getTerms().getPermits()).isOne();
        assertThat(release("s", 2).getFewerPermits().getHeld()).isOne();
        assertThat(release("s", 1).getReleased().getToken()).isEqualTo(token);

        acquire("a", "A", it -> it);
        assertThat(release("a", 1).getOtherKind())
                .isEqualTo(OtherKind.newBuilder().setName("a").build());
        door.store.answerNext(new Outcome.PermitsReleased(new FencingToken(9), Optional.empty()));
        assertThat(release("s", 1).getPermitsReleased().hasHold()).isFalse();
    }

    private ReleaseResponse release(String name, int permits) {
        return door.locks()
                .release(Requests.release(name, "A").setPermits(permits).build());
    }

    @Test
    void a_holder_proclaims_another_value() {
        long token = acquire("e", "A", it -> it.setTerms(Terms.newBuilder().setValue("one")))
                .getGranted()
                .getToken();

        ProclaimResponse done = door.locks()
                .proclaim(Requests.proclaim("e", "A", "two").setToken(token).build());

        assertThat(done.getProclaimed().getToken()).isEqualTo(token);
        assertThat(done.getProclaimed().getHold().getTerms().getValue()).isEqualTo("two");
        assertThat(look("e").getHolders(0).getTerms().getValue()).isEqualTo("two");
        assertThat(door.locks()
                        .proclaim(Requests.proclaim("e", "B", "three").build())
                        .getNotHeld()
                        .getHolder()
                        .getToken())
                .isEqualTo(token);
        door.store.answerNext(new Outcome.Proclaimed(new FencingToken(9), Optional.empty()));
        assertThat(door.locks()
                        .proclaim(Requests.proclaim("e", "A", "two").build())
                        .getProclaimed()
                        .hasHold())
                .isFalse();
    }

    @Test
    void a_token_is_current_or_stale_or_the_lock_is_free() {
        long first = acquire("a", "A", it -> it).getGranted().getToken();
        assertThat(check("a", first).getCurrent().getOwner().getId()).isEqualTo("A");
        release("a", 0);
        assertThat(check("a", first).hasFree()).isTrue();

        long second = acquire("a", "B", it -> it).getGranted().getToken();

        assertThat(check("a", first).getStale().getNewestToken()).isEqualTo(second);
        assertThat(check("a", first).getHeader().getNodeId()).isEqualTo("n1");
    }

    private CheckTokenResponse check(String name, long token) {
        return door.locks()
                .checkToken(CheckTokenRequest.newBuilder()
                        .setName(name)
                        .setToken(token)
                        .build());
    }

    @Test
    void a_lock_is_passed_on_or_for_a_clear_reason_not() {
        long token = acquire("a", "A", it -> it).getGranted().getToken();
        assertThat(handOff("A", Requests.owner("B")).getHandedOff().getToken()).isGreaterThan(token);
        assertThat(look("a").getHolders(0).getOwner().getId()).isEqualTo("B");
        assertThat(((Command.HandOff) door.store.last()).ttlNanos()).isEqualTo(5_000_000_000L);

        assertThat(handOff("A", Requests.owner("C")).getNotHeld().getHolder().getOwner())
                .isEqualTo(Requests.owner("B"));
        assertThat(handOff("B", Requests.session(Requests.id(77))).hasNoSuchTarget())
                .isTrue();
        assertThat(handOff("B", Requests.owner("B")).hasTargetBusy()).isTrue();
    }

    private HandOffResponse handOff(String from, Owner to) {
        return door.locks()
                .handOff(HandOffRequest.newBuilder()
                        .setOwner(Requests.owner(from))
                        .setName("a")
                        .setTag(Requests.tag())
                        .setTo(to)
                        .setTtlMs(to.hasSessionId() ? 0 : 5_000)
                        .build());
    }

    @Test
    void a_hold_is_revoked_with_notice_or_at_once_and_never_a_newer_one() {
        long token = acquire("a", "A", it -> it.setTtlMs(60_000)).getGranted().getToken();

        Hold revoking = revoke(token, 5_000).getRevoking();
        assertThat(revoking.getNotice())
                .isEqualTo(Notice.newBuilder()
                        .setRemainingMs(5_000)
                        .setReason("drill")
                        .setBy("ops@host")
                        .build());
        assertThat(look("a").getHolders(0).hasNotice()).isTrue();
        assertThat(revoke(token, 0).getRevoked().getToken()).isEqualTo(token);

        long newer = acquire("a", "B", it -> it).getGranted().getToken();
        assertThat(revoke(token, 0).getNotHeld().getHolder().getToken()).isEqualTo(newer);
    }

    private RevokeResponse revoke(long token, long grace) {
        return door.locks()
                .revoke(RevokeRequest.newBuilder()
                        .setName("a")
                        .setIfToken(token)
                        .setTag(Requests.tag())
                        .setGraceMs(grace)
                        .setReason("drill")
                        .setBy("ops@host")
                        .build());
    }

    @Test
    void renewing_keeps_the_terms_in_sight() {
        acquire("a", "A", it -> it.setTerms(SHARED));

        assertThat(door.locks()
                        .renew(RenewRequest.newBuilder()
                                .setName("a")
                                .setOwnerId("A")
                                .build())
                        .getRenewed()
                        .getTerms())
                .isEqualTo(SHARED);
    }

    private AcquireResponse acquire(String name, String owner, UnaryOperator<AcquireRequest.Builder> change) {
        return door.locks().acquire(change.apply(Requests.acquire(name, owner)).build());
    }

    private Lock look(String name) {
        return door.locks()
                .getLock(GetLockRequest.newBuilder().setName(name).build())
                .getLock();
    }
}
