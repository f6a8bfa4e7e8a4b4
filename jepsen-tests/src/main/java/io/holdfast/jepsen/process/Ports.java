package io.holdfast.jepsen.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds ports that nobody uses.
 *
 * <p>They lie below the range from which systems take the ports of outgoing connections: a node that is down for a moment must find its port free when it comes back.
 */
final class Ports {
    private static final int FIRST = 12_000;
    private static final int LAST = 32_000;
    private static final int MAX_TRIES = 1_000;

    private Ports() {}

    /** {@return that many ports, all different, free at the moment; another process may still be faster} */
    static List<Integer> free(int count) {
        List<ServerSocket> claimed = new ArrayList<>();
        try {
            for (int tries = 0; claimed.size() < count; tries++) {
                if (tries == MAX_TRIES) {
                    throw new IllegalStateException("no " + count + " free ports between " + FIRST + " and " + LAST);
                }
                claim(ThreadLocalRandom.current().nextInt(FIRST, LAST), claimed);
            }
            return claimed.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            claimed.forEach(Ports::close);
        }
    }

    private static void claim(int port, List<ServerSocket> claimed) {
        try {
            claimed.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
        } catch (IOException e) {
            // In use: the caller tries another.
            return;
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException("cannot give back port " + socket.getLocalPort(), e);
        }
    }
}
