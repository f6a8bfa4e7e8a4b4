package io.holdfast.server.grpc;

import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The connection to one peer's door, and what is under way on it. Thread safe. */
final class PeerLine {
    private static final int CONNECT_TIMEOUT_MILLIS = 1_000;

    /** gRPC waits for a second after a failure, then longer and longer; a peer that restarts is back sooner. */
    private static final long RECONNECT_NANOS = 100_000_000L;

    private static final int MAX_ANSWER_BYTES = 16 << 20;

    private final ManagedChannel channel;
    private final Set<ClientCall<?, ?>> underWay = ConcurrentHashMap.newKeySet();

    // How often the line was given up, so that a call that starts meanwhile notices.
    private final AtomicInteger givenUp = new AtomicInteger();

    // When a connection was last asked for ahead of gRPC's plan; whoever moves it on does so.
    private final AtomicLong reconnectedAt = new AtomicLong(System.nanoTime());

    PeerLine(String endpoint, EventLoopGroup ioThreads) {
        channel = NettyChannelBuilder.forTarget("dns:///" + endpoint)
                .usePlaintext()
                .eventLoopGroup(ioThreads)
                .channelType(NioSocketChannel.class)
                .directExecutor()
                .proxyDetector(address -> null)
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
                .maxInboundMessageSize(MAX_ANSWER_BYTES)
                .keepAliveTime(10, TimeUnit.SECONDS)
                .keepAliveTimeout(3, TimeUnit.SECONDS)
                .build();
    }

    Channel channel() {
        if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
            long last = reconnectedAt.get();
            long now = System.nanoTime();
            if (now - last > RECONNECT_NANOS && reconnectedAt.compareAndSet(last, now)) {
                channel.resetConnectBackoff();
            }
        }
        return channel;
    }

    /** Starts a call, to be cancelled if it is still under way when the line is given up. */
    void start(ClientCall<?, ?> call, Runnable start) {
        int before = givenUp.get();
        start.run();
        underWay.add(call);
        if (givenUp.get() != before) {
            call.cancel("the leader changed", null); // giveUp may not have seen it
        }
    }

    void ended(ClientCall<?, ?> call) {
        underWay.remove(call);
    }

    void giveUp(String why) {
        givenUp.incrementAndGet();
        underWay.forEach(call -> call.cancel(why, null));
    }

    void close() {
        channel.shutdownNow();
    }

    /** gRPC cries out when the threads end under a line that is just being looked for. */
    void awaitClosed(long nanos) {
        try {
            boolean unused = channel.awaitTermination(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // in a hurry: let it cry
        }
    }
}
