package io.holdfast.statemachine.snapshot;

import io.holdfast.core.Changes;
import io.holdfast.core.Image;
import io.holdfast.core.ImageKey;
import io.holdfast.core.Limits;
import io.holdfast.core.LockTable;
import io.holdfast.core.StoreImage;
import io.holdfast.statemachine.disk.DamagedDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The open RocksDB, with the state as of the last changes written. It shares its large files with the checkpoint that it began with, and with those made of it.
 *
 * <p>It writes no log of its own, so after a crash it is worth nothing, and is made anew from a checkpoint. For one thread at a time.
 */
final class LiveStore implements AutoCloseable {
    private static final long MEGABYTE = 1 << 20;

    private final Path folder;
    private final LRUCache cache;
    private final Options options;
    private final WriteOptions unlogged;
    private final RocksDB db;

    private LiveStore(Path folder, boolean isNew) throws IOException {
        this.folder = folder;
        // It is only ever read through once, from end to end.
        cache = new LRUCache(MEGABYTE);
        options = new Options()
                .setCreateIfMissing(isNew)
                .setErrorIfExists(isNew)
                .setParanoidChecks(true)
                .setUseFsync(true)
                .setWriteBufferSize(16 * MEGABYTE)
                .setMaxBackgroundJobs(2)
                .setKeepLogFileNum(2)
                // It would take 4 MiB ahead, which a nearly full disk may not have.
                .setAllowFAllocate(false)
                .setMaxManifestFileSize(4 * MEGABYTE)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(cache)
                        .setBlockSize(16 << 10)
                        .setFormatVersion(5));
        unlogged = new WriteOptions().setDisableWAL(true);
        try {
            db = RocksDB.open(options, folder.toString());
        } catch (RocksDBException e) {
            closeSettings();
            throw failure(e, "cannot be opened");
        }
    }

    /**
     * Makes it anew.
     *
     * @param folder its folder; whatever is there is deleted
     * @param from what it begins with; empty for nothing
     * @throws DamagedDataException if RocksDB finds something wrong with the checkpoint
     * @throws IOException if it cannot be made
     */
    static LiveStore open(Path folder, Optional<Checkpoint> from) throws IOException {
        Trees.delete(folder);
        Files.createDirectories(folder);
        if (from.isEmpty()) {
            return new LiveStore(folder, true);
        }
        for (Path file : from.get().dataFiles()) {
            Path twin = folder.resolve(file.getFileName());
            // RocksDB never changes a table once it is written, and some of its other files it does.
            if (file.getFileName().toString().endsWith(".sst")) {
                Files.createLink(twin, file);
            } else {
                Files.copy(file, twin);
            }
        }
        return new LiveStore(folder, false);
    }

    /** Writes changes, all of them or none. They are not on the disk before {@link #checkpoint}. */
    void write(Changes changes) throws IOException {
        try (WriteBatch batch = new WriteBatch()) {
            batch.put(KeyCodec.store(), ImageCodec.encode(changes.store()));
            for (Image image : changes.present()) {
                batch.put(KeyCodec.encode(image.key()), ImageCodec.encode(image));
            }
            for (ImageKey key : changes.gone()) {
                batch.delete(KeyCodec.encode(key));
            }
            batch.deleteRange(KeyCodec.finished(0), KeyCodec.finished(changes.firstFinished()));
            batch.deleteRange(KeyCodec.ended(0), KeyCodec.ended(changes.firstEnded()));
            batch.deleteRange(KeyCodec.event(0), KeyCodec.event(changes.firstEvent()));
            db.write(unlogged, batch);
        } catch (RocksDBException e) {
            throw failure(e, "cannot be written");
        }
    }

    /**
     * Makes a copy that stays as it is; its large files are the same ones under a second name.
     *
     * @param target a path where there is nothing yet
     */
    void checkpoint(Path target) throws IOException {
        try (org.rocksdb.Checkpoint checkpoint = org.rocksdb.Checkpoint.create(db)) {
            checkpoint.createCheckpoint(target.toString());
        } catch (RocksDBException e) {
            throw failure(e, "no checkpoint can be made of it");
        }
    }

    /**
     * Reads the state.
     *
     * @param limits the bounds of the store
     * @throws DamagedDataException if it is none
     */
    LockTable restore(Limits limits) throws IOException {
        try (ReadOptions options = new ReadOptions().setVerifyChecksums(true).setFillCache(false);
                RocksIterator records = db.newIterator(options)) {
            records.seekToFirst();
            LockTable table = LockTable.restore(limits, store(records), () -> new Images(records));
            records.status();
            return table;
        } catch (RocksDBException e) {
            throw failure(e, "cannot be read");
        } catch (CorruptRecordException | IllegalArgumentException e) {
            throw new DamagedDataException(folder, -1, "its records are no state: " + e.getMessage());
        }
    }

    /** {@return the record of the store as a whole} */
    StoreImage store() throws IOException {
        try (RocksIterator records = db.newIterator()) {
            records.seekToFirst();
            return store(records);
        } catch (RocksDBException e) {
            throw failure(e, "cannot be read");
        } catch (CorruptRecordException e) {
            throw new DamagedDataException(folder, -1, "its records are no state: " + e.getMessage());
        }
    }

    private static StoreImage store(RocksIterator records) throws RocksDBException {
        records.status();
        if (!records.isValid() || !Arrays.equals(records.key(), KeyCodec.store())) {
            throw new CorruptRecordException("the record of the store is missing");
        }
        StoreImage store = ImageCodec.decodeStore(records.value());
        records.next();
        return store;
    }

    /** What follows the record of the store. To be gone through once. */
    private static final class Images implements Iterator<Image> {
        private final RocksIterator records;

        Images(RocksIterator records) {
            this.records = records;
        }

        @Override
        public boolean hasNext() {
            return records.isValid();
        }

        @Override
        public Image next() {
            if (!records.isValid()) {
                throw new NoSuchElementException();
            }
            Image image = ImageCodec.decode(records.key(), records.value());
            records.next();
            return image;
        }
    }

    private IOException failure(RocksDBException e, String what) {
        Status status = e.getStatus();
        if (status != null && status.getCode() == Status.Code.Corruption) {
            return new DamagedDataException(folder, -1, String.valueOf(e.getMessage()));
        }
        return new IOException(folder + " " + what + ": " + e.getMessage(), e);
    }

    private void closeSettings() {
        unlogged.close();
        options.close();
        cache.close();
    }

    @Override
    public void close() {
        db.close();
        closeSettings();
    }
}
