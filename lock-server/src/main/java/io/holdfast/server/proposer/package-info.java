/** Many commands become one entry; the ticker; callers that wait for an outcome. */
@NullMarked
package io.holdfast.server.proposer;

import org.jspecify.annotations.NullMarked;
