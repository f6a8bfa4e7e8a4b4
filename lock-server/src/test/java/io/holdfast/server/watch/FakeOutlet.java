package io.holdfast.server.watch;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A watcher that takes as many messages as the test lets it. */
final class FakeOutlet implements Outlet {
    private static final Pattern EVENT = Pattern.compile(" (\\S+)");
    private static final Pattern HEAD = Pattern.compile("^\\[(-?\\d+)]");

    final List<byte[]> messages = new ArrayList<>();
    Optional<WatchEnd> end = Optional.empty();
    int room = Integer.MAX_VALUE;

    @Override
    public boolean isReady() {
        return room > 0;
    }

    @Override
    public void send(byte[] message) {
        if (end.isPresent()) {
            throw new AssertionError("sent after the end");
        }
        room--;
        messages.add(message);
    }

    @Override
    public void end(WatchEnd why) {
        if (end.isPresent()) {
            throw new AssertionError("ended twice");
        }
        end = Optional.of(why);
    }

    /** {@return all events, in the order in which they came} */
    List<String> events() {
        List<String> events = new ArrayList<>();
        for (byte[] message : messages) {
            Matcher event = EVENT.matcher(text(message));
            while (event.find()) {
                events.add(event.group(1));
            }
        }
        return events;
    }

    /** {@return up to where the last message says that all was told} */
    long completeTo() {
        Matcher head = HEAD.matcher(text(messages.getLast()));
        if (!head.find()) {
            throw new AssertionError(text(messages.getLast()));
        }
        return Long.parseLong(head.group(1));
    }

    private static String text(byte[] message) {
        return new String(message, StandardCharsets.UTF_8);
    }
}
