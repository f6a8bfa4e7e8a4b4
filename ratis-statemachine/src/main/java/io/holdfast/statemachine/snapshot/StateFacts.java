package io.holdfast.statemachine.snapshot;

/**
 * What the state in a checkpoint is known by.
 *
 * @param clockNanos lease time, in ns since the cluster began
 * @param lastToken the greatest fencing token given out; 0 if none was
 * @param digest the digest of the state, as {@link io.holdfast.core.LockTable#digest} gives it
 */
public record StateFacts(long clockNanos, long lastToken, String digest) {}
