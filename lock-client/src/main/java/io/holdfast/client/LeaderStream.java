package io.holdfast.client;

import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.Hold;
import io.holdfast.v1.LockServiceGrpc;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who leads an election, one after another: the present leader first. No change is left out, as long as some node can still tell it; otherwise it goes on with the present leader. For one thread at a time.
 */
public final class LeaderStream implements Watch.Source<Optional<Leader>> {
    private final Router router;
    private final ClientClock clock;
    private final String name;
    private final Consumer<String> interrupted;
    private @Nullable EventStream events;
    private Optional<Leader> leader = Optional.empty();

    LeaderStream(Router router, ClientClock clock, String name, Consumer<String> interrupted) {
        this.router = router;
        this.clock = clock;
        this.name = name;
        this.interrupted = interrupted;
    }

    /**
     * Waits for the next change; the first call tells how things are.
     *
     * @return who leads; empty if nobody does
     * @throws HoldfastException if nobody answers at the beginning, or the name is wrong
     * @throws InterruptedException if interrupted
     */
    @Override
    public Optional<Leader> next() throws InterruptedException {
        while (true) {
            EventStream telling = events;
            if (telling == null) {
                return present();
            }
            try {
                if (take(telling.next())) {
                    return leader;
                }
            } catch (HoldfastException.TooOld e) {
                close();
            }
        }
    }

    /** Ends it. */
    @Override
    public void close() {
        EventStream telling = events;
        if (telling != null) {
            telling.close();
            events = null;
        }
    }

    /** What happens from just after this answer on is told by events. */
    private Optional<Leader> present() throws InterruptedException {
        GetLockResponse answer = router.call(
                        LockServiceGrpc.getGetLockMethod(),
                        GetLockRequest.newBuilder()
                                .setName(Answers.wellFormed("name", name))
                                .build())
                .response();
        long index = answer.getHeader().getAppliedIndex();
        leader = answer.getLock().getHoldersList().stream()
                .max(Comparator.comparingLong(Hold::getToken))
                .map(hold -> new Leader(
                        name,
                        hold.getTerms().getValue(),
                        Answers.ownerId(hold.getOwner()),
                        hold.getOwner().hasSessionId(),
                        hold.getOwnerLabel(),
                        hold.getToken(),
                        index));
        events = new EventStream(router, clock, WatchRequest.ofName(name).from(index + 1), interrupted);
        return leader;
    }

    /** {@return whether this event changes who leads, or what the leader publishes} */
    private boolean take(LockEvent event) {
        switch (event.kind()) {
            case ACQUIRED, HANDED_OFF -> leader = Optional.of(leader(event, event.value()));
            case VALUE_CHANGED -> leader = leader.map(it -> leader(event, event.value()));
            case CONVERTED -> leader = leader.map(it -> leader(event, it.value()));
            case RELEASED, EXPIRED, REVOKED -> leader = Optional.empty();
            case REVOKING,
                    PERMITS_RELEASED,
                    QUEUED,
                    LEFT_QUEUE,
                    SESSION_OPENED,
                    SESSION_CLOSED,
                    SESSION_EXPIRED,
                    OTHER -> {
                return false;
            }
        }
        return true;
    }

    private static Leader leader(LockEvent event, String value) {
        return new Leader(
                event.name(),
                value,
                event.owner(),
                event.isSession(),
                event.ownerLabel(),
                event.token(),
                event.logIndex());
    }
}
