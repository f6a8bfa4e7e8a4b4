package io.holdfast.server.backup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.server.backup.BackupManifest.Facts;
import io.holdfast.server.backup.BackupManifest.Item;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The manifest as JSON, 64-bit numbers as strings. Reading is strict: a manifest that says less, more or something else than it should is refused. */
final class ManifestJson {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,18}");
    private static final Pattern STATE_DIGEST = Pattern.compile("[0-9a-f]{16}");
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    /** No separator and no leading dot: a name cannot lead out of its folder, on any system. */
    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");

    private ManifestJson() {}

    /** What is wrong with a manifest, without the file's name. */
    static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        Unreadable(String problem) {
            super(problem);
        }
    }

    static byte[] write(BackupManifest manifest) throws IOException {
        Facts facts = manifest.facts();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("format", BackupManifest.FORMAT);
        json.put("product", manifest.product());
        json.put("cluster", facts.cluster());
        json.put("term", Long.toString(facts.term()));
        json.put("index", Long.toString(facts.index()));
        json.put("leaseTime", Long.toString(facts.leaseTimeNanos()));
        json.put("lastToken", Long.toString(facts.lastToken()));
        json.put("featureLevel", Integer.toString(facts.featureLevel()));
        json.put("digest", facts.digest());
        json.put("createdAt", manifest.createdAt().toString());
        ArrayNode files = json.putArray("files");
        for (Item item : manifest.files()) {
            files.addObject()
                    .put("name", item.name())
                    .put("bytes", Long.toString(item.bytes()))
                    .put("sha256", item.sha256());
        }
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(json);
    }

    static BackupManifest read(byte[] bytes) throws Unreadable {
        JsonNode json;
        try {
            json = MAPPER.readTree(bytes);
        } catch (JsonProcessingException e) {
            throw new Unreadable("is not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new Unreadable("is not readable: " + e.getMessage());
        }
        // Before all else: what the rest must look like depends on it.
        int format = json.path("format").asInt(0);
        if (format != BackupManifest.FORMAT) {
            throw new Unreadable("has format " + json.path("format").asText("none")
                    + "; this version of Holdfast reads format " + BackupManifest.FORMAT);
        }
        requireFields(
                json, "format product cluster term index leaseTime lastToken featureLevel digest createdAt files");
        Facts facts = new Facts(
                text(json, "cluster"),
                number(json, "term"),
                number(json, "index"),
                number(json, "leaseTime"),
                number(json, "lastToken"),
                Math.toIntExact(Math.min(number(json, "featureLevel"), Integer.MAX_VALUE)),
                matching(json, "digest", STATE_DIGEST));
        return new BackupManifest(text(json, "product"), facts, time(json), items(json.path("files")));
    }

    private static List<Item> items(JsonNode files) throws Unreadable {
        if (!files.isArray() || files.isEmpty()) {
            throw new Unreadable("names no files");
        }
        List<Item> items = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (JsonNode file : files) {
            requireFields(file, "name bytes sha256");
            Item item = new Item(
                    matching(file, "name", FILE_NAME), number(file, "bytes"), matching(file, "sha256", SHA256));
            if (!names.add(item.name())) {
                throw new Unreadable("names the file " + item.name() + " twice");
            }
            items.add(item);
        }
        return items;
    }

    private static void requireFields(JsonNode json, String fields) throws Unreadable {
        Set<String> missing = new HashSet<>(List.of(fields.split(" ", -1)));
        for (String field : json.properties().stream().map(it -> it.getKey()).toList()) {
            if (!missing.remove(field)) {
                throw new Unreadable("has the field " + field + ", which its format does not know");
            }
        }
        if (!missing.isEmpty()) {
            throw new Unreadable(
                    "lacks the field " + missing.stream().sorted().findFirst().orElseThrow());
        }
    }

    private static String text(JsonNode json, String field) throws Unreadable {
        if (!json.path(field).isTextual()) {
            throw new Unreadable("has no text in " + field);
        }
        return json.path(field).textValue();
    }

    private static String matching(JsonNode json, String field, Pattern form) throws Unreadable {
        String text = text(json, field);
        if (!form.matcher(text).matches()) {
            throw new Unreadable("has \"" + text + "\" for " + field + ", which must match " + form);
        }
        return text;
    }

    private static long number(JsonNode json, String field) throws Unreadable {
        try {
            return Long.parseLong(matching(json, field, NUMBER));
        } catch (NumberFormatException e) {
            throw new Unreadable("has a number in " + field + " that is too large");
        }
    }

    private static Instant time(JsonNode json) throws Unreadable {
        try {
            return Instant.parse(text(json, "createdAt"));
        } catch (DateTimeException e) {
            throw new Unreadable("has no time in createdAt: " + e.getMessage());
        }
    }
}
