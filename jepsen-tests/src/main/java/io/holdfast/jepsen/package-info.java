/** Faults, histories, checkers, simulation. */
@NullMarked
package io.holdfast.jepsen;

import org.jspecify.annotations.NullMarked;
