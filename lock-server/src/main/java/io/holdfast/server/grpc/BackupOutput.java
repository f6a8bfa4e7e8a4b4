package io.holdfast.server.grpc;

import com.google.protobuf.ByteString;
import io.grpc.stub.ServerCallStreamObserver;
import io.holdfast.server.backup.Sha256;
import io.holdfast.v1.BackupResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The bytes of a backup on their way to a client, no faster than it takes them. For one thread; the transport's wakes it. */
final class BackupOutput extends OutputStream {
    private static final int CHUNK_BYTES = 256 << 10;

    private final ServerCallStreamObserver<BackupResponse> client;
    private final Duration patience;
    private final MessageDigest digest = Sha256.start();
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private int filled;
    private long bytes;

    // Guards nothing of ours: only lets the writing thread wait for the transport's word.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    BackupOutput(ServerCallStreamObserver<BackupResponse> client, Duration patience) {
        this.client = client;
        this.patience = patience;
        client.setOnReadyHandler(this::wake);
        client.setOnCancelHandler(this::wake);
    }

    /** The client hung up, or takes nothing. */
    static final class ClientGone extends IOException {
        private static final long serialVersionUID = 1L;

        ClientGone(String message) {
            super(message);
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        int written = 0;
        while (written < length) {
            if (filled == chunk.length) {
                flush();
            }
            int part = Math.min(length - written, chunk.length - filled);
            System.arraycopy(from, offset + written, chunk, filled, part);
            filled += part;
            written += part;
        }
    }

    /** Sends what is not yet sent. */
    @Override
    public void flush() throws IOException {
        if (filled > 0) {
            digest.update(chunk, 0, filled);
            bytes += filled;
            ByteString data = ByteString.copyFrom(chunk, 0, filled);
            filled = 0;
            send(BackupResponse.newBuilder().setData(data).build());
        }
    }

    /**
     * Sends a message, once the client is ready for one.
     *
     * @throws ClientGone if it is not in time
     */
    void send(BackupResponse message) throws ClientGone {
        awaitReady();
        client.onNext(message);
    }

    long bytes() {
        return bytes;
    }

    /** {@return the digest of all that was sent; to be asked for once} */
    byte[] sha256() {
        return digest.digest();
    }

    private void awaitReady() throws ClientGone {
        long left = patience.toNanos();
        lock.lock();
        try {
            while (!client.isReady() && !client.isCancelled()) {
                if (left <= 0) {
                    throw new ClientGone("the client took nothing for " + patience.toSeconds() + " s");
                }
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClientGone("the node is stopping");
        } finally {
            lock.unlock();
        }
        if (client.isCancelled()) {
            throw new ClientGone("the client hung up");
        }
    }

    private void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
