package io.holdfast.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.holdfast.v1.ErrorReason;
import io.holdfast.v1.WatchEvent;
import io.holdfast.v1.WatchResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Events one by one, in log order, each once. When the node that tells them is lost, goes on at another from the first one that has not come. For one thread at a time.
 */
public final class EventStream implements Watch.Source<LockEvent> {
    private static final int PROGRESS_MILLIS = 2_000;

    /** A node that says nothing for so long is frozen or cut off. */
    private static final long SILENCE_NANOS =
            Duration.ofMillis(4L * PROGRESS_MILLIS).toNanos();

    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(20).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofMillis(500).toNanos();

    private final Router router;
    private final ClientClock clock;
    private final WatchRequest request;
    private final Consumer<String> interrupted;
    private final Queue<LockEvent> ready = new ArrayDeque<>();

    // The place to go on from; index 0: from now on.
    private long nextIndex;
    private int nextNumber;

    private @Nullable WatchCall call;
    private String endpoint = "";
    private int turn = ThreadLocalRandom.current().nextInt(1_024);
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private boolean hasBegun;
    private boolean isInterrupted;
    private boolean isClosed;

    EventStream(Router router, ClientClock clock, WatchRequest request, Consumer<String> interrupted) {
        this.router = router;
        this.clock = clock;
        this.request = request;
        this.interrupted = interrupted;
        this.nextIndex = request.fromIndex();
    }

    /**
     * Waits for the next event, as long as it takes.
     *
     * @return the event
     * @throws HoldfastException.TooOld if events were lost: no node can tell any more what is next
     * @throws HoldfastException.Unavailable if no node answered at the beginning; later it goes on trying
     * @throws HoldfastException if the request is wrong
     * @throws InterruptedException if interrupted; nothing is lost by that
     */
    @Override
    public LockEvent next() throws InterruptedException {
        while (true) {
            LockEvent event = ready.poll();
            if (event != null) {
                return event;
            }
            takeMessage();
        }
    }

    /**
     * Tells whether the watch has begun: what happens from now on will be told.
     *
     * @return whether a node has answered; {@link #next} asks
     */
    public boolean hasBegun() {
        return hasBegun;
    }

    /**
     * Waits until a node has answered, so that what happens from then on will be told.
     *
     * @throws HoldfastException as in {@link #next}
     * @throws InterruptedException if interrupted
     */
    public void begin() throws InterruptedException {
        while (!hasBegun) {
            takeMessage();
        }
    }

    /** Ends the watch. */
    @Override
    public void close() {
        isClosed = true;
        hangUp();
    }

    private void takeMessage() throws InterruptedException {
        if (isClosed) {
            throw new IllegalStateException("the watch is closed");
        }
        long end = clock.nanoTime() + router.timeout().toNanos();
        while (true) {
            String reason;
            try {
                WatchResponse response = connected().next(SILENCE_NANOS);
                if (response != null) {
                    take(response);
                    return;
                }
                reason =
                        "it said nothing for " + Duration.ofNanos(SILENCE_NANOS).toSeconds() + " s";
            } catch (StatusRuntimeException e) {
                reason = reasonToGoOn(e);
            }
            lost(reason, end);
        }
    }

    private WatchCall connected() throws InterruptedException {
        WatchCall present = call;
        if (present == null) {
            if (!hasBegun) {
                // Learns who the members are: the node that was given may be the one that is lost later.
                var unused = router.issueTime();
            }
            List<String> all = router.endpoints();
            endpoint = all.get(Math.floorMod(turn, all.size()));
            present = new WatchCall(router.channel(endpoint), message());
            call = present;
        }
        return present;
    }

    private io.holdfast.v1.WatchRequest message() {
        io.holdfast.v1.WatchRequest.Builder message = io.holdfast.v1.WatchRequest.newBuilder()
                .setFromIndex(nextIndex)
                .setFromNumber(nextNumber)
                .setProgressMs(PROGRESS_MILLIS);
        return request.isPrefix()
                ? message.setPrefix(Answers.wellFormed("prefix", request.target()))
                        .build()
                : message.setName(Answers.wellFormed("name", request.target())).build();
    }

    private void take(WatchResponse response) {
        for (WatchEvent event : response.getEventsList()) {
            ready.add(Events.of(event));
            nextIndex = event.getLogIndex();
            nextNumber = event.getNumber() + 1;
        }
        if (response.getCompleteTo() >= nextIndex) {
            nextIndex = response.getCompleteTo() + 1;
            nextNumber = 0;
        }
        hasBegun = true;
        isInterrupted = false;
        router.askForMembersNowAndThen(endpoint);
        pauseNanos = FIRST_PAUSE_NANOS;
    }

    /** Goes on at another node, if that may help. */
    private void lost(String reason, long end) throws InterruptedException {
        String where = endpoint;
        hangUp();
        turn++;
        if (hasBegun && !isInterrupted) {
            isInterrupted = true;
            interrupted.accept("the node at " + where + " is lost: " + reason);
        }
        if (!hasBegun && clock.nanoTime() - end >= 0) {
            throw new HoldfastException.Unavailable(
                    false,
                    "no node could be watched within " + router.timeout().toMillis() + " ms (last: " + where + ": "
                            + reason + ")");
        }
        clock.sleep(pauseNanos);
        pauseNanos = Math.min(LONGEST_PAUSE_NANOS, pauseNanos * 2);
    }

    private void hangUp() {
        WatchCall present = call;
        if (present != null) {
            present.close();
            call = null;
        }
    }

    /** Why to go on elsewhere; throws if there is no point in that. */
    private static String reasonToGoOn(StatusRuntimeException e) {
        Answers.Failure failure = Answers.failure(e);
        if (failure.reason() == ErrorReason.TOO_OLD) {
            throw new HoldfastException.TooOld(firstIndex(e), failure.message());
        }
        if (!failure.isWorthRepeating()) {
            throw failure.asException(1);
        }
        return failure.message();
    }

    private static long firstIndex(StatusRuntimeException e) {
        com.google.rpc.Status status = StatusProto.fromThrowable(e);
        try {
            for (Any detail : status == null ? List.<Any>of() : status.getDetailsList()) {
                if (detail.is(ErrorInfo.class)) {
                    return Long.parseLong(
                            detail.unpack(ErrorInfo.class).getMetadataMap().getOrDefault("first_index", "0"));
                }
            }
        } catch (InvalidProtocolBufferException | NumberFormatException unreadable) {
            return 0;
        }
        return 0;
    }
}
