package io.holdfast.server.watch;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The watchers that see the same events. Owned by the hub's thread. */
final class Group {
    final Filter filter;
    final Set<Watcher> members = new LinkedHashSet<>();

    /** Of the events of this round, those for this group. */
    final List<Frame> fresh = new ArrayList<>();

    Group(Filter filter) {
        this.filter = filter;
    }
}
