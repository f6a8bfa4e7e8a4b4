package io.holdfast.server.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.grpc.MethodDescriptor.Marshaller;
import io.holdfast.core.Bounds.Violation;
import io.holdfast.v1.ErrorReason;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/**
 * Reads requests from bytes. gRPC's own reader answers what it cannot read with an internal error that names nothing.
 *
 * @param <Q> kind of request
 */
final class RequestReader<Q> implements Marshaller<Received<Q>> {
    private final Message prototype;
    private final int maxBytes;

    /**
     * Creates it.
     *
     * @param prototype a message of the kind {@code Q}
     */
    RequestReader(Message prototype, int maxBytes) {
        this.prototype = prototype;
        this.maxBytes = maxBytes;
    }

    @Override
    public InputStream stream(Received<Q> value) {
        throw new UnsupportedOperationException("a door writes no requests");
    }

    @Override
    public Received<Q> parse(InputStream in) {
        byte[] bytes;
        try {
            bytes = in.readNBytes(maxBytes + 1);
            if (bytes.length > maxBytes) {
                return new Received<>(null, tooLarge(bytes.length + in.available()));
            }
        } catch (IOException e) {
            return new Received<>(null, unreadable(e));
        }
        try {
            // The parser of a message's own type gives that type.
            @SuppressWarnings("unchecked")
            Q request = (Q) prototype.getParserForType().parseFrom(bytes);
            return new Received<>(request, null);
        } catch (InvalidProtocolBufferException e) {
            List<Violation> invalid = InvalidText.find(prototype.getDescriptorForType(), bytes);
            return new Received<>(null, invalid.isEmpty() ? unreadable(e) : Refused.invalid(invalid));
        }
    }

    private Refused tooLarge(long bytes) {
        return Refused.because(
                ErrorReason.REQUEST_TOO_LARGE,
                "the request has " + bytes + " bytes; it must be at most " + maxBytes + " bytes",
                Map.of("field", "request", "value", bytes + " bytes", "limit", maxBytes + " bytes"));
    }

    private Refused unreadable(IOException e) {
        return Refused.invalid(List.of(new Violation(
                "request",
                "not readable (" + e.getMessage() + ")",
                "a message " + prototype.getDescriptorForType().getFullName())));
    }
}
