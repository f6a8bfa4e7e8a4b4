package io.holdfast.jepsen.checker;

import io.holdfast.jepsen.history.Action;
import io.holdfast.jepsen.history.Answer;
import io.holdfast.jepsen.history.History;
import io.holdfast.jepsen.history.Lease;
import io.holdfast.jepsen.history.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A store of one lock with a simulated clock, and clients whose calls take random time on the way. Right unless told otherwise; then it says what it did.
 */
final class SimulatedStore {
    /** What the store does wrong. */
    enum Fault {
        NONE,
        /** Leases end after half of their TTL. */
        EARLY_EXPIRY,
        /** A new grant sometimes gets the token of the last. */
        SAME_TOKEN,
        /** A new grant sometimes gets a lower token than the last. */
        LOWER_TOKEN
    }

    private static final long TTL = 1_000;

    private final Random random;
    private final Fault fault;
    private final List<Operation> operations = new ArrayList<>();
    private final Map<Integer, Long> clientIsFreeAt = new HashMap<>();

    private long now = 100_000;
    private long lastToken = 1_000;
    private int wrongs;

    // The hold at the moment; nobody's if it has expired or the client is 0.
    private int holder;
    private long token;
    private long expiresAt;
    private long believedUntil;
    private long knownSince;

    SimulatedStore(long seed, Fault fault) {
        this.random = new Random(seed);
        this.fault = fault;
    }

    /** {@return how often the fault showed so that clients could see it} */
    int wrongs() {
        return wrongs;
    }

    History run(int steps) {
        for (int i = 0; i < steps; i++) {
            now += random.nextLong(TTL / 2);
            if (holder != 0 && now >= expiresAt) {
                holder = 0;
            }
            int client = 1 + random.nextInt(4);
            if (clientIsFreeAt.getOrDefault(client, 0L) >= now) {
                continue; // its last call is still under way
            }
            if (client == holder) {
                renewOrRelease();
            } else {
                acquire(client);
            }
        }
        return new History(operations);
    }

    private void acquire(int client) {
        long invoked = invocation(client);
        long completed = completion(client);
        if (holder != 0) {
            add(client, Action.ACQUIRE, invoked, completed, Answer.NO, Optional.empty(), 0);
            return;
        }
        if (completed < believedUntil) {
            wrongs++;
        }
        long last = lastToken;
        lastToken = nextToken(invoked);
        token = lastToken;
        wrongs += token <= last ? 1 : 0;
        holder = client;
        knownSince = completed;
        granted(client, Action.ACQUIRE, invoked, completed, 0);
    }

    private long nextToken(long invoked) {
        // Clients can only see a lower token if its holder asked after the higher one was known.
        boolean visible = knownSince > 0 && invoked > knownSince && random.nextInt(3) == 0;
        return switch (fault) {
            case SAME_TOKEN -> visible ? lastToken : lastToken + 1;
            case LOWER_TOKEN -> visible ? lastToken - 1 : lastToken + 2;
            case NONE, EARLY_EXPIRY -> lastToken + 1 + random.nextInt(5);
        };
    }

    private void renewOrRelease() {
        long invoked = invocation(holder);
        long completed = completion(holder);
        if (invoked <= knownSince) {
            return;
        }
        if (random.nextInt(3) == 0) {
            add(holder, Action.RELEASE, invoked, completed, Answer.YES, Optional.empty(), token);
            believedUntil = 0;
            holder = 0;
        } else {
            granted(holder, Action.RENEW, invoked, completed, token);
        }
    }

    private void granted(int client, Action action, long invoked, long completed, long meant) {
        expiresAt = now + (fault == Fault.EARLY_EXPIRY ? TTL / 2 : TTL);
        believedUntil = invoked + TTL;
        Lease lease = new Lease(token, TTL, invoked, invoked + TTL - TTL / 100);
        add(client, action, invoked, completed, Answer.YES, Optional.of(lease), meant);
    }

    /** A call is under way for a while before the store sees it, and its client calls nobody else meanwhile. */
    private long invocation(int client) {
        return Math.max(clientIsFreeAt.getOrDefault(client, 0L) + 1, now - random.nextLong(50));
    }

    private long completion(int client) {
        long completed = now + 1 + random.nextLong(50);
        clientIsFreeAt.put(client, completed);
        return completed;
    }

    private void add(
            int client, Action action, long invoked, long completed, Answer answer, Optional<Lease> lease, long meant) {
        operations.add(new Operation(
                operations.size() + 1, "c" + client, action, "lock", invoked, completed, answer, lease, meant, ""));
    }
}
