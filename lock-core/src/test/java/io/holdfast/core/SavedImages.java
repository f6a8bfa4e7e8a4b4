package io.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.NavigableMap;
import java.util.TreeMap;

/** What a snapshot is on disk: a sorted map, kept up to date by changes only. */
final class SavedImages {
    final NavigableMap<ImageKey, Image> records = new TreeMap<>();
    StoreImage store = StoreImage.NEW;

    /** Writes what changed. A key that is gone was there: what never was in the snapshot is not deleted from it. */
    void write(Changes changes) {
        store = changes.store();
        changes.gone()
                .forEach(key ->
                        assertThat(records.remove(key)).as("gone: %s", key).isNotNull());
        changes.present().forEach(image -> records.put(image.key(), image));
        forget(new ImageKey.OfFinished(1), new ImageKey.OfFinished(changes.firstFinished()));
        forget(new ImageKey.OfEnded(1), new ImageKey.OfEnded(changes.firstEnded()));
        forget(new ImageKey.OfEvent(1), new ImageKey.OfEvent(changes.firstEvent()));
    }

    /** As after a failed write: all that there is, and nothing else. */
    void rewrite(LockTable table) {
        records.clear();
        store = table.takeChanges().store();
        table.images().forEach(image -> records.put(image.key(), image));
    }

    LockTable restore(Limits limits) {
        return LockTable.restore(limits, store, records.values());
    }

    private void forget(ImageKey from, ImageKey to) {
        records.subMap(from, to).clear();
    }
}
