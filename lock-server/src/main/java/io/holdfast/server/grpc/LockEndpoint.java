package io.holdfast.server.grpc;

import io.grpc.stub.StreamObserver;
import io.holdfast.core.Bounds;
import io.holdfast.core.FencingToken;
import io.holdfast.core.LockName;
import io.holdfast.core.LockTable;
import io.holdfast.core.LockView;
import io.holdfast.core.SessionId;
import io.holdfast.server.config.ReadConfig;
import io.holdfast.server.grpc.Call.Task;
import io.holdfast.server.proposer.Store;
import io.holdfast.v1.AcquireAllRequest;
import io.holdfast.v1.AcquireAllResponse;
import io.holdfast.v1.AcquireRequest;
import io.holdfast.v1.AcquireResponse;
import io.holdfast.v1.CheckTokenRequest;
import io.holdfast.v1.CheckTokenResponse;
import io.holdfast.v1.ConvertRequest;
import io.holdfast.v1.ConvertResponse;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.GiveUpAllRequest;
import io.holdfast.v1.GiveUpAllResponse;
import io.holdfast.v1.GiveUpRequest;
import io.holdfast.v1.GiveUpResponse;
import io.holdfast.v1.HandOffRequest;
import io.holdfast.v1.HandOffResponse;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.ListLocksResponse;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.Owner;
import io.holdfast.v1.ProclaimRequest;
import io.holdfast.v1.ProclaimResponse;
import io.holdfast.v1.ReleaseAllRequest;
import io.holdfast.v1.ReleaseAllResponse;
import io.holdfast.v1.ReleaseRequest;
import io.holdfast.v1.ReleaseResponse;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.RenewResponse;
import io.holdfast.v1.RevokeRequest;
import io.holdfast.v1.RevokeResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** The RPCs about locks. */
final class LockEndpoint extends LockServiceGrpc.LockServiceImplBase {
    /** An ask is answered after this part of the TTL, so that the next one renews the lease in good time (DESIGN §2). */
    private static final int ASKS_PER_TTL = 3;

    private static final int DEFAULT_PAGE_SIZE = 100;
    private static final int DEFAULT_WAITERS = 100;
    private static final int DEFAULT_WAITERS_IN_PAGE = 10;

    private final Store store;
    private final Router router;
    private final LocalReads localReads;
    private final Commands commands;
    private final Answers answers;
    private final SetCommands setCommands;
    private final SetAnswers setAnswers;
    private final HoldCommands holdCommands;
    private final HoldAnswers holdAnswers;
    private final ReadConfig limits;

    LockEndpoint(
            Store store, Router router, LocalReads localReads, Commands commands, Answers answers, ReadConfig limits) {
        this.store = store;
        this.router = router;
        this.localReads = localReads;
        this.commands = commands;
        this.answers = answers;
        this.setCommands = new SetCommands(commands);
        this.setAnswers = new SetAnswers(answers);
        this.holdCommands = new HoldCommands(commands);
        this.holdAnswers = new HoldAnswers(answers);
        this.limits = limits;
    }

    @Override
    public void acquire(AcquireRequest request, StreamObserver<AcquireResponse> out) {
        router.serve(LockServiceGrpc.getAcquireMethod(), request, out, () -> {
            Commands.check(request);
            if (request.getWaitMs() == 0) {
                return Task.write(() -> store.submit(commands.acquire(request)).thenApply(answers::acquired));
            }
            return new Task<>(
                    false,
                    block(request.getOwner(), request.getTtlMs(), request.getBlockMs()),
                    block -> store.ask(commands.acquire(request), block).thenApply(answers::acquired));
        });
    }

    /** How long an ask may wait for an answer other than <em>waiting</em>. */
    private Duration block(Owner owner, long ttlMillis, long blockMillis) {
        Duration most = ttl(owner, ttlMillis).dividedBy(ASKS_PER_TTL);
        Duration wanted = Duration.ofMillis(blockMillis);
        return !wanted.isZero() && wanted.compareTo(most) < 0 ? wanted : most;
    }

    private Duration ttl(Owner owner, long ttlMillis) {
        if (!owner.hasSessionId()) {
            return Duration.ofMillis(ttlMillis);
        }
        SessionId id = Commands.session(owner.getSessionId());
        return store.readStale(table -> table.session(id))
                .value()
                .map(session -> Duration.ofNanos(session.ttlNanos()))
                .orElse(Duration.ZERO); // not known here (yet): asks are answered at once
    }

    @Override
    public void acquireAll(AcquireAllRequest request, StreamObserver<AcquireAllResponse> out) {
        router.serve(LockServiceGrpc.getAcquireAllMethod(), request, out, () -> {
            SetCommands.check(request);
            if (request.getWaitMs() == 0) {
                return Task.write(
                        () -> store.submit(setCommands.acquire(request)).thenApply(setAnswers::acquired));
            }
            return new Task<>(
                    false,
                    block(request.getOwner(), request.getTtlMs(), request.getBlockMs()),
                    block -> store.ask(setCommands.acquire(request), block).thenApply(setAnswers::acquired));
        });
    }

    @Override
    public void giveUpAll(GiveUpAllRequest request, StreamObserver<GiveUpAllResponse> out) {
        router.serve(LockServiceGrpc.getGiveUpAllMethod(), request, out, () -> {
            SetCommands.check(request);
            return Task.write(() -> store.submit(setCommands.giveUp(request)).thenApply(setAnswers::gaveUp));
        });
    }

    @Override
    public void releaseAll(ReleaseAllRequest request, StreamObserver<ReleaseAllResponse> out) {
        router.serve(LockServiceGrpc.getReleaseAllMethod(), request, out, () -> {
            SetCommands.check(request);
            return Task.write(() -> store.submit(setCommands.release(request)).thenApply(setAnswers::released));
        });
    }

    @Override
    public void convert(ConvertRequest request, StreamObserver<ConvertResponse> out) {
        router.serve(LockServiceGrpc.getConvertMethod(), request, out, () -> {
            HoldCommands.check(request);
            return Task.write(() -> store.submit(holdCommands.convert(request)).thenApply(holdAnswers::converted));
        });
    }

    @Override
    public void proclaim(ProclaimRequest request, StreamObserver<ProclaimResponse> out) {
        router.serve(LockServiceGrpc.getProclaimMethod(), request, out, () -> {
            HoldCommands.check(request);
            return Task.write(() -> store.submit(holdCommands.proclaim(request)).thenApply(holdAnswers::proclaimed));
        });
    }

    @Override
    public void handOff(HandOffRequest request, StreamObserver<HandOffResponse> out) {
        router.serve(LockServiceGrpc.getHandOffMethod(), request, out, () -> {
            HoldCommands.check(request);
            return Task.write(() -> store.submit(holdCommands.handOff(request)).thenApply(holdAnswers::handedOff));
        });
    }

    @Override
    public void revoke(RevokeRequest request, StreamObserver<RevokeResponse> out) {
        router.serve(LockServiceGrpc.getRevokeMethod(), request, out, () -> {
            HoldCommands.check(request);
            return Task.write(() -> store.submit(holdCommands.revoke(request)).thenApply(holdAnswers::revoked));
        });
    }

    @Override
    public void checkToken(CheckTokenRequest request, StreamObserver<CheckTokenResponse> out) {
        router.serve(LockServiceGrpc.getCheckTokenMethod(), request, out, () -> {
            Checks checks = new Checks();
            checks.bound("name", Bounds.name(request.getName()));
            checks.bound("token", Bounds.token(request.getToken()));
            checks.done();
            LockName name = new LockName(request.getName());
            FencingToken token = new FencingToken(request.getToken());
            return Task.read(() -> store.read(table -> table.check(name, token)).thenApply(holdAnswers::checked));
        });
    }

    @Override
    public void giveUp(GiveUpRequest request, StreamObserver<GiveUpResponse> out) {
        router.serve(LockServiceGrpc.getGiveUpMethod(), request, out, () -> {
            Commands.check(request);
            return Task.write(() -> store.submit(commands.giveUp(request)).thenApply(answers::gaveUp));
        });
    }

    @Override
    public void release(ReleaseRequest request, StreamObserver<ReleaseResponse> out) {
        router.serve(LockServiceGrpc.getReleaseMethod(), request, out, () -> {
            Commands.check(request);
            return Task.write(() -> store.submit(commands.release(request)).thenApply(answers::released));
        });
    }

    @Override
    public void renew(RenewRequest request, StreamObserver<RenewResponse> out) {
        router.serve(LockServiceGrpc.getRenewMethod(), request, out, () -> {
            Commands.check(request);
            return Task.write(() -> store.submit(Commands.renew(request)).thenApply(answers::renewed));
        });
    }

    @Override
    public void getLock(GetLockRequest request, StreamObserver<GetLockResponse> out) {
        if (request.getStale()) {
            localReads.serve(LockServiceGrpc.getGetLockMethod(), out, () -> {
                Function<LockTable, Optional<LockView>> query = query(request);
                OptionalLong age = store.staleMillis(); // before the state is read: it is no older than that
                return Answers.withAge(answers.lock(store.readStale(query)), age);
            });
            return;
        }
        router.serve(LockServiceGrpc.getGetLockMethod(), request, out, () -> {
            Function<LockTable, Optional<LockView>> query = query(request);
            return Task.read(() -> store.read(query).thenApply(answers::lock));
        });
    }

    private Function<LockTable, Optional<LockView>> query(GetLockRequest request) {
        Checks checks = new Checks();
        checks.bound("name", Bounds.name(request.getName()));
        checks.inRange("max_waiters", request.getMaxWaiters(), 0, limits.maxWaiters(), "");
        checks.done();
        LockName name = new LockName(request.getName());
        int waiters = orDefault(request.getMaxWaiters(), Math.min(DEFAULT_WAITERS, limits.maxWaiters()));
        return table -> table.lock(name, waiters);
    }

    @Override
    public void listLocks(ListLocksRequest request, StreamObserver<ListLocksResponse> out) {
        int pageSize = orDefault(request.getPageSize(), Math.min(DEFAULT_PAGE_SIZE, limits.maxPageSize()));
        if (request.getStale()) {
            localReads.serve(LockServiceGrpc.getListLocksMethod(), out, () -> {
                Function<LockTable, List<LockView>> query = query(request, pageSize);
                OptionalLong age = store.staleMillis();
                return Answers.withAge(answers.locks(store.readStale(query), pageSize), age);
            });
            return;
        }
        router.serve(LockServiceGrpc.getListLocksMethod(), request, out, () -> {
            Function<LockTable, List<LockView>> query = query(request, pageSize);
            return Task.read(() -> store.read(query).thenApply(answer -> answers.locks(answer, pageSize)));
        });
    }

    private Function<LockTable, List<LockView>> query(ListLocksRequest request, int pageSize) {
        Checks checks = new Checks();
        checks.optionalName("prefix", request.getPrefix());
        checks.optionalName("after", request.getAfter());
        checks.inRange("page_size", request.getPageSize(), 0, limits.maxPageSize(), "");
        // The whole page is read while nothing can be applied.
        int mostWaiters = limits.maxWaiters() / Math.max(1, pageSize);
        checks.inRange("max_waiters", request.getMaxWaiters(), 0, mostWaiters, "");
        checks.done();
        int waiters = orDefault(request.getMaxWaiters(), Math.min(DEFAULT_WAITERS_IN_PAGE, mostWaiters));
        String prefix = request.getPrefix();
        String after = request.getAfter();
        return table -> table.locks(prefix, after, pageSize + 1, waiters);
    }

    private static int orDefault(int value, int usual) {
        return value == 0 ? usual : value;
    }
}
