package io.holdfast.server.grpc;

import io.grpc.stub.StreamObserver;
import io.holdfast.core.Bounds;
import io.holdfast.core.HeldAt;
import io.holdfast.core.LockName;
import io.holdfast.core.LockTable;
import io.holdfast.core.Owner;
import io.holdfast.core.Why;
import io.holdfast.server.config.ReadConfig;
import io.holdfast.server.grpc.Call.Task;
import io.holdfast.server.proposer.Store;
import io.holdfast.v1.GetHistoryRequest;
import io.holdfast.v1.GetHistoryResponse;
import io.holdfast.v1.GetPastHoldersRequest;
import io.holdfast.v1.GetPastHoldersResponse;
import io.holdfast.v1.GetWaitRequest;
import io.holdfast.v1.GetWaitResponse;
import io.holdfast.v1.InspectServiceGrpc;
import io.holdfast.v1.ListWaitsRequest;
import io.holdfast.v1.ListWaitsResponse;
import java.util.Optional;
import java.util.function.Function;

/** The RPCs that look closer: why one waits, who held what. */
final class InspectEndpoint extends InspectServiceGrpc.InspectServiceImplBase {
    private static final int DEFAULT_AHEAD = 10;
    private static final int DEFAULT_EDGES = 1_000;
    private static final int MAX_EDGES = 10_000;
    private static final int DEFAULT_EVENTS = 100;
    private static final int MAX_EVENTS = 1_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Store store;
    private final Router router;
    private final InspectAnswers answers;
    private final ReadConfig limits;

    InspectEndpoint(Store store, Router router, Answers answers, ReadConfig limits) {
        this.store = store;
        this.router = router;
        this.answers = new InspectAnswers(answers);
        this.limits = limits;
    }

    @Override
    public void getWait(GetWaitRequest request, StreamObserver<GetWaitResponse> out) {
        router.serve(InspectServiceGrpc.getGetWaitMethod(), request, out, () -> {
            Function<LockTable, Optional<Why>> query = query(request);
            return Task.read(() -> store.read(query).thenApply(answers::wait));
        });
    }

    private Function<LockTable, Optional<Why>> query(GetWaitRequest request) {
        Checks checks = new Checks();
        checks.bound("name", Bounds.name(request.getName()));
        checks.owner(request.getOwner());
        checks.inRange("max_ahead", request.getMaxAhead(), 0, limits.maxWaiters(), "");
        checks.done();
        LockName name = new LockName(request.getName());
        Owner owner = Commands.owner(request.getOwner());
        int most = request.getMaxAhead() == 0 ? Math.min(DEFAULT_AHEAD, limits.maxWaiters()) : request.getMaxAhead();
        return table -> table.why(name, owner, most);
    }

    @Override
    public void listWaits(ListWaitsRequest request, StreamObserver<ListWaitsResponse> out) {
        router.serve(InspectServiceGrpc.getListWaitsMethod(), request, out, () -> {
            Checks checks = new Checks();
            checks.inRange("max_edges", request.getMaxEdges(), 0, MAX_EDGES, "");
            checks.done();
            int most = request.getMaxEdges() == 0 ? DEFAULT_EDGES : request.getMaxEdges();
            return Task.read(() -> store.read(table -> table.waits(most)).thenApply(answers::waits));
        });
    }

    @Override
    public void getHistory(GetHistoryRequest request, StreamObserver<GetHistoryResponse> out) {
        router.serve(InspectServiceGrpc.getGetHistoryMethod(), request, out, () -> {
            Checks checks = new Checks();
            checks.bound("name", Bounds.name(request.getName()));
            checks.inRange("max_events", request.getMaxEvents(), 0, MAX_EVENTS, "");
            checks.done();
            LockName name = new LockName(request.getName());
            int most = request.getMaxEvents() == 0 ? DEFAULT_EVENTS : request.getMaxEvents();
            return Task.read(
                    () -> store.read(table -> table.history(name, most)).thenApply(answers::history));
        });
    }

    @Override
    public void getPastHolders(GetPastHoldersRequest request, StreamObserver<GetPastHoldersResponse> out) {
        router.serve(InspectServiceGrpc.getGetPastHoldersMethod(), request, out, () -> {
            Function<LockTable, HeldAt> query = query(request);
            return Task.read(() -> store.read(query).thenApply(answers::heldAt));
        });
    }

    private static Function<LockTable, HeldAt> query(GetPastHoldersRequest request) {
        Checks checks = new Checks();
        checks.bound("name", Bounds.name(request.getName()));
        switch (request.getMomentCase()) {
            case LOG_INDEX -> checks.inRange("log_index", request.getLogIndex(), 1, Long.MAX_VALUE, "");
            case LEASE_TIME -> checks.inRange("lease_time", request.getLeaseTime(), 0, Long.MAX_VALUE, " ns");
            case AGO_MS -> checks.inRange("ago_ms", request.getAgoMs(), 0, Checks.MAX_WAIT_MILLIS, " ms");
            case MOMENT_NOT_SET -> checks.require(false, "moment", "missing", "a log_index, a lease_time or an ago_ms");
        }
        checks.done();
        LockName name = new LockName(request.getName());
        long ago = request.getAgoMs() * NANOS_PER_MILLI;
        return table -> switch (request.getMomentCase()) {
            case LOG_INDEX -> table.heldAt(name, request.getLogIndex());
            case LEASE_TIME -> table.heldAtTime(name, request.getLeaseTime());
            case AGO_MS, MOMENT_NOT_SET -> table.heldAtTime(name, Math.max(0, table.clockNanos() - ago));
        };
    }
}
