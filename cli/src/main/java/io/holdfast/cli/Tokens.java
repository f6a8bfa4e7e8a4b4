package io.holdfast.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Fencing tokens as people write them. */
final class Tokens {
    private Tokens() {}

    /** Reads a token: 1 to 2^63 − 1. */
    static final class Converter implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            try {
                long token = Long.parseLong(text);
                if (token > 0) {
                    return token;
                }
            } catch (NumberFormatException e) {
                // said below
            }
            String shown = text.length() <= 64 ? text : text.substring(0, 64) + "…";
            throw new TypeConversionException("'" + shown + "'; it must be 1 to 9223372036854775807");
        }
    }
}
