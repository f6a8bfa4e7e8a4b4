/**
 * Tells watchers what happens to locks and sessions: each event once, in log order, from this node's own state.
 *
 * <p>Knows no front door: one plugs in how an event is written and where a watcher's messages go.
 */
@NullMarked
package io.holdfast.server.watch;

import org.jspecify.annotations.NullMarked;
