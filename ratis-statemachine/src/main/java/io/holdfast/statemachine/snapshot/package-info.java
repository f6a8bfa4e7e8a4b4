/** State to a checkpoint and back. Refuses what is damaged or missing. */
@NullMarked
package io.holdfast.statemachine.snapshot;

import org.jspecify.annotations.NullMarked;
