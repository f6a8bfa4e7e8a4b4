package io.holdfast.jepsen;

import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.KnownLength;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.holdfast.v1.WatchEvent;
import io.holdfast.v1.WatchRequest;
import io.holdfast.v1.WatchResponse;
import io.holdfast.v1.WatchServiceGrpc;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Very many watchers of one prefix at one node, some of which take nothing.
 *
 * <p>Each checks that what it is told grows from place to place. A message that was read once is known again by its bytes: reading it for each of ten thousand would cost more than the node does.
 */
final class WatchCrowd implements AutoCloseable {
    /** What a connection takes in ahead of its watchers: gRPC's usual, or little, so that who takes nothing is found out soon. */
    private static final int WINDOW = 1 << 20;

    private static final int SMALL_WINDOW = 65_535;

    /** So many messages are known again; most watchers are told the same within a moment. */
    private static final int MOST_KNOWN = 512;

    private final List<ManagedChannel> channels = new ArrayList<>();
    private final List<Guest> guests = new ArrayList<>();
    private final Map<Message, Digest> known = new ConcurrentHashMap<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger messages = new AtomicInteger();

    /** The bytes of a message, to be found by. */
    private static final class Message {
        private final byte[] bytes;
        private final int hash;

        Message(byte[] bytes) {
            this.bytes = bytes;
            this.hash = Arrays.hashCode(bytes);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Message it && it.hash == hash && Arrays.equals(it.bytes, bytes);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    /** What is in a message: how many events, whether they stand in order, and the first and last place. */
    private record Digest(
            int count, boolean isInOrder, long firstIndex, int firstNumber, long lastIndex, int lastNumber) {
        static Digest of(byte[] bytes) {
            try {
                List<WatchEvent> events = WatchResponse.parseFrom(bytes).getEventsList();
                if (events.isEmpty()) {
                    return new Digest(0, true, 0, 0, 0, 0);
                }
                boolean isInOrder = true;
                for (int i = 1; i < events.size(); i++) {
                    isInOrder &= isAfter(
                            events.get(i).getLogIndex(),
                            events.get(i).getNumber(),
                            events.get(i - 1).getLogIndex(),
                            events.get(i - 1).getNumber());
                }
                WatchEvent first = events.getFirst();
                WatchEvent last = events.getLast();
                return new Digest(
                        events.size(),
                        isInOrder,
                        first.getLogIndex(),
                        first.getNumber(),
                        last.getLogIndex(),
                        last.getNumber());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static boolean isAfter(long index, int number, long thanIndex, int thanNumber) {
        return index > thanIndex || (index == thanIndex && number > thanNumber);
    }

    /**
     * Lets watchers in, and waits until all have begun.
     *
     * @param perConnection how many share a connection
     * @param slow how many of them take nothing after the first message
     */
    WatchCrowd(String endpoint, int watchers, int perConnection, String prefix, int slow) {
        WatchRequest request = WatchRequest.newBuilder().setPrefix(prefix).build();
        for (int i = 0; i < watchers; i++) {
            if (i % perConnection == 0) {
                channels.add(NettyChannelBuilder.forTarget("dns:///" + endpoint)
                        .usePlaintext()
                        .directExecutor()
                        .flowControlWindow(slow > 0 ? SMALL_WINDOW : WINDOW)
                        .build());
            }
            Guest guest = new Guest(channels.getLast(), i >= watchers - slow);
            guests.add(guest);
            guest.open(request);
            if (i % perConnection == perConnection - 1) {
                int all = i + 1;
                await().atMost(Duration.ofMinutes(2)).until(() -> begun.get() == all);
            }
        }
        await().atMost(Duration.ofMinutes(2)).until(() -> begun.get() == watchers);
    }

    List<Guest> guests() {
        return guests;
    }

    int messages() {
        return messages.get();
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }

    /** One watcher. Its transport's thread writes, the test reads. */
    final class Guest extends ClientCall.Listener<byte[]> {
        final boolean isSlow;
        private boolean hasBegun;
        private long lastIndex;
        private int lastNumber;
        private int taken;
        private volatile int count;
        private volatile long heardAtNanos;
        private volatile String trouble = "";
        private volatile String end = "";
        private final ClientCall<WatchRequest, byte[]> call;

        Guest(ManagedChannel channel, boolean isSlow) {
            this.isSlow = isSlow;
            MethodDescriptor<WatchRequest, byte[]> method = WatchServiceGrpc.getWatchMethod().toBuilder(
                            WatchServiceGrpc.getWatchMethod().getRequestMarshaller(), new Bytes())
                    .build();
            this.call = channel.newCall(method, CallOptions.DEFAULT);
        }

        private void open(WatchRequest request) {
            call.start(this, new Metadata());
            call.request(1);
            call.sendMessage(request);
            call.halfClose();
        }

        /** Takes what it did not take so far. */
        void takeAll() {
            call.request(Integer.MAX_VALUE);
        }

        @Override
        public void onMessage(byte[] bytes) {
            if (hasBegun) {
                take(bytes);
            } else {
                hasBegun = true;
                begun.incrementAndGet();
            }
            if (!isSlow) {
                call.request(1);
            }
        }

        private void take(byte[] bytes) {
            messages.incrementAndGet();
            Message message = new Message(bytes);
            Digest digest = known.get(message);
            if (digest == null) {
                digest = Digest.of(bytes);
                if (known.size() > MOST_KNOWN) {
                    known.clear();
                }
                known.put(message, digest);
            }
            if (digest.count() == 0) {
                return;
            }
            if (!digest.isInOrder() || !isAfter(digest.firstIndex(), digest.firstNumber(), lastIndex, lastNumber)) {
                trouble = "told " + digest + " after " + lastIndex + "." + lastNumber;
            }
            lastIndex = digest.lastIndex();
            lastNumber = digest.lastNumber();
            heardAtNanos = System.nanoTime();
            taken += digest.count();
            count = taken;
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            end = String.valueOf(new StatusRuntimeException(status, trailers).getMessage());
        }

        int count() {
            return count;
        }

        long heardAtNanos() {
            return heardAtNanos;
        }

        /** {@return what came in the wrong order, or twice; empty if nothing did} */
        String trouble() {
            return trouble;
        }

        /** {@return how the watch ended; empty if it goes on} */
        String end() {
            return end;
        }
    }

    private static final class Bytes implements Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream in) {
            try {
                return in instanceof KnownLength ? in.readNBytes(in.available()) : in.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
