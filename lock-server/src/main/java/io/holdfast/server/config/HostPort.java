package io.holdfast.server.config;

import java.util.Optional;

/**
 * Where a node listens, or is reached.
 *
 * @param host a name or address; an IPv6 address without its brackets
 * @param port 1 to 65535
 */
public record HostPort(String host, int port) {
    /** The form, in words. */
    public static final String LIMIT = "host:port, with a port of 1 to 65535";

    /**
     * Reads {@code host:port} or {@code [IPv6 address]:port}.
     *
     * @param text the text
     * @return what it says, or empty if it says something else
     */
    public static Optional<HostPort> parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1) {
            return Optional.empty();
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            return Optional.empty();
        }
        Optional<Integer> port = port(text.substring(colon + 1));
        boolean isHost = !host.isEmpty() && host.chars().noneMatch(c -> c <= ' ' || "/[]@?#".indexOf(c) >= 0);
        String found = host;
        return isHost ? port.map(number -> new HostPort(found, number)) : Optional.empty();
    }

    private static Optional<Integer> port(String text) {
        boolean isNumber = !text.isEmpty() && text.length() <= 5 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        int number = isNumber ? Integer.parseInt(text) : 0;
        return number >= 1 && number <= 65_535 ? Optional.of(number) : Optional.empty();
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
