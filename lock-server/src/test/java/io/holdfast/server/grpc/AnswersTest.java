package io.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.holdfast.core.End;
import io.holdfast.core.FencingToken;
import io.holdfast.core.HoldView;
import io.holdfast.core.LockName;
import io.holdfast.core.Outcome;
import io.holdfast.core.Owner;
import io.holdfast.core.SessionId;
import io.holdfast.core.SessionView;
import io.holdfast.server.proposer.Unanswered;
import io.holdfast.v1.AcquireResponse;
import io.holdfast.v1.AcquireResponse.NotGranted;
import io.holdfast.v1.CloseSessionRequest;
import io.holdfast.v1.Ended;
import io.holdfast.v1.ErrorReason;
import io.holdfast.v1.GiveUpResponse;
import io.holdfast.v1.Hold;
import io.holdfast.v1.Lock;
import io.holdfast.v1.OpenSessionRequest;
import io.holdfast.v1.OpenSessionResponse;
import io.holdfast.v1.ReleaseResponse;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.RenewResponse;
import io.holdfast.v1.RenewSessionsRequest;
import io.holdfast.v1.Terms;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every outcome of the core, as a client sees it. */
class AnswersTest {
    private static final HoldView HOLD = new HoldView(
            new LockName("orders/42"),
            new Owner.OneShot("A"),
            "host-a",
            new FencingToken(131_073),
            2,
            10_000_000_000L,
            1_999_999L,
            9_998_000_001L);
    private static final Hold SHOWN = Hold.newBuilder()
            .setName("orders/42")
            .setOwner(Requests.owner("A"))
            .setOwnerLabel("host-a")
            .setToken(131_073)
            .setLogIndex(2)
            .setTtlMs(10_000)
            .setHeldMs(1)
            .setRemainingMs(9_998)
            .setTerms(Terms.newBuilder().setMode(Lock.Mode.EXCLUSIVE))
            .build();

    private final TestDoor door = TestDoor.leading();

    @AfterEach
    void close() {
        door.close();
    }

    @Test
    void an_acquire_is_granted_or_waits_or_is_refused_or_is_over() {
        assertThat(acquire(new Outcome.Granted(HOLD)).getGranted()).isEqualTo(SHOWN);
        assertThat(acquire(new Outcome.Queued(HOLD)).getWaiting().getHolder()).isEqualTo(SHOWN);
        assertThat(acquire(new Outcome.Held(Optional.of(HOLD))).getNotGranted())
                .isEqualTo(NotGranted.newBuilder()
                        .setReason(NotGranted.Reason.HELD)
                        .setHolder(SHOWN)
                        .build());
        assertThat(acquire(new Outcome.Held(Optional.empty())).getNotGranted().hasHolder())
                .isFalse();
        assertThat(acquire(new Outcome.OwnerBusy(Optional.of(HOLD)))
                        .getNotGranted()
                        .getReason())
                .isEqualTo(NotGranted.Reason.OWNER_BUSY);
        assertThat(acquire(new Outcome.Ended(End.EXPIRED, Optional.of(new FencingToken(9))))
                        .getEnded())
                .isEqualTo(
                        Ended.newBuilder().setHow(Ended.How.EXPIRED).setToken(9).build());
        assertThat(acquire(new Outcome.Ended(End.TIMED_OUT, Optional.empty()))
                        .getEnded()
                        .getHow())
                .isEqualTo(Ended.How.TIMED_OUT);
        assertThat(acquire(new Outcome.Ended(End.RELEASED, Optional.empty()))
                        .getEnded()
                        .getHow())
                .isEqualTo(Ended.How.RELEASED);
        assertThat(acquire(new Outcome.Ended(End.GAVE_UP, Optional.empty()))
                        .getEnded()
                        .getHow())
                .isEqualTo(Ended.How.GAVE_UP);
    }

    @Test
    void every_answer_tells_where_it_comes_from() {
        door.store.passTo(1_234_567);

        AcquireResponse response = acquire(new Outcome.Granted(HOLD));

        assertThat(response.getHeader().getAppliedIndex()).isEqualTo(1);
        assertThat(response.getHeader().getLeaseTime()).isEqualTo(1_234_567);
        assertThat(response.getHeader().getNodeId()).isEqualTo("n1");
    }

    @Test
    void giving_up_ends_the_wait_or_comes_too_late() {
        assertThat(giveUp(new Outcome.Granted(HOLD)).getGranted()).isEqualTo(SHOWN);
        assertThat(giveUp(new Outcome.Ended(End.TIMED_OUT, Optional.empty()))
                        .getEnded()
                        .getHow())
                .isEqualTo(Ended.How.TIMED_OUT);
        assertThat(giveUp(new Outcome.Held(Optional.of(HOLD))).getEnded().getHow())
                .isEqualTo(Ended.How.GAVE_UP);
        assertThat(giveUp(new Outcome.OwnerBusy(Optional.of(HOLD))).getEnded().getHow())
                .isEqualTo(Ended.How.GAVE_UP);
        assertThat(giveUp(new Outcome.OtherMode(Optional.of(HOLD))).getEnded().getHow())
                .isEqualTo(Ended.How.GAVE_UP);
    }

    @Test
    void a_release_frees_the_lock_or_finds_it_not_held() {
        assertThat(release(new Outcome.Released(new FencingToken(5)))
                        .getReleased()
                        .getToken())
                .isEqualTo(5);
        assertThat(release(new Outcome.NotHeld(Optional.of(HOLD))).getNotHeld().getHolder())
                .isEqualTo(SHOWN);
        assertThat(release(new Outcome.NotHeld(Optional.empty())).getNotHeld().hasHolder())
                .isFalse();
    }

    @Test
    void a_renewal_shows_the_hold_or_finds_it_not_held() {
        assertThat(renew(new Outcome.Renewed(HOLD)).getRenewed()).isEqualTo(SHOWN);
        assertThat(renew(new Outcome.NotHeld(Optional.of(HOLD))).getNotHeld().getHolder())
                .isEqualTo(SHOWN);
    }

    @Test
    void sessions_are_opened_renewed_and_closed() {
        SessionId id = new SessionId(0x1020304050607080L, 3);
        door.store.answerNext(
                new Outcome.SessionOpened(new SessionView(id, "host-a", 5_000_000_000L, 4_999_999_999L, 2, 1)));
        OpenSessionResponse opened = door.sessions()
                .openSession(OpenSessionRequest.newBuilder()
                        .setSessionId(Requests.id(3))
                        .setTtlMs(5_000)
                        .build());
        door.store.answerNext(new Outcome.SessionsRenewed(List.of(id)));
        var renewed = door.sessions()
                .renewSessions(RenewSessionsRequest.newBuilder()
                        .addSessionIds(Requests.id(3))
                        .build());
        door.store.answerNext(new Outcome.SessionClosed());
        var closed = door.sessions()
                .closeSession(CloseSessionRequest.newBuilder()
                        .setSessionId(Requests.id(3))
                        .build());

        assertThat(opened.getSession().getSessionId()).isEqualTo(Requests.id(3));
        assertThat(opened.getSession().getOwnerLabel()).isEqualTo("host-a");
        assertThat(opened.getSession().getTtlMs()).isEqualTo(5_000);
        assertThat(opened.getSession().getRemainingMs()).isEqualTo(4_999);
        assertThat(opened.getSession().getHolds()).isEqualTo(2);
        assertThat(opened.getSession().getWaits()).isEqualTo(1);
        assertThat(opened.getSession().getHandle()).isEqualTo(Views.handle(id)).matches("[0-9a-f]{16}");
        assertThat(renewed.getGoneList()).containsExactly(Requests.id(3));
        assertThat(closed.getHeader().getNodeId()).isEqualTo("n1");
    }

    @Test
    void what_is_no_part_of_the_lock_model_is_an_error_with_a_reason() {
        assertFails(new Outcome.NoSuchSession(), ErrorReason.NO_SUCH_SESSION, Status.Code.NOT_FOUND);
        assertFails(new Outcome.TooLate(), ErrorReason.TOO_LATE, Status.Code.FAILED_PRECONDITION);
        assertFails(new Outcome.AlreadyAnswered(), ErrorReason.ALREADY_ANSWERED, Status.Code.FAILED_PRECONDITION);
        StatusRuntimeException limit = assertFails(
                new Outcome.LimitReached("waiters of one lock", 7),
                ErrorReason.LIMIT_REACHED,
                Status.Code.RESOURCE_EXHAUSTED);
        assertThat(TestDoor.infoOf(limit).getMetadataMap()).containsEntry("limit", "waiters of one lock");
        StatusRuntimeException tooLow = assertFails(
                new Outcome.FeatureLevelTooLow(2, 1),
                ErrorReason.FEATURE_LEVEL_TOO_LOW,
                Status.Code.FAILED_PRECONDITION);
        assertThat(tooLow.getStatus().getDescription())
                .startsWith("this takes feature level 2, and the cluster is at 1");
        assertThat(TestDoor.infoOf(tooLow).getMetadataMap()).isEqualTo(Map.of("needed", "2", "level", "1"));
    }

    @Test
    void a_tag_that_another_request_has_used_is_refused_as_bad_input() {
        StatusRuntimeException failure = assertFails(
                new Outcome.Released(new FencingToken(5)), ErrorReason.INVALID_FIELD, Status.Code.INVALID_ARGUMENT);
        assertFails(new Outcome.NotAlone(2), ErrorReason.INVALID_FIELD, Status.Code.INVALID_ARGUMENT);

        assertThat(TestDoor.badRequestOf(failure).getFieldViolations(0).getField())
                .isEqualTo("tag");
        assertThat(catchThrowableOfType(
                        StatusRuntimeException.class, () -> release(new Outcome.Ended(End.EXPIRED, Optional.empty()))))
                .hasMessageContaining("tag is that of another request");
        assertThat(catchThrowableOfType(
                        StatusRuntimeException.class, () -> giveUp(new Outcome.Released(new FencingToken(5)))))
                .hasMessageContaining("tag is that of another request");
    }

    @ParameterizedTest
    @EnumSource(Unanswered.Why.class)
    void no_answer_from_the_store_is_unavailable_with_a_reason(Unanswered.Why why) {
        door.store.failNext(new Unanswered(why, "because"));

        StatusRuntimeException failure = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> door.locks()
                        .withInterceptors(
                                io.grpc.stub.MetadataUtils.newAttachHeadersInterceptor(ForwardedHeader.of("n9")))
                        .release(Requests.release("a", "A").build()));

        assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(failure.getStatus().getDescription()).isEqualTo("because");
        assertThat(TestDoor.infoOf(failure).getDomain()).isEqualTo("holdfast");
        assertThat(TestDoor.infoOf(failure).getReason())
                .isEqualTo(
                        switch (why) {
                            case NOT_LEADER -> "NO_LEADER";
                            case OVERLOADED -> "OVERLOADED";
                            case STOPPING -> "SHUTTING_DOWN";
                            case OUTCOME_UNKNOWN -> "OUTCOME_UNKNOWN";
                        });
    }

    @Test
    void a_bug_is_an_internal_error_with_an_id_to_report() {
        door.store.failNext(new IllegalStateException("secret detail"));

        StatusRuntimeException failure = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> door.locks().release(Requests.release("a", "A").build()));

        assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.INTERNAL);
        assertThat(failure.getStatus().getDescription())
                .doesNotContain("secret")
                .contains(TestDoor.infoOf(failure).getMetadataOrThrow("id"));
        assertThat(TestDoor.infoOf(failure).getReason()).isEqualTo("INTERNAL_ERROR");
    }

    @Test
    void an_outcome_that_cannot_be_is_a_bug() {
        assertFails(new Outcome.SessionClosed(), ErrorReason.INTERNAL_ERROR, Status.Code.INTERNAL);
    }

    private StatusRuntimeException assertFails(Outcome outcome, ErrorReason reason, Status.Code code) {
        StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class, () -> acquire(outcome));
        assertThat(failure.getStatus().getCode()).isEqualTo(code);
        assertThat(TestDoor.infoOf(failure).getReason()).isEqualTo(reason.name());
        return failure;
    }

    private AcquireResponse acquire(Outcome outcome) {
        door.store.answerNext(outcome);
        return door.locks().acquire(Requests.acquire("orders/42", "A").build());
    }

    private GiveUpResponse giveUp(Outcome outcome) {
        door.store.answerNext(outcome);
        return door.locks().giveUp(Requests.giveUp("orders/42", "A").build());
    }

    private ReleaseResponse release(Outcome outcome) {
        door.store.answerNext(outcome);
        return door.locks().release(Requests.release("orders/42", "A").build());
    }

    private RenewResponse renew(Outcome outcome) {
        door.store.answerNext(outcome);
        return door.locks()
                .renew(RenewRequest.newBuilder()
                        .setOwnerId("A")
                        .setName("orders/42")
                        .build());
    }
}
