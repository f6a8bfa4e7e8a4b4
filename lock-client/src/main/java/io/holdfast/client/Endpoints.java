package io.holdfast.client;

import io.grpc.Channel;

/** Connections by endpoint: a port, so that tests can do without sockets. */
interface Endpoints extends AutoCloseable {
    /** The connection to an endpoint, host:port. */
    Channel to(String endpoint);

    @Override
    void close();
}
