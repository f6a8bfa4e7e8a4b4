package io.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.rpc.BadRequest.FieldViolation;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.holdfast.v1.AcquireRequest;
import io.holdfast.v1.CloseSessionRequest;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GiveUpRequest;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.OpenSessionRequest;
import io.holdfast.v1.ReleaseRequest;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.RenewSessionsRequest;
import io.holdfast.v1.RequestTag;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client may not send, and what it hears. */
class BadInputTest {
    private static final String ID_LIMIT = "it must be 16 random bytes";

    private final TestDoor door = TestDoor.leading();

    @AfterEach
    void close() {
        assertThat(door.store.commands).as("what is not sound goes no further").isEmpty();
        door.close();
    }

    @Test
    void a_name_has_1_to_512_bytes_without_control_characters() {
        String limit = "; it must be 1 to 512 bytes of UTF-8 without control characters";
        assertRefused(it -> it.setName(""), "name", "name is empty" + limit);
        assertRefused(it -> it.setName("x".repeat(513)), "name", "(513 bytes)" + limit);
        assertRefused(it -> it.setName("é".repeat(257)), "name", "(514 bytes)" + limit);
        assertRefused(it -> it.setName("a\nb"), "name", "name is \"a\\u000ab\" (with a control character)" + limit);
        assertRefused(it -> it.setName("a\u0000"), "name", "name is \"a\\u0000\" (with a control character)" + limit);
    }

    @Test
    void an_owner_is_named_and_its_name_is_bounded() {
        assertRefused(
                AcquireRequest.Builder::clearOwner, "owner", "owner is missing; it must be an id or a session_id");
        assertRefused(
                it -> it.setOwner(Requests.owner("")), "owner.id", "owner.id is empty; it must be 1 to 256 bytes");
        assertRefused(it -> it.setOwner(Requests.owner("x".repeat(257))), "owner.id", "(257 bytes); it must be");
        assertRefused(it -> it.setOwnerLabel("x".repeat(257)), "owner_label", "(257 bytes); it must be 0 to 256 bytes");
    }

    @Test
    void ids_are_16_random_bytes() {
        ByteString fifteen = ByteString.copyFrom(new byte[15]);
        ByteString zeros = ByteString.copyFrom(new byte[16]);
        assertRefused(
                it -> it.setOwner(Requests.session(fifteen)).setTtlMs(0),
                "owner.session_id",
                "owner.session_id is 15 zero bytes; " + ID_LIMIT);
        assertRefused(
                it -> it.setTag(RequestTag.newBuilder().setId(ByteString.copyFromUtf8("seventeen bytes!!"))),
                "tag.id",
                "tag.id is 17 bytes; " + ID_LIMIT);
        assertRefused(it -> it.setTag(RequestTag.newBuilder().setId(zeros)), "tag.id", "tag.id is 16 zero bytes");
        assertRefused(it -> it.setTag(RequestTag.newBuilder().setId(ByteString.EMPTY)), "tag.id", "tag.id is missing");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 99, 86_400_001, 90_000_000, Long.MAX_VALUE, Long.MIN_VALUE})
    void a_ttl_is_100_ms_to_24_h(long millis) {
        String message = "ttl_ms is " + millis + " ms; it must be 100 ms to 24 h";
        assertRefused(it -> it.setTtlMs(millis), "ttl_ms", message);
        assertRefused(
                () -> door.sessions()
                        .openSession(OpenSessionRequest.newBuilder()
                                .setSessionId(Requests.id())
                                .setTtlMs(millis)
                                .build()),
                "ttl_ms",
                message);
        if (millis != 0) { // for a renewal, 0 keeps the TTL
            assertRefused(() -> door.locks().renew(renew().setTtlMs(millis).build()), "ttl_ms", message);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-2, 31_536_000_001L, Long.MAX_VALUE, Long.MIN_VALUE})
    void a_wait_is_none_or_for_ever_or_up_to_a_year(long millis) {
        assertRefused(it -> it.setWaitMs(millis), "wait_ms", "wait_ms is " + millis + " ms; it must be 0 (only try)");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 86_400_001, Long.MAX_VALUE})
    void a_block_is_up_to_24_h(long millis) {
        assertRefused(
                it -> it.setBlockMs(millis), "block_ms", "block_ms is " + millis + " ms; it must be 0 to 86400000");
    }

    @Test
    void a_session_has_its_own_ttl() {
        assertRefused(
                it -> it.setOwner(Requests.session(Requests.id())),
                "ttl_ms",
                "ttl_ms is 10000 ms; it must be 0 with a session, which has its own");
    }

    @Test
    void every_change_is_tagged() {
        String missing = "tag is missing; it must be an id of 16 random bytes, or the number of a session's request";
        assertRefused(AcquireRequest.Builder::clearTag, "tag", missing);
        assertRefused(
                () -> door.locks().release(Requests.release("a", "A").clearTag().build()), "tag", missing);
        assertRefused(
                () -> door.locks().giveUp(Requests.giveUp("a", "A").clearTag().build()), "tag", missing);
    }

    @Test
    void only_a_session_numbers_its_requests() {
        assertRefused(
                it -> it.setTag(Requests.number(1)),
                "tag.number",
                "tag.number is 1; it must be an id instead: only a session numbers its requests");
        assertTagRefused(tag -> tag.setNumber(0), "tag.number", "tag.number is 0; it must be 1 to");
        assertTagRefused(tag -> tag.setNumber(-5), "tag.number", "tag.number is -5; it must be 1 to");
        assertTagRefused(tag -> tag.setNumber(5).setSeenUpTo(5), "tag.seen_up_to", "and below number");
        assertTagRefused(tag -> tag.setNumber(5).setSeenUpTo(-1), "tag.seen_up_to", "tag.seen_up_to is -1; it must be");
        assertTagRefused(tag -> tag.setNumber(5).setIssuedAt(9), "tag.issued_at", "it must be 0 with a number");
        assertTagRefused(tag -> tag.setId(Requests.id()).setSeenUpTo(9), "tag.seen_up_to", "it must be 0 with an id");
        assertTagRefused(tag -> tag.setId(Requests.id()).setIssuedAt(-1), "tag.issued_at", "it must be 0 or a lease");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE})
    void a_token_is_positive(long token) {
        String message = "token is " + token + "; it must be 1 to 9223372036854775807";
        assertRefused(
                () -> door.locks()
                        .release(Requests.release("a", "A").setToken(token).build()),
                "token",
                message);
        assertRefused(() -> door.locks().renew(renew().setToken(token).build()), "token", message);
    }

    @Test
    void every_other_request_is_checked_alike() {
        assertRefused(() -> door.locks().renew(renew().setOwnerId("").build()), "owner_id", "owner_id is empty");
        assertRefused(() -> door.locks().renew(renew().setName("").build()), "name", "name is empty");
        assertRefused(() -> door.locks().release(ReleaseRequest.getDefaultInstance()), "owner", "owner is missing");
        assertRefused(() -> door.locks().giveUp(GiveUpRequest.getDefaultInstance()), "owner", "owner is missing");
        assertRefused(() -> door.locks().getLock(GetLockRequest.getDefaultInstance()), "name", "name is empty");
        assertRefused(
                () -> door.locks()
                        .getLock(GetLockRequest.newBuilder().setStale(true).build()),
                "name",
                "name is empty");
        assertRefused(
                () -> door.sessions().closeSession(CloseSessionRequest.getDefaultInstance()),
                "session_id",
                "session_id is missing; " + ID_LIMIT);
        assertRefused(
                () -> door.sessions()
                        .openSession(OpenSessionRequest.newBuilder()
                                .setSessionId(Requests.id())
                                .setTtlMs(1_000)
                                .setIssuedAt(-1)
                                .build()),
                "issued_at",
                "issued_at is -1 ns");
    }

    @Test
    void one_request_renews_1_to_10_000_sessions() {
        RenewSessionsRequest.Builder many = RenewSessionsRequest.newBuilder();
        for (int i = 0; i < 10_001; i++) {
            many.addSessionIds(Requests.id());
        }
        String limit = "it must be 1 to 10000 ids";
        assertRefused(
                () -> door.sessions().renewSessions(RenewSessionsRequest.getDefaultInstance()),
                "session_ids",
                "session_ids is 0 ids; " + limit);
        assertRefused(
                () -> door.sessions().renewSessions(many.build()), "session_ids", "session_ids is 10001 ids; " + limit);
        assertRefused(
                () -> door.sessions()
                        .renewSessions(RenewSessionsRequest.newBuilder()
                                .addSessionIds(Requests.id())
                                .addSessionIds(ByteString.EMPTY)
                                .build()),
                "session_ids[1]",
                "session_ids[1] is missing");
    }

    @Test
    void a_page_and_its_waiters_are_bounded() {
        assertRefused(() -> list(it -> it.setPageSize(-1)), "page_size", "page_size is -1; it must be 0 to 1000");
        assertRefused(() -> list(it -> it.setPageSize(1_001)), "page_size", "page_size is 1001; it must be 0 to 1000");
        assertRefused(
                () -> list(it -> it.setPageSize(1_000).setMaxWaiters(11)),
                "max_waiters",
                "max_waiters is 11; it must be 0 to 10");
        assertRefused(() -> list(it -> it.setStale(true).setMaxWaiters(-1)), "max_waiters", "it must be 0 to 100");
        assertRefused(() -> list(it -> it.setPrefix("a\tb")), "prefix", "prefix is \"a\\u0009b\"");
        assertRefused(() -> list(it -> it.setAfter("x".repeat(513))), "after", "(513 bytes)");
        assertRefused(
                () -> door.locks()
                        .getLock(GetLockRequest.newBuilder()
                                .setName("a")
                                .setMaxWaiters(10_001)
                                .build()),
                "max_waiters",
                "max_waiters is 10001; it must be 0 to 10000");
    }

    @Test
    void all_that_is_wrong_is_told_at_once_and_fits_into_a_header() {
        StatusRuntimeException failure = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> door.locks()
                        .acquire(AcquireRequest.newBuilder()
                                .setOwner(Requests.owner("汉".repeat(4_000)))
                                .setName("汉".repeat(4_000))
                                .setOwnerLabel("汉".repeat(4_000))
                                .setTag(Requests.number(Long.MIN_VALUE))
                                .setTtlMs(Long.MIN_VALUE)
                                .setWaitMs(Long.MIN_VALUE)
                                .setBlockMs(Long.MIN_VALUE)
                                .build()));

        assertThat(TestDoor.badRequestOf(failure).getFieldViolationsList())
                .extracting(FieldViolation::getField)
                .containsExactly("owner.id", "name", "tag.number", "ttl_ms", "wait_ms", "owner_label", "block_ms");
        assertThat(TestDoor.infoOf(failure).getMetadataMap())
                .containsEntry("field", "owner.id")
                .containsKeys("value", "limit");
    }

    @Test
    void text_that_is_not_utf8_is_named_by_its_field() {
        byte[] invalid = {'a', (byte) 0xff, 'b', 'c'};
        byte[] name = Requests.acquire("NAME", "A").build().toByteArray();
        byte[] owner = Requests.acquire("a", "NAME").build().toByteArray();

        assertRefused(
                () -> send(LockServiceGrpc.getAcquireMethod(), replace(name, "NAME", invalid)),
                "name",
                "name is 0x61ff6263 (not UTF-8); it must be text in UTF-8");
        assertRefused(
                () -> send(LockServiceGrpc.getAcquireMethod(), replace(owner, "NAME", invalid)),
                "owner.id",
                "owner.id is 0x61ff6263 (not UTF-8); it must be text in UTF-8");
        assertRefused(
                () -> send(LockServiceGrpc.getListLocksMethod(), new byte[] {0x0a, 1, (byte) 0xc0}),
                "prefix",
                "prefix is 0xc0 (not UTF-8)");
    }

    @Test
    void bytes_that_are_no_request_are_refused() {
        assertRefused(
                () -> send(LockServiceGrpc.getAcquireMethod(), "hello".getBytes(StandardCharsets.UTF_8)),
                "request",
                "it must be a message holdfast.v1.AcquireRequest");
        assertRefused(
                () -> send(LockServiceGrpc.getAcquireMethod(), new byte[] {0x12, 100, 'a'}),
                "request",
                "it must be a message holdfast.v1.AcquireRequest");
    }

    @ParameterizedTest
    @ValueSource(ints = {(1 << 20) + 1, 5 << 20})
    void a_request_that_is_too_large_is_refused_with_the_limit(int bytes) {
        StatusRuntimeException failure = catchThrowableOfType(
                StatusRuntimeException.class, () -> send(LockServiceGrpc.getAcquireMethod(), new byte[bytes]));

        assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(failure.getStatus().getDescription())
                .isEqualTo("the request has " + bytes + " bytes; it must be at most 1048576 bytes");
        assertThat(TestDoor.infoOf(failure).getReason()).isEqualTo("REQUEST_TOO_LARGE");
        assertThat(TestDoor.infoOf(failure).getMetadataMap()).containsEntry("limit", "1048576 bytes");
    }

    @Test
    void what_even_the_transport_refuses_is_refused_all_the_same() {
        assertThat(catchThrowableOfType(
                                StatusRuntimeException.class,
                                () -> send(LockServiceGrpc.getAcquireMethod(), new byte[20 << 20]))
                        .getStatus()
                        .getCode())
                .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    }

    private void assertTagRefused(UnaryOperator<RequestTag.Builder> spoil, String field, String message) {
        assertRefused(
                it -> it.setOwner(Requests.session(Requests.id()))
                        .setTtlMs(0)
                        .setTag(spoil.apply(RequestTag.newBuilder())),
                field,
                message);
    }

    private void assertRefused(UnaryOperator<AcquireRequest.Builder> spoil, String field, String message) {
        AcquireRequest request = spoil.apply(Requests.acquire("orders/42", "A")).build();
        assertRefused(() -> door.locks().acquire(request), field, message);
    }

    static void assertRefused(ThrowingCallable call, String field, String message) {
        StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(failure.getStatus().getDescription()).contains(message);
        assertThat(TestDoor.infoOf(failure).getReason()).isEqualTo("INVALID_FIELD");
        assertThat(TestDoor.infoOf(failure).getDomain()).isEqualTo("holdfast");
        FieldViolation violation = TestDoor.badRequestOf(failure).getFieldViolations(0);
        assertThat(violation.getField()).isEqualTo(field);
        assertThat(violation.getDescription()).contains(message);
    }

    private void list(UnaryOperator<ListLocksRequest.Builder> spoil) {
        var unused = door.locks()
                .listLocks(spoil.apply(ListLocksRequest.newBuilder()).build());
    }

    private static RenewRequest.Builder renew() {
        return RenewRequest.newBuilder().setOwnerId("A").setName("a");
    }

    /** Puts other bytes in the place of a text. */
    private static byte[] replace(byte[] message, String text, byte... by) {
        int at = new String(message, StandardCharsets.ISO_8859_1).indexOf(text);
        byte[] changed = message.clone();
        System.arraycopy(by, 0, changed, at, by.length);
        return changed;
    }

    private <Q, A> void send(MethodDescriptor<Q, A> method, byte[] bytes) {
        MethodDescriptor<byte[], A> raw =
                method.toBuilder(BYTES, method.getResponseMarshaller()).build();
        var unused = ClientCalls.blockingUnaryCall(door.channel, raw, CallOptions.DEFAULT, bytes);
    }

    private static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };
}
