/** What must be true of every history, one class per rule. */
@NullMarked
package io.holdfast.jepsen.checker;

import org.jspecify.annotations.NullMarked;
