/** The public API, spoken by hand: without the client library, so that a test can send what no library would. */
@NullMarked
package io.holdfast.jepsen.wire;

import org.jspecify.annotations.NullMarked;
