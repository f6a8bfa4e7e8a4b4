package io.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.holdfast.core.Command;
import io.holdfast.core.Outcome;
import io.holdfast.server.proposer.Unanswered;
import io.holdfast.v1.GetSessionRequest;
import io.holdfast.v1.KeepSessionsAliveRequest;
import io.holdfast.v1.KeepSessionsAliveResponse;
import io.holdfast.v1.OpenSessionRequest;
import io.holdfast.v1.Session;
import io.holdfast.v1.SessionServiceGrpc;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sessions are shown, and kept alive over one stream. */
class SessionsTest {
    private static final ByteString ONE = Requests.id(1);
    private static final ByteString TWO = Requests.id(2);

    private final TestDoor door = TestDoor.leading();
    private final Replies replies = new Replies();

    @AfterEach
    void close() {
        door.close();
    }

    @Test
    void a_session_is_shown_to_who_knows_its_id() {
        open(ONE, 30_000);
        var unused = door.locks()
                .acquire(Requests.acquire("a", "A")
                        .setOwner(Requests.session(ONE))
                        .setTtlMs(0)
                        .build());

        Session session = door.sessions()
                .getSession(GetSessionRequest.newBuilder().setSessionId(ONE).build())
                .getSession();

        assertThat(session.getSessionId()).isEqualTo(ONE);
        assertThat(session.getTtlMs()).isEqualTo(30_000);
        assertThat(session.getHolds()).isOne();
        assertThat(session.getHandle()).matches("[0-9a-f]{16}");
        StatusRuntimeException gone = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> door.sessions()
                        .getSession(
                                GetSessionRequest.newBuilder().setSessionId(TWO).build()));
        assertThat(TestDoor.infoOf(gone).getReason()).isEqualTo("NO_SUCH_SESSION");
    }

    @Test
    void a_stream_renews_all_sessions_of_a_client_and_names_those_that_are_gone() throws Exception {
        open(ONE, 10_000);
        StreamObserver<KeepSessionsAliveRequest> stream = stream();

        stream.onNext(renewal(1, ONE, TWO));
        stream.onNext(renewal(2, ONE));

        KeepSessionsAliveResponse first = replies.next();
        assertThat(first.getNumber()).isOne();
        assertThat(first.getGoneList()).containsExactly(TWO);
        assertThat(first.getHeader().getNodeId()).isEqualTo("n1");
        assertThat(replies.next().getNumber()).isEqualTo(2);
        stream.onCompleted();
        assertThat(replies.end()).isEqualTo("completed");
    }

    @Test
    void a_message_is_answered_before_the_next_is_read() throws Exception {
        open(ONE, 10_000);
        var first = door.store.answerNextLater();
        StreamObserver<KeepSessionsAliveRequest> stream = stream();

        stream.onNext(renewal(1, ONE));
        stream.onNext(renewal(2, ONE));
        stream.onCompleted();
        assertThat(replies.answers.poll(100, TimeUnit.MILLISECONDS)).isNull();
        assertThat(door.store.commands)
                .filteredOn(Command.RenewSessions.class::isInstance)
                .hasSize(1);
        first.complete(new io.holdfast.server.proposer.Store.Answer<>(new Outcome.SessionsRenewed(List.of()), 9, 9));

        assertThat(replies.next().getHeader().getAppliedIndex()).isEqualTo(9);
        assertThat(replies.next().getNumber()).isEqualTo(2);
        assertThat(replies.end()).isEqualTo("completed");
    }

    @Test
    void a_renewal_that_is_not_sound_ends_the_stream_with_its_error() throws Exception {
        StreamObserver<KeepSessionsAliveRequest> stream = stream();

        stream.onNext(renewal(1, ByteString.copyFromUtf8("short")));

        assertThat(replies.end()).isEqualTo("INVALID_FIELD");
        assertThat(door.store.commands).isEmpty();
    }

    @Test
    void a_renewal_that_cannot_be_carried_out_ends_the_stream_so_that_another_node_is_asked() throws Exception {
        StreamObserver<KeepSessionsAliveRequest> stream = stream();
        door.store.failNext(new Unanswered(Unanswered.Why.OUTCOME_UNKNOWN, "no majority"));

        stream.onNext(renewal(1, ONE));

        assertThat(replies.end()).isEqualTo("OUTCOME_UNKNOWN");
    }

    @Test
    void a_door_that_closes_ends_its_streams_and_does_not_wait_for_them() throws Exception {
        open(ONE, 10_000);
        StreamObserver<KeepSessionsAliveRequest> stream = stream();
        stream.onNext(renewal(1, ONE));
        assertThat(replies.next().getNumber()).isOne();

        long start = System.nanoTime();
        door.door.close(Duration.ofSeconds(60));

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
        assertThat(replies.end()).isEqualTo("SHUTTING_DOWN");
    }

    private StreamObserver<KeepSessionsAliveRequest> stream() {
        return SessionServiceGrpc.newStub(door.channel).keepSessionsAlive(replies);
    }

    private void open(ByteString id, long ttlMillis) {
        var unused = door.sessions()
                .openSession(OpenSessionRequest.newBuilder()
                        .setSessionId(id)
                        .setTtlMs(ttlMillis)
                        .build());
    }

    private static KeepSessionsAliveRequest renewal(long number, ByteString... ids) {
        return KeepSessionsAliveRequest.newBuilder()
                .setNumber(number)
                .addAllSessionIds(List.of(ids))
                .build();
    }

    /** What comes back over a stream. */
    private static final class Replies implements StreamObserver<KeepSessionsAliveResponse> {
        final BlockingQueue<KeepSessionsAliveResponse> answers = new LinkedBlockingQueue<>();
        final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

        KeepSessionsAliveResponse next() throws InterruptedException {
            KeepSessionsAliveResponse answer = answers.poll(20, TimeUnit.SECONDS);
            assertThat(answer).isNotNull();
            return answer;
        }

        String end() throws InterruptedException {
            String end = ends.poll(20, TimeUnit.SECONDS);
            assertThat(end).isNotNull();
            return end;
        }

        @Override
        public void onNext(KeepSessionsAliveResponse answer) {
            answers.add(answer);
        }

        @Override
        public void onError(Throwable failure) {
            ends.add(TestDoor.infoOf((StatusRuntimeException) failure).getReason());
        }

        @Override
        public void onCompleted() {
            ends.add("completed");
        }
    }
}
