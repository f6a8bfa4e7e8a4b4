package io.holdfast.client;

import com.google.protobuf.ByteString;
import io.holdfast.v1.CloseSessionRequest;
import io.holdfast.v1.GetSessionRequest;
import io.holdfast.v1.GetSessionResponse;
import io.holdfast.v1.ListSessionsRequest;
import io.holdfast.v1.ListSessionsResponse;
import io.holdfast.v1.OpenSessionRequest;
import io.holdfast.v1.OpenSessionResponse;
import io.holdfast.v1.RenewSessionsRequest;
import io.holdfast.v1.RenewSessionsResponse;
import io.holdfast.v1.SessionServiceGrpc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Opens, shows and ends sessions. Thread safe.
 *
 * <p>A session is one lease for all that it holds and waits for. Calls block.
 */
public final class Sessions {
    private final Router router;
    private final ClientClock clock;
    private final double drift;
    private final SessionKeeper keeper;

    Sessions(Router router, ClientClock clock, double drift) {
        this.router = router;
        this.clock = clock;
        this.drift = drift;
        this.keeper = new SessionKeeper(new RenewalStream(router), clock);
    }

    /**
     * Opens a session under a random id.
     *
     * @param ttl how long its lease lasts unless it is renewed, 100 ms to 24 h
     * @param label who it is, for people
     * @return the session
     * @throws HoldfastException if it is not known, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public SessionInfo open(Duration ttl, String label) throws InterruptedException {
        OpenSessionRequest request = OpenSessionRequest.newBuilder()
                .setSessionId(Tags.randomId())
                .setTtlMs(ttl.toMillis())
                .setOwnerLabel(Answers.wellFormed("owner_label", label))
                .setIssuedAt(router.issueTime())
                .build();
        OpenSessionResponse response =
                router.call(SessionServiceGrpc.getOpenSessionMethod(), request).response();
        router.learn(response.getHeader());
        return Answers.session(response.getSession());
    }

    /**
     * Renews a session.
     *
     * @param id the session, 32 hexadecimal digits
     * @return whether it exists; if not, its locks are lost
     * @throws HoldfastException if it is not known, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public boolean renew(String id) throws InterruptedException {
        return renewed(id).response().getGoneCount() == 0;
    }

    private Router.Answered<RenewSessionsResponse> renewed(String id) throws InterruptedException {
        RenewSessionsRequest request = RenewSessionsRequest.newBuilder()
                .addSessionIds(Answers.bytes("session", id))
                .build();
        Router.Answered<RenewSessionsResponse> answered =
                router.call(SessionServiceGrpc.getRenewSessionsMethod(), request);
        router.learn(answered.response().getHeader());
        return answered;
    }

    /**
     * Keeps a session alive until that is closed: renews it at a third of its TTL, together with all other sessions that this client keeps, over one stream.
     *
     * @param session the session, as it was opened
     * @param listener hears if it is lost
     * @return tells whether it may be believed in, and ends the renewing when closed
     * @throws HoldfastException.NoSuchSession if it does not exist any more
     * @throws HoldfastException if it is not known, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public SessionKeepAlive keepAlive(SessionInfo session, SessionListener listener) throws InterruptedException {
        Router.Answered<RenewSessionsResponse> answered = renewed(session.id());
        if (answered.response().getGoneCount() > 0) {
            throw new HoldfastException.NoSuchSession("the session expired, was closed, or was never opened");
        }
        Lease lease = new Lease(drift, clock, answered.sent(), session.ttl());
        SessionKeepAlive kept = new SessionKeepAlive(session.id(), lease, listener, keeper);
        keeper.keep(kept);
        return kept;
    }

    /** Renews nothing any more. */
    void stopRenewing() {
        keeper.close();
    }

    /**
     * Shows a session, and what it holds and waits for.
     *
     * @param id the session, 32 hexadecimal digits
     * @return the session, or empty if it does not exist
     * @throws HoldfastException if nobody answers, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public Optional<SessionDetails> get(String id) throws InterruptedException {
        GetSessionRequest request = GetSessionRequest.newBuilder()
                .setSessionId(Answers.bytes("session", id))
                .build();
        try {
            GetSessionResponse response = router.call(SessionServiceGrpc.getGetSessionMethod(), request)
                    .response();
            router.learn(response.getHeader());
            return Optional.of(new SessionDetails(
                    Answers.session(response.getSession()),
                    response.getHoldsList().stream().map(Answers::holder).toList(),
                    response.getWaitsList()));
        } catch (HoldfastException.NoSuchSession e) {
            return Optional.empty();
        }
    }

    /**
     * Lists sessions, page by page: in no particular order, and each as it was when its page was read.
     *
     * @return all sessions
     * @throws HoldfastException if nobody answers, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public List<SessionInfo> list() throws InterruptedException {
        List<SessionInfo> all = new ArrayList<>();
        ByteString page = ByteString.EMPTY;
        do {
            ListSessionsRequest request =
                    ListSessionsRequest.newBuilder().setPage(page).build();
            ListSessionsResponse response = router.call(SessionServiceGrpc.getListSessionsMethod(), request)
                    .response();
            router.learn(response.getHeader());
            response.getSessionsList().forEach(session -> all.add(Answers.session(session)));
            page = response.getNextPage();
        } while (!page.isEmpty());
        return all;
    }

    /**
     * Ends a session: its locks are released, its places in queues given up.
     *
     * @param id the session, 32 hexadecimal digits
     * @throws HoldfastException.NoSuchSession if it does not exist
     * @throws HoldfastException if it is not known, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public void close(String id) throws InterruptedException {
        CloseSessionRequest request = CloseSessionRequest.newBuilder()
                .setSessionId(Answers.bytes("session", id))
                .build();
        router.learn(router.call(SessionServiceGrpc.getCloseSessionMethod(), request)
                .response()
                .getHeader());
    }
}
