package io.holdfast.server.grpc;

import io.grpc.BindableService;
import io.grpc.Grpc;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.holdfast.core.Bounds;
import io.holdfast.core.LockName;
import io.holdfast.server.watch.Filter;
import io.holdfast.server.watch.Outlet;
import io.holdfast.server.watch.Place;
import io.holdfast.server.watch.WatchEnd;
import io.holdfast.server.watch.WatchHub;
import io.holdfast.v1.ErrorReason;
import io.holdfast.v1.WatchRequest;
import io.holdfast.v1.WatchServiceGrpc;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The RPCs about watching. Answered by the node asked, whoever leads. */
final class WatchEndpoint implements BindableService {
    private static final int MIN_PROGRESS_MILLIS = 100;
    private static final int MAX_PROGRESS_MILLIS = 60_000;
    private static final int DEFAULT_PROGRESS_MILLIS = 5_000;

    /** With more than this waiting in the transport a watcher is not ready for the next message. */
    private static final int READY_BYTES = 4 << 10;

    private static final String METHOD = WatchServiceGrpc.getWatchMethod().getFullMethodName();

    private final WatchHub hub;

    // How many watch, by connection.
    private final Map<Object, Integer> connections = new ConcurrentHashMap<>();

    WatchEndpoint(WatchHub hub) {
        this.hub = hub;
    }

    /** The generated service would write each message anew for each watcher. */
    @Override
    public ServerServiceDefinition bindService() {
        MethodDescriptor<WatchRequest, byte[]> watch = WatchServiceGrpc.getWatchMethod().toBuilder(
                        WatchServiceGrpc.getWatchMethod().getRequestMarshaller(), new SharedBytes())
                .build();
        ServerCallHandler<WatchRequest, byte[]> handler = (call, headers) -> {
            Object connection =
                    Objects.requireNonNullElse(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR), "unknown");
            return ServerCalls.<WatchRequest, byte[]>asyncServerStreamingCall(
                            (request, out) -> watch(connection, request, (ServerCallStreamObserver<byte[]>) out))
                    .startCall(call, headers);
        };
        ServiceDescriptor service = ServiceDescriptor.newBuilder(WatchServiceGrpc.SERVICE_NAME)
                .setSchemaDescriptor(WatchServiceGrpc.getServiceDescriptor().getSchemaDescriptor())
                .addMethod(watch)
                .build();
        return ServerServiceDefinition.builder(service)
                .addMethod(watch, handler)
                .build();
    }

    private void watch(Object connection, WatchRequest request, ServerCallStreamObserver<byte[]> out) {
        try {
            check(request);
            int limit = hub.config().maxPerConnection();
            if (connections.merge(connection, 1, Integer::sum) > limit) {
                leave(connection);
                throw tooMany("watchers of one connection", limit);
            }
            new Stream(connection, out).open(request);
        } catch (RuntimeException e) {
            out.onError(Statuses.of(e, METHOD));
        }
    }

    private void leave(Object connection) {
        connections.computeIfPresent(connection, (key, count) -> count == 1 ? null : count - 1);
    }

    private static void check(WatchRequest request) {
        Checks checks = new Checks();
        switch (request.getTargetCase()) {
            case NAME -> checks.bound("name", Bounds.name(request.getName()));
            case PREFIX -> checks.optionalName("prefix", request.getPrefix());
            case TARGET_NOT_SET -> checks.require(false, "target", "missing", "a name or a prefix");
        }
        checks.inRange("from_index", request.getFromIndex(), 0, Long.MAX_VALUE, "");
        checks.inRange(
                "from_number", request.getFromNumber(), 0, request.getFromIndex() == 0 ? 0 : Integer.MAX_VALUE, "");
        int progress = request.getProgressMs();
        if (progress != 0) {
            checks.inRange("progress_ms", progress, MIN_PROGRESS_MILLIS, MAX_PROGRESS_MILLIS, " ms");
        }
        checks.done();
    }

    private static Refused tooMany(String what, int limit) {
        return Refused.because(
                ErrorReason.LIMIT_REACHED,
                "there are " + limit + " " + what + " already, and more there cannot be",
                Map.of("limit", what, "value", Integer.toString(limit)));
    }

    private static Filter filter(WatchRequest request) {
        return request.hasName()
                ? new Filter.OfName(new LockName(request.getName()))
                : new Filter.OfPrefix(request.getPrefix());
    }

    private static Optional<Place> start(WatchRequest request) {
        return request.getFromIndex() == 0
                ? Optional.empty()
                : Optional.of(new Place(request.getFromIndex(), request.getFromNumber()));
    }

    /** One watcher's stream. */
    private final class Stream implements Outlet {
        private final Object connection;
        private final ServerCallStreamObserver<byte[]> out;

        // Set when the hub has taken it; the transport's thread may be quicker.
        private final AtomicReference<WatchHub.@Nullable Watch> watch = new AtomicReference<>();
        private final AtomicBoolean isClosed = new AtomicBoolean();

        Stream(Object connection, ServerCallStreamObserver<byte[]> out) {
            this.connection = connection;
            this.out = out;
        }

        void open(WatchRequest request) {
            // Now: gRPC takes handlers only until the call that begins it returns.
            out.setOnReadyThreshold(READY_BYTES);
            out.setOnReadyHandler(this::ready);
            out.setOnCancelHandler(this::close);
            out.setOnCloseHandler(this::close);
            int progress = request.getProgressMs() == 0 ? DEFAULT_PROGRESS_MILLIS : request.getProgressMs();
            Optional<WatchHub.Watch> taken =
                    hub.watch(filter(request), start(request), Duration.ofMillis(progress), this);
            if (taken.isEmpty()) {
                leave(connection);
                isClosed.set(true);
                throw tooMany("watchers of the node", hub.config().maxWatchers());
            }
            watch.set(taken.get());
        }

        private void ready() {
            WatchHub.Watch taken = watch.get();
            if (taken != null) {
                taken.ready();
            }
        }

        /** Comes once the stream is over, however it ended: until then its bytes may wait in the transport. */
        private void close() {
            if (isClosed.compareAndSet(false, true)) {
                leave(connection);
                Objects.requireNonNull(watch.get()).close();
            }
        }

        @Override
        public boolean isReady() {
            return out.isReady();
        }

        @Override
        public void send(byte[] message) {
            out.onNext(message);
        }

        @Override
        public void end(WatchEnd why) {
            out.onError(Statuses.of(refusal(why), METHOD));
        }
    }

    private static Refused refusal(WatchEnd why) {
        return switch (why) {
            case WatchEnd.TooOld it ->
                Refused.because(
                        ErrorReason.TOO_OLD,
                        "this node cannot tell any more what happened before log index " + it.firstIndex(),
                        Map.of("first_index", Long.toString(it.firstIndex())));
            case WatchEnd.TooSlow it ->
                Refused.because(
                        ErrorReason.WATCH_TOO_SLOW,
                        "the watcher is cut off: it took its messages so slowly that it fell " + it.kept()
                                + " events behind",
                        Map.of("limit", "events kept for slow watchers", "value", Integer.toString(it.kept())));
            case WatchEnd.Interrupted it ->
                Refused.because(
                        ErrorReason.WATCH_INTERRUPTED, it.reason() + ": resume from where you are, at another node");
            case WatchEnd.Stopping it ->
                Refused.because(ErrorReason.SHUTTING_DOWN, "this node is stopping: resume at another node");
        };
    }
}
