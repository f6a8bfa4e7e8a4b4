package io.holdfast.server.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads YAML into nodes that know their lines. Values stay text: what they mean is said by the key. */
final class YamlFile {
    private static final long MAX_BYTES = 1 << 20;

    private final Path file;
    private final JsonParser parser;

    private YamlFile(Path file, JsonParser parser) {
        this.file = file;
        this.parser = parser;
    }

    /**
     * Reads a file that holds one mapping.
     *
     * @throws ConfigException if it cannot be read, is not YAML, or says a key twice
     */
    static YamlNode.Mapping read(Path file) throws ConfigException {
        try {
            if (Files.isRegularFile(file) && Files.size(file) > MAX_BYTES) {
                throw problem(file, 0, "the file is larger than a configuration can be (1 MiB)");
            }
            try (JsonParser parser = new YAMLFactory().createParser(Files.readString(file))) {
                return new YamlFile(file, parser).document();
            }
        } catch (NoSuchFileException e) {
            throw problem(file, 0, "there is no such file");
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
            throw problem(file, line, "not YAML: " + firstLine(e.getOriginalMessage()));
        } catch (CharacterCodingException e) {
            throw problem(file, 0, "the file is not UTF-8");
        } catch (IOException e) {
            throw problem(file, 0, "the file cannot be read: " + e);
        }
    }

    private YamlNode.Mapping document() throws IOException, ConfigException {
        JsonToken first = parser.nextToken();
        if (first == null || first == JsonToken.VALUE_NULL) {
            throw problem(file, 0, "the file is empty");
        }
        if (first != JsonToken.START_OBJECT) {
            throw problem(file, line(), "the file must hold keys with values");
        }
        YamlNode.Mapping root = mapping();
        if (parser.nextToken() != null) {
            throw problem(file, line(), "the file must hold one document, and here begins another");
        }
        return root;
    }

    private YamlNode node() throws IOException, ConfigException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping();
            case START_ARRAY -> items();
            case VALUE_NULL -> new YamlNode.Nothing(line());
            default -> new YamlNode.Scalar(line(), parser.getText());
        };
    }

    private YamlNode.Mapping mapping() throws IOException, ConfigException {
        int line = line();
        Map<String, YamlNode> entries = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            int keyLine = line();
            parser.nextToken();
            if (entries.putIfAbsent(key, node()) != null) {
                throw problem(file, keyLine, "the key " + key + " stands here for the second time");
            }
        }
        return new YamlNode.Mapping(line, entries);
    }

    private YamlNode.Items items() throws IOException, ConfigException {
        int line = line();
        List<YamlNode> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node());
        }
        return new YamlNode.Items(line, items);
    }

    private int line() {
        return parser.currentTokenLocation().getLineNr();
    }

    private static ConfigException problem(Path file, int line, String message) {
        return new ConfigException(List.of(new Problem(file, line, "", message)));
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse(text);
    }
}
