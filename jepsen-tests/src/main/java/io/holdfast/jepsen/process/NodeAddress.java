package io.holdfast.jepsen.process;

/**
 * A node and where it listens, on loopback.
 *
 * @param id the node's name
 * @param clientPort for gRPC
 * @param raftPort for the other nodes
 */
public record NodeAddress(String id, int clientPort, int raftPort) {
    /** {@return host:port for clients} */
    public String endpoint() {
        return "127.0.0.1:" + clientPort;
    }

    /** {@return host:port for the other nodes} */
    public String raftAddress() {
        return "127.0.0.1:" + raftPort;
    }
}
