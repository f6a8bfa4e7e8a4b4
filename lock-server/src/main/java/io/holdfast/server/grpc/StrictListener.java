package io.holdfast.server.grpc;

import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.SecurityLevel;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Stands between gRPC and a handler: passes requests on, and answers what is none. One thread at a time, as gRPC promises.
 *
 * @param <Q> kind of request
 */
final class StrictListener<Q> extends ServerCall.Listener<Received<Q>> {
    private final ServerCall<?, ?> call;
    private final ServerCall.Listener<Q> handler;
    private boolean isRefused;

    private StrictListener(ServerCall<?, ?> call, ServerCall.Listener<Q> handler) {
        this.call = call;
        this.handler = handler;
    }

    static <Q, A> StrictListener<Q> start(
            ServerCallHandler<Q, A> handler,
            ServerCall<Received<Q>, A> call,
            MethodDescriptor<Q, A> method,
            Metadata headers) {
        return new StrictListener<>(call, handler.startCall(new HandlersCall<>(call, method), headers));
    }

    @Override
    public void onMessage(Received<Q> received) {
        if (received.refusal() == null) {
            handler.onMessage(received.get());
            return;
        }
        isRefused = true;
        StatusRuntimeException status =
                Statuses.of(received.refusal(), call.getMethodDescriptor().getFullMethodName());
        call.close(status.getStatus(), Objects.requireNonNullElseGet(status.getTrailers(), Metadata::new));
    }

    @Override
    public void onHalfClose() {
        if (!isRefused) {
            handler.onHalfClose();
        }
    }

    @Override
    public void onCancel() {
        handler.onCancel();
    }

    @Override
    public void onComplete() {
        handler.onComplete();
    }

    @Override
    public void onReady() {
        handler.onReady();
    }

    /** The same call, as the handler knows it. */
    private static final class HandlersCall<Q, A> extends ServerCall<Q, A> {
        private final ServerCall<Received<Q>, A> call;
        private final MethodDescriptor<Q, A> method;

        HandlersCall(ServerCall<Received<Q>, A> call, MethodDescriptor<Q, A> method) {
            this.call = call;
            this.method = method;
        }

        @Override
        public void request(int messages) {
            call.request(messages);
        }

        @Override
        public void sendHeaders(Metadata headers) {
            call.sendHeaders(headers);
        }

        @Override
        public void sendMessage(A message) {
            call.sendMessage(message);
        }

        @Override
        public boolean isReady() {
            return call.isReady();
        }

        @Override
        public void close(Status status, Metadata trailers) {
            call.close(status, trailers);
        }

        @Override
        public boolean isCancelled() {
            return call.isCancelled();
        }

        @Override
        public void setMessageCompression(boolean isEnabled) {
            call.setMessageCompression(isEnabled);
        }

        @Override
        public void setCompression(String compressor) {
            call.setCompression(compressor);
        }

        @Override
        public void setOnReadyThreshold(int bytes) {
            call.setOnReadyThreshold(bytes);
        }

        @Override
        public SecurityLevel getSecurityLevel() {
            return call.getSecurityLevel();
        }

        @Override
        public Attributes getAttributes() {
            return call.getAttributes();
        }

        @Override
        public @Nullable String getAuthority() {
            return call.getAuthority();
        }

        @Override
        public MethodDescriptor<Q, A> getMethodDescriptor() {
            return method;
        }
    }
}
