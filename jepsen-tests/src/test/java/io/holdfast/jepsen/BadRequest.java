package io.holdfast.jepsen;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.holdfast.jepsen.wire.Wire;
import io.holdfast.jepsen.wire.WireClient;
import io.holdfast.v1.AcquireRequest;
import io.holdfast.v1.ErrorReason;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GiveUpRequest;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.OpenSessionRequest;
import io.holdfast.v1.Owner;
import io.holdfast.v1.ReleaseRequest;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.RenewSessionsRequest;
import io.holdfast.v1.RequestTag;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A request that no client should send.
 *
 * @param label what is wrong with it
 * @param reason the reason that must be answered
 * @param field the field that the answer must name; empty if none is to blame
 * @param call sends it; fails with a gRPC status
 */
record BadRequest(String label, ErrorReason reason, String field, Consumer<Wire> call) {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int HUGE = 5 * 1024 * 1024;
    private static final long DAY_AND_AN_HOUR_MS = Duration.ofHours(25).toMillis();

    /** {@return one of each kind} */
    static List<BadRequest> all() {
        List<BadRequest> all = new ArrayList<>();
        names(all);
        owners(all);
        times(all);
        tags(all);
        otherCalls(all);
        looks(all);
        sessions(all);
        sizes(all);
        return all;
    }

    private static void names(List<BadRequest> all) {
        all.add(acquire("empty name", "name", r -> r.setName("")));
        all.add(acquire("name of 513 bytes", "name", r -> r.setName("n".repeat(513))));
        all.add(acquire("name of 257 two-byte letters", "name", r -> r.setName("ü".repeat(257))));
        all.add(acquire("newline in name", "name", r -> r.setName("a\nb")));
        all.add(acquire("NUL in name", "name", r -> r.setName("a\0b")));
        all.add(acquire("DEL in name", "name", r -> r.setName("a\u007fb")));
        all.add(acquire("C1 control in name", "name", r -> r.setName("a\u0085b")));
        all.add(new BadRequest("invalid UTF-8 in name", ErrorReason.INVALID_FIELD, "", BadRequest::invalidUtf8));
    }

    private static void owners(List<BadRequest> all) {
        all.add(acquire("no owner", "owner", AcquireRequest.Builder::clearOwner));
        all.add(acquire("empty owner", "owner", r -> r.setOwner(owner(""))));
        all.add(acquire("owner of 257 bytes", "owner", r -> r.setOwner(owner("o".repeat(257)))));
        all.add(acquire("control character in owner", "owner", r -> r.setOwner(owner("a\u0001"))));
        all.add(acquire(
                "session id of 15 bytes",
                "session_id",
                r -> r.setOwner(session(15)).clearTtlMs()));
        all.add(acquire("label of 257 bytes", "owner_label", r -> r.setOwnerLabel("l".repeat(257))));
        all.add(acquire("TTL with a session", "ttl", r -> r.setOwner(session(16))));
    }

    private static void times(List<BadRequest> all) {
        for (long ttl : new long[] {0, -1, 99, DAY_AND_AN_HOUR_MS, Long.MAX_VALUE, Long.MIN_VALUE}) {
            all.add(acquire("TTL of " + ttl + " ms", "ttl", r -> r.setTtlMs(ttl)));
        }
        all.add(acquire("wait of -2 ms", "wait", r -> r.setWaitMs(-2)));
        all.add(acquire("block of -1 ms", "block", r -> r.setBlockMs(-1)));
    }

    private static void tags(List<BadRequest> all) {
        all.add(acquire("no tag", "tag", AcquireRequest.Builder::clearTag));
        all.add(acquire(
                "tag of 15 bytes", "tag", r -> r.setTag(RequestTag.newBuilder().setId(bytes(15)))));
        all.add(acquire(
                "tag of 17 bytes", "tag", r -> r.setTag(RequestTag.newBuilder().setId(bytes(17)))));
        all.add(acquire(
                "number without session",
                "tag",
                r -> r.setTag(RequestTag.newBuilder().setNumber(1))));
        all.add(acquire(
                "number 0",
                "tag",
                r -> r.setOwner(session(16))
                        .clearTtlMs()
                        .setTag(RequestTag.newBuilder().setNumber(0))));
        all.add(acquire(
                "issued before time began",
                "issued_at",
                r -> r.setTag(RequestTag.newBuilder().setId(bytes(16)).setIssuedAt(-1))));
    }

    private static void otherCalls(List<BadRequest> all) {
        all.add(of(
                "release with an empty name",
                "name",
                w -> w.locks(TIMEOUT)
                        .release(ReleaseRequest.newBuilder()
                                .setOwner(owner("o"))
                                .setTag(tag())
                                .build())));
        all.add(of(
                "release with a negative token",
                "token",
                w -> w.locks(TIMEOUT)
                        .release(ReleaseRequest.newBuilder()
                                .setOwner(owner("o"))
                                .setName("n")
                                .setTag(tag())
                                .setToken(-1)
                                .build())));
        all.add(of(
                "renewal without owner",
                "owner",
                w -> w.locks(TIMEOUT)
                        .renew(RenewRequest.newBuilder().setName("n").build())));
        all.add(of(
                "renewal to 25 h",
                "ttl",
                w -> w.locks(TIMEOUT)
                        .renew(RenewRequest.newBuilder()
                                .setName("n")
                                .setOwnerId("o")
                                .setTtlMs(DAY_AND_AN_HOUR_MS)
                                .build())));
        all.add(of(
                "giving up without a tag",
                "tag",
                w -> w.locks(TIMEOUT)
                        .giveUp(GiveUpRequest.newBuilder()
                                .setName("n")
                                .setOwner(owner("o"))
                                .build())));
    }

    private static void looks(List<BadRequest> all) {
        all.add(of(
                "look at an empty name", "name", w -> w.locks(TIMEOUT).getLock(GetLockRequest.getDefaultInstance())));
        all.add(of(
                "page of 1,001",
                "page_size",
                w -> w.locks(TIMEOUT)
                        .listLocks(
                                ListLocksRequest.newBuilder().setPageSize(1_001).build())));
    }

    private static void sessions(List<BadRequest> all) {
        all.add(of(
                "session of TTL 0",
                "ttl",
                w -> w.sessions(TIMEOUT)
                        .openSession(OpenSessionRequest.newBuilder()
                                .setSessionId(bytes(16))
                                .build())));
        all.add(of(
                "10,001 sessions at once",
                "session_ids",
                w -> w.sessions(TIMEOUT)
                        .renewSessions(RenewSessionsRequest.newBuilder()
                                .addAllSessionIds(Collections.nCopies(10_001, bytes(16)))
                                .build())));
    }

    private static void sizes(List<BadRequest> all) {
        Consumer<Wire> huge =
                w -> w.locks(TIMEOUT).acquire(valid().setName("n".repeat(HUGE)).build());
        all.add(new BadRequest("5 MiB", ErrorReason.REQUEST_TOO_LARGE, "", huge));
    }

    private static BadRequest acquire(String label, String field, UnaryOperator<AcquireRequest.Builder> spoil) {
        return of(
                label,
                field,
                wire -> wire.locks(TIMEOUT).acquire(spoil.apply(valid()).build()));
    }

    private static BadRequest of(String label, String field, Consumer<Wire> call) {
        return new BadRequest(label, ErrorReason.INVALID_FIELD, field, call);
    }

    private static AcquireRequest.Builder valid() {
        return AcquireRequest.newBuilder()
                .setName("bad-input")
                .setOwner(owner("o"))
                .setTag(tag())
                .setTtlMs(1_000);
    }

    private static Owner owner(String id) {
        return Owner.newBuilder().setId(id).build();
    }

    private static Owner session(int length) {
        return Owner.newBuilder().setSessionId(bytes(length)).build();
    }

    private static RequestTag tag() {
        return RequestTag.newBuilder().setId(WireClient.randomId()).build();
    }

    private static ByteString bytes(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 7);
        return ByteString.copyFrom(bytes);
    }

    /** The generated classes cannot say it, so the bytes are put together by hand. */
    private static void invalidUtf8(Wire wire) {
        byte[] message = valid().setName("XX").build().toByteArray();
        String text = new String(message, StandardCharsets.ISO_8859_1).replace("XX", "\u00c3(");
        MethodDescriptor<byte[], byte[]> method = MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(LockServiceGrpc.getAcquireMethod().getFullMethodName())
                .setRequestMarshaller(Bytes.MARSHALLER)
                .setResponseMarshaller(Bytes.MARSHALLER)
                .build();
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
        ClientCalls.blockingUnaryCall(wire.channel(), method, options, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sends bytes as they are. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        static final Bytes MARSHALLER = new Bytes();

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            return new byte[0];
        }
    }
}
