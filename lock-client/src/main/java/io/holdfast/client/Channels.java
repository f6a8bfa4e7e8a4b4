package io.holdfast.client;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.okhttp.OkHttpChannelBuilder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * One connection to each endpoint, opened when it is first used. Thread safe. The only place that knows the transport.
 *
 * <p>OkHttp, because a short command starts markedly quicker with it than with Netty (docs/decisions).
 */
final class Channels implements Endpoints {
    private final Map<String, ManagedChannel> open = new ConcurrentHashMap<>();

    @Override
    public Channel to(String endpoint) {
        ManagedChannel channel = open.computeIfAbsent(endpoint, Channels::open);
        // gRPC backs off for up to two minutes after a refused connection; the caller paces its retries itself.
        channel.resetConnectBackoff();
        return channel;
    }

    private static ManagedChannel open(String endpoint) {
        int colon = endpoint.lastIndexOf(':');
        return OkHttpChannelBuilder.forAddress(
                        endpoint.substring(0, colon), Integer.parseInt(endpoint.substring(colon + 1)))
                .usePlaintext()
                .directExecutor()
                .disableRetry()
                .disableServiceConfigLookUp()
                .proxyDetector(address -> null)
                .build();
    }

    @Override
    public void close() {
        open.values().forEach(ManagedChannel::shutdownNow);
        try {
            for (ManagedChannel channel : open.values()) {
                // A JVM that exits with a thread in a native read waits 300 ms for it: let the reader end first.
                if (!channel.awaitTermination(200, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
