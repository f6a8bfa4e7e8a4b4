/** Files of this node, and what it says when one is not as it was written. */
@NullMarked
package io.holdfast.statemachine.disk;

import org.jspecify.annotations.NullMarked;
