package io.holdfast.statemachine.codec;

import io.holdfast.core.Command;
import java.util.List;

/** Which log format what needs: that of its feature level. An entry is written in the lowest that can carry it, so that a member of an older version reads on until the feature level is raised. */
final class Formats {
    /** The first there was, and what all entries are written in while the feature level is 1. */
    static final int FIRST = 1;

    /** The newest that this version knows. */
    static final int NEWEST = 2;

    private Formats() {}

    /** {@return the lowest format that can carry all of these} */
    static int of(List<Command> commands) {
        int format = FIRST;
        for (Command command : commands) {
            format = Math.max(format, of(command));
        }
        return format;
    }

    /** {@return the lowest format that can carry it} */
    static int of(Command command) {
        // The first entry that a member of the first version cannot read is the one that raises the level.
        return command instanceof Command.RaiseFeatureLevel ? NEWEST : command.featureLevel();
    }
}
