package io.holdfast.server.grpc;

import io.holdfast.core.Bounds.Violation;
import io.holdfast.v1.ErrorReason;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A request that ends with an error of the public API. Has no stack trace: it is a value on its way to {@link Statuses}. */
final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorReason reason;
    private final transient List<Violation> violations;
    private final transient Map<String, String> metadata;

    private Refused(ErrorReason reason, String message, List<Violation> violations, Map<String, String> metadata) {
        super(message, null, false, false);
        this.reason = reason;
        this.violations = List.copyOf(violations);
        this.metadata = Map.copyOf(metadata);
    }

    static Refused because(ErrorReason reason, String message) {
        return new Refused(reason, message, List.of(), Map.of());
    }

    static Refused because(ErrorReason reason, String message, Map<String, String> metadata) {
        return new Refused(reason, message, List.of(), metadata);
    }

    /** Refuses a request for its content. */
    static Refused invalid(List<Violation> violations) {
        String message = violations.stream().map(Violation::message).collect(Collectors.joining("; "));
        Violation first = violations.get(0);
        Map<String, String> metadata = Map.of("field", first.field(), "value", first.value(), "limit", first.limit());
        return new Refused(ErrorReason.INVALID_FIELD, message, violations, metadata);
    }

    ErrorReason reason() {
        return reason;
    }

    /** {@return what is wrong with the request, if that is why} */
    List<Violation> violations() {
        return violations;
    }

    Map<String, String> metadata() {
        return metadata;
    }
}
