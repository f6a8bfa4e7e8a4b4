package io.holdfast.core;

/**
 * The notice that a hold is revoked.
 *
 * @param remainingNanos what is left of the grace, in ns of lease time, ≥ 0
 * @param reason why, for people
 * @param by who revokes it, for people; may be empty
 */
public record NoticeView(long remainingNanos, String reason, String by) {}
