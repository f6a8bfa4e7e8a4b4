package io.holdfast.cli;

import picocli.CommandLine.Option;

/** How a command prints its result. */
final class OutputOptions {
    /** The two forms. */
    enum Format {
        text,
        json
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "text|json",
            defaultValue = "text",
            description = "Form of the result (default: ${DEFAULT-VALUE}); json prints one object a result, 64-bit"
                    + " numbers as strings.")
    private Format format = Format.text;

    boolean isJson() {
        return format == Format.json;
    }
}
