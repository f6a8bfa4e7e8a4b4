/**
 * Many commands into one log entry, and the outcomes back to those who wait: the proposer, its lease clock and its ticks, and the callers.
 *
 * <p>Knows the log only through {@link io.holdfast.server.proposer.EntryLog}.
 */
@NullMarked
package io.holdfast.server.proposer;

import org.jspecify.annotations.NullMarked;
