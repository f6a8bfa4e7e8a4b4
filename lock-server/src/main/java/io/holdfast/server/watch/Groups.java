package io.holdfast.server.watch;

import io.holdfast.core.LockName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Finds who sees an event without asking each: by its name, and by each of its beginnings that is as long as some watched prefix. Owned by the hub's thread.
 */
final class Groups {
    private final Map<Filter, Group> byFilter = new HashMap<>();

    // How many groups there are of each length of prefix.
    private final TreeMap<Integer, Integer> prefixLengths = new TreeMap<>();

    Group join(Filter filter, Watcher watcher) {
        Group group = byFilter.computeIfAbsent(filter, this::create);
        group.members.add(watcher);
        return group;
    }

    void leave(Group group, Watcher watcher) {
        group.members.remove(watcher);
        if (group.members.isEmpty()
                && byFilter.remove(group.filter, group)
                && group.filter instanceof Filter.OfPrefix it) {
            prefixLengths.computeIfPresent(it.prefix().length(), (length, count) -> count == 1 ? null : count - 1);
        }
    }

    int count() {
        return byFilter.size();
    }

    void forEachThatSees(Told told, Consumer<Group> action) {
        Optional<LockName> name = told.event().lock();
        if (name.isEmpty()) {
            tell(new Filter.OfPrefix(""), action);
            return;
        }
        tell(new Filter.OfName(name.get()), action);
        String text = name.get().value();
        for (int length : prefixLengths.headMap(text.length(), true).keySet()) {
            tell(new Filter.OfPrefix(text.substring(0, length)), action);
        }
    }

    private void tell(Filter filter, Consumer<Group> action) {
        Group group = byFilter.get(filter);
        if (group != null) {
            action.accept(group);
        }
    }

    private Group create(Filter filter) {
        if (filter instanceof Filter.OfPrefix it) {
            prefixLengths.merge(it.prefix().length(), 1, Integer::sum);
        }
        return new Group(filter);
    }
}
