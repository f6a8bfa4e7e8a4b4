package io.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who holds what and who waits, in the account that a ledger keeps. */
abstract class Places {
    /** A request, told from all others. */
    record Key(@Nullable SessionId session, long high, long low) {}

    /** Who holds a lock, or waits for it. */
    static final class Place {
        final Owner owner;
        final Set<Key> asks = new HashSet<>();

        /** All the locks that it waits for as one. */
        List<LockName> together = List.of();

        Mode mode;
        long lockDelay;
        long token;
        long leaseUntil;
        long waitUntil;

        /** When it ends since it is revoked. */
        long graceUntil = Long.MAX_VALUE;

        Place(Owner owner, Mode mode) {
            this.owner = owner;
            this.mode = mode;
        }
    }

    /** What a session was promised. */
    static final class Promised {
        final long ttl;
        long until;

        Promised(long ttl) {
            this.ttl = ttl;
        }
    }

    final Map<LockName, List<Place>> holders = new HashMap<>();
    final Map<LockName, List<Place>> queues = new HashMap<>();
    final Map<SessionId, Promised> sessions = new HashMap<>();
    long clock;

    Place holder(LockName name, HoldView hold) {
        Place holder = holder(name, hold.owner(), hold.token());
        assertThat(hold.terms().mode()).isEqualTo(holder.mode);
        return holder;
    }

    Place holder(LockName name, Owner owner, FencingToken token) {
        return holders(name).stream()
                .filter(it -> it.owner.equals(owner) && it.token == token.value())
                .findFirst()
                .orElseThrow(() -> new AssertionError(owner + " does not hold " + name + " by " + token));
    }

    List<Place> holders(LockName name) {
        return holders.computeIfAbsent(name, key -> new ArrayList<>());
    }

    Place waiter(LockName name, Owner owner) {
        return queue(name).stream()
                .filter(it -> it.owner.equals(owner))
                .findFirst()
                .orElseThrow(() -> new AssertionError(owner + " does not wait for " + name));
    }

    List<Place> queue(LockName name) {
        return queues.computeIfAbsent(name, key -> new ArrayList<>());
    }

    void promise(Place place, long ttl) {
        if (place.owner instanceof Owner.OfSession it) {
            promise(it.session());
        } else {
            // All that was granted as one, or waits to be, has one lease.
            Stream.concat(holders.values().stream(), queues.values().stream())
                    .flatMap(List::stream)
                    .filter(it -> it == place || isOneWith(it, place))
                    .forEach(it -> it.leaseUntil = Math.max(it.leaseUntil, clock + ttl));
        }
    }

    static boolean isOneWith(Place one, Place other) {
        return one.owner.equals(other.owner)
                && one.token == other.token
                && (one.token != 0 || (one.together.equals(other.together) && !one.together.isEmpty()));
    }

    void promise(SessionId id) {
        Promised session = sessions.get(id);
        if (session != null) {
            session.until = Math.max(session.until, clock + session.ttl);
        }
    }

    long leaseUntil(Place place) {
        return place.owner instanceof Owner.OfSession it
                ? Objects.requireNonNull(sessions.get(it.session())).until
                : place.leaseUntil;
    }

    long later(long nanos) {
        return nanos > Long.MAX_VALUE - clock ? Long.MAX_VALUE : clock + nanos;
    }

    static Key key(Command.Once it) {
        return switch (it.request()) {
            case Request.Identified one ->
                new Key(null, one.id().high(), one.id().low());
            case Request.Numbered one ->
                new Key(
                        it.owner() instanceof Owner.OfSession owner ? owner.session() : null,
                        Long.MIN_VALUE,
                        one.number());
        };
    }
}
