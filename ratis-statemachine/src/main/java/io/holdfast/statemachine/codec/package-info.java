/** Log entry to bytes and back. The only place that sees protobuf. */
@NullMarked
package io.holdfast.statemachine.codec;

import org.jspecify.annotations.NullMarked;
