package io.holdfast.server.grpc;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What came in: a request, or why its bytes are none.
 *
 * @param <Q> kind of request
 * @param request the request
 * @param refusal why there is none
 */
record Received<Q>(@Nullable Q request, @Nullable Refused refusal) {
    Q get() {
        return Objects.requireNonNull(request);
    }
}
