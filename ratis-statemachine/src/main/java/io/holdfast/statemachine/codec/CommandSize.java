package io.holdfast.statemachine.codec;

import com.google.protobuf.CodedOutputStream;
import io.holdfast.core.Command;
import io.holdfast.core.FencingToken;
import io.holdfast.core.LockName;
import io.holdfast.core.Mode;
import io.holdfast.core.Owner;
import io.holdfast.core.Request;
import io.holdfast.core.Terms;
import io.holdfast.core.Want;
import java.util.List;
import java.util.Optional;

/**
 * Counts what {@link CommandWriter} writes, without writing it: doors ask for each command, long before it goes into an entry.
 */
final class CommandSize {
    /** Bytes of a session id in a packed list. */
    static final int PACKED_ID = 2 * Long.BYTES;

    /** Bytes of a field's number and type: one, as all numbers are below 16. */
    private static final int TAG = 1;

    /** Bytes of a mode, or any number from 1 to 127. */
    private static final int SMALL = TAG + 1;

    private CommandSize() {}

    static int inEntry(Command command) {
        return message(message(size(command)));
    }

    private static int size(Command command) {
        return switch (command) {
            case Command.OpenSession open ->
                id(open.session().high(), open.session().low())
                        + number(open.issuedAtNanos())
                        + number(open.ttlNanos())
                        + text(open.label())
                        + text(open.metadata());
            case Command.CloseSession close ->
                id(close.session().high(), close.session().low());
            case Command.RenewSessions renew ->
                renew.sessions().isEmpty() ? 0 : message(renew.sessions().size() * PACKED_ID);
            case Command.Acquire acquire ->
                once(acquire)
                        + number(acquire.ttlNanos())
                        + number(acquire.waitNanos())
                        + text(acquire.label())
                        + terms(acquire.terms())
                        + flag(acquire.allowDeadlock());
            case Command.GiveUp giveUp -> once(giveUp);
            case Command.Release release -> once(release) + token(release.token()) + number(release.permits());
            case Command.Convert convert -> once(convert) + token(convert.token()) + SMALL;
            case Command.AcquireAll all ->
                owned(all)
                        + all.wants().stream().mapToInt(CommandSize::want).sum()
                        + number(all.ttlNanos())
                        + number(all.waitNanos())
                        + text(all.label())
                        + flag(all.allowDeadlock());
            case Command.GiveUpAll all -> owned(all) + names(all.names());
            case Command.ReleaseAll all -> owned(all) + names(all.names()) + token(all.token());
            case Command.Proclaim proclaim -> once(proclaim) + token(proclaim.token()) + text(proclaim.value());
            case Command.HandOff handOff ->
                once(handOff)
                        + token(handOff.token())
                        + message(owner(handOff.to()))
                        + number(handOff.ttlNanos())
                        + text(handOff.label());
            case Command.Revoke revoke ->
                text(revoke.name().value())
                        + number(revoke.token().value())
                        + request(revoke.request())
                        + number(revoke.graceNanos())
                        + text(revoke.reason())
                        + text(revoke.by());
            case Command.RenewHold renew ->
                text(renew.owner().id()) + text(renew.name().value()) + token(renew.token()) + number(renew.ttlNanos());
            case Command.RaiseFeatureLevel raise -> number(raise.level());
        };
    }

    private static int once(Command.Once command) {
        return owned(command) + text(command.name().value());
    }

    private static int owned(Command.Once command) {
        return message(owner(command.owner())) + message(request(command.request()));
    }

    private static int want(Want want) {
        return message(text(want.name().value()) + terms(want.terms()));
    }

    private static int names(List<LockName> names) {
        return names.stream().mapToInt(name -> text(name.value())).sum();
    }

    private static int terms(Terms terms) {
        if (terms.equals(Terms.PLAIN)) {
            return 0;
        }
        int permits = terms.mode() instanceof Mode.Permits some ? number(some.permits()) + number(some.capacity()) : 0;
        return message(SMALL + permits + text(terms.value()) + number(terms.lockDelayNanos()));
    }

    private static int owner(Owner owner) {
        return switch (owner) {
            case Owner.OneShot one -> text(one.id());
            case Owner.OfSession one -> id(one.session().high(), one.session().low());
        };
    }

    private static int request(Request request) {
        return switch (request) {
            case Request.Numbered one -> message(number(one.number()) + number(one.seenUpTo()));
            case Request.Identified one -> message(id(one.id().high(), one.id().low()) + number(one.issuedAtNanos()));
        };
    }

    private static int id(long high, long low) {
        return message(fixed(high) + fixed(low));
    }

    private static int token(Optional<FencingToken> token) {
        return token.isPresent() ? number(token.get().value()) : 0;
    }

    /** A message or bytes within another message: tag, length, content. */
    private static int message(int content) {
        return TAG + CodedOutputStream.computeUInt32SizeNoTag(content) + content;
    }

    // A field that has its default value is not written.

    private static int text(String value) {
        return value.isEmpty() ? 0 : TAG + CodedOutputStream.computeStringSizeNoTag(value);
    }

    private static int number(long value) {
        return value == 0 ? 0 : TAG + CodedOutputStream.computeInt64SizeNoTag(value);
    }

    private static int flag(boolean value) {
        return value ? SMALL : 0;
    }

    private static int fixed(long value) {
        return value == 0 ? 0 : TAG + Long.BYTES;
    }
}
