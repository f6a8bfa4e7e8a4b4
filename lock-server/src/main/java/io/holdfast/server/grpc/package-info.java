/** The gRPC front door. Translates, decides nothing. */
@NullMarked
package io.holdfast.server.grpc;

import org.jspecify.annotations.NullMarked;
