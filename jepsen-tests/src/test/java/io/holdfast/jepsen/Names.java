package io.holdfast.jepsen;

import java.util.UUID;

/** Lock names that no other test uses. */
final class Names {
    private Names() {}

    static String fresh(String about) {
        return "it/" + about + "/" + UUID.randomUUID();
    }
}
