package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The finished requests of one session that its client may yet send again: those above the number up to which it has seen the answers. */
final class NumberedMemory {
    private final NavigableMap<Long, Past> finished = new TreeMap<>();
    private long seenUpTo;

    /**
     * The client will not send these again; what still arrives of them is a late duplicate.
     *
     * @return whether that is news
     */
    boolean forgetUpTo(long number) {
        if (number <= seenUpTo) {
            return false;
        }
        seenUpTo = number;
        finished.headMap(number, true).clear();
        return true;
    }

    long seenUpTo() {
        return seenUpTo;
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

    List<Image.Answered> images() {
        List<Image.Answered> images = new ArrayList<>(finished.size());
        finished.forEach((number, past) -> images.add(new Image.Answered(number, past)));
        return images;
    }

    /** Fills an empty one. */
    void restore(long seen, List<Image.Answered> images) {
        seenUpTo = seen;
        images.forEach(it -> finished.put(it.number(), it.past()));
    }

    int size() {
        return finished.size();
    }

    void addTo(Digest digest) {
        digest.add(seenUpTo).add(finished.size());
        finished.forEach((number, past) -> digest.add(number).add(past));
    }
}
