/** The rules about locks: entries in, outcomes and events out. Pure, so that every replica says the same. */
@NullMarked
package io.holdfast.core;

import org.jspecify.annotations.NullMarked;
