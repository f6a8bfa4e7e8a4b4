package io.holdfast.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The arguments as bytes: Java has decoded them, and shows what is not UTF-8 as a replacement character. */
final class Arguments {
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

    private Arguments() {}

    /** Refuses arguments that are not UTF-8: a name must reach the store byte for byte. */
    static void requireUtf8(String... arguments) {
        boolean suspicious = Arrays.stream(arguments).anyMatch(argument -> argument.indexOf('\uFFFD') >= 0);
        if (!suspicious) {
            return;
        }
        try {
            byte[] raw = Files.readAllBytes(COMMAND_LINE);
            var unused = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(raw));
        } catch (CharacterCodingException e) {
            String shown = Arrays.stream(arguments)
                    .filter(argument -> argument.indexOf('\uFFFD') >= 0)
                    .findFirst()
                    .orElse("");
            throw Failure.usage("arguments", "\"" + shown + "\" is not UTF-8; names and all other arguments must be");
        } catch (IOException e) {
            // Not on Linux: it cannot be told apart from a real replacement character, and goes as it is.
            return;
        }
    }
}
