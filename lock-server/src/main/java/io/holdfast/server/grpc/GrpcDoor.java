package io.holdfast.server.grpc;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.holdfast.core.LockTable;
import io.holdfast.server.config.GrpcConfig;
import io.holdfast.server.config.HostPort;
import io.holdfast.server.config.ReadConfig;
import io.holdfast.server.proposer.Store;
import io.holdfast.server.watch.WatchHub;
import io.holdfast.v1.ClusterServiceGrpc;
import io.holdfast.v1.InspectServiceGrpc;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.SessionServiceGrpc;
import io.holdfast.v1.WatchServiceGrpc;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gRPC front door: one port for clients and for other nodes that pass requests on, with health and reflection.
 *
 * <p>Requests are checked and handed over on the transport's own threads: nothing there blocks but the reading of a session's TTL, for as long as one entry is applied.
 */
public final class GrpcDoor {
    private static final Logger LOG = LoggerFactory.getLogger(GrpcDoor.class);

    // gRPC logs each message that is larger than its limit, with a stack trace. The client is told; that is enough.
    private static final java.util.logging.Logger TRANSPORT_LOG =
            java.util.logging.Logger.getLogger("io.grpc.netty.NettyServerStream");

    private static final List<String> HEALTH_NAMES = List.of(
            HealthStatusManager.SERVICE_NAME_ALL_SERVICES,
            LockServiceGrpc.SERVICE_NAME,
            SessionServiceGrpc.SERVICE_NAME,
            InspectServiceGrpc.SERVICE_NAME,
            ClusterServiceGrpc.SERVICE_NAME,
            WatchServiceGrpc.SERVICE_NAME);

    /** A larger message is refused by the transport itself, with gRPC's own error; a smaller one that is too large gets ours, which tells the limit. */
    private static final int MAX_TRANSPORT_BYTES = 8 << 20;

    private static final int MAX_HEADER_BYTES = 16 << 10;
    private static final int MAX_CANCELS = 5_000;
    private static final int CANCEL_WINDOW_SECONDS = 10;
    private static final int READ_THREADS = 2;
    private static final int MAX_WAITING_READS = 1_024;

    /** A client that writes to a slow disk is slow; one that takes nothing for so long is gone. */
    private static final Duration BACKUP_PATIENCE = Duration.ofSeconds(60);

    private final HealthStatusManager health = new HealthStatusManager();
    private final EventLoopGroup acceptThread = new NioEventLoopGroup(1, new DefaultThreadFactory("holdfast-accept"));
    private final EventLoopGroup ioThreads = new NioEventLoopGroup(0, new DefaultThreadFactory("holdfast-io"));
    private final ThreadPoolExecutor readThreads = new ThreadPoolExecutor(
            READ_THREADS,
            READ_THREADS,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING_READS),
            new DefaultThreadFactory("holdfast-read"));
    private final HostPort listen;
    private final BackupSender backups;
    private final SessionEndpoint sessions;
    private final Peers peers;
    private final Server server;

    /**
     * Creates a door that is still closed.
     *
     * @param listen where to listen
     * @param config what the door bears
     * @param reads how much one read may ask for
     * @param identity who answers
     * @param store carries requests out
     * @param cluster who leads
     * @param operations does what operators ask for
     * @param watchers tells what happens; the door does not close it
     * @param timer tries requests again; the door does not close it
     * @param calls sees each call, to measure it
     */
    public GrpcDoor(
            HostPort listen,
            GrpcConfig config,
            ReadConfig reads,
            Identity identity,
            Store store,
            Cluster cluster,
            Operations operations,
            WatchHub watchers,
            ScheduledExecutorService timer,
            ServerInterceptor calls) {
        TRANSPORT_LOG.setLevel(Level.OFF);
        this.listen = listen;
        this.backups = new BackupSender(identity.nodeId(), operations, BACKUP_PATIENCE);
        this.peers = new Peers(identity.nodeId(), config.forwardTimeout(), ioThreads);
        readThreads.allowCoreThreadTimeOut(true);
        Router router = new Router(identity.nodeId(), cluster, peers, new WaitingRoom(config.leaderWait(), timer));
        LocalReads localReads = new LocalReads(readThreads);
        Commands commands =
                new Commands(() -> store.readStale(LockTable::clockNanos).value());
        Answers answers = new Answers(identity.nodeId());
        this.sessions = new SessionEndpoint(store, router, commands, answers, reads);
        this.server = transport(
                config,
                calls,
                new LockEndpoint(store, router, localReads, commands, answers, reads),
                sessions,
                new InspectEndpoint(store, router, answers, reads),
                new ClusterEndpoint(identity, cluster, store, localReads, router, operations, backups),
                new WatchEndpoint(watchers));
        setServing(false);
    }

    /** All that this door knows of its transport. */
    private Server transport(GrpcConfig config, ServerInterceptor calls, BindableService... services) {
        NettyServerBuilder builder = NettyServerBuilder.forAddress(new InetSocketAddress(listen.host(), listen.port()))
                .channelFactory(() -> new LimitedServerChannel(config.maxConnections()))
                .bossEventLoopGroup(acceptThread)
                .workerEventLoopGroup(ioThreads)
                .directExecutor()
                .maxInboundMessageSize(MAX_TRANSPORT_BYTES)
                .maxInboundMetadataSize(MAX_HEADER_BYTES)
                .maxConcurrentCallsPerConnection(config.maxCallsPerConnection())
                // A peer that is gone without a word, or says nothing from the start, does not stay.
                .handshakeTimeout(10, TimeUnit.SECONDS)
                .keepAliveTime(30, TimeUnit.SECONDS)
                .keepAliveTimeout(10, TimeUnit.SECONDS)
                .permitKeepAliveTime(1, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                // Opening and cancelling calls in a loop costs the server more than the client (CVE-2023-44487).
                .maxRstFramesPerWindow(MAX_CANCELS, CANCEL_WINDOW_SECONDS)
                .intercept(new ForwardedHeader())
                .intercept(calls)
                .addService(health.getHealthService())
                .addService(ProtoReflectionServiceV1.newInstance());
        for (BindableService service : services) {
            builder.addService(StrictService.of(service.bindService(), config.maxRequestBytes()));
        }
        return builder.build();
    }

    /**
     * Opens the door.
     *
     * @throws IOException if the address cannot be listened on
     */
    public void open() throws IOException {
        server.start();
    }

    /** {@return the port on which it listens, once open} */
    public int port() {
        return server.getPort();
    }

    /**
     * Tells whoever asks for this node's health.
     *
     * @param isServing whether requests can be served: a leader is known, and the node is not stopping
     */
    public void setServing(boolean isServing) {
        ServingStatus status = isServing ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
        HEALTH_NAMES.forEach(name -> health.setStatus(name, status));
    }

    /**
     * Learns of a new leader: requests under way to an earlier one are given up, for they may hang there.
     *
     * @param leader the leader
     */
    public void followLeader(Cluster.Member leader) {
        peers.followLeader(leader);
    }

    /**
     * Asks another node.
     *
     * @param member the node
     * @return the highest feature level that its version knows; fails if it does not answer within a second
     */
    public CompletionStage<Integer> featureLevelKnownBy(Cluster.Member member) {
        return peers.featureLevelKnownBy(member);
    }

    /**
     * Takes no more requests, waits for the answers to those that are here, and closes.
     *
     * @param patience how long to wait for answers
     * @throws InterruptedException if interrupted while waiting; the door is closed all the same
     */
    public void close(Duration patience) throws InterruptedException {
        backups.close(); // they would not be done in time
        sessions.close();
        try {
            server.shutdown();
            if (!server.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.info("Closing connections that are still open after {} ms", patience.toMillis());
            }
        } finally {
            server.shutdownNow();
            peers.close();
            readThreads.shutdownNow();
            var unusedToo = acceptThread.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            var unused = ioThreads.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }
}
