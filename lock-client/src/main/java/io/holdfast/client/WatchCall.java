package io.holdfast.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.holdfast.v1.WatchRequest;
import io.holdfast.v1.WatchResponse;
import io.holdfast.v1.WatchServiceGrpc;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A watch at one node, until that one fails. For one thread; the transport's fills its queue, with no more than was asked for. */
final class WatchCall implements AutoCloseable {
    /** So that the next message is on its way while one is looked at. */
    private static final int AHEAD = 2;

    private final ClientCall<WatchRequest, WatchResponse> call;
    private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();

    /** A message, or the end of the call. */
    private sealed interface Arrival {
        record Message(WatchResponse response) implements Arrival {}

        record Closed(Status status, Metadata trailers) implements Arrival {}
    }

    WatchCall(Channel channel, WatchRequest request) {
        call = channel.newCall(WatchServiceGrpc.getWatchMethod(), CallOptions.DEFAULT);
        call.start(new Listener(), new Metadata());
        call.request(AHEAD);
        call.sendMessage(request);
        call.halfClose();
    }

    /**
     * Waits for the next message.
     *
     * @return the message; null if none came in time
     * @throws StatusRuntimeException if the call has ended
     */
    @Nullable
    WatchResponse next(long patienceNanos) throws InterruptedException {
        Arrival arrival = arrivals.poll(patienceNanos, TimeUnit.NANOSECONDS);
        if (arrival == null) {
            return null;
        }
        if (arrival instanceof Arrival.Closed closed) {
            throw new StatusRuntimeException(closed.status(), closed.trailers());
        }
        call.request(1);
        return ((Arrival.Message) arrival).response();
    }

    @Override
    public void close() {
        call.cancel("the watch has ended", null);
    }

    private final class Listener extends ClientCall.Listener<WatchResponse> {
        @Override
        public void onMessage(WatchResponse response) {
            arrivals.add(new Arrival.Message(response));
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            arrivals.add(new Arrival.Closed(status, trailers));
        }
    }
}
