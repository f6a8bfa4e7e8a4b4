package io.holdfast.client;

import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.ListLocksResponse;
import io.holdfast.v1.LockServiceGrpc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A client of a Holdfast cluster. Thread safe; one is enough for a process.
 *
 * <p>Calls block. Each finds the leader by itself, and sends its request again until it is answered or {@link ClientBuilder#timeout} is over; a request has one effect however often it is sent. Errors are {@link HoldfastException}s that say whether the request may have taken effect.
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
    private final Tags tags;
    private final Leases leases;
    private final Holding holding;
    private final Sessions sessions;

    HoldfastClient(Router router, ClientClock clock, double drift) {
        this.router = router;
        this.clock = clock;
        this.tags = new Tags(router);
        this.leases = new Leases(drift, clock);
        this.holding = new Holding(router, tags, leases);
        this.sessions = new Sessions(router, clock, drift);
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
    public static ClientBuilder builder() {
        return new ClientBuilder();
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
        return acquire(request, holder -> {});
    }

    /**
     * Asks for a lock, and tells whom it waits for.
     *
     * @param request what to ask for
     * @param waiting hears who holds the lock, each time that an ask is answered "still waiting" and somebody does
     * @return granted, or a clear no
     * @throws HoldfastException as in {@link #acquire(LockRequest)}
     * @throws InterruptedException if interrupted; what was asked for is given up
     */
    public Acquisition acquire(LockRequest request, Consumer<Holder> waiting) throws InterruptedException {
        return tags.with(request.requestId(), tag -> {
            LockAsk ask = new LockAsk(router, tags, leases, request, tag);
            Ask.Reply<Grant> reply = new AskChain<>(ask, clock, router.timeout()).run(request.patience(), waiting);
            return reply instanceof Ask.Reply.Granted<Grant> granted
                    ? new Acquisition.Granted(granted.grant())
                    : AskChain.refusal(reply);
        });
    }

    /**
     * Asks for several locks as one, and waits for them as long as the request says. Until all are granted none is held.
     *
     * @param request what to ask for
     * @return all granted under one token, or a clear no
     * @throws HoldfastException as in {@link #acquire(LockRequest)}
     * @throws InterruptedException if interrupted; what was asked for is given up
     */
    public LockSetAcquisition acquireAll(LockSetRequest request) throws InterruptedException {
        return acquireAll(request, holder -> {});
    }

    /**
     * Asks for several locks as one, and tells whom it waits for.
     *
     * @param request what to ask for
     * @param waiting hears who holds the first of the locks that it has to wait for, each time that an ask is answered "still waiting" and somebody does
     * @return all granted under one token, or a clear no
     * @throws HoldfastException as in {@link #acquire(LockRequest)}
     * @throws InterruptedException if interrupted; what was asked for is given up
     */
    public LockSetAcquisition acquireAll(LockSetRequest request, Consumer<Holder> waiting) throws InterruptedException {
        return tags.with(request.requestId(), tag -> {
            LockSetAsk ask = new LockSetAsk(router, tags, leases, request, tag);
            Ask.Reply<LockSetGrant> reply =
                    new AskChain<>(ask, clock, router.timeout()).run(request.patience(), waiting);
            return reply instanceof Ask.Reply.Granted<LockSetGrant> granted
                    ? new LockSetAcquisition.Granted(granted.grant())
                    : new LockSetAcquisition.NotGranted(AskChain.refusal(reply));
        });
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
        return holding.release(name, owner, token, 0);
    }

    /**
     * Gives some of the permits of a semaphore back; with the last of them the hold ends.
     *
     * @param name the semaphore
     * @param owner who holds permits of it
     * @param token if given, only of the hold that has this token
     * @param permits how many, 1 to 1,000,000
     * @return released, in part or as a whole, or why not
     * @throws HoldfastException if it is not known, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public ReleaseResult releasePermits(String name, Owner owner, OptionalLong token, int permits)
            throws InterruptedException {
        if (permits < 1) {
            throw new HoldfastException.InvalidArgument(
                    "permits", "permits is " + permits + "; it must be 1 to 1000000");
        }
        return holding.release(name, owner, token, permits);
    }

    /**
     * Gives several locks back at once. Those that the owner does not hold make no difference.
     *
     * @param names the locks, 1 to 128, each once
     * @param owner who holds them
     * @param token if given, release only holds that have this token
     * @return released, with the greatest token; or that none was held
     * @throws HoldfastException if it is not known, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public ReleaseResult releaseAll(List<String> names, Owner owner, OptionalLong token) throws InterruptedException {
        return holding.releaseAll(names, owner, token);
    }

    /**
     * What is done with locks that are held, besides releasing: convert, proclaim, pass on, revoke.
     *
     * @return it, over this client's connections
     */
    public Holds holds() {
        return new Holds(holding);
    }

    /**
     * Asks whether a fencing token still counts, for resources that cannot compare tokens themselves.
     *
     * @param name the lock
     * @param token the token
     * @return current, stale, or the lock is free
     * @throws HoldfastException if nobody answers, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public TokenCheck check(String name, long token) throws InterruptedException {
        return holding.check(name, token);
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
        return holding.renew(name, ownerId, token, ttl);
    }

    /**
     * Keeps the lease of a one-shot grant alive until it is closed: renews at a third of the TTL, and says when that fails.
     *
     * @param grant the grant
     * @param listener hears how it goes
     * @return ends the renewing when closed; the lock stays held until it is released
     */
    public KeepAlive keepAlive(Grant grant, LeaseListener listener) {
        KeepAlive keepAlive = new KeepAlive(grant, listener, holding::renewOnce, clock);
        keepAlive.start();
        return keepAlive;
    }

    /**
     * How to watch what happens to locks and sessions.
     *
     * @return it, over this client's connections
     */
    public Watches watches() {
        return new Watches(router, clock);
    }

    /** {@return how to look at what one node has, without the leader} */
    public StaleReads stale() {
        return new StaleReads(router);
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
     * A closer look: why one waits, who held what.
     *
     * @return it, over this client's connections
     */
    public Inspection inspect() {
        return new Inspection(router);
    }

    /**
     * Opens, shows and ends sessions.
     *
     * @return it, over this client's connections
     */
    public Sessions sessions() {
        return sessions;
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
        sessions.stopRenewing();
        router.close();
    }
}
