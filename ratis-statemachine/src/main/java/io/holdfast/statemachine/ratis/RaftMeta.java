package io.holdfast.statemachine.ratis;

import io.holdfast.statemachine.disk.DamagedDataException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Term and vote, as Ratis keeps them in {@code raft-meta}.
 *
 * @param term the newest term this node knows of
 * @param votedFor whom it voted for in that term; empty if for nobody
 */
record RaftMeta(long term, String votedFor) {
    static final String FILE = "raft-meta";

    // java.util.Properties, of ids that it does not escape: comments, then the keys in any order.
    private static final Pattern TEXT = Pattern.compile("(?:#[^\\n]*\\n)*(?:"
            + "term=(0|[1-9][0-9]{0,17})\\r?\\nvotedFor=(" + Peers.ID + ")?\\r?\\n"
            + "|votedFor=(" + Peers.ID + ")?\\r?\\nterm=(0|[1-9][0-9]{0,17})\\r?\\n)");

    /**
     * Reads the file, more strictly than Ratis does.
     *
     * @param file where it is
     * @param bytes its content
     * @return what it says
     * @throws DamagedDataException if Ratis never writes such a file
     */
    static RaftMeta parse(Path file, byte[] bytes) throws DamagedDataException {
        Matcher matcher = TEXT.matcher(new String(bytes, StandardCharsets.UTF_8));
        if (!matcher.matches()) {
            throw new DamagedDataException(file, -1, "not a term and a vote, as Ratis writes them");
        }
        boolean isTermFirst = matcher.group(1) != null;
        String term = matcher.group(isTermFirst ? 1 : 4);
        String votedFor = matcher.group(isTermFirst ? 2 : 3);
        return new RaftMeta(Long.parseLong(term), votedFor == null ? "" : votedFor);
    }

    /** {@return the file's content, as Ratis reads it} */
    byte[] bytes() {
        return ("#\nterm=" + term + "\nvotedFor=" + votedFor + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
