package io.holdfast.server.grpc;

import io.netty.channel.Channel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listening socket that keeps a bounded number of connections; more are closed as they come. */
final class LimitedServerChannel extends NioServerSocketChannel {
    private static final Logger LOG = LoggerFactory.getLogger(LimitedServerChannel.class);

    private final int maxConnections;

    // Counted up by the accepting thread, down by those of the connections.
    private final AtomicInteger connections = new AtomicInteger();

    private boolean isFull;

    LimitedServerChannel(int maxConnections) {
        this.maxConnections = maxConnections;
    }

    @Override
    protected int doReadMessages(List<Object> accepted) throws Exception {
        int before = accepted.size();
        int count = super.doReadMessages(accepted);
        for (int i = accepted.size() - 1; i >= before; i--) {
            Channel connection = (Channel) accepted.get(i);
            if (connections.get() < maxConnections) {
                connections.incrementAndGet();
                connection.closeFuture().addListener(closed -> connections.decrementAndGet());
                isFull = false;
            } else {
                accepted.remove(i);
                connection.unsafe().closeForcibly();
                warnOnce();
            }
        }
        return count;
    }

    private void warnOnce() {
        if (!isFull) {
            isFull = true;
            LOG.warn("There are {} connections (grpc.max-connections): more are closed as they come", maxConnections);
        }
    }
}
