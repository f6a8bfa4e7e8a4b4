package io.holdfast.server.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/** Marks a request that a node passes on to the leader, so that it never goes in circles. */
final class ForwardedHeader implements ServerInterceptor {
    private static final Metadata.Key<String> KEY =
            Metadata.Key.of("holdfast-forwarded", Metadata.ASCII_STRING_MARSHALLER);
    private static final Context.Key<Boolean> IS_SET = Context.keyWithDefault("holdfast-forwarded", false);

    /** {@return whether the request being served was passed on by a node} */
    static boolean isSet() {
        return IS_SET.get();
    }

    /** {@return headers of a request that this node passes on} */
    static Metadata of(String nodeId) {
        Metadata headers = new Metadata();
        headers.put(KEY, nodeId);
        return headers;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        return headers.containsKey(KEY)
                ? Contexts.interceptCall(Context.current().withValue(IS_SET, true), call, headers, next)
                : next.startCall(call, headers);
    }
}
