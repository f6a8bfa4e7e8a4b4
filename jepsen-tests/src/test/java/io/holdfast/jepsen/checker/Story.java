package io.holdfast.jepsen.checker;

import io.holdfast.jepsen.history.Action;
import io.holdfast.jepsen.history.Answer;
import io.holdfast.jepsen.history.History;
import io.holdfast.jepsen.history.Lease;
import io.holdfast.jepsen.history.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A history, told line by line in milliseconds. Every TTL is 1 s, every client allows 1 % of drift. */
final class Story {
    static final String LOCK = "orders/42";
    private static final long MS = 1_000_000;
    private static final long TTL = 1_000;

    private final List<Operation> operations = new ArrayList<>();

    /** A lock is granted at once. */
    Story granted(String client, long token, long from, long to) {
        return grantedAfterWaiting(client, token, from, from, to);
    }

    /** A lock is granted after a wait; the last ask was sent at that time. */
    Story grantedAfterWaiting(String client, long token, long from, long sent, long to) {
        return add(client, Action.ACQUIRE, from, to, Answer.YES, lease(token, sent), 0);
    }

    Story renewed(String client, long token, long from, long to) {
        return renewedAs(client, token, token, from, to);
    }

    /** A renewal is answered with that token. */
    Story renewedAs(String client, long token, long answered, long from, long to) {
        return add(client, Action.RENEW, from, to, Answer.YES, lease(answered, from), token);
    }

    Story renewal(String client, long token, long from, long to, Answer answer) {
        return add(client, Action.RENEW, from, to, answer, Optional.empty(), token);
    }

    Story released(String client, long token, long from, long to) {
        return release(client, token, from, to, Answer.YES);
    }

    Story release(String client, long token, long from, long to, Answer answer) {
        return add(client, Action.RELEASE, from, to, answer, Optional.empty(), token);
    }

    Story forgot(String client, long token, long at) {
        return add(client, Action.FORGET, at, at, Answer.YES, Optional.empty(), token);
    }

    History end() {
        return new History(operations);
    }

    private static Optional<Lease> lease(long token, long sent) {
        return Optional.of(new Lease(token, TTL * MS, sent * MS, (sent + TTL - TTL / 100) * MS));
    }

    private Story add(
            String client, Action action, long from, long to, Answer answer, Optional<Lease> lease, long token) {
        operations.add(new Operation(
                operations.size() + 1, client, action, LOCK, from * MS, to * MS, answer, lease, token, ""));
        return this;
    }
}
