package io.holdfast.jepsen.wire;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.StatusRuntimeException;
import io.holdfast.v1.ClusterServiceGrpc;
import io.holdfast.v1.ClusterServiceGrpc.ClusterServiceBlockingStub;
import io.holdfast.v1.GetNodeStatusRequest;
import io.holdfast.v1.GetNodeStatusResponse;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.LockServiceGrpc.LockServiceBlockingStub;
import io.holdfast.v1.SessionServiceGrpc;
import io.holdfast.v1.SessionServiceGrpc.SessionServiceBlockingStub;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A connection to one node. Safe for use by many threads. */
public final class Wire implements AutoCloseable {
    private static final Duration STATUS_TIMEOUT = Duration.ofSeconds(2);

    private final ManagedChannel channel;

    /**
     * Does not connect yet.
     *
     * @param endpoint host:port for clients
     */
    public Wire(String endpoint) {
        channel = ManagedChannelBuilder.forTarget("dns:///" + endpoint)
                .usePlaintext()
                .disableRetry()
                .build();
    }

    /** {@return the locks of this node; a call fails after that long} */
    public LockServiceBlockingStub locks(Duration timeout) {
        return LockServiceGrpc.newBlockingStub(channel).withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** {@return the sessions of this node; a call fails after that long} */
    public SessionServiceBlockingStub sessions(Duration timeout) {
        return SessionServiceGrpc.newBlockingStub(channel).withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** {@return what the node says about itself; empty if it does not answer} */
    public Optional<GetNodeStatusResponse> status() {
        return status(false);
    }

    /** {@return what the node says about itself, with the digest of its state; empty if it does not answer} */
    public Optional<GetNodeStatusResponse> statusWithDigest() {
        return status(true);
    }

    /** {@return the channel, for calls that the generated stubs cannot make} */
    public ManagedChannel channel() {
        return channel;
    }

    private Optional<GetNodeStatusResponse> status(boolean digest) {
        // After a node's death the channel waits longer and longer before it tries again.
        channel.resetConnectBackoff();
        ClusterServiceBlockingStub stub = ClusterServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(STATUS_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
        try {
            return Optional.of(stub.getNodeStatus(
                    GetNodeStatusRequest.newBuilder().setDigest(digest).build()));
        } catch (StatusRuntimeException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
