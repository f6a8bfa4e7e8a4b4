package io.holdfast.statemachine.codec;

import io.holdfast.core.Bounds;
import io.holdfast.core.Command;
import io.holdfast.core.FencingToken;
import io.holdfast.core.LockName;
import io.holdfast.core.Mode;
import io.holdfast.core.Owner;
import io.holdfast.core.Request;
import io.holdfast.core.RequestId;
import io.holdfast.core.SessionId;
import io.holdfast.core.Terms;
import io.holdfast.core.Want;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Entries whose bytes are stored for ever: every kind of command, of owner and of request, and the values at the edge. */
final class SampleEntries {
    private static final long SECOND = 1_000_000_000L;
    private static final SessionId SESSION = new SessionId(0x0123456789abcdefL, 0xfedcba9876543210L);
    private static final Owner OWNER = new Owner.OneShot("worker-7");
    private static final LockName NAME = new LockName("orders/42");
    private static final Request IDENTIFIED =
            new Request.Identified(new RequestId(0x1111222233334444L, 0x5555666677778888L), 12 * SECOND);
    private static final Request NUMBERED = new Request.Numbered(300, 297);

    private SampleEntries() {}

    /** By the name under which the bytes are stored. */
    static Map<String, Entry> all() {
        Map<String, Entry> entries = new TreeMap<>();
        entries.put("tick", new Entry(0x0a0b0c0d0e0f1011L, 17 * SECOND, List.of()));
        entries.put("first-tick", new Entry(0, 0, List.of()));
        commands().forEach((name, command) -> entries.put(name, new Entry(-2, 17 * SECOND, List.of(command))));
        entries.put(
                "several",
                new Entry(Long.MAX_VALUE, Long.MAX_VALUE, List.copyOf(commands().values())));
        commandsOfFormat2()
                .forEach((name, command) -> entries.put("2-" + name, new Entry(-2, 17 * SECOND, List.of(command))));
        entries.put("2-mixed", new Entry(7, 17 * SECOND, List.of(new Command.CloseSession(SESSION), raise(2))));
        return entries;
    }

    private static Map<String, Command> commandsOfFormat2() {
        Map<String, Command> commands = new TreeMap<>();
        commands.put("raise-to-1", raise(1));
        commands.put("open-session-metadata", new Command.OpenSession(SESSION, 0, 10 * SECOND, "", "{\"a\":\n1}"));
        commands.put("raise-to-2", raise(2));
        commands.put("acquire-shared", new Command.Acquire(OWNER, NAME, IDENTIFIED, 10 * SECOND, 0, "", Terms.SHARED));
        commands.put(
                "acquire-permits",
                new Command.Acquire(
                        new Owner.OfSession(SESSION),
                        NAME,
                        NUMBERED,
                        0,
                        30 * SECOND,
                        "",
                        new Terms(new Mode.Permits(2, Bounds.MAX_CAPACITY))));
        List<LockName> names = List.of(NAME, new LockName("orders/43"));
        commands.put(
                "acquire-all",
                new Command.AcquireAll(
                        OWNER,
                        List.of(new Want(NAME, Terms.SHARED), new Want(new LockName("orders/43"), Terms.PLAIN)),
                        IDENTIFIED,
                        10 * SECOND,
                        Bounds.WAIT_FOREVER,
                        "host-3"));
        commands.put(
                "acquire-value-delay",
                new Command.Acquire(
                        OWNER,
                        NAME,
                        IDENTIFIED,
                        10 * SECOND,
                        0,
                        "",
                        new Terms(Mode.EXCLUSIVE, "host-3:80\n", 15 * SECOND)));
        commands.put("proclaim", new Command.Proclaim(OWNER, NAME, IDENTIFIED, Optional.empty(), "host-4:80"));
        commands.put("give-up-all", new Command.GiveUpAll(new Owner.OfSession(SESSION), names, NUMBERED));
        commands.put(
                "release-all",
                new Command.ReleaseAll(OWNER, names, IDENTIFIED, Optional.of(new FencingToken(1234 * 65_536L))));
        commands.put("release-permits", new Command.Release(OWNER, NAME, IDENTIFIED, Optional.empty(), 3));
        commands.put("convert-to-shared", new Command.Convert(OWNER, NAME, IDENTIFIED, Optional.empty(), Mode.SHARED));
        commands.put(
                "convert-to-exclusive",
                new Command.Convert(
                        new Owner.OfSession(SESSION),
                        NAME,
                        NUMBERED,
                        Optional.of(new FencingToken(1234 * 65_536L)),
                        Mode.EXCLUSIVE));
        commands.putAll(transfers());
        commands.putAll(allowingDeadlock());
        return commands;
    }

    private static Map<String, Command> allowingDeadlock() {
        Owner owner = new Owner.OfSession(SESSION);
        List<Want> wants = List.of(new Want(NAME, Terms.PLAIN), new Want(new LockName("orders/43"), Terms.SHARED));
        return Map.of(
                "acquire-allowing-deadlock",
                new Command.Acquire(owner, NAME, NUMBERED, 0, 30 * SECOND, "", Terms.PLAIN, true),
                "acquire-all-allowing-deadlock",
                new Command.AcquireAll(owner, wants, NUMBERED, 0, 30 * SECOND, "", true));
    }

    private static Map<String, Command> transfers() {
        Map<String, Command> commands = new TreeMap<>();
        commands.put(
                "hand-off",
                new Command.HandOff(
                        OWNER,
                        NAME,
                        IDENTIFIED,
                        Optional.of(new FencingToken(1234 * 65_536L)),
                        new Owner.OneShot("worker-8"),
                        10 * SECOND,
                        "host-4"));
        commands.put(
                "hand-off-to-session",
                new Command.HandOff(
                        new Owner.OfSession(SESSION),
                        NAME,
                        NUMBERED,
                        Optional.empty(),
                        new Owner.OfSession(new SessionId(1, 2)),
                        0,
                        ""));
        commands.put(
                "revoke",
                new Command.Revoke(
                        NAME,
                        new FencingToken(1234 * 65_536L),
                        new Request.Identified(new RequestId(1, 2), 12 * SECOND),
                        30 * SECOND,
                        "host-3 is to be rebooted",
                        "alice"));
        return commands;
    }

    private static Command raise(int level) {
        return new Command.RaiseFeatureLevel(level);
    }

    private static Map<String, Command> commands() {
        Map<String, Command> commands = new TreeMap<>();
        commands.put("open-session", new Command.OpenSession(SESSION, 12 * SECOND, 10 * SECOND, "host-3 pid 411"));
        commands.put("close-session", new Command.CloseSession(SESSION));
        commands.put("renew-sessions", new Command.RenewSessions(List.of(SESSION, new SessionId(0, 0))));
        commands.put("renew-no-sessions", new Command.RenewSessions(List.of()));
        commands.put("acquire", new Command.Acquire(OWNER, NAME, IDENTIFIED, 10 * SECOND, 0, "host-3 pid 411"));
        commands.put(
                "acquire-for-ever-unicode",
                new Command.Acquire(
                        new Owner.OneShot("Müller 工"),
                        new LockName("注文/42 🔒"),
                        IDENTIFIED,
                        Bounds.MAX_TTL_NANOS,
                        Bounds.WAIT_FOREVER,
                        ""));
        commands.put(
                "acquire-by-session",
                new Command.Acquire(new Owner.OfSession(SESSION), NAME, NUMBERED, 0, 30 * SECOND, ""));
        commands.put("give-up", new Command.GiveUp(OWNER, NAME, IDENTIFIED));
        commands.put("give-up-by-session", new Command.GiveUp(new Owner.OfSession(SESSION), NAME, NUMBERED));
        commands.put("release", new Command.Release(OWNER, NAME, IDENTIFIED, Optional.empty()));
        commands.put(
                "release-token",
                new Command.Release(
                        new Owner.OfSession(SESSION), NAME, NUMBERED, Optional.of(new FencingToken(1234 * 65_536L))));
        commands.put("renew-hold", new Command.RenewHold(new Owner.OneShot("worker-7"), NAME, Optional.empty(), 0));
        commands.put(
                "renew-hold-token-ttl",
                new Command.RenewHold(
                        new Owner.OneShot("worker-7"),
                        NAME,
                        Optional.of(new FencingToken(Long.MAX_VALUE)),
                        Bounds.MIN_TTL_NANOS));
        return commands;
    }
}
