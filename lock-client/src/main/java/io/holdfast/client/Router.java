package io.holdfast.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.holdfast.v1.AnswerHeader;
import io.holdfast.v1.ClusterServiceGrpc;
import io.holdfast.v1.GetNodeStatusRequest;
import io.holdfast.v1.GetNodeStatusResponse;
import io.holdfast.v1.Member;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Finds the leader and sends requests to it, again and again until one is answered or the timeout is over. Thread safe.
 *
 * <p>A request that is sent again is the same message with the same tag, so it has one effect. Each sending has a short limit of its own: a node that is frozen or cut off must not cost more than that.
 */
final class Router implements AutoCloseable {
    private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long SENDING_NANOS = TimeUnit.MILLISECONDS.toNanos(1_000);
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Older than this, what was seen of lease time is refreshed before a new request is issued. */
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Members come and go: a client that is always busy must not end up knowing only those that have left. */
    private static final long MEMBERS_FRESH_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Endpoints channels;
    private final ClientClock clock;
    private final Duration timeout;

    private final List<String> given;

    // When members last told who they are, or were last asked, by the clock's nanoTime.
    private final AtomicLong membersSeenAt;

    // Those given, and the members by what one of them told last.
    private volatile List<String> endpoints;
    private final Map<String, String> endpointById = new ConcurrentHashMap<>();
    private volatile @Nullable String leader;

    // Whom to ask if it is not known who leads: a place in the list of endpoints, or beyond it.
    private volatile int next;

    private volatile long leaseTime;
    private volatile long leaseTimeSeenAt;
    private volatile boolean hasSeenLeaseTime;

    Router(List<String> endpoints, Endpoints channels, ClientClock clock, Duration timeout) {
        this.given = List.copyOf(endpoints);
        this.endpoints = given;
        this.channels = channels;
        this.clock = clock;
        this.timeout = timeout;
        this.membersSeenAt = new AtomicLong(clock.nanoTime());
    }

    /**
     * An answer, and the clocks when the sending that it answers went out.
     *
     * @param <R> kind of answer
     * @param response the answer
     * @param sent the clocks just before
     * @param sendings how often the request had been sent in all
     */
    record Answered<R>(R response, ClientClock.Reading sent, int sendings) {}

    /** Sends a request that a node answers as soon as it can. */
    <Q, R> Answered<R> call(MethodDescriptor<Q, R> method, Q request) throws InterruptedException {
        return call(method, request, 0, timeout);
    }

    /**
     * Sends a request until it is answered.
     *
     * @param blockNanos how long a node may take to answer on purpose
     * @param patience how long to try in all, beyond what the node takes on purpose
     * @throws HoldfastException if the answer is an error that repeating does not cure, or nobody answers in time
     */
    <Q, R> Answered<R> call(MethodDescriptor<Q, R> method, Q request, long blockNanos, Duration patience)
            throws InterruptedException {
        // A node that may block is given the time to; beyond that, the patience is all there is.
        long end = clock.nanoTime() + Math.max(patience.toNanos(), blockNanos + SENDING_NANOS);
        long pause = FIRST_PAUSE_NANOS;
        boolean mayHaveArrived = false;
        for (int sendings = 1; ; sendings++) {
            String endpoint = target();
            ClientClock.Reading sent = clock.read();
            Answers.Failure failure;
            try {
                long limit = Math.min(SENDING_NANOS + blockNanos, Math.max(1, end - sent.nanos()));
                R response = send(method, request, endpoint, limit);
                askForMembersNowAndThen(endpoint);
                return new Answered<>(response, sent, sendings);
            } catch (StatusRuntimeException e) {
                requireNotInterrupted();
                failure = Answers.failure(e);
            }
            if (!failure.isWorthRepeating()) {
                throw failure.asException(sendings);
            }
            mayHaveArrived |= failure.isIndefinite();
            passBy(endpoint);
            long pausing = pause + ThreadLocalRandom.current().nextLong(pause);
            if (end - clock.nanoTime() <= pausing) {
                throw new HoldfastException.Unavailable(
                        mayHaveArrived,
                        "no leader answered within " + patience.toMillis() + " ms (last: " + endpoint + ": "
                                + failure.message() + ")");
            }
            clock.sleep(pausing);
            pause = Math.min(LONGEST_PAUSE_NANOS, pause * 2);
        }
    }

    /**
     * A lease time that has certainly been reached, seen lately: for {@code issued_at} of a new request.
     *
     * @return lease time, in ns
     * @throws HoldfastException.Unavailable if no node answers within the timeout
     */
    long issueTime() throws InterruptedException {
        if (!hasSeenLeaseTime || clock.nanoTime() - leaseTimeSeenAt > FRESH_NANOS) {
            discover();
        }
        return leaseTime;
    }

    /** What is seen now is no longer good enough. */
    void refresh() {
        hasSeenLeaseTime = false;
    }

    /** Learns from an answer where the leader is and what lease time it is. */
    void learn(AnswerHeader header) {
        see(header.getLeaseTime());
        String endpoint = endpointById.get(header.getNodeId());
        if (endpoint != null) {
            leader = endpoint;
        }
    }

    /** All endpoints known: those given, and those that members told of. */
    List<String> endpoints() {
        return endpoints;
    }

    /** The id of the member at an endpoint, if a member told of it. */
    Optional<String> idOf(String endpoint) {
        return endpointById.entrySet().stream()
                .filter(entry -> entry.getValue().equals(endpoint))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** The connection to one node. */
    Channel channel(String endpoint) {
        return channels.to(endpoint);
    }

    /**
     * Sends a request to one node, once.
     *
     * @throws HoldfastException if its answer is an error, or it does not answer in time
     */
    <Q, R> R callAt(String endpoint, MethodDescriptor<Q, R> method, Q request, Duration patience)
            throws InterruptedException {
        try {
            return send(method, request, endpoint, patience.toNanos());
        } catch (StatusRuntimeException e) {
            requireNotInterrupted();
            Answers.Failure failure = Answers.failure(e);
            throw failure.isWorthRepeating() && !failure.isOperationRefused()
                    ? new HoldfastException.Unavailable(
                            failure.isIndefinite(),
                            "the node at " + endpoint + " does not answer: " + failure.message())
                    : failure.asException(1);
        }
    }

    /** How long a call looks for a leader that answers. */
    Duration timeout() {
        return timeout;
    }

    /** Asks one node how it sees the cluster. */
    GetNodeStatusResponse statusOf(String endpoint, boolean withDigest) {
        GetNodeStatusResponse status = send(
                ClusterServiceGrpc.getGetNodeStatusMethod(),
                GetNodeStatusRequest.newBuilder().setDigest(withDigest).build(),
                endpoint,
                withDigest ? SENDING_NANOS : PROBE_NANOS);
        learn(status);
        return status;
    }

    @Override
    public void close() {
        channels.close();
    }

    private void discover() throws InterruptedException {
        long end = clock.nanoTime() + timeout.toNanos();
        long pause = FIRST_PAUSE_NANOS;
        for (int i = 0; ; i++) {
            List<String> all = endpoints;
            String endpoint = all.get(i % all.size());
            try {
                var unused = statusOf(endpoint, false);
                return;
            } catch (StatusRuntimeException e) {
                requireNotInterrupted();
                if (clock.nanoTime() - end >= 0) {
                    throw new HoldfastException.Unavailable(
                            false,
                            "no node answered within " + timeout.toMillis() + " ms (last: " + endpoint + ": "
                                    + Answers.failure(e).message() + ")");
                }
            }
            if (i % all.size() == all.size() - 1) {
                clock.sleep(pause);
                pause = Math.min(LONGEST_PAUSE_NANOS, pause * 2);
            }
        }
    }

    /** Asks a node that has just answered, and does not wait. */
    void askForMembersNowAndThen(String endpoint) {
        long seen = membersSeenAt.get();
        long now = clock.nanoTime();
        if (now - seen < MEMBERS_FRESH_NANOS || !membersSeenAt.compareAndSet(seen, now)) {
            return;
        }
        ClusterServiceGrpc.newStub(channels.to(endpoint))
                .withDeadlineAfter(PROBE_NANOS, TimeUnit.NANOSECONDS)
                .getNodeStatus(GetNodeStatusRequest.getDefaultInstance(), new StreamObserver<>() {
                    @Override
                    public void onNext(GetNodeStatusResponse status) {
                        learn(status);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        // It is asked again in a while; and whoever calls it will see.
                    }

                    @Override
                    public void onCompleted() {}
                });
    }

    private synchronized void learn(GetNodeStatusResponse status) {
        membersSeenAt.set(clock.nanoTime());
        // One that knows no leader may be none of the cluster, or no longer.
        Set<String> known = new LinkedHashSet<>(status.getLeaderId().isEmpty() ? endpoints : given);
        for (Member member : status.getMembersList()) {
            endpointById.put(member.getNodeId(), member.getEndpoint());
            known.add(member.getEndpoint());
        }
        endpoints = List.copyOf(known);
        see(status.getLeaseTime());
        String endpoint = endpointById.get(status.getLeaderId());
        if (endpoint != null) {
            leader = endpoint;
        }
    }

    /** Nodes may be behind one another; the latest lease time seen is the one that has been reached. */
    private synchronized void see(long seen) {
        leaseTime = Math.max(leaseTime, seen);
        leaseTimeSeenAt = clock.nanoTime();
        hasSeenLeaseTime = true;
    }

    /** Where to try for the n-th time, n = 1, 2, 3 …: the leader first, if one is known, then one node after the other. */
    String endpointFor(int tries) {
        String known = leader;
        List<String> all = endpoints;
        return tries == 1 && known != null ? known : all.get(tries % all.size());
    }

    private String target() {
        String known = leader;
        List<String> all = endpoints;
        // Not the leader alone: it may be the one that is frozen or cut off, and any node passes requests on.
        return known != null ? known : all.get(Math.floorMod(next, all.size()));
    }

    /** The next one is asked, also by a later call: one that has time for a single try must not meet the same frozen node each time. */
    private void passBy(String endpoint) {
        if (endpoint.equals(leader)) {
            leader = null;
        }
        next = endpoints.indexOf(endpoint) + 1;
    }

    private <Q, R> R send(MethodDescriptor<Q, R> method, Q request, String endpoint, long limitNanos) {
        Channel channel = channels.to(endpoint);
        return ClientCalls.blockingUnaryCall(
                channel, method, CallOptions.DEFAULT.withDeadlineAfter(limitNanos, TimeUnit.NANOSECONDS), request);
    }

    private static void requireNotInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while waiting for an answer");
        }
    }
}
