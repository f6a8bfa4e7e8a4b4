/**
 * The Java client: what an application links to hold locks. Start at {@link io.holdfast.client.HoldfastClient}.
 *
 * <p>Holding a lock is a belief, not a fact: a process can be frozen for longer than its lease. Pass {@link io.holdfast.client.Grant#token()} to every resource that the lock protects, and let the resource refuse a token lower than the highest it has seen.
 */
@NullMarked
package io.holdfast.client;

import org.jspecify.annotations.NullMarked;
