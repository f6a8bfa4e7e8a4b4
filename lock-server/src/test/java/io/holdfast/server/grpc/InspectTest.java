package io.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.holdfast.v1.Ended;
import io.holdfast.v1.GetHistoryRequest;
import io.holdfast.v1.GetHistoryResponse;
import io.holdfast.v1.GetPastHoldersRequest;
import io.holdfast.v1.GetPastHoldersResponse;
import io.holdfast.v1.GetSessionRequest;
import io.holdfast.v1.GetSessionResponse;
import io.holdfast.v1.GetWaitRequest;
import io.holdfast.v1.GetWaitResponse;
import io.holdfast.v1.Hold;
import io.holdfast.v1.InspectServiceGrpc;
import io.holdfast.v1.InspectServiceGrpc.InspectServiceBlockingStub;
import io.holdfast.v1.ListSessionsRequest;
import io.holdfast.v1.ListSessionsResponse;
import io.holdfast.v1.OpenSessionRequest;
import io.holdfast.v1.PastHold;
import io.holdfast.v1.Session;
import io.holdfast.v1.WatchEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A closer look, as a client takes it; at a real lock table. */
class InspectTest {
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
    void one_who_waits_is_told_its_place_and_who_is_ahead() {
        hold("a", "A");
        for (String waiter : List.of("W1", "W2", "W3")) {
            var unused = door.locks()
                    .acquire(Requests.acquire("a", waiter).setWaitMs(-1).build());
        }

        GetWaitResponse wait = inspect()
                .getWait(GetWaitRequest.newBuilder()
                        .setName("a")
                        .setOwner(Requests.owner("W3"))
                        .setMaxAhead(1)
                        .build());

        assertThat(wait.getPlace()).isEqualTo(3);
        assertThat(wait.getWaiter().getOwner().getId()).isEqualTo("W3");
        assertThat(wait.getAheadList()).extracting(it -> it.getOwner().getId()).containsExactly("W1");
        assertThat(wait.getLock().getHolders(0).getOwner().getId()).isEqualTo("A");
        GetWaitResponse none = inspect()
                .getWait(GetWaitRequest.newBuilder()
                        .setName("a")
                        .setOwner(Requests.owner("A"))
                        .build());
        assertThat(none.hasWaiter()).isFalse();
        assertThat(none.getHeader().getNodeId()).isEqualTo("n1");
    }

    @Test
    void one_who_waits_for_a_set_is_told_the_others() {
        hold("a", "A");
        var unused = door.locks()
                .acquireAll(Requests.acquireAll("W", "a", "b").setWaitMs(-1).build());

        assertThat(inspect()
                        .getWait(GetWaitRequest.newBuilder()
                                .setName("a")
                                .setOwner(Requests.owner("W"))
                                .build())
                        .getOthersList())
                .containsExactly("b");
    }

    @Test
    void who_held_a_lock_is_told_by_log_index_and_by_time() {
        door.store.passTo(1_000_000_000);
        Hold hold = hold("a", "A");
        door.store.passTo(3_000_000_000L);
        assertThat(door.locks().release(Requests.release("a", "A").build()).hasReleased())
                .isTrue();
        door.store.passTo(4_000_000_000L);

        PastHold past =
                past(it -> it.setLogIndex(hold.getLogIndex())).getKnown().getHolds(0);
        assertThat(past.getOwner().getId()).isEqualTo("A");
        assertThat(past.getToken()).isEqualTo(hold.getToken());
        assertThat(past.getEnding().getHow()).isEqualTo(Ended.How.RELEASED);
        assertThat(past.getEnding().getLeaseTime()).isEqualTo(3_000_000_000L);
        assertThat(past(it -> it.setLeaseTime(2_000_000_000L)).getKnown().getHoldsList())
                .containsExactly(past);
        assertThat(past(it -> it.setAgoMs(2_000)).getKnown().getHoldsList()).containsExactly(past);
        assertThat(past(it -> it.setAgoMs(0)).getKnown().getHoldsList()).isEmpty();
        assertThat(past(it -> it.setLogIndex(9_999)).hasNotYet()).isTrue();
    }

    private GetPastHoldersResponse past(UnaryOperator<GetPastHoldersRequest.Builder> moment) {
        return inspect()
                .getPastHolders(moment.apply(GetPastHoldersRequest.newBuilder().setName("a"))
                        .build());
    }

    @Test
    void the_latest_events_of_a_lock_are_told_oldest_first() {
        Hold hold = hold("a", "A");
        hold("other", "B");
        var unused = door.locks().release(Requests.release("a", "A").build());

        GetHistoryResponse history =
                inspect().getHistory(GetHistoryRequest.newBuilder().setName("a").build());

        assertThat(history.getEventsList())
                .extracting(WatchEvent::getKind)
                .containsExactly(WatchEvent.Kind.ACQUIRED, WatchEvent.Kind.RELEASED);
        assertThat(history.getEvents(0).getLogIndex()).isEqualTo(hold.getLogIndex());
        assertThat(history.getEvents(1).getToken()).isEqualTo(hold.getToken());
        assertThat(inspect()
                        .getHistory(GetHistoryRequest.newBuilder()
                                .setName("a")
                                .setMaxEvents(1)
                                .build())
                        .getEventsList())
                .containsExactly(history.getEvents(1));
        BadInputTest.assertRefused(
                () -> inspect()
                        .getHistory(GetHistoryRequest.newBuilder()
                                .setName("a")
                                .setMaxEvents(1_001)
                                .build()),
                "max_events",
                "max_events is 1001; it must be 0 to 1000");
    }

    @Test
    void sessions_are_listed_page_by_page_each_once() {
        List<ByteString> opened = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            opened.add(open());
        }
        List<ByteString> seen = new ArrayList<>();
        ByteString page = ByteString.EMPTY;
        int pages = 0;
        do {
            ListSessionsResponse response = door.sessions()
                    .listSessions(ListSessionsRequest.newBuilder()
                            .setPageSize(2)
                            .setPage(page)
                            .build());
            response.getSessionsList().stream().map(Session::getSessionId).forEach(seen::add);
            page = response.getNextPage();
            pages++;
        } while (!page.isEmpty());

        assertThat(seen).containsExactlyInAnyOrderElementsOf(opened);
        assertThat(pages).isEqualTo(3);
    }

    @Test
    void a_session_is_shown_with_what_it_holds_and_waits_for() {
        ByteString id = open();
        hold("b", "B");
        for (String name : List.of("a", "b")) {
            var unused = door.locks()
                    .acquire(Requests.acquire(name, "")
                            .setOwner(Requests.session(id))
                            .setTtlMs(0)
                            .setWaitMs(60_000)
                            .build());
        }

        GetSessionResponse shown = door.sessions()
                .getSession(GetSessionRequest.newBuilder().setSessionId(id).build());

        assertThat(shown.getHoldsList()).extracting(Hold::getName).containsExactly("a");
        assertThat(shown.getWaitsList()).containsExactly("b");
    }

    @Test
    void what_is_not_sound_is_refused_by_field() {
        BadInputTest.assertRefused(
                () -> past(it -> it.clearMoment()), "moment", "moment is missing; it must be a log_index");
        BadInputTest.assertRefused(() -> past(it -> it.setLogIndex(0)), "log_index", "log_index is 0; it must be 1 to");
        BadInputTest.assertRefused(() -> past(it -> it.setLeaseTime(-1)), "lease_time", "lease_time is -1 ns");
        BadInputTest.assertRefused(() -> past(it -> it.setAgoMs(-1)), "ago_ms", "ago_ms is -1 ms");
        BadInputTest.assertRefused(() -> past(it -> it.setName("").setAgoMs(1)), "name", "name is empty");
        BadInputTest.assertRefused(
                () -> inspect().getWait(GetWaitRequest.newBuilder().setName("a").build()), "owner", "owner is missing");
        BadInputTest.assertRefused(
                () -> inspect()
                        .getWait(GetWaitRequest.newBuilder()
                                .setName("a")
                                .setOwner(Requests.owner("A"))
                                .setMaxAhead(-1)
                                .build()),
                "max_ahead",
                "max_ahead is -1; it must be 0 to 10000");
        BadInputTest.assertRefused(
                () -> door.sessions()
                        .listSessions(ListSessionsRequest.newBuilder()
                                .setPage(ByteString.copyFromUtf8("x"))
                                .build()),
                "page",
                "page is 1 bytes; it must be next_page of the page before");
        BadInputTest.assertRefused(
                () -> door.sessions()
                        .listSessions(ListSessionsRequest.newBuilder()
                                .setPageSize(1_001)
                                .build()),
                "page_size",
                "page_size is 1001; it must be 0 to 1000");
    }

    private InspectServiceBlockingStub inspect() {
        return InspectServiceGrpc.newBlockingStub(door.channel);
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

    private Hold hold(String name, String owner) {
        Hold hold = door.locks()
                .acquire(Requests.acquire(name, owner).setTtlMs(60_000).build())
                .getGranted();
        assertThat(hold.getToken()).isPositive();
        return hold;
    }
}
