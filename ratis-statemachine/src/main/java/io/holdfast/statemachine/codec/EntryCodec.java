package io.holdfast.statemachine.codec;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import io.holdfast.core.Command;
import io.holdfast.log.v1.CommandRecord;
import io.holdfast.log.v1.EntryRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Log entries as bytes and back. The only place, with {@link CommandCodec}, that sees the log's protobuf.
 *
 * <p>No checksum here: Ratis keeps one for each record of its log, on disk and checked when it is read.
 */
public final class EntryCodec {
    /** The newest format that this node reads, and the one it writes. */
    public static final int FORMAT = 1;

    private static final int COMMANDS_FIELD = EntryRecord.COMMANDS_FIELD_NUMBER;

    private EntryCodec() {}

    /**
     * Writes an entry.
     *
     * @param entry the entry
     * @return its bytes
     */
    public static byte[] encode(Entry entry) {
        EntryRecord.Builder bytes = EntryRecord.newBuilder()
                .setFormat(FORMAT)
                .setProposalId(entry.proposalId())
                .setLeaseTime(entry.leaseTimeNanos());
        entry.commands().forEach(command -> bytes.addCommands(CommandCodec.encode(command)));
        return bytes.build().toByteArray();
    }

    /**
     * Reads an entry, whole or not at all.
     *
     * @param bytes what {@link #encode} wrote, here or on a node of another version
     * @return the entry
     * @throws UnreadableEntryException if the bytes are damaged or of a newer format
     */
    public static Entry decode(ByteBuffer bytes) {
        EntryRecord entry = parse(bytes);
        if (entry.getFormat() > FORMAT) {
            throw new UnreadableEntryException("the entry has log format " + entry.getFormat()
                    + ", this version of Holdfast reads up to " + FORMAT + ": run a newer version on this node");
        }
        if (entry.getFormat() < 1) {
            throw new UnreadableEntryException("the entry has no log format: it is damaged, or not Holdfast's");
        }
        List<Command> commands = new ArrayList<>(entry.getCommandsCount());
        try {
            for (CommandRecord command : entry.getCommandsList()) {
                commands.add(CommandCodec.decode(command));
            }
            return new Entry(entry.getProposalId(), entry.getLeaseTime(), commands);
        } catch (IllegalArgumentException e) {
            throw new UnreadableEntryException("command " + commands.size() + " of the entry: " + e.getMessage(), e);
        }
    }

    /**
     * Tells how much room a command takes in an entry.
     *
     * @param command the command
     * @return bytes
     */
    public static int sizeOf(Command command) {
        return CodedOutputStream.computeMessageSize(COMMANDS_FIELD, CommandCodec.encode(command));
    }

    private static EntryRecord parse(ByteBuffer bytes) {
        try {
            return EntryRecord.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new UnreadableEntryException("the entry is damaged: " + e.getMessage(), e);
        }
    }
}
