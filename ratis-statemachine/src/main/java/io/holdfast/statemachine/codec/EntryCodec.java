package io.holdfast.statemachine.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import io.holdfast.core.Command;
import io.holdfast.log.v1.BodyRecord;
import io.holdfast.log.v1.CommandRecord;
import io.holdfast.log.v1.EntryRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Log entry to bytes and back, as {@code holdfast/log/v1/log.proto} describes it.
 *
 * <p>Decoding is strict: what it returns encodes to the same meaning again, and whatever it does not fully understand it refuses. What the core's constructors refuse is refused as damage, so bounds may be widened later, but not narrowed.
 */
public final class EntryCodec {
    private EntryCodec() {}

    /**
     * Encodes an entry, in the lowest format that can carry it: in format 1, as the first version of Holdfast wrote it, unless it has a command that needs a higher feature level, or raises the level.
     *
     * @param entry the entry
     * @return its bytes in a new array
     * @throws IllegalArgumentException if it asks for a feature level that this version does not know
     */
    public static byte[] encode(Entry entry) {
        BodyRecord.Builder body =
                BodyRecord.newBuilder().setProposalId(entry.proposalId()).setLeaseTimeNanos(entry.leaseTimeNanos());
        for (Command command : entry.commands()) {
            body.addCommands(CommandWriter.write(command));
        }
        return envelope(Formats.of(entry.commands()), body.build().toByteString());
    }

    /** Puts a body into its envelope. */
    static byte[] envelope(int format, ByteString body) {
        return EntryRecord.newBuilder()
                .setFormat(format)
                .setCrc32C(crc32c(format, body))
                .setBody(body)
                .build()
                .toByteArray();
    }

    /**
     * Decodes an entry.
     *
     * @param bytes exactly what {@link #encode} gave
     * @return the entry, whole
     * @throws CorruptEntryException if the bytes are damaged
     * @throws UnsupportedFormatException if they are sound but in a newer format
     */
    public static Entry decode(byte[] bytes) {
        return decode(ByteBuffer.wrap(bytes));
    }

    /**
     * Decodes an entry.
     *
     * @param bytes from position to limit exactly what {@link #encode} gave; neither is moved
     * @return the entry, whole
     * @throws CorruptEntryException if the bytes are damaged
     * @throws UnsupportedFormatException if they are sound but in a newer format
     */
    public static Entry decode(ByteBuffer bytes) {
        EntryRecord envelope = openEnvelope(bytes.slice());
        int crc = crc32c(envelope.getFormat(), envelope.getBody());
        if (crc != envelope.getCrc32C()) {
            throw new CorruptEntryException("checksum is " + Integer.toHexString(crc) + ", and "
                    + Integer.toHexString(envelope.getCrc32C()) + " was written");
        }
        if (Integer.compareUnsigned(envelope.getFormat(), Formats.NEWEST) > 0) {
            throw UnsupportedFormatException.ofFormat(envelope.getFormat());
        }
        if (envelope.getFormat() < Formats.FIRST) {
            throw new CorruptEntryException("there is no log format " + envelope.getFormat());
        }
        CommandReader.refuseUnknown(envelope);
        return entry(envelope.getFormat(), openBody(envelope.getBody()));
    }

    private static EntryRecord openEnvelope(ByteBuffer bytes) {
        // Aliasing: the body stays a view of the bytes instead of a copy. Nothing of it outlives decode.
        CodedInputStream in = UnsafeByteOperations.unsafeWrap(bytes).newCodedInput();
        in.enableAliasing(true);
        try {
            EntryRecord envelope = EntryRecord.parseFrom(in);
            in.checkLastTagWas(0);
            return envelope;
        } catch (IOException e) {
            throw new CorruptEntryException("not an entry: " + e.getMessage(), e);
        }
    }

    private static BodyRecord openBody(ByteString body) {
        try {
            return BodyRecord.parseFrom(body);
        } catch (InvalidProtocolBufferException e) {
            throw new CorruptEntryException("not an entry: " + e.getMessage(), e);
        }
    }

    private static Entry entry(int format, BodyRecord body) {
        CommandReader.refuseUnknown(body);
        if (body.getLeaseTimeNanos() < 0) {
            throw new CorruptEntryException("lease time " + body.getLeaseTimeNanos());
        }
        List<Command> commands = new ArrayList<>(body.getCommandsCount());
        try {
            for (CommandRecord command : body.getCommandsList()) {
                commands.add(CommandReader.read(format, command));
            }
            return new Entry(body.getProposalId(), body.getLeaseTimeNanos(), commands);
        } catch (IllegalArgumentException e) {
            // Thrown by the core's constructors, which refuse what no door lets through.
            throw new CorruptEntryException("command " + commands.size() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Says how much room a command takes. Cheap: nothing is encoded for it.
     *
     * @param command the command
     * @return the bytes by which an entry grows that has it too
     */
    public static int sizeOf(Command command) {
        return CommandSize.inEntry(command);
    }

    private static int crc32c(int format, ByteString body) {
        CRC32C crc = new CRC32C();
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            crc.update(format >>> shift);
        }
        for (ByteBuffer part : body.asReadOnlyByteBufferList()) {
            crc.update(part);
        }
        return (int) crc.getValue();
    }
}
