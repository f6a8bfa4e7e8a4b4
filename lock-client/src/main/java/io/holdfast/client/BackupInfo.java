package io.holdfast.client;

/**
 * A backup that a node sent.
 *
 * @param nodeId the node
 * @param cluster name of the cluster
 * @param term term of the last entry in it
 * @param index log index of the last entry in it
 * @param leaseTimeNanos lease time there, in ns
 * @param lastToken the greatest token granted up to there; 0 if none was
 * @param digest the digest of the state, 16 hexadecimal digits
 * @param contentBytes how many bytes it has before it is compressed
 * @param bytes how many bytes the file has
 * @param sha256 SHA-256 of the file, 64 hexadecimal digits
 */
public record BackupInfo(
        String nodeId,
        String cluster,
        long term,
        long index,
        long leaseTimeNanos,
        long lastToken,
        String digest,
        long contentBytes,
        long bytes,
        String sha256) {}
