package io.holdfast.core;

import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The finished requests of one session that its client may yet send again: those above the number up to which it has seen the answers. */
final class NumberedMemory {
    private final NavigableMap<Long, Past> finished = new TreeMap<>();
    private long seenUpTo;

    /** The client will not send these again; what still arrives of them is a late duplicate. */
    void forgetUpTo(long number) {
        if (number > seenUpTo) {
            seenUpTo = number;
            finished.headMap(number, true).clear();
        }
    }

    boolean isForgotten(long number) {
        return number <= seenUpTo;
    }

    Optional<Past> find(long number) {
        return Optional.ofNullable(finished.get(number));
    }

    void remember(long number, Past past) {
        if (!isForgotten(number)) {
            finished.put(number, past);
        }
    }

    int size() {
        return finished.size();
    }

    void addTo(Digest digest) {
        digest.add(seenUpTo).add(finished.size());
        finished.forEach((number, past) -> digest.add(number).add(past));
    }
}
