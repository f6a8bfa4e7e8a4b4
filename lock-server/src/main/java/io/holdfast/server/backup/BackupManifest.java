package io.holdfast.server.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a backup says about itself: the first entry of its file.
 *
 * @param product version of the software that made it, for people
 * @param facts the state that it holds
 * @param createdAt when it was made, by the wall clock of the node that made it; for people
 * @param files the files of the snapshot
 */
public record BackupManifest(String product, Facts facts, Instant createdAt, List<Item> files) {
    /** The newest format of backup files that this version knows. */
    public static final int FORMAT = 1;

    /** Copies the list. */
    public BackupManifest {
        files = List.copyOf(files);
    }

    /**
     * The state in it.
     *
     * @param cluster name of the cluster
     * @param term term of the last entry in it
     * @param index log index of the last entry in it
     * @param leaseTimeNanos lease time there, in ns
     * @param lastToken the greatest token granted up to there; 0 if none was
     * @param featureLevel the cluster's feature level there
     * @param digest the digest of the state, 16 hexadecimal digits
     */
    public record Facts(
            String cluster,
            long term,
            long index,
            long leaseTimeNanos,
            long lastToken,
            int featureLevel,
            String digest) {}

    /**
     * A file of the snapshot.
     *
     * @param name its name within the snapshot's folder
     * @param bytes its size
     * @param sha256 its SHA-256, 64 hexadecimal digits
     */
    public record Item(String name, long bytes, String sha256) {}

    /**
     * Describes a snapshot. Reads all its files.
     *
     * @param product version of the software
     * @param facts the state in it
     * @param createdAt now
     * @param folder the snapshot's folder, in which nothing changes any more
     * @return its manifest
     * @throws IOException if a file cannot be read
     */
    public static BackupManifest of(String product, Facts facts, Instant createdAt, Path folder) throws IOException {
        List<Item> items = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                String name = String.valueOf(file.getFileName());
                items.add(new Item(name, Files.size(file), Sha256.of(file)));
            }
        }
        return new BackupManifest(product, facts, createdAt, items);
    }

    /** {@return how many bytes its files have, before they are compressed} */
    public long contentBytes() {
        return files.stream().mapToLong(Item::bytes).sum();
    }
}
