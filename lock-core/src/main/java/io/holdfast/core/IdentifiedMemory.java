package io.holdfast.core;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What has finished lately and may arrive again, by id. Bounded in time and in number, and honest about both: it can tell whether something issued at a given lease time might have been forgotten.
 *
 * <p>Why that is enough: a duplicate of what finished at lease time F was issued at or before F. Once F is forgotten, {@link #reaches} denies every issue time up to F, so the duplicate is refused and not taken for new.
 *
 * @param <K> the kind of id
 * @param <V> what is remembered
 */
final class IdentifiedMemory<K, V> {
    private record Finished<V>(V past, long atNanos) {}

    private final int most;
    private final long windowNanos;

    // Oldest first: the clock never falls, so the order of putting is the order of time.
    private final Map<K, Finished<V>> finished = new LinkedHashMap<>();

    /** The finish time of the latest that was forgotten for lack of room; −1 if none was. */
    private long crowdedOutUpToNanos = -1;

    IdentifiedMemory(int most, long windowNanos) {
        this.most = most;
        this.windowNanos = windowNanos;
    }

    Optional<V> find(K id) {
        return Optional.ofNullable(finished.get(id)).map(Finished::past);
    }

    void remember(K id, V past, long clockNanos) {
        finished.remove(id);
        finished.put(id, new Finished<>(past, clockNanos));
        if (finished.size() > most) {
            crowdedOutUpToNanos = removeOldest();
        }
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
        digest.add(crowdedOutUpToNanos).add(finished.size());
        finished.forEach((id, it) -> entry.add(digest.add(it.atNanos()), id, it.past()));
    }

    /** How one entry goes into a digest. */
    interface Entry<K, V> {
        void add(Digest digest, K id, V past);
    }

    private Finished<V> oldest() {
        return finished.values().iterator().next();
    }

    private long removeOldest() {
        Iterator<Finished<V>> oldest = finished.values().iterator();
        long atNanos = oldest.next().atNanos();
        oldest.remove();
        return atNanos;
    }
}
