/** Processes: a command under a lock and its warden, and the nodes that {@code up} and {@code down} start and stop. */
@NullMarked
package io.holdfast.cli.process;

import org.jspecify.annotations.NullMarked;
