package io.holdfast.server.config;

import java.util.List;
import java.util.Map;

/** A piece of a YAML file that still knows its line. */
sealed interface YamlNode {
    /** {@return the line on which it begins, counted from 1} */
    int line();

    /** A single value as it was written. */
    record Scalar(int line, String text) implements YamlNode {}

    /** A key without a value. */
    record Nothing(int line) implements YamlNode {}

    /** Keys with values, in the order of the file. */
    record Mapping(int line, Map<String, YamlNode> entries) implements YamlNode {}

    /** Items of a list. */
    record Items(int line, List<YamlNode> items) implements YamlNode {}

    /** {@return what it is, for people} */
    default String kind() {
        return switch (this) {
            case Scalar it -> "\"" + it.text() + "\"";
            case Nothing it -> "empty";
            case Mapping it -> "a group of keys";
            case Items it -> "a list";
        };
    }
}
