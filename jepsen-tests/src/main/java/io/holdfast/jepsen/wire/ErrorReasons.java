package io.holdfast.jepsen.wire;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.holdfast.v1.ErrorReason;
import java.util.Optional;

/** Why a call failed, as the node says. */
public final class ErrorReasons {
    private ErrorReasons() {}

    /** {@return the reason in the details of the error; unspecified if no node of ours wrote it} */
    public static ErrorReason of(StatusRuntimeException e) {
        var status = Optional.ofNullable(StatusProto.fromThrowable(e));
        return status.stream()
                .flatMap(s -> s.getDetailsList().stream())
                .filter(any -> any.is(ErrorInfo.class))
                .map(ErrorReasons::reason)
                .findFirst()
                .orElse(ErrorReason.ERROR_REASON_UNSPECIFIED);
    }

    private static ErrorReason reason(Any any) {
        try {
            return ErrorReason.valueOf(any.unpack(ErrorInfo.class).getReason());
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("a node sent an error that cannot be read", e);
        }
    }
}
