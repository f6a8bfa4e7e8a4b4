/** Clients that work against a cluster and write down what they see. */
@NullMarked
package io.holdfast.jepsen.load;

import org.jspecify.annotations.NullMarked;
