package io.holdfast.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * What has finished lately and may arrive again, by id. Bounded in time and in number, and honest about both: it can tell whether something issued at a given lease time might have been forgotten.
 *
 * <p>Why that is enough: a duplicate of what finished at lease time F was issued at or before F. Once F is forgotten, {@link #reaches} denies every issue time up to F, so the duplicate is refused and not taken for new.
 *
 * <p>Each has an ordinal, the order of finishing and of forgetting: for a snapshot, what is new is all above one ordinal, and what is forgotten all below another.
 *
 * @param <K> the kind of id
 * @param <V> what is remembered
 */
final class IdentifiedMemory<K, V> {
    private record Finished<V>(long ordinal, V past, long atNanos) {}

    private final int most;
    private final long windowNanos;
    private final ToImage<K, V> toImage;
    private final LongFunction<ImageKey> toKey;

    // Oldest first, by ordinal. The clock never falls, so that is the order of time too.
    private final SequencedMap<K, Finished<V>> finished = new LinkedHashMap<>();

    /** Ordinals that the last snapshot has and that left out of turn, since what they belong to finished anew. */
    private final NavigableSet<Long> gone = new TreeSet<>();

    private long lastOrdinal;

    /** The last ordinal that the last snapshot can have. */
    private long savedUpTo;

    /** How many are remembered above {@link #savedUpTo}. */
    private int unsaved;

    /** The finish time of the latest that was forgotten for lack of room; −1 if none was. */
    private long crowdedOutUpToNanos;

    /** How one entry becomes a record of a snapshot. */
    interface ToImage<K, V> {
        Image of(long ordinal, K id, V past, long atNanos);
    }

    IdentifiedMemory(
            int most, long windowNanos, StoreImage.Memory image, ToImage<K, V> toImage, LongFunction<ImageKey> toKey) {
        this.most = most;
        this.windowNanos = windowNanos;
        this.lastOrdinal = image.lastOrdinal();
        this.savedUpTo = lastOrdinal;
        this.crowdedOutUpToNanos = image.crowdedOutUpToNanos();
        this.toImage = toImage;
        this.toKey = toKey;
    }

    Optional<V> find(K id) {
        return Optional.ofNullable(finished.get(id)).map(Finished::past);
    }

    void remember(K id, V past, long clockNanos) {
        Finished<V> before = finished.remove(id);
        if (before != null) {
            if (before.ordinal > savedUpTo) {
                unsaved--;
            } else {
                gone.add(before.ordinal);
            }
        }
        finished.put(id, new Finished<>(++lastOrdinal, past, clockNanos));
        unsaved++;
        if (finished.size() > most) {
            crowdedOutUpToNanos = removeOldest();
        }
        dropGoneBelowFirst();
    }

    /** Forgets what finished longer ago than the window. */
    void forgetOld(long clockNanos) {
        while (!finished.isEmpty() && oldest().atNanos() < clockNanos - windowNanos) {
            removeOldest();
        }
    }

    /** Tells whether everything that was issued at that lease time, and finished since, is still remembered. */
    boolean reaches(long issuedAtNanos, long clockNanos) {
        return issuedAtNanos >= clockNanos - windowNanos
                && issuedAtNanos > crowdedOutUpToNanos
                // A time that has not come yet would stay within reach for too long.
                && issuedAtNanos <= clockNanos;
    }

    int size() {
        return finished.size();
    }

    void addTo(Digest digest, Entry<K, V> entry) {
        digest.add(lastOrdinal).add(crowdedOutUpToNanos).add(finished.size());
        finished.forEach((id, it) -> entry.add(digest.add(it.ordinal()).add(it.atNanos()), id, it.past()));
    }

    /** How one entry goes into a digest. */
    interface Entry<K, V> {
        void add(Digest digest, K id, V past);
    }

    // ---- for snapshots

    StoreImage.Memory image() {
        return new StoreImage.Memory(lastOrdinal, crowdedOutUpToNanos);
    }

    /** All below are forgotten. */
    long firstOrdinal() {
        return finished.isEmpty() ? lastOrdinal + 1 : oldest().ordinal();
    }

    Stream<Image> images() {
        return finished.entrySet().stream().map(this::image);
    }

    /** How many records the next snapshot will write or delete one by one. */
    int changeCount() {
        return unsaved + gone.size();
    }

    /** Adds what the last snapshot lacks to the lists, in order of ordinals. It counts as saved from now on. */
    void take(List<Image> present, List<ImageKey> goneKeys) {
        List<Image> latestFirst = new ArrayList<>(unsaved);
        for (Map.Entry<K, Finished<V>> entry : finished.sequencedEntrySet().reversed()) {
            if (entry.getValue().ordinal() <= savedUpTo) {
                break;
            }
            latestFirst.add(image(entry));
        }
        Collections.reverse(latestFirst);
        present.addAll(latestFirst);
        gone.forEach(ordinal -> goneKeys.add(toKey.apply(ordinal)));
        gone.clear();
        savedUpTo = lastOrdinal;
        unsaved = 0;
    }

    /**
     * Adds what a snapshot has.
     *
     * @throws IllegalArgumentException if it does not come after those added before, or its id is there already
     */
    void restore(long ordinal, K id, V past, long atNanos) {
        Finished<V> added = new Finished<>(ordinal, past, atNanos);
        if (ordinal > lastOrdinal) {
            throw new IllegalArgumentException("the last ordinal is " + lastOrdinal);
        }
        Map.Entry<K, Finished<V>> before = finished.lastEntry();
        if (before != null
                && (before.getValue().ordinal() >= ordinal || before.getValue().atNanos() > atNanos)) {
            throw new IllegalArgumentException("it comes after one that finished later");
        }
        if (finished.put(id, added) != null) {
            throw new IllegalArgumentException("finished twice");
        }
    }

    private Image image(Map.Entry<K, Finished<V>> entry) {
        Finished<V> it = entry.getValue();
        return toImage.of(it.ordinal(), entry.getKey(), it.past(), it.atNanos());
    }

    private Finished<V> oldest() {
        return finished.firstEntry().getValue();
    }

    private long removeOldest() {
        Finished<V> removed = finished.pollFirstEntry().getValue();
        if (removed.ordinal() > savedUpTo) {
            unsaved--;
        }
        dropGoneBelowFirst();
        return removed.atNanos();
    }

    /** What lies below the first is deleted with all that does. */
    private void dropGoneBelowFirst() {
        while (!gone.isEmpty() && gone.first() < firstOrdinal()) {
            gone.pollFirst();
        }
    }
}
