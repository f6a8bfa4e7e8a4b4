package io.holdfast.client;

import io.grpc.MethodDescriptor;
import io.holdfast.v1.AnswerHeader;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.ListLocksResponse;
import io.holdfast.v1.LockServiceGrpc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Looks at what one node has, without the leader: also when there is none. Answers say how old they may be. Thread safe. */
public final class StaleReads {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Router router;

    StaleReads(Router router) {
        this.router = router;
    }

    /**
     * Shows a lock.
     *
     * @param name the lock
     * @return what the first node that answers sees: the lock, or empty if it is free
     * @throws HoldfastException if no node answers, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public Seen<Optional<LockInfo>> get(String name) throws InterruptedException {
        GetLockResponse response = call(
                LockServiceGrpc.getGetLockMethod(),
                GetLockRequest.newBuilder()
                        .setName(Answers.wellFormed("name", name))
                        .setStale(true)
                        .build());
        Optional<LockInfo> lock = response.hasLock() ? Optional.of(Answers.lock(response.getLock())) : Optional.empty();
        return seen(lock, response.getHeader(), age(response.getHeader()));
    }

    /**
     * Lists the locks that are held, page by page.
     *
     * @param prefix only names that begin with this; empty for all
     * @return what the first node that answers sees, in order of name; the index is that of the last page, the age the greatest of any
     * @throws HoldfastException if no node answers, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public Seen<List<LockInfo>> list(String prefix) throws InterruptedException {
        List<LockInfo> all = new ArrayList<>();
        OptionalLong oldest = OptionalLong.of(0);
        while (true) {
            ListLocksResponse page = call(
                    LockServiceGrpc.getListLocksMethod(),
                    ListLocksRequest.newBuilder()
                            .setPrefix(Answers.wellFormed("prefix", prefix))
                            .setAfter(
                                    all.isEmpty() ? "" : all.get(all.size() - 1).name())
                            .setStale(true)
                            .build());
            page.getLocksList().forEach(lock -> all.add(Answers.lock(lock)));
            OptionalLong age = age(page.getHeader());
            oldest = oldest.isPresent() && age.isPresent()
                    ? OptionalLong.of(Math.max(oldest.getAsLong(), age.getAsLong()))
                    : OptionalLong.empty();
            if (!page.getMore() || page.getLocksCount() == 0) {
                return seen(List.copyOf(all), page.getHeader(), oldest);
            }
        }
    }

    /** Asks one node after another, in the order in which they were given, until one answers. */
    private <Q, R> R call(MethodDescriptor<Q, R> method, Q request) throws InterruptedException {
        List<String> endpoints = router.endpoints();
        for (String endpoint : endpoints.subList(0, endpoints.size() - 1)) {
            try {
                return router.callAt(endpoint, method, request, PATIENCE);
            } catch (HoldfastException.Unavailable e) {
                // the next one may answer
            }
        }
        return router.callAt(endpoints.get(endpoints.size() - 1), method, request, PATIENCE);
    }

    private static OptionalLong age(AnswerHeader header) {
        return header.hasAgeMs() ? OptionalLong.of(header.getAgeMs()) : OptionalLong.empty();
    }

    private static <T> Seen<T> seen(T value, AnswerHeader header, OptionalLong age) {
        return new Seen<>(
                value,
                header.getNodeId(),
                header.getAppliedIndex(),
                age.isPresent() ? Optional.of(Duration.ofMillis(age.getAsLong())) : Optional.empty());
    }
}
