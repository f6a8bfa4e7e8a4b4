package io.holdfast.core;

import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the next snapshot must write or delete of sessions, holds and waiters: those that were made, have changed or are gone since the last.
 *
 * <p>What has no mark is in the last snapshot as it is. What was made and gone in between has none either, so marks never outnumber what lives and what the snapshot has.
 */
final class Unsaved {
    /** What became of a record: what it is now, or nothing if it is gone; and whether the last snapshot has one under this key. */
    private record Mark(@Nullable Kept now, boolean isSaved) {}

    // Sorted, and not hashed: clients choose the names, and could choose such as collide.
    private final NavigableMap<ImageKey, Mark> marks = new TreeMap<>();

    int size() {
        return marks.size();
    }

    void made(Kept kept) {
        // A mark that is there already is that of a saved one, gone since.
        marks.merge(kept.key(), new Mark(kept, false), (gone, made) -> new Mark(kept, true));
    }

    /** Only for what lives: a mark for what is gone would bring it back. */
    void changed(Kept kept) {
        marks.computeIfAbsent(kept.key(), key -> new Mark(kept, true));
    }

    void gone(Kept kept) {
        ImageKey key = kept.key();
        Mark mark = marks.get(key);
        if (mark == null || mark.isSaved) {
            marks.put(key, new Mark(null, true));
        } else {
            marks.remove(key);
        }
    }

    /** Moves all to the lists, in order of keys. They count as saved from now on. */
    void take(List<Image> present, List<ImageKey> gone) {
        marks.forEach((key, mark) -> {
            if (mark.now == null) {
                gone.add(key);
            } else {
                present.add(mark.now.image());
            }
        });
        marks.clear();
    }
}
