package io.holdfast.server.grpc;

import io.grpc.stub.StreamObserver;
import io.holdfast.server.grpc.Call.Task;
import io.holdfast.server.proposer.Store;
import io.holdfast.v1.CloseSessionRequest;
import io.holdfast.v1.CloseSessionResponse;
import io.holdfast.v1.OpenSessionRequest;
import io.holdfast.v1.OpenSessionResponse;
import io.holdfast.v1.RenewSessionsRequest;
import io.holdfast.v1.RenewSessionsResponse;
import io.holdfast.v1.SessionServiceGrpc;

/** The RPCs about sessions. */
final class SessionEndpoint extends SessionServiceGrpc.SessionServiceImplBase {
    private final Store store;
    private final Router router;
    private final Commands commands;
    private final Answers answers;

    SessionEndpoint(Store store, Router router, Commands commands, Answers answers) {
        this.store = store;
        this.router = router;
        this.commands = commands;
        this.answers = answers;
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
        router.serve(SessionServiceGrpc.getRenewSessionsMethod(), request, out, () -> {
            Commands.check(request);
            return Task.write(() -> store.submit(Commands.renew(request)).thenApply(answers::sessionsRenewed));
        });
    }

    @Override
    public void closeSession(CloseSessionRequest request, StreamObserver<CloseSessionResponse> out) {
        router.serve(SessionServiceGrpc.getCloseSessionMethod(), request, out, () -> {
            Commands.check(request);
            return Task.write(() -> store.submit(Commands.close(request)).thenApply(answers::closed));
        });
    }
}
