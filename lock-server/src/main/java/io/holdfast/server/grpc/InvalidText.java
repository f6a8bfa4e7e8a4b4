package io.holdfast.server.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import io.holdfast.core.Bounds.Violation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Finds the text fields of a message that are not UTF-8; protobuf only says that there is one. */
final class InvalidText {
    private static final int MAX_FOUND = 8;
    private static final int MAX_SHOWN_BYTES = 24;

    private final List<Violation> found = new ArrayList<>();

    private InvalidText() {}

    /** {@return the fields in question; empty if something else is wrong with the bytes} */
    static List<Violation> find(Descriptor type, byte[] message) {
        InvalidText search = new InvalidText();
        try {
            search.look(type, ByteString.copyFrom(message), "");
            return search.found;
        } catch (IOException e) {
            return search.found; // broken beyond here; what was found before is true all the same
        }
    }

    private void look(Descriptor type, ByteString message, String path) throws IOException {
        CodedInputStream in = message.newCodedInput();
        for (int tag = in.readTag(); tag != 0 && found.size() < MAX_FOUND; tag = in.readTag()) {
            FieldDescriptor field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
            boolean isText = field != null && field.getType() == FieldDescriptor.Type.STRING;
            boolean isMessage = field != null && field.getType() == FieldDescriptor.Type.MESSAGE;
            boolean hasLength = WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
            if (isText && hasLength) {
                text(path + field.getName(), in.readBytes());
            } else if (isMessage && hasLength) {
                look(field.getMessageType(), in.readBytes(), path + field.getName() + ".");
            } else {
                in.skipField(tag);
            }
        }
    }

    private void text(String path, ByteString bytes) {
        if (!bytes.isValidUtf8()) {
            found.add(new Violation(path, shown(bytes) + " (not UTF-8)", "text in UTF-8"));
        }
    }

    private static String shown(ByteString bytes) {
        StringBuilder hex = new StringBuilder("0x");
        for (int i = 0; i < Math.min(bytes.size(), MAX_SHOWN_BYTES); i++) {
            hex.append(HexFormat.of().toHexDigits(bytes.byteAt(i)));
        }
        return bytes.size() > MAX_SHOWN_BYTES ? hex.append("…").toString() : hex.toString();
    }
}
