package io.holdfast.client;

import io.holdfast.v1.GetHistoryRequest;
import io.holdfast.v1.GetHistoryResponse;
import io.holdfast.v1.GetPastHoldersRequest;
import io.holdfast.v1.GetPastHoldersResponse;
import io.holdfast.v1.GetWaitRequest;
import io.holdfast.v1.GetWaitResponse;
import io.holdfast.v1.InspectServiceGrpc;
import io.holdfast.v1.ListWaitsRequest;
import io.holdfast.v1.ListWaitsResponse;
import java.time.Duration;
import java.util.Optional;

/** A closer look: why one waits, who held what. Thread safe; calls block. */
public final class Inspection {
    private final Router router;

    Inspection(Router router) {
        this.router = router;
    }

    /**
     * Tells why an owner waits for a lock.
     *
     * @param name the lock
     * @param owner who waits
     * @return its place and who is ahead, or empty if it does not wait for the lock
     * @throws HoldfastException if nobody answers, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public Optional<Wait> why(String name, Owner owner) throws InterruptedException {
        GetWaitRequest request = GetWaitRequest.newBuilder()
                .setName(Answers.wellFormed("name", name))
                .setOwner(Answers.owner(owner))
                .build();
        GetWaitResponse response =
                router.call(InspectServiceGrpc.getGetWaitMethod(), request).response();
        router.learn(response.getHeader());
        return response.hasWaiter()
                ? Optional.of(new Wait(
                        Answers.lock(response.getLock()),
                        Answers.waiter(response.getWaiter()),
                        response.getPlace(),
                        response.getAheadList().stream().map(Answers::waiter).toList(),
                        response.getOthersList()))
                : Optional.empty();
    }

    /**
     * Tells who held a lock just after an entry of the log.
     *
     * @param name the lock
     * @param logIndex the log index of that entry, at least 1
     * @return who held it and how that ended, as far as that is known
     * @throws HoldfastException if nobody answers, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public PastHolders heldAt(String name, long logIndex) throws InterruptedException {
        return past(name, GetPastHoldersRequest.newBuilder().setLogIndex(logIndex));
    }

    /**
     * Tells who held a lock some time ago.
     *
     * @param name the lock
     * @param ago how long ago, in lease time, which stands still without a leader; up to 365 days
     * @return who held it and how that ended, as far as that is known
     * @throws HoldfastException if nobody answers, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public PastHolders heldAgo(String name, Duration ago) throws InterruptedException {
        return past(name, GetPastHoldersRequest.newBuilder().setAgoMs(ago.toMillis()));
    }

    /**
     * Tells who waits for whom.
     *
     * @return the present wait-for graph, up to 1,000 edges
     * @throws HoldfastException if nobody answers, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public WaitGraph waits() throws InterruptedException {
        ListWaitsResponse response = router.call(
                        InspectServiceGrpc.getListWaitsMethod(), ListWaitsRequest.getDefaultInstance())
                .response();
        router.learn(response.getHeader());
        return new WaitGraph(response.getEdgesList().stream().map(Answers::edge).toList(), response.getIsCut());
    }

    /**
     * Tells what became of a lock.
     *
     * @param name the lock
     * @param most most events, 1 to 1,000
     * @return its latest events, as far as they are remembered
     * @throws HoldfastException if nobody answers, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public History history(String name, int most) throws InterruptedException {
        GetHistoryRequest request = GetHistoryRequest.newBuilder()
                .setName(Answers.wellFormed("name", name))
                .setMaxEvents(most)
                .build();
        GetHistoryResponse response =
                router.call(InspectServiceGrpc.getGetHistoryMethod(), request).response();
        router.learn(response.getHeader());
        return new History(response.getEventsList().stream().map(Events::of).toList(), response.getFirstIndex());
    }

    private PastHolders past(String name, GetPastHoldersRequest.Builder moment) throws InterruptedException {
        GetPastHoldersRequest request =
                moment.setName(Answers.wellFormed("name", name)).build();
        GetPastHoldersResponse response = router.call(InspectServiceGrpc.getGetPastHoldersMethod(), request)
                .response();
        router.learn(response.getHeader());
        long now = response.getHeader().getLeaseTime();
        return switch (response.getResultCase()) {
            case KNOWN ->
                new PastHolders.Known(response.getKnown().getHoldsList().stream()
                        .map(hold -> Answers.pastHold(hold, now))
                        .toList());
            case TOO_OLD -> new PastHolders.TooOld(response.getTooOld().getFirstIndex());
            case NOT_YET -> new PastHolders.NotYet();
            case RESULT_NOT_SET -> throw Answers.unknownKind();
        };
    }
}
