package io.holdfast.client;

import java.time.Duration;

/**
 * The notice that a hold is revoked: its holder should stop and release.
 *
 * @param remaining what was left of the grace, in lease time; then the hold ends
 * @param reason why, for people
 * @param by who revokes it, for people; may be empty
 */
public record Notice(Duration remaining, String reason, String by) {}
