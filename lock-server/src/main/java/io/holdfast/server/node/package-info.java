/** One node: bootstrap, parts put together, shutdown. */
@NullMarked
package io.holdfast.server.node;

import org.jspecify.annotations.NullMarked;
