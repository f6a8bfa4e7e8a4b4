package io.holdfast.server.config;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * A key of the configuration file that has one value.
 *
 * @param <T> what the value means
 * @param name where it stands, such as {@code tick.max-interval}
 * @param defaultText the value if the key is absent, as one would write it, or in words; empty if the key must be there
 * @param limit what the value must be, in words
 * @param reader what a text means; empty if it is not a value within the limit
 */
record Key<T>(String name, String defaultText, String limit, Function<String, Optional<T>> reader) {
    static Key<String> name(String name) {
        return new Key<>(name, "", Names.LIMIT, text -> Optional.of(text).filter(Names::isName));
    }

    static Key<String> text(String name, String limit) {
        return new Key<>(name, "", limit, text -> Optional.of(text).filter(it -> !it.isBlank()));
    }

    static Key<HostPort> hostPort(String name, String defaultText) {
        return new Key<>(name, defaultText, HostPort.LIMIT, HostPort::parse);
    }

    static Key<Optional<HostPort>> hostPortOrNowhere(String name) {
        String nowhere = "nowhere";
        return new Key<>(
                name,
                nowhere,
                HostPort.LIMIT + ", or " + nowhere,
                text -> text.equals(nowhere)
                        ? Optional.of(Optional.empty())
                        : HostPort.parse(text).flatMap(it -> Optional.of(Optional.of(it))));
    }

    static Key<Duration> duration(String name, String defaultText, String min, String max) {
        Duration least = Quantity.duration(min).orElseThrow();
        Duration most = Quantity.duration(max).orElseThrow();
        return new Key<>(
                name,
                defaultText,
                min + " to " + max,
                text -> Quantity.duration(text).filter(it -> it.compareTo(least) >= 0 && it.compareTo(most) <= 0));
    }

    static Key<Integer> bytes(String name, String defaultText, String min, String max) {
        long least = Quantity.bytes(min).orElseThrow();
        long most = Quantity.bytes(max).orElseThrow();
        return new Key<>(
                name,
                defaultText,
                min + " to " + max,
                text -> Quantity.bytes(text)
                        .filter(it -> it >= least && it <= most)
                        .map(Long::intValue));
    }

    /** Bytes, of which there may be more than memory holds. */
    static Key<Long> space(String name, String defaultText, String min, String max) {
        long least = Quantity.bytes(min).orElseThrow();
        long most = Quantity.bytes(max).orElseThrow();
        return new Key<>(
                name,
                defaultText,
                min + " to " + max,
                text -> Quantity.bytes(text).filter(it -> it >= least && it <= most));
    }

    static Key<Integer> count(String name, String defaultText, int min, int max) {
        return new Key<>(
                name,
                defaultText,
                min + " to " + max,
                text -> Quantity.count(text)
                        .filter(it -> it >= min && it <= max)
                        .map(Long::intValue));
    }
}
