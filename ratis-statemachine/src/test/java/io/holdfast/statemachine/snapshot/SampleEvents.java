package io.holdfast.statemachine.snapshot;

import io.holdfast.core.End;
import io.holdfast.core.Event;
import io.holdfast.core.FencingToken;
import io.holdfast.core.LockName;
import io.holdfast.core.Mode;
import io.holdfast.core.Owner;
import io.holdfast.core.SessionId;
import java.util.Map;
import java.util.TreeMap;

/** Events whose bytes are stored for ever: every kind of them, and of ends. */
final class SampleEvents {
    private static final SessionId SESSION = new SessionId(0x0123456789abcdefL, 0xfedcba9876543210L);
    private static final Owner OF_SESSION = new Owner.OfSession(SESSION);
    private static final Owner ONE = new Owner.OneShot("worker-7");
    private static final LockName NAME = new LockName("orders/42");
    private static final FencingToken TOKEN = new FencingToken(1_234 * 65_536L);
    private static final FencingToken BEFORE = new FencingToken(1_233 * 65_536L + 1);

    private SampleEvents() {}

    /** By the name under which the bytes are stored. */
    static Map<String, Event> all() {
        Map<String, Event> events = new TreeMap<>();
        events.put("acquired", new Event.Acquired(NAME, ONE, "host-3", TOKEN, Mode.EXCLUSIVE, ""));
        events.put("acquired-value", new Event.Acquired(NAME, OF_SESSION, "", TOKEN, Mode.SHARED, "host-3:80\n"));
        events.put("acquired-permits", new Event.Acquired(NAME, ONE, "", TOKEN, new Mode.Permits(2, 3), ""));
        events.put("value-changed", new Event.ValueChanged(NAME, ONE, "host-3", TOKEN, "host-3:81"));
        events.put("converted", new Event.Converted(NAME, ONE, "host-3", BEFORE, TOKEN, Mode.SHARED));
        events.put(
                "handed-off",
                new Event.HandedOff(NAME, OF_SESSION, "host-3", BEFORE, ONE, "host-4", TOKEN, Mode.EXCLUSIVE, "v"));
        events.put(
                "revoking",
                new Event.Revoking(NAME, ONE, "host-3", TOKEN, 47_000_000_000L, "host-3 is to be rebooted", "alice"));
        for (End how : new End[] {End.RELEASED, End.EXPIRED, End.REVOKED}) {
            events.put("ended-" + how, new Event.HoldEnded(NAME, ONE, "host-3", TOKEN, how));
        }
        events.put("permits-released", new Event.PermitsReleased(NAME, ONE, "host-3", TOKEN, 1, 2));
        events.put("queued", new Event.Queued(NAME, ONE, "host-3", Mode.EXCLUSIVE));
        events.put("queued-permits", new Event.Queued(NAME, OF_SESSION, "", new Mode.Permits(3, 3)));
        for (End how : new End[] {End.EXPIRED, End.TIMED_OUT, End.GAVE_UP}) {
            events.put("left-" + how, new Event.LeftQueue(NAME, ONE, "host-3", how));
        }
        events.put("session-opened", new Event.SessionOpened(SESSION, "host-3"));
        events.put("session-closed", new Event.SessionEnded(SESSION, "host-3", End.RELEASED));
        events.put("session-expired", new Event.SessionEnded(SESSION, "", End.EXPIRED));
        return events;
    }
}
