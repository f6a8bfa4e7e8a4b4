/** What a node tells of itself in numbers: Micrometer meters, and an HTTP port that shows them. */
@NullMarked
package io.holdfast.server.metrics;

import org.jspecify.annotations.NullMarked;
