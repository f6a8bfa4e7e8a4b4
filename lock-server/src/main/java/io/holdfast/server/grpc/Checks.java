package io.holdfast.server.grpc;

import com.google.protobuf.ByteString;
import io.holdfast.core.Bounds;
import io.holdfast.core.Bounds.Violation;
import io.holdfast.server.config.HostPort;
import io.holdfast.server.config.Names;
import io.holdfast.v1.Lock;
import io.holdfast.v1.Owner;
import io.holdfast.v1.RequestTag;
import io.holdfast.v1.Terms;
import io.holdfast.v1.Want;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks the fields of one request, and collects all that is wrong with it. */
final class Checks {
    /** Longest finite wait: 365 days, in ms. */
    static final long MAX_WAIT_MILLIS = 365L * 24 * 3_600 * 1_000;

    /** Longest block: the longest TTL, in ms. */
    static final long MAX_BLOCK_MILLIS = Bounds.MAX_TTL_NANOS / 1_000_000;

    /** Most violations in one answer: the details of an error must fit into a header. */
    private static final int MAX_VIOLATIONS = 8;

    private static final int MAX_SHOWN_CHARS = 64;
    private static final int ID_BYTES = 16;
    private static final String ID_LIMIT = ID_BYTES + " random bytes";

    private final List<Violation> violations = new ArrayList<>();

    /** Ends the checks. */
    void done() {
        if (!violations.isEmpty()) {
            throw Refused.invalid(violations);
        }
    }

    /** Notes what {@link Bounds} found, under the name that the field has in this request. */
    void bound(String field, Optional<Violation> found) {
        found.ifPresent(violation -> require(false, field, violation.value(), violation.limit()));
    }

    void require(boolean isRight, String field, String value, String limit) {
        if (!isRight && violations.size() < MAX_VIOLATIONS) {
            violations.add(new Violation(field, value, limit));
        }
    }

    void inRange(String field, long value, long min, long max, String unit) {
        require(value >= min && value <= max, field, value + unit, min + " to " + max + unit);
    }

    void id(String field, ByteString id) {
        boolean isZero = true;
        for (int i = 0; i < id.size() && isZero; i++) {
            isZero = id.byteAt(i) == 0;
        }
        String value = id.isEmpty() ? "missing" : id.size() + (isZero ? " zero bytes" : " bytes");
        require(id.size() == ID_BYTES && !isZero, field, value, ID_LIMIT);
    }

    void nodeId(String field, String id) {
        require(Names.isName(id), field, shown(id), Names.LIMIT);
    }

    void hostPort(String field, String address) {
        require(HostPort.parse(address).isPresent(), field, shown(address), HostPort.LIMIT);
    }

    private static String shown(String text) {
        String cut = text.length() <= MAX_SHOWN_CHARS ? text : text.substring(0, MAX_SHOWN_CHARS) + "…";
        return text.isEmpty() ? "empty" : "\"" + cut.replaceAll("\\p{C}", "?") + "\"";
    }

    void owner(Owner owner) {
        owner("owner", owner);
    }

    void owner(String field, Owner owner) {
        switch (owner.getKindCase()) {
            case ID -> bound(field + ".id", Bounds.owner(owner.getId()));
            case SESSION_ID -> id(field + ".session_id", owner.getSessionId());
            case KIND_NOT_SET -> require(false, field, "missing", "an id or a session_id");
        }
    }

    void tag(RequestTag tag, Owner owner) {
        switch (tag.getKindCase()) {
            case ID -> {
                id("tag.id", tag.getId());
                require(tag.getIssuedAt() >= 0, "tag.issued_at", tag.getIssuedAt() + " ns", "0 or a lease time");
                require(tag.getSeenUpTo() == 0, "tag.seen_up_to", tag.getSeenUpTo() + "", "0 with an id");
            }
            case NUMBER -> number(tag, owner);
            case KIND_NOT_SET ->
                require(false, "tag", "missing", "an id of " + ID_LIMIT + ", or the number of a session's request");
        }
    }

    /** The tag of a request that nobody makes in the name of a session. */
    void idTag(RequestTag tag) {
        if (tag.hasNumber()) {
            require(false, "tag.number", tag.getNumber() + "", "an id instead: no session makes this request");
        } else {
            tag(tag, Owner.getDefaultInstance());
        }
    }

    private void number(RequestTag tag, Owner owner) {
        long number = tag.getNumber();
        if (!owner.hasSessionId()) {
            require(false, "tag.number", number + "", "an id instead: only a session numbers its requests");
            return;
        }
        require(number >= 1, "tag.number", number + "", "1 to " + Long.MAX_VALUE);
        long seen = tag.getSeenUpTo();
        require(seen >= 0 && seen < Math.max(1, number), "tag.seen_up_to", seen + "", "0 or more, and below number");
        require(tag.getIssuedAt() == 0, "tag.issued_at", tag.getIssuedAt() + " ns", "0 with a number");
    }

    /**
     * What every ask for a lock says besides the lock.
     *
     * @param ttlMillis its TTL, which a session must not give
     */
    void ask(Owner owner, RequestTag tag, long ttlMillis, long waitMillis, String label, long blockMillis) {
        tag(tag, owner);
        ttl(owner, ttlMillis);
        require(
                waitMillis >= -1 && waitMillis <= MAX_WAIT_MILLIS,
                "wait_ms",
                waitMillis + " ms",
                "0 (only try), −1 (for ever), or up to " + MAX_WAIT_MILLIS + " ms (365 days)");
        bound("owner_label", Bounds.label(label));
        inRange("block_ms", blockMillis, 0, MAX_BLOCK_MILLIS, " ms");
    }

    /** The TTL of an owner's lease, which a session must not give. */
    void ttl(Owner owner, long millis) {
        if (owner.hasSessionId()) {
            require(millis == 0, "ttl_ms", millis + " ms", "0 with a session, which has its own");
        } else {
            bound("ttl_ms", Bounds.ttlMillis(millis));
        }
    }

    /**
     * Checks terms.
     *
     * @param path what stands before the names of their fields, with a dot
     */
    void terms(String path, Terms terms) {
        switch (terms.getMode()) {
            case SEMAPHORE ->
                Bounds.permits(terms.getPermits(), terms.getCapacity())
                        .ifPresent(it -> require(false, path + it.field(), it.value(), it.limit()));
            case MODE_UNSPECIFIED, EXCLUSIVE, SHARED -> {
                String limit = "0 unless the mode is SEMAPHORE";
                require(terms.getPermits() == 0, path + "permits", terms.getPermits() + "", limit);
                require(terms.getCapacity() == 0, path + "capacity", terms.getCapacity() + "", limit);
            }
            case UNRECOGNIZED ->
                require(false, path + "mode", terms.getModeValue() + "", "EXCLUSIVE, SHARED or SEMAPHORE");
        }
        bound(path + "value", Bounds.value(terms.getValue()));
        bound(path + "lock_delay_ms", Bounds.lockDelayMillis(terms.getLockDelayMs()));
    }

    /** A mode that a hold may be converted into. */
    void conversion(String field, Lock.Mode mode, int number) {
        boolean isRight = mode == Lock.Mode.EXCLUSIVE || mode == Lock.Mode.SHARED;
        require(isRight, field, mode == Lock.Mode.UNRECOGNIZED ? number + "" : mode.name(), "EXCLUSIVE or SHARED");
    }

    void wants(List<Want> wants) {
        inRange("wants", wants.size(), 2, Bounds.MAX_SET, " locks");
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < Math.min(wants.size(), Bounds.MAX_SET); i++) {
            Want want = wants.get(i);
            oneOf("wants[" + i + "].name", want.getName(), seen);
            terms("wants[" + i + "].terms.", want.getTerms());
        }
    }

    void names(List<String> names) {
        inRange("names", names.size(), 1, Bounds.MAX_SET, " locks");
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < Math.min(names.size(), Bounds.MAX_SET); i++) {
            oneOf("names[" + i + "]", names.get(i), seen);
        }
    }

    private void oneOf(String field, String name, Set<String> seen) {
        bound(field, Bounds.name(name));
        require(seen.add(name), field, shown(name) + " once more", "a lock that is not named before");
    }

    /** A TTL that may be left out. */
    void optionalTtl(String field, long millis) {
        if (millis != 0) {
            bound(field, Bounds.ttlMillis(millis));
        }
    }

    /** A token that may be left out. */
    void optionalToken(String field, long token) {
        if (token != 0) {
            bound(field, Bounds.token(token));
        }
    }

    /** A name that may be left out. */
    void optionalName(String field, String name) {
        if (!name.isEmpty()) {
            bound(field, Bounds.name(name));
        }
    }
}
