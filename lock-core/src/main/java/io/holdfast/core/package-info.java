/**
 * The lock table: log entries in, outcomes and events out.
 *
 * <p>Pure code. No clock, no thread, no I/O, no random, no collection whose order can differ between two runs: replicas and replays must reach the same state from the same log (invariant I5). Everything that {@link io.holdfast.core.LockTable#apply} needs is in its two arguments.
 */
@NullMarked
package io.holdfast.core;

import org.jspecify.annotations.NullMarked;
