package io.holdfast.server.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.StatusProto;
import io.holdfast.core.LockTable;
import io.holdfast.server.config.GrpcConfig;
import io.holdfast.server.config.HostPort;
import io.holdfast.server.config.ReadConfig;
import io.holdfast.server.metrics.NodeMetrics;
import io.holdfast.server.watch.WatchConfig;
import io.holdfast.server.watch.WatchHub;
import io.holdfast.v1.ClusterServiceGrpc;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.SessionServiceGrpc;
import io.micrometer.core.instrument.binder.grpc.MetricCollectingServerInterceptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** A real door on a free port, with a fake store and cluster behind it, and a client before it. */
final class TestDoor implements AutoCloseable {
    static final GrpcConfig CONFIG = new GrpcConfig(1 << 20, 100, 1_000, Duration.ofSeconds(2), Duration.ofSeconds(10));
    static final ReadConfig READS = new ReadConfig(1_000, 10_000);
    static final WatchConfig WATCH = new WatchConfig(5, 8, 64);

    final FakeStore store = new FakeStore();
    final FakeOperations operations = new FakeOperations();
    final WatchHub hub = new WatchHub(WATCH, new WatchEncoder(), System::nanoTime);
    final FakeCluster cluster;
    final String nodeId;
    final GrpcDoor door;
    final ManagedChannel channel;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    TestDoor(String nodeId) {
        this(nodeId, CONFIG, 0);
    }

    TestDoor(String nodeId, GrpcConfig config, int port) {
        this.nodeId = nodeId;
        this.cluster = new FakeCluster(nodeId);
        this.door = new GrpcDoor(
                new HostPort("127.0.0.1", port),
                config,
                READS,
                new Identity("test", nodeId, "1.2.3", LockTable.NEWEST_FEATURE_LEVEL),
                store,
                cluster,
                operations,
                hub,
                timer,
                new MetricCollectingServerInterceptor(new NodeMetrics().registry()));
        try {
            hub.outOfTouch(Optional.empty());
            hub.start();
            door.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.channel = NettyChannelBuilder.forAddress("127.0.0.1", door.port())
                .usePlaintext()
                .build();
    }

    /** A door of a node that leads. */
    static TestDoor leading() {
        TestDoor door = new TestDoor("n1");
        door.cluster.add(door.member());
        door.cluster.isLedBy("n1");
        return door;
    }

    Cluster.Member member() {
        return new Cluster.Member(nodeId, "127.0.0.1:" + door.port(), "127.0.0.1:1");
    }

    LockServiceGrpc.LockServiceBlockingStub locks() {
        return LockServiceGrpc.newBlockingStub(channel);
    }

    SessionServiceGrpc.SessionServiceBlockingStub sessions() {
        return SessionServiceGrpc.newBlockingStub(channel);
    }

    ClusterServiceGrpc.ClusterServiceBlockingStub status() {
        return ClusterServiceGrpc.newBlockingStub(channel);
    }

    static ErrorInfo infoOf(StatusRuntimeException failure) {
        return detailOf(failure, ErrorInfo.class, ErrorInfo.getDefaultInstance());
    }

    static BadRequest badRequestOf(StatusRuntimeException failure) {
        return detailOf(failure, BadRequest.class, BadRequest.getDefaultInstance());
    }

    private static <T extends com.google.protobuf.Message> T detailOf(
            StatusRuntimeException failure, Class<T> type, T none) {
        com.google.rpc.Status status = Objects.requireNonNull(StatusProto.fromThrowable(failure));
        return status.getDetailsList().stream()
                .filter(detail -> detail.is(type))
                .map(detail -> {
                    try {
                        return detail.unpack(type);
                    } catch (InvalidProtocolBufferException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .findFirst()
                .orElse(none);
    }

    @Override
    public void close() {
        channel.shutdownNow();
        hub.close();
        try {
            door.close(Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        timer.shutdownNow();
    }
}
