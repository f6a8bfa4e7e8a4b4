package io.holdfast.client;

import java.time.Duration;
import java.util.List;

/** Describes a {@link HoldfastClient}. Made by {@link HoldfastClient#builder}. */
public final class ClientBuilder {
    private List<String> endpoints = List.of();
    private Duration timeout = Duration.ofSeconds(10);
    private double drift = 0.01;

    ClientBuilder() {}

    /**
     * Names some nodes.
     *
     * @param some host:port, at least one
     * @return this
     */
    public ClientBuilder endpoints(List<String> some) {
        some.forEach(ClientBuilder::requireEndpoint);
        endpoints = List.copyOf(some);
        return this;
    }

    /**
     * Bounds how long a call looks for a leader that answers.
     *
     * @param bound greater than zero; 10 s unless set
     * @return this
     */
    public ClientBuilder timeout(Duration bound) {
        if (bound.isZero() || bound.isNegative()) {
            throw new HoldfastException.InvalidArgument(
                    "timeout", "timeout is " + bound.toMillis() + " ms; it must be greater than 0");
        }
        timeout = bound;
        return this;
    }

    /**
     * Sets how far the rates of two clocks may differ.
     *
     * @param share 0.01 (1 %) unless set; 0 to 0.5
     * @return this
     */
    public ClientBuilder drift(double share) {
        if (!(share >= 0 && share <= 0.5)) {
            throw new HoldfastException.InvalidArgument("drift", "drift is " + share + "; it must be 0 to 0.5");
        }
        drift = share;
        return this;
    }

    /**
     * Makes the client.
     *
     * @return the client
     */
    public HoldfastClient build() {
        if (endpoints.isEmpty()) {
            throw new HoldfastException.InvalidArgument("endpoints", "no endpoint is given; at least one is needed");
        }
        ClientClock clock = ClientClock.SYSTEM;
        return new HoldfastClient(new Router(endpoints, new Channels(), clock, timeout), clock, drift);
    }

    private static void requireEndpoint(String endpoint) {
        if (!endpoint.matches("[^:\\s]+:\\d{1,5}") && !endpoint.matches("\\[[0-9a-fA-F:]+]:\\d{1,5}")) {
            throw new HoldfastException.InvalidArgument(
                    "endpoints", "endpoints has \"" + endpoint + "\"; each must be HOST:PORT");
        }
    }
}
