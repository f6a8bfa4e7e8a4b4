package io.holdfast.client;

import io.holdfast.v1.CloseSessionRequest;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.ListLocksResponse;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.OpenSessionRequest;
import io.holdfast.v1.ReleaseRequest;
import io.holdfast.v1.ReleaseResponse;
import io.holdfast.v1.RenewResponse;
import io.holdfast.v1.RenewSessionsRequest;
import io.holdfast.v1.SessionServiceGrpc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A client of a Holdfast cluster. Thread safe; one is enough for a process.
 *
 * <p>Calls block. Each finds the leader by itself, and sends its request again until it is answered or {@link Builder#timeout} is over; a request has one effect however often it is sent. Errors are {@link HoldfastException}s that say whether the request may have taken effect.
 *
 * <pre>{@code
 * try (HoldfastClient client = HoldfastClient.connect("127.0.0.1:7401", "127.0.0.1:7402")) {
 *     if (client.acquire(LockRequest.of("orders/42")) instanceof Acquisition.Granted granted) {
 *         write(order, granted.grant().token());
 *         client.release(granted.grant());
 *     }
 * }
 * }</pre>
 */
public final class HoldfastClient implements AutoCloseable {
    private final Router router;
    private final ClientClock clock;
    private final double drift;
    private final Acquiring acquiring;

    HoldfastClient(Router router, ClientClock clock, double drift) {
        this.router = router;
        this.clock = clock;
        this.drift = drift;
        this.acquiring = new Acquiring(router, clock, drift);
    }

    /**
     * Makes a client with the usual settings. Connects when it is first used.
     *
     * @param endpoints host:port of some nodes; the others are learnt from them
     * @return the client
     */
    public static HoldfastClient connect(String... endpoints) {
        return builder().endpoints(Arrays.asList(endpoints)).build();
    }

    /**
     * Begins to describe a client.
     *
     * @return a builder with the usual settings
     */
    public static Builder builder() {
        return new Builder();
    }

    /** Describes a client. */
    public static final class Builder {
        private List<String> endpoints = List.of();
        private Duration timeout = Duration.ofSeconds(10);
        private double drift = 0.01;

        private Builder() {}

        /**
         * Names some nodes.
         *
         * @param some host:port, at least one
         * @return this
         */
        public Builder endpoints(List<String> some) {
            some.forEach(Builder::requireEndpoint);
            endpoints = List.copyOf(some);
            return this;
        }

        /**
         * Bounds how long a call looks for a leader that answers.
         *
         * @param bound greater than zero; 10 s unless set
         * @return this
         */
        public Builder timeout(Duration bound) {
            if (bound.isZero() || bound.isNegative()) {
                throw new HoldfastException.InvalidArgument(
                        "timeout", "timeout is " + bound.toMillis() + " ms; it must be greater than 0");
            }
            timeout = bound;
            return this;
        }

        /**
         * Sets how far the rates of two clocks may differ.
         *
         * @param share 0.01 (1 %) unless set; 0 to 0.5
         * @return this
         */
        public Builder drift(double share) {
            if (!(share >= 0 && share <= 0.5)) {
                throw new HoldfastException.InvalidArgument("drift", "drift is " + share + "; it must be 0 to 0.5");
            }
            drift = share;
            return this;
        }

        /**
         * Makes the client.
         *
         * @return the client
         */
        public HoldfastClient build() {
            if (endpoints.isEmpty()) {
                throw new HoldfastException.InvalidArgument(
                        "endpoints", "no endpoint is given; at least one is needed");
            }
            ClientClock clock = ClientClock.SYSTEM;
            return new HoldfastClient(new Router(endpoints, new Channels(), clock, timeout), clock, drift);
        }

        private static void requireEndpoint(String endpoint) {
            if (!endpoint.matches("[^:\\s]+:\\d{1,5}") && !endpoint.matches("\\[[0-9a-fA-F:]+]:\\d{1,5}")) {
                throw new HoldfastException.InvalidArgument(
                        "endpoints", "endpoints has \"" + endpoint + "\"; each must be HOST:PORT");
            }
        }
    }

    /**
     * Asks for a lock, and waits for it as long as the request says.
     *
     * @param request what to ask for
     * @return granted, or a clear no
     * @throws HoldfastException if it is not known, or something is wrong; nothing of yours is left in the queue beyond the TTL
     * @throws InterruptedException if interrupted; what was asked for is given up
     */
    public Acquisition acquire(LockRequest request) throws InterruptedException {
        return acquiring.acquire(request, holder -> {});
    }

    /**
     * Asks for a lock, and tells whom it waits for.
     *
     * @param request what to ask for
     * @param waiting hears who holds the lock, each time that an ask is answered "still waiting"
     * @return granted, or a clear no
     * @throws HoldfastException as in {@link #acquire(LockRequest)}
     * @throws InterruptedException if interrupted; what was asked for is given up
     */
    public Acquisition acquire(LockRequest request, java.util.function.Consumer<Holder> waiting)
            throws InterruptedException {
        return acquiring.acquire(request, waiting);
    }

    /**
     * Gives a lock back.
     *
     * @param grant the grant
     * @return released, or that it was not held any more
     * @throws HoldfastException if it is not known, or something is wrong
     * @throws InterruptedException if interrupted; the lock is then released at the latest when its lease runs out
     */
    public ReleaseResult release(Grant grant) throws InterruptedException {
        return release(grant.name(), grant.owner(), OptionalLong.of(grant.token()));
    }

    /**
     * Gives a lock back.
     *
     * @param name the lock
     * @param owner who holds it
     * @param token if given, release only the hold that has this token
     * @return released, or that it was not held
     * @throws HoldfastException if it is not known, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public ReleaseResult release(String name, Owner owner, OptionalLong token) throws InterruptedException {
        return acquiring.withFreshTag(Optional.empty(), tag -> {
            ReleaseResponse response = router.call(
                            LockServiceGrpc.getReleaseMethod(),
                            ReleaseRequest.newBuilder()
                                    .setOwner(Answers.owner(owner))
                                    .setName(Answers.wellFormed("name", name))
                                    .setTag(tag)
                                    .setToken(token.orElse(0))
                                    .build())
                    .response();
            router.learn(response.getHeader());
            return response.hasReleased()
                    ? new ReleaseResult.Released(response.getReleased().getToken())
                    : new ReleaseResult.NotHeld(Answers.holder(
                            response.getNotHeld().hasHolder(),
                            response.getNotHeld().getHolder()));
        });
    }

    /**
     * Renews the lease of a one-shot hold. Never shortens it.
     *
     * @param name the lock
     * @param ownerId its owner
     * @param token if given, renew only the hold that has this token
     * @param ttl if given, the new TTL
     * @return renewed, or that it was not held
     * @throws HoldfastException if it is not known, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public Renewal renew(String name, String ownerId, OptionalLong token, Optional<Duration> ttl)
            throws InterruptedException {
        Router.Answered<RenewResponse> answered = router.call(
                LockServiceGrpc.getRenewMethod(), Answers.renewal(name, ownerId, token, ttl.map(Duration::toMillis)));
        RenewResponse response = answered.response();
        router.learn(response.getHeader());
        return response.hasRenewed()
                ? new Renewal.Renewed(new Grant(Answers.holder(response.getRenewed()), drift, clock, answered.sent()))
                : new Renewal.NotHeld(Answers.holder(
                        response.getNotHeld().hasHolder(), response.getNotHeld().getHolder()));
    }

    /**
     * Keeps the lease of a one-shot grant alive until it is closed: renews at a third of the TTL, and says when that fails.
     *
     * @param grant the grant
     * @param listener hears how it goes
     * @return ends the renewing when closed; the lock stays held until it is released
     */
    public KeepAlive keepAlive(Grant grant, LeaseListener listener) {
        KeepAlive keepAlive = new KeepAlive(grant, listener, this::renewOnce, clock);
        keepAlive.start();
        return keepAlive;
    }

    /** One renewal within a bound, for the watchdog. True if renewed, false if the hold is gone. */
    private boolean renewOnce(Grant grant, Duration patience) throws InterruptedException {
        if (!(grant.owner() instanceof Owner.OneShot owner)) {
            throw new IllegalArgumentException("the lease of a session is renewed by its session");
        }
        Router.Answered<RenewResponse> answered = router.call(
                LockServiceGrpc.getRenewMethod(),
                Answers.renewal(grant.name(), owner.id(), OptionalLong.of(grant.token()), Optional.empty()),
                0,
                patience);
        RenewResponse response = answered.response();
        router.learn(response.getHeader());
        if (!response.hasRenewed()) {
            return false;
        }
        grant.renewed(answered.sent(), Duration.ofMillis(response.getRenewed().getTtlMs()));
        return true;
    }

    /** {@return how to watch what happens to locks and sessions} */
    public Watches watches() {
        return new Watches(router, clock);
    }

    /**
     * Shows a lock.
     *
     * @param name the lock
     * @param stale whether to answer from the node asked, without the leader; may then be behind
     * @return the lock, or empty if nobody holds it
     * @throws HoldfastException if nobody answers, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public Optional<LockInfo> get(String name, boolean stale) throws InterruptedException {
        GetLockResponse response = router.call(
                        LockServiceGrpc.getGetLockMethod(),
                        GetLockRequest.newBuilder()
                                .setName(Answers.wellFormed("name", name))
                                .setStale(stale)
                                .build())
                .response();
        return response.hasLock() ? Optional.of(Answers.lock(response.getLock())) : Optional.empty();
    }

    /**
     * Lists the locks that are held, page by page.
     *
     * @param prefix only names that begin with this; empty for all
     * @param stale as in {@link #get}
     * @return the locks, in order of name
     * @throws HoldfastException if nobody answers, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public List<LockInfo> list(String prefix, boolean stale) throws InterruptedException {
        List<LockInfo> all = new ArrayList<>();
        boolean more = true;
        while (more) {
            ListLocksResponse page = router.call(
                            LockServiceGrpc.getListLocksMethod(),
                            ListLocksRequest.newBuilder()
                                    .setPrefix(Answers.wellFormed("prefix", prefix))
                                    .setAfter(
                                            all.isEmpty()
                                                    ? ""
                                                    : all.get(all.size() - 1).name())
                                    .setStale(stale)
                                    .build())
                    .response();
            page.getLocksList().forEach(lock -> all.add(Answers.lock(lock)));
            more = page.getMore() && page.getLocksCount() > 0;
        }
        return all;
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
    public SessionInfo openSession(Duration ttl, String label) throws InterruptedException {
        var response = router.call(
                        SessionServiceGrpc.getOpenSessionMethod(),
                        OpenSessionRequest.newBuilder()
                                .setSessionId(Acquiring.randomId())
                                .setTtlMs(ttl.toMillis())
                                .setOwnerLabel(Answers.wellFormed("owner_label", label))
                                .setIssuedAt(router.issueTime())
                                .build())
                .response();
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
    public boolean renewSession(String id) throws InterruptedException {
        var response = router.call(
                        SessionServiceGrpc.getRenewSessionsMethod(),
                        RenewSessionsRequest.newBuilder()
                                .addSessionIds(Answers.bytes("session", id))
                                .build())
                .response();
        router.learn(response.getHeader());
        return response.getGoneCount() == 0;
    }

    /**
     * Ends a session: its locks are released, its places in queues given up.
     *
     * @param id the session, 32 hexadecimal digits
     * @throws HoldfastException.NoSuchSession if it does not exist
     * @throws HoldfastException if it is not known, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public void closeSession(String id) throws InterruptedException {
        var response = router.call(
                        SessionServiceGrpc.getCloseSessionMethod(),
                        CloseSessionRequest.newBuilder()
                                .setSessionId(Answers.bytes("session", id))
                                .build())
                .response();
        router.learn(response.getHeader());
    }

    /**
     * Asks all members how they stand. Those that do not answer quickly are shown as unreachable.
     *
     * @return the cluster; without a leader if none is known
     * @throws InterruptedException if interrupted
     */
    public ClusterStatus clusterStatus() throws InterruptedException {
        return new ClusterSurvey(router, clock).survey();
    }

    /**
     * What operators do with the cluster.
     *
     * @return it, over this client's connections
     */
    public ClusterAdmin admin() {
        return new ClusterAdmin(router, clock);
    }

    @Override
    public void close() {
        router.close();
    }
}
