package io.holdfast.server.grpc;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.holdfast.core.SessionId;
import io.holdfast.server.config.ReadConfig;
import io.holdfast.server.grpc.Call.Task;
import io.holdfast.server.proposer.Store;
import io.holdfast.v1.CloseSessionRequest;
import io.holdfast.v1.CloseSessionResponse;
import io.holdfast.v1.GetSessionRequest;
import io.holdfast.v1.GetSessionResponse;
import io.holdfast.v1.KeepSessionsAliveRequest;
import io.holdfast.v1.KeepSessionsAliveResponse;
import io.holdfast.v1.ListSessionsRequest;
import io.holdfast.v1.ListSessionsResponse;
import io.holdfast.v1.OpenSessionRequest;
import io.holdfast.v1.OpenSessionResponse;
import io.holdfast.v1.RenewSessionsRequest;
import io.holdfast.v1.RenewSessionsResponse;
import io.holdfast.v1.SessionServiceGrpc;
import java.util.Optional;

/** The RPCs about sessions. */
final class SessionEndpoint extends SessionServiceGrpc.SessionServiceImplBase {
    private static final int MAX_CLAIMS = 100;
    private static final int DEFAULT_PAGE_SIZE = 100;
    private static final int ID_BYTES = 16;

    private final Store store;
    private final Router router;
    private final Commands commands;
    private final Answers answers;
    private final KeepAliveStreams streams;
    private final ReadConfig limits;

    SessionEndpoint(Store store, Router router, Commands commands, Answers answers, ReadConfig limits) {
        this.store = store;
        this.router = router;
        this.commands = commands;
        this.answers = answers;
        this.limits = limits;
        this.streams = new KeepAliveStreams(router, this::renewal);
    }

    @Override
    public void openSession(OpenSessionRequest request, StreamObserver<OpenSessionResponse> out) {
        router.serve(SessionServiceGrpc.getOpenSessionMethod(), request, out, () -> {
            Commands.check(request);
            return Task.write(() -> store.submit(commands.open(request)).thenApply(answers::opened));
        });
    }

    @Override
    public void renewSessions(RenewSessionsRequest request, StreamObserver<RenewSessionsResponse> out) {
        router.serve(SessionServiceGrpc.getRenewSessionsMethod(), request, out, () -> renewal(request));
    }

    private Task<RenewSessionsResponse> renewal(RenewSessionsRequest request) {
        Commands.check(request);
        return Task.write(() -> store.submit(Commands.renew(request)).thenApply(answers::sessionsRenewed));
    }

    @Override
    public StreamObserver<KeepSessionsAliveRequest> keepSessionsAlive(StreamObserver<KeepSessionsAliveResponse> out) {
        return streams.open((ServerCallStreamObserver<KeepSessionsAliveResponse>) out);
    }

    @Override
    public void getSession(GetSessionRequest request, StreamObserver<GetSessionResponse> out) {
        router.serve(SessionServiceGrpc.getGetSessionMethod(), request, out, () -> {
            Checks checks = new Checks();
            checks.id("session_id", request.getSessionId());
            checks.done();
            SessionId id = Commands.session(request.getSessionId());
            return Task.read(
                    () -> store.read(table -> table.claims(id, MAX_CLAIMS)).thenApply(answers::session));
        });
    }

    @Override
    public void listSessions(ListSessionsRequest request, StreamObserver<ListSessionsResponse> out) {
        router.serve(SessionServiceGrpc.getListSessionsMethod(), request, out, () -> {
            Checks checks = new Checks();
            checks.inRange("page_size", request.getPageSize(), 0, limits.maxPageSize(), "");
            int bytes = request.getPage().size();
            checks.require(bytes == 0 || bytes == ID_BYTES, "page", bytes + " bytes", "next_page of the page before");
            checks.done();
            int size = request.getPageSize() == 0
                    ? Math.min(DEFAULT_PAGE_SIZE, limits.maxPageSize())
                    : request.getPageSize();
            Optional<SessionId> after =
                    bytes == 0 ? Optional.empty() : Optional.of(Commands.session(request.getPage()));
            return Task.read(() ->
                    store.read(table -> table.sessions(after, size + 1)).thenApply(it -> answers.sessions(it, size)));
        });
    }

    @Override
    public void closeSession(CloseSessionRequest request, StreamObserver<CloseSessionResponse> out) {
        router.serve(SessionServiceGrpc.getCloseSessionMethod(), request, out, () -> {
            Commands.check(request);
            return Task.write(() -> store.submit(Commands.close(request)).thenApply(answers::closed));
        });
    }

    /** Ends what would not end by itself. */
    void close() {
        streams.close();
    }
}
