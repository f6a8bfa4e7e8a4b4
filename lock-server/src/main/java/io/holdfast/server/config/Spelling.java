package io.holdfast.server.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Guesses what was meant. */
final class Spelling {
    private Spelling() {}

    /** {@return the known word that is nearest to the given one, if it is near enough for a slip of the keyboard} */
    static Optional<String> nearest(String word, Collection<String> known) {
        int near = Math.max(2, word.length() / 4);
        return known.stream()
                .filter(candidate -> distance(word, candidate) <= near)
                .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
    }

    /** Levenshtein's distance: how many letters to add, drop or change. */
    private static int distance(String one, String two) {
        int[] previous = new int[two.length() + 1];
        for (int j = 0; j <= two.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int[] current = new int[two.length() + 1];
            current[0] = i;
            for (int j = 1; j <= two.length(); j++) {
                int change = one.charAt(i - 1) == two.charAt(j - 1) ? 0 : 1;
                current[j] = Math.min(previous[j - 1] + change, 1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[two.length()];
    }
}
