package io.holdfast.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Who holds one lock: each owner once, in order of tokens. Small while there is only one, as there mostly is. */
final class Holders {
    /** Several. Sorted, and not hashed: clients choose the owners, and could choose such as collide. */
    private static final class Crowd {
        final NavigableMap<FencingToken, Hold> byToken = new TreeMap<>();
        final NavigableMap<Owner, Hold> byOwner = new TreeMap<>();

        void add(Hold hold) {
            byToken.put(hold.token, hold);
            byOwner.put(hold.lease.owner(), hold);
        }
    }

    private int permits;
    private @Nullable Hold only;
    private @Nullable Crowd crowd;

    boolean isEmpty() {
        return only == null && crowd == null;
    }

    int size() {
        return crowd != null ? crowd.byToken.size() : only != null ? 1 : 0;
    }

    /** How many permits they have together. */
    int permits() {
        return permits;
    }

    /** The one with the lowest token. */
    @Nullable
    Hold first() {
        return crowd != null ? crowd.byToken.firstEntry().getValue() : only;
    }

    @Nullable
    Hold of(Owner owner) {
        if (crowd != null) {
            return crowd.byOwner.get(owner);
        }
        return only != null && only.lease.owner().equals(owner) ? only : null;
    }

    /** The first that is over. Costs a look at each. */
    @Nullable
    Hold firstOver(long clockNanos) {
        for (Hold hold : all()) {
            if (hold.isOver(clockNanos)) {
                return hold;
            }
        }
        return null;
    }

    @Nullable
    Hold of(FencingToken token) {
        if (crowd != null) {
            return crowd.byToken.get(token);
        }
        return only != null && only.token.equals(token) ? only : null;
    }

    /** The one with the greatest token of those that are not over. */
    @Nullable
    Hold newest(long clockNanos) {
        Iterable<Hold> latestFirst =
                crowd != null ? crowd.byToken.descendingMap().values() : all();
        for (Hold hold : latestFirst) {
            if (!hold.isOver(clockNanos)) {
                return hold;
            }
        }
        return null;
    }

    /** In order of tokens. */
    Collection<Hold> all() {
        return crowd != null ? crowd.byToken.values() : only != null ? List.of(only) : List.of();
    }

    void add(Hold hold) {
        permits += hold.permits();
        if (crowd != null) {
            crowd.add(hold);
        } else if (only == null) {
            only = hold;
        } else {
            crowd = new Crowd();
            crowd.add(only);
            crowd.add(hold);
            only = null;
        }
    }

    void remove(Hold hold) {
        permits -= hold.permits();
        if (crowd == null) {
            only = null;
            return;
        }
        crowd.byToken.remove(hold.token);
        crowd.byOwner.remove(hold.lease.owner());
        if (crowd.byToken.size() == 1) {
            only = crowd.byToken.firstEntry().getValue();
            crowd = null;
        }
    }

    /** One gives some of its permits back. */
    void reduce(Hold hold, int by) {
        permits -= by;
        hold.reduce(by);
    }

    List<HoldView> views(long clockNanos) {
        List<HoldView> views = new ArrayList<>(size());
        all().forEach(hold -> views.add(hold.view(clockNanos)));
        return views;
    }
}
