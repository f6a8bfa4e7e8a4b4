/** Real node processes: started, killed, frozen, restarted, and never leaked. */
@NullMarked
package io.holdfast.jepsen.process;

import org.jspecify.annotations.NullMarked;
