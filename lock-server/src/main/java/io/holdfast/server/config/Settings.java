package io.holdfast.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Looks up keys in one mapping of the file, and notes all that is wrong with it. */
final class Settings {
    private final Path file;
    private final YamlNode.Mapping root;
    private final String prefix;
    private final List<Problem> problems;

    /**
     * Creates it.
     *
     * @param prefix what problems put before the names of keys, such as {@code members[0].}
     * @param problems where problems are noted
     */
    Settings(Path file, YamlNode.Mapping root, String prefix, List<Problem> problems) {
        this.file = file;
        this.root = root;
        this.prefix = prefix;
        this.problems = problems;
    }

    /** {@return what the file says; empty, with a problem noted, if it says nothing or something wrong} */
    <T> Optional<T> required(Key<T> key) {
        if (!has(key.name())) {
            note(lineOf(key.name()), key.name(), "is missing; it must be " + key.limit());
        }
        return find(key);
    }

    /** {@return what the file says, or else the key's default, with a problem noted if it says something wrong} */
    <T> T get(Key<T> key) {
        return find(key).orElseGet(() -> key.reader().apply(key.defaultText()).orElseThrow());
    }

    /** {@return what the file says, if anything; empty, with a problem noted, if that is wrong} */
    <T> Optional<T> find(Key<T> key) {
        if (!has(key.name())) {
            return Optional.empty();
        }
        Optional<T> value = find(key.name()).orElseThrow() instanceof YamlNode.Scalar scalar
                ? key.reader().apply(scalar.text())
                : Optional.empty();
        if (value.isEmpty()) {
            refuse(key.name(), key.limit());
        }
        return value;
    }

    /** Notes a problem with a key that does not go with another, unless one of them is wrong in itself. */
    void refuseUnless(boolean isRight, Key<?> key, String limit, Key<?> other) {
        boolean isNoted = problems.stream()
                .anyMatch(it -> it.key().equals(key.name()) || it.key().equals(other.name()));
        if (!isRight && !isNoted) {
            refuse(key.name(), limit);
        }
    }

    /** {@return whether the file gives a key a value, right or wrong} */
    boolean has(String name) {
        return find(name).filter(node -> !(node instanceof YamlNode.Nothing)).isPresent();
    }

    /** {@return the items of a list; empty, with a problem noted, if it is none} */
    List<YamlNode> items(String name, String limit) {
        Optional<YamlNode> found = find(name);
        if (found.isEmpty()) {
            note(0, name, "is missing; it must be " + limit);
            return List.of();
        }
        if (found.get() instanceof YamlNode.Items list && !list.items().isEmpty()) {
            return list.items();
        }
        refuse(name, limit);
        return List.of();
    }

    /** Notes that the value of a key, though there, will not do. */
    void refuse(String name, String limit) {
        String kind = find(name).map(YamlNode::kind).orElse("its default");
        note(lineOf(name), name, "is " + kind + "; it must be " + limit);
    }

    /** Notes a problem with a key. */
    void note(int line, String name, String what) {
        problems.add(new Problem(file, line, prefix + name, prefix + name + " " + what));
    }

    int lineOf(String name) {
        return find(name).map(YamlNode::line).orElse(prefix.isEmpty() ? 0 : root.line());
    }

    /** Notes every key that is not among those given. */
    void refuseAllBut(List<String> known) {
        refuseAllBut(root, "", known);
    }

    private void refuseAllBut(YamlNode.Mapping mapping, String path, List<String> known) {
        for (Map.Entry<String, YamlNode> entry : mapping.entries().entrySet()) {
            String name = path + entry.getKey();
            boolean isGroup = known.stream().anyMatch(it -> it.startsWith(name + "."));
            boolean isMisplaced = entry.getKey().indexOf('.') >= 0;
            if (!isMisplaced && known.contains(name)) {
                continue; // its value is looked at by whoever gets it
            }
            switch (entry.getValue()) {
                case YamlNode.Mapping group when isGroup -> refuseAllBut(group, name + ".", known);
                case YamlNode.Nothing it when isGroup -> {}
                case YamlNode node
                when isGroup -> note(node.line(), name, "is " + node.kind() + "; it must be a group of keys");
                case YamlNode node -> note(node.line(), name, "is not a known key" + hint(name, isMisplaced, known));
            }
        }
    }

    private static String hint(String name, boolean isMisplaced, List<String> known) {
        if (isMisplaced && known.contains(name)) {
            int dot = name.indexOf('.');
            return "; write " + name.substring(dot + 1) + ", indented, under " + name.substring(0, dot) + ":";
        }
        Set<String> all = new LinkedHashSet<>(known);
        known.stream().filter(it -> it.indexOf('.') >= 0).forEach(it -> all.add(it.substring(0, it.indexOf('.'))));
        return Spelling.nearest(name, all)
                .or(() -> byLastPart(name, known))
                .map(it -> "; did you mean " + it + "?")
                .orElse("; config/holdfast.yaml shows all keys");
    }

    /** A key under the wrong group, or under none. */
    private static Optional<String> byLastPart(String name, List<String> known) {
        String last = name.substring(name.lastIndexOf('.') + 1);
        List<String> ends = new ArrayList<>();
        known.forEach(it -> ends.add(it.substring(it.lastIndexOf('.') + 1)));
        return Spelling.nearest(last, ends).map(it -> known.get(ends.indexOf(it)));
    }

    private Optional<YamlNode> find(String name) {
        YamlNode node = root;
        for (String part : name.split("\\.", -1)) {
            if (!(node instanceof YamlNode.Mapping mapping)
                    || !mapping.entries().containsKey(part)) {
                return Optional.empty();
            }
            node = mapping.entries().get(part);
        }
        return Optional.ofNullable(node);
    }
}
