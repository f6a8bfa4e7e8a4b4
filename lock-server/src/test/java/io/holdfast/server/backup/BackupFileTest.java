package io.holdfast.server.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.server.backup.BackupManifest.Facts;
import io.holdfast.server.backup.BackupManifest.Item;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackupFileTest {
    private static final Facts FACTS =
            new Facts("test", 3, 1L << 40, 9_007_199_254_740_993L, Long.MAX_VALUE, 2, "0123456789abcdef");
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    @TempDir
    Path folder;

    private Path snapshot;
    private Path file;
    private BackupManifest manifest;

    @BeforeEach
    void write() throws IOException {
        snapshot = Files.createDirectory(folder.resolve("snapshot"));
        Files.writeString(snapshot.resolve("000012.sst"), "a lock, a session, a waiter".repeat(5), UTF_8);
        Files.writeString(snapshot.resolve("CURRENT"), "MANIFEST-000005\n", UTF_8);
        Files.write(snapshot.resolve("empty.log"), new byte[0]);
        manifest = BackupManifest.of("1.2.3", FACTS, NOON, snapshot);
        file = folder.resolve("backup.zip");
        Files.write(file, written(manifest));
    }

    @Test
    void what_is_written_is_read_again() throws IOException {
        Path unpacked = Files.createDirectory(folder.resolve("unpacked"));

        assertThat(BackupReader.verify(file)).isEqualTo(manifest);
        assertThat(BackupReader.unpack(file, unpacked)).isEqualTo(manifest);

        assertThat(contentOf(unpacked)).isEqualTo(contentOf(snapshot)).hasSize(3);
        assertThat(manifest.contentBytes()).isEqualTo(5 * 27 + 16);
    }

    @Test
    void the_manifest_comes_first_and_can_be_read_by_people() throws IOException {
        Map<String, byte[]> entries = entries();

        assertThat(entries.keySet())
                .containsExactly("manifest.json", "snapshot/000012.sst", "snapshot/CURRENT", "snapshot/empty.log");
        assertThat(new String(entries.get("manifest.json"), UTF_8))
                .contains("\"format\" : 1,", "\"cluster\" : \"test\",", "\"index\" : \"1099511627776\",")
                .contains("\"lastToken\" : \"9223372036854775807\"", "\"createdAt\" : \"2026-03-01T12:00:00Z\"");
    }

    @Test
    void a_changed_byte_is_noticed_or_changes_nothing() throws IOException {
        byte[] whole = Files.readAllBytes(file);
        Map<String, String> content = contentOf(snapshot);
        List<Integer> harmless = new ArrayList<>();
        for (int i = 0; i < whole.length; i++) {
            for (int flip : new int[] {0x01, 0x80, 0xff}) {
                byte[] changed = whole.clone();
                changed[i] ^= (byte) flip;
                Path damaged = Files.write(folder.resolve("damaged.zip"), changed);
                Path unpacked = Files.createTempDirectory(folder, "unpacked");
                try {
                    assertThat(BackupReader.unpack(damaged, unpacked))
                            .as("byte " + i)
                            .isEqualTo(manifest);
                    assertThat(contentOf(unpacked)).as("byte " + i).isEqualTo(content);
                    harmless.add(i);
                } catch (UnusableBackupException e) {
                    assertThat(e).hasMessageStartingWith(damaged + ": ");
                }
            }
        }
        assertThat(harmless).as("harmless flips").hasSizeLessThan(whole.length * 3 / 2);
    }

    @Test
    void a_file_that_was_cut_off_anywhere_is_refused() throws IOException {
        byte[] whole = Files.readAllBytes(file);
        for (int length = 0; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> BackupReader.verify(file))
                    .as("cut to " + length)
                    .isInstanceOf(UnusableBackupException.class);
        }
    }

    @Test
    void what_is_no_file_at_all_is_refused() {
        assertRefused(folder, "is not a file that can be read");
        assertRefused(folder.resolve("absent.zip"), "is not a file that can be read");
    }

    @Test
    void a_zip_that_is_no_backup_is_refused() throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put("readme.txt", "hello".getBytes(UTF_8));
        assertRefused(zip(entries), "is not a backup of Holdfast: its first entry is not manifest.json");

        entries.put("manifest.json", entries().get("manifest.json"));
        assertRefused(zip(entries), "its first entry is not manifest.json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "2", "99", "\"2\""})
    void a_format_that_this_version_does_not_know_is_refused_with_both(String format) throws IOException {
        Path other = zipWith(text -> text.replace("\"format\" : 1,", "\"format\" : " + format + ", \"new\": [],"));

        assertRefused(
                other,
                "its entry manifest.json has format " + format.replace("\"", "")
                        + "; this version of Holdfast reads format 1");
    }

    @Test
    void a_manifest_without_a_format_is_refused() throws IOException {
        assertRefused(
                zipWith(text -> text.replace("\"format\" : 1,", "")), "manifest.json has format none; this version");
        assertRefused(zipWith(text -> "[]"), "manifest.json has format none");
        assertRefused(zipWith(text -> text.substring(1)), "its entry manifest.json is not JSON: ");
        assertRefused(zipWith(text -> text + "{}"), "its entry manifest.json is not JSON: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"term\" : \"3\",          | | lacks the field term",
                "\"term\" : \"3\",          | \"term\": \"3\", \"turn\": 1, | has the field turn, which its format does not know",
                "\"term\" : \"3\"           | \"term\": \"3\", \"term\": \"3\" | is not JSON: ",
                "\"term\" : \"3\"           | \"term\": 3 | has no text in term",
                "\"term\" : \"3\"           | \"term\": \"-3\" | has \"-3\" for term",
                "\"term\" : \"3\"           | \"term\": \"9223372036854775808\" | has a number in term that is too large",
                "\"0123456789abcdef\"       | \"0123\" | has \"0123\" for digest",
                "\"2026-03-01T12:00:00Z\"   | \"yesterday\" | has no time in createdAt",
                "\"sha256\" : \"            | \"sha256\" : \"x | for sha256, which must match",
                "\"bytes\" : \"16\"         | \"bytes\" : \"1e9\" | has \"1e9\" for bytes",
                "\"name\" : \"CURRENT\",    | | lacks the field name",
                "\"CURRENT\"                | \"empty.log\" | names the file empty.log twice",
            })
    void a_manifest_that_says_something_else_than_it_should_is_refused(String right, String wrong, String problem)
            throws IOException {
        assertRefused(zipWith(text -> text.replace(right, Objects.requireNonNullElse(wrong, ""))), problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../CURRENT", "/etc/passwd", "a/b", "a\\b", "..", ".", "", ".hidden", "C:x", "a\u0000b"})
    void a_name_that_leads_out_of_the_folder_is_refused(String name) throws IOException {
        String escaped = name.replace("\\", "\\\\").replace("\u0000", "\\u0000");
        Path evil = zipWith(text -> text.replace("\"CURRENT\"", "\"" + escaped + "\""));

        assertRefused(evil, "its entry manifest.json has \"");
        assertThat(folder.resolve("CURRENT")).doesNotExist();
    }

    @Test
    void an_entry_beside_those_of_the_manifest_is_refused() throws IOException {
        assertRefused(
                spoilt(it -> it.put("snapshot/more.sst", new byte[0])),
                "has the entry \"snapshot/more.sst\", which its");
        assertRefused(spoilt(it -> it.put("../evil", new byte[0])), "has the entry \"../evil\", which its manifest");
        assertRefused(spoilt(it -> it.put("a\u001b[31m\n", new byte[0])), "has the entry \"a?[31m?\"");
        assertRefused(spoilt(it -> it.put("snapshot/", new byte[0])), "has the entry \"snapshot/\"");
    }

    @Test
    void a_missing_entry_is_refused_by_name() throws IOException {
        assertRefused(spoilt(it -> it.remove("snapshot/empty.log")), "lacks the entry snapshot/empty.log");
        assertRefused(spoilt(it -> it.remove("snapshot/000012.sst")), "lacks the entry snapshot/000012.sst");
    }

    @Test
    void an_entry_of_another_size_or_content_is_refused_by_name() throws IOException {
        assertRefused(
                spoilt(it -> it.put("snapshot/CURRENT", new byte[100_000_000])),
                "its entry snapshot/CURRENT has more than the 16 bytes that the manifest says");
        assertRefused(
                spoilt(it -> it.put("snapshot/CURRENT", new byte[15])),
                "its entry snapshot/CURRENT has 15 bytes; the manifest says 16");
        assertRefused(
                spoilt(it -> it.put("snapshot/CURRENT", new byte[16])),
                "its entry snapshot/CURRENT is damaged: its SHA-256 is ");
    }

    @Test
    void a_manifest_of_endless_size_is_refused() throws IOException {
        assertRefused(
                spoilt(it -> it.put("manifest.json", new byte[40 << 20])),
                "its entry manifest.json is larger than a manifest can be (32 MiB)");
    }

    @Test
    void files_that_are_there_are_not_written_over() throws IOException {
        Path taken = Files.createDirectory(folder.resolve("taken"));
        Files.writeString(taken.resolve("CURRENT"), "mine", UTF_8);

        assertThatThrownBy(() -> BackupReader.unpack(file, taken)).isInstanceOf(IOException.class);

        assertThat(taken.resolve("CURRENT")).hasContent("mine");
    }

    @Test
    void a_file_that_changed_since_it_was_looked_at_is_not_backed_up() throws IOException {
        Files.writeString(snapshot.resolve("CURRENT"), "MANIFEST-000006, and more\n", UTF_8);

        assertThatThrownBy(() -> written(manifest))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("CURRENT has 26 bytes, and had 16 when it was looked at before");
    }

    private static void assertRefused(Path backup, String problem) {
        assertThatThrownBy(() -> BackupReader.verify(backup))
                .isInstanceOf(UnusableBackupException.class)
                .hasMessageStartingWith(backup + ": ")
                .hasMessageContaining(problem);
    }

    private byte[] written(BackupManifest about) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BackupWriter.write(about, snapshot, out);
        return out.toByteArray();
    }

    /** The backup with another manifest. */
    private Path zipWith(java.util.function.UnaryOperator<String> change) throws IOException {
        return spoilt(it -> {
            String text = new String(it.get("manifest.json"), UTF_8);
            assertThat(change.apply(text)).as("changed").isNotEqualTo(text);
            it.put("manifest.json", change.apply(text).getBytes(UTF_8));
        });
    }

    private Path spoilt(Consumer<Map<String, byte[]>> change) throws IOException {
        Map<String, byte[]> entries = entries();
        change.accept(entries);
        return zip(entries);
    }

    private Map<String, byte[]> entries() throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put("manifest.json", ManifestJson.write(manifest));
        for (Item item : manifest.files()) {
            entries.put("snapshot/" + item.name(), Files.readAllBytes(snapshot.resolve(item.name())));
        }
        return entries;
    }

    private Path zip(Map<String, byte[]> entries) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
                zip.closeEntry();
            }
        }
        return Files.write(folder.resolve("spoilt.zip"), out.toByteArray());
    }

    private static Map<String, String> contentOf(Path folder) throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.forEach(it -> {
                try {
                    content.put(String.valueOf(it.getFileName()), Files.readString(it, UTF_8));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        return content;
    }
}
