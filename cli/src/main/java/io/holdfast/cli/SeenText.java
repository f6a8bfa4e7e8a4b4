package io.holdfast.cli;

import io.holdfast.client.Seen;

/** Where a stale answer comes from, and how old it may be. */
final class SeenText {
    private SeenText() {}

    /** For people, beside the answer. */
    static String note(Seen<?> seen) {
        return "as node " + seen.node() + " saw it at log index " + seen.appliedIndex() + ", "
                + seen.age()
                        .map(age -> "out of date by " + Durations.text(age) + " at most, as far as it knows")
                        .orElse("which does not know how old that is");
    }

    /** The object of an answer, with more fields at its end. */
    static String json(String answer, Seen<?> seen) {
        String more = Json.object(json -> {
            json.writeStringField("node", seen.node());
            Json.number(json, "appliedIndex", seen.appliedIndex());
            if (seen.age().isPresent()) {
                json.writeNumberField("ageMs", seen.age().get().toMillis());
            } else {
                json.writeNullField("ageMs");
            }
        });
        return answer.substring(0, answer.length() - 1) + "," + more.substring(1);
    }
}
