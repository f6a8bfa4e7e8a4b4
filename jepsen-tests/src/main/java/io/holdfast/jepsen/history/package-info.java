/** What the clients of a run did and saw, on one monotonic clock. */
@NullMarked
package io.holdfast.jepsen.history;

import org.jspecify.annotations.NullMarked;
