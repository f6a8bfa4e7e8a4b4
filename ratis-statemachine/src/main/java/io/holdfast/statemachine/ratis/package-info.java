/** Binds core, codec and snapshot to Ratis. */
@NullMarked
package io.holdfast.statemachine.ratis;

import org.jspecify.annotations.NullMarked;
