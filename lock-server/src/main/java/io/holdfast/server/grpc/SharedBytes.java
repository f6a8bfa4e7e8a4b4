package io.holdfast.server.grpc;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Sends messages that are bytes already, and so can be shared by all who are sent the same. */
final class SharedBytes implements Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] message) {
        return new Message(message);
    }

    @Override
    public byte[] parse(InputStream in) {
        throw new UnsupportedOperationException("a door reads no answers");
    }

    /** What gRPC takes such a message from: it asks for the length first, and then for all at once. */
    private static final class Message extends ByteArrayInputStream implements KnownLength, Drainable {
        Message(byte[] bytes) {
            super(bytes);
        }

        @Override
        public int drainTo(OutputStream target) throws IOException {
            int length = available();
            target.write(buf, pos, length);
            pos = count;
            return length;
        }
    }
}
