package io.holdfast.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.holdfast.v1.BackupFacts;
import io.holdfast.v1.BackupRequest;
import io.holdfast.v1.BackupResponse;
import io.holdfast.v1.ClusterServiceGrpc;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Takes in one backup, message by message, and checks that it is whole. For one thread; the transport's fills its queue. */
final class BackupReceiver {
    /** A node that sends nothing for so long is frozen or cut off; it may have to take a large snapshot first. */
    private static final Duration SILENCE = Duration.ofMinutes(2);

    private final OutputStream out;
    private final ClusterAdmin.Progress progress;
    private final MessageDigest digest;
    private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
    private @Nullable BackupFacts facts;
    private long bytes;

    /** A message, or the end of the call. */
    private sealed interface Arrival {
        record Message(BackupResponse part) implements Arrival {}

        record Closed(Status status, Metadata trailers) implements Arrival {}
    }

    BackupReceiver(OutputStream out, ClusterAdmin.Progress progress) {
        this.out = out;
        this.progress = progress;
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK must have SHA-256", e);
        }
    }

    BackupInfo receive(Channel channel, String endpoint) throws IOException, InterruptedException {
        ClientCall<BackupRequest, BackupResponse> call =
                channel.newCall(ClusterServiceGrpc.getBackupMethod(), CallOptions.DEFAULT);
        boolean isWhole = false;
        try {
            call.start(new Listener(), new Metadata());
            call.request(1);
            call.sendMessage(BackupRequest.getDefaultInstance());
            call.halfClose();
            BackupInfo info = takeIn(call, endpoint);
            isWhole = true;
            return info;
        } finally {
            if (!isWhole) {
                call.cancel("the backup is given up", null);
            }
        }
    }

    private BackupInfo takeIn(ClientCall<BackupRequest, BackupResponse> call, String endpoint)
            throws IOException, InterruptedException {
        while (true) {
            Arrival arrival = arrivals.poll(SILENCE.toSeconds(), TimeUnit.SECONDS);
            if (arrival == null) {
                throw broken(endpoint, "it sent nothing for " + SILENCE.toSeconds() + " s");
            }
            if (arrival instanceof Arrival.Closed closed) {
                throw failure(endpoint, closed);
            }
            BackupResponse part = ((Arrival.Message) arrival).part();
            if (part.hasEnd()) {
                return end(endpoint, part);
            }
            take(endpoint, part);
            // One at a time: what this client cannot write yet is not even sent.
            call.request(1);
        }
    }

    private void take(String endpoint, BackupResponse part) throws IOException {
        if (part.hasFacts() && facts == null) {
            facts = part.getFacts();
        } else if (part.hasData() && facts != null) {
            digest.update(part.getData().asReadOnlyByteBuffer());
            part.getData().writeTo(out);
            bytes += part.getData().size();
            progress.received(bytes, facts.getContentBytes());
        } else {
            throw broken(endpoint, "it sent something else than a backup");
        }
    }

    private BackupInfo end(String endpoint, BackupResponse part) {
        byte[] sum = digest.digest();
        BackupFacts about = facts;
        if (about == null
                || part.getEnd().getBytes() != bytes
                || !MessageDigest.isEqual(sum, part.getEnd().getSha256().toByteArray())) {
            throw broken(endpoint, "its bytes came changed or not all of them");
        }
        return new BackupInfo(
                about.getNodeId(),
                about.getCluster(),
                about.getTerm(),
                about.getIndex(),
                about.getLeaseTime(),
                about.getLastToken(),
                about.getDigest(),
                about.getContentBytes(),
                bytes,
                HexFormat.of().formatHex(sum));
    }

    private static HoldfastException failure(String endpoint, Arrival.Closed closed) {
        if (closed.status().isOk()) {
            return broken(endpoint, "it ended before its end");
        }
        Answers.Failure failure = Answers.failure(new StatusRuntimeException(closed.status(), closed.trailers()));
        return failure.isWorthRepeating() && !failure.isOperationRefused()
                ? broken(endpoint, failure.message())
                : failure.asException(1);
    }

    private static HoldfastException broken(String endpoint, String why) {
        return new HoldfastException.Unavailable(false, "the backup from " + endpoint + " did not come whole: " + why);
    }

    private final class Listener extends ClientCall.Listener<BackupResponse> {
        @Override
        public void onMessage(BackupResponse part) {
            arrivals.add(new Arrival.Message(part));
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            arrivals.add(new Arrival.Closed(status, trailers));
        }
    }
}
