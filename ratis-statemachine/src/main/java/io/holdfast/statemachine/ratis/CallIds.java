package io.holdfast.statemachine.ratis;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;

/** Each request must be new to Ratis' retry cache: one client for the life of the process, counted calls. Thread safe. */
final class CallIds {
    private final ClientId clientId = ClientId.randomId();
    private final AtomicLong last = new AtomicLong();

    ClientId clientId() {
        return clientId;
    }

    long next() {
        return last.incrementAndGet();
    }
}
