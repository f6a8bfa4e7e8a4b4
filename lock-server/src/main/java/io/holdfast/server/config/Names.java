package io.holdfast.server.config;

import java.util.regex.Pattern;

/** The form of the names that operators give to clusters and nodes. */
public final class Names {
    /** The form, in words. */
    public static final String LIMIT =
            "1 to 64 letters, digits, dots, hyphens or underscores, beginning with a letter or digit";

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private Names() {}

    /**
     * Tells whether a text can be the name of a cluster or a node.
     *
     * @param text the text
     * @return true if it has the form
     */
    public static boolean isName(String text) {
        return FORM.matcher(text).matches();
    }
}
