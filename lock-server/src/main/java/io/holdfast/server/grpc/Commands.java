package io.holdfast.server.grpc;

import com.google.protobuf.ByteString;
import io.holdfast.core.Bounds;
import io.holdfast.core.Command;
import io.holdfast.core.FencingToken;
import io.holdfast.core.LockName;
import io.holdfast.core.Mode;
import io.holdfast.core.Owner;
import io.holdfast.core.Request;
import io.holdfast.core.RequestId;
import io.holdfast.core.SessionId;
import io.holdfast.core.Terms;
import io.holdfast.v1.AcquireRequest;
import io.holdfast.v1.CloseSessionRequest;
import io.holdfast.v1.GiveUpRequest;
import io.holdfast.v1.OpenSessionRequest;
import io.holdfast.v1.ReleaseRequest;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.RenewSessionsRequest;
import io.holdfast.v1.RequestTag;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Requests of the public API, as commands of the core.
 *
 * <p>Each request has two methods: one checks it, the other translates what was checked. A request is checked at the first door, and translated where it is carried out.
 */
final class Commands {
    /** Most sessions that one request renews. */
    private static final int MAX_RENEWED_SESSIONS = 10_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    // Lease time now: the time of issue of requests that do not say theirs.
    private final LongSupplier leaseTimeNanos;

    Commands(LongSupplier leaseTimeNanos) {
        this.leaseTimeNanos = leaseTimeNanos;
    }

    static void check(AcquireRequest request) {
        Checks checks = new Checks();
        checks.owner(request.getOwner());
        checks.bound("name", Bounds.name(request.getName()));
        checks.ask(
                request.getOwner(),
                request.getTag(),
                request.getTtlMs(),
                request.getWaitMs(),
                request.getOwnerLabel(),
                request.getBlockMs());
        checks.terms("terms.", request.getTerms());
        checks.done();
    }

    Command.Acquire acquire(AcquireRequest request) {
        return new Command.Acquire(
                owner(request.getOwner()),
                new LockName(request.getName()),
                request(request.getTag()),
                request.getTtlMs() * NANOS_PER_MILLI,
                waitNanos(request.getWaitMs()),
                request.getOwnerLabel(),
                terms(request.getTerms()),
                request.getAllowDeadlock());
    }

    static void check(GiveUpRequest request) {
        Checks checks = new Checks();
        checks.owner(request.getOwner());
        checks.bound("name", Bounds.name(request.getName()));
        checks.tag(request.getTag(), request.getOwner());
        checks.done();
    }

    Command.GiveUp giveUp(GiveUpRequest request) {
        return new Command.GiveUp(
                owner(request.getOwner()), new LockName(request.getName()), request(request.getTag()));
    }

    static void check(ReleaseRequest request) {
        Checks checks = new Checks();
        checks.owner(request.getOwner());
        checks.bound("name", Bounds.name(request.getName()));
        checks.tag(request.getTag(), request.getOwner());
        checks.optionalToken("token", request.getToken());
        checks.inRange("permits", request.getPermits(), 0, Bounds.MAX_CAPACITY, "");
        checks.done();
    }

    Command.Release release(ReleaseRequest request) {
        return new Command.Release(
                owner(request.getOwner()),
                new LockName(request.getName()),
                request(request.getTag()),
                token(request.getToken()),
                request.getPermits());
    }

    static void check(RenewRequest request) {
        Checks checks = new Checks();
        checks.bound("owner_id", Bounds.owner(request.getOwnerId()));
        checks.bound("name", Bounds.name(request.getName()));
        checks.optionalToken("token", request.getToken());
        checks.optionalTtl("ttl_ms", request.getTtlMs());
        checks.done();
    }

    static Command.RenewHold renew(RenewRequest request) {
        return new Command.RenewHold(
                new Owner.OneShot(request.getOwnerId()),
                new LockName(request.getName()),
                token(request.getToken()),
                request.getTtlMs() * NANOS_PER_MILLI);
    }

    static void check(OpenSessionRequest request) {
        Checks checks = new Checks();
        checks.id("session_id", request.getSessionId());
        checks.bound("ttl_ms", Bounds.ttlMillis(request.getTtlMs()));
        checks.bound("owner_label", Bounds.label(request.getOwnerLabel()));
        checks.require(request.getIssuedAt() >= 0, "issued_at", request.getIssuedAt() + " ns", "0 or a lease time");
        checks.done();
    }

    Command.OpenSession open(OpenSessionRequest request) {
        return new Command.OpenSession(
                session(request.getSessionId()),
                issuedAt(request.getIssuedAt()),
                request.getTtlMs() * NANOS_PER_MILLI,
                request.getOwnerLabel());
    }

    static void check(RenewSessionsRequest request) {
        Checks checks = new Checks();
        checks.inRange("session_ids", request.getSessionIdsCount(), 1, MAX_RENEWED_SESSIONS, " ids");
        for (int i = 0; i < Math.min(request.getSessionIdsCount(), MAX_RENEWED_SESSIONS); i++) {
            checks.id("session_ids[" + i + "]", request.getSessionIds(i));
        }
        checks.done();
    }

    static Command.RenewSessions renew(RenewSessionsRequest request) {
        return new Command.RenewSessions(
                request.getSessionIdsList().stream().map(Commands::session).toList());
    }

    static void check(CloseSessionRequest request) {
        Checks checks = new Checks();
        checks.id("session_id", request.getSessionId());
        checks.done();
    }

    static Command.CloseSession close(CloseSessionRequest request) {
        return new Command.CloseSession(session(request.getSessionId()));
    }

    static SessionId session(ByteString id) {
        return new SessionId(longAt(id, 0), longAt(id, 8));
    }

    static Owner owner(io.holdfast.v1.Owner owner) {
        return owner.hasSessionId()
                ? new Owner.OfSession(session(owner.getSessionId()))
                : new Owner.OneShot(owner.getId());
    }

    static Terms terms(io.holdfast.v1.Terms terms) {
        Mode mode = switch (terms.getMode()) {
            case SEMAPHORE -> new Mode.Permits(terms.getPermits(), terms.getCapacity());
            case SHARED -> Mode.SHARED;
            case EXCLUSIVE, MODE_UNSPECIFIED, UNRECOGNIZED -> Mode.EXCLUSIVE;
        };
        return new Terms(mode, terms.getValue(), terms.getLockDelayMs() * NANOS_PER_MILLI);
    }

    static long waitNanos(long millis) {
        return millis < 0 ? Bounds.WAIT_FOREVER : millis * NANOS_PER_MILLI;
    }

    Request request(RequestTag tag) {
        return tag.hasNumber()
                ? new Request.Numbered(tag.getNumber(), tag.getSeenUpTo())
                : new Request.Identified(
                        new RequestId(longAt(tag.getId(), 0), longAt(tag.getId(), 8)), issuedAt(tag.getIssuedAt()));
    }

    private long issuedAt(long leaseTime) {
        return leaseTime == 0 ? leaseTimeNanos.getAsLong() : leaseTime;
    }

    static Optional<FencingToken> token(long token) {
        return token == 0 ? Optional.empty() : Optional.of(new FencingToken(token));
    }

    private static long longAt(ByteString bytes, int from) {
        long value = 0;
        for (int i = from; i < from + Long.BYTES; i++) {
            value = (value << 8) | (bytes.byteAt(i) & 0xff);
        }
        return value;
    }
}
