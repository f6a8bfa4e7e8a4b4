package io.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.v1.AcquireAllRequest;
import io.holdfast.v1.CheckTokenRequest;
import io.holdfast.v1.ConvertRequest;
import io.holdfast.v1.GetSessionRequest;
import io.holdfast.v1.GiveUpAllRequest;
import io.holdfast.v1.HandOffRequest;
import io.holdfast.v1.Lock;
import io.holdfast.v1.ProclaimRequest;
import io.holdfast.v1.ReleaseAllRequest;
import io.holdfast.v1.RevokeRequest;
import io.holdfast.v1.Terms;
import io.holdfast.v1.Want;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client may not ask for, in modes, values and sets, and what it hears. */
class BadTermsTest {
    private final TestDoor door = TestDoor.leading();

    @AfterEach
    void close() {
        assertThat(door.store.commands).as("what is not sound goes no further").isEmpty();
        door.close();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 5, permits, '1 to the capacity, 5'",
        "-1, 5, permits, '1 to the capacity, 5'",
        "6, 5, permits, '1 to the capacity, 5'",
        "1, 0, capacity, 1 to 1000000",
        "1, -3, capacity, 1 to 1000000",
        "1, 1000001, capacity, 1 to 1000000",
    })
    void a_semaphore_has_1_to_1_000_000_permits_and_gives_out_1_to_all(
            int permits, int capacity, String field, String limit) {
        int value = field.equals("permits") ? permits : capacity;
        assertRefused(
                terms -> Requests.permits(permits, capacity),
                "terms." + field,
                "terms." + field + " is " + value + "; it must be " + limit);
    }

    @Test
    void only_a_semaphore_has_permits() {
        String limit = "; it must be 0 unless the mode is SEMAPHORE";
        assertRefused(it -> it.setPermits(1), "terms.permits", "terms.permits is 1" + limit);
        assertRefused(
                it -> it.setMode(Lock.Mode.SHARED).setCapacity(2), "terms.capacity", "terms.capacity is 2" + limit);
    }

    @Test
    void a_mode_is_one_that_is_known() {
        assertRefused(
                it -> it.setModeValue(9), "terms.mode", "terms.mode is 9; it must be EXCLUSIVE, SHARED or SEMAPHORE");
    }

    @Test
    void a_value_has_up_to_4096_bytes_and_may_have_control_characters() {
        assertRefused(it -> it.setValue("é".repeat(2_049)), "terms.value", "(4098 bytes); it must be 0 to 4096 bytes");
        BadInputTest.assertRefused(
                () -> door.locks()
                        .proclaim(Requests.proclaim("a", "A", "x".repeat(4_097)).build()),
                "value",
                "(4097 bytes); it must be 0 to 4096 bytes");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 3_600_001, Long.MAX_VALUE})
    void a_lock_delay_is_up_to_1_h(long millis) {
        assertRefused(
                it -> it.setLockDelayMs(millis),
                "terms.lock_delay_ms",
                "terms.lock_delay_ms is " + millis + " ms; it must be 0 to 1 h");
    }

    @Test
    void a_set_has_2_to_128_locks_each_once() {
        assertSetRefused(it -> it.clearWants(), "wants", "wants is 0 locks; it must be 2 to 128 locks");
        assertSetRefused(it -> it.removeWants(1), "wants", "wants is 1 locks; it must be 2 to 128 locks");
        assertSetRefused(it -> addWants(it, 127), "wants", "wants is 129 locks; it must be 2 to 128 locks");
        assertSetRefused(
                it -> it.addWants(Want.newBuilder().setName("a")),
                "wants[2].name",
                "wants[2].name is \"a\" once more; it must be a lock that is not named before");
        assertSetRefused(
                it -> it.addWants(Want.newBuilder().setName("a\nb")), "wants[2].name", "(with a control character)");
        assertSetRefused(
                it -> it.addWants(Want.newBuilder().setName("c").setTerms(Requests.permits(2, 1))),
                "wants[2].terms.permits",
                "wants[2].terms.permits is 2; it must be 1 to the capacity, 1");
    }

    private static AcquireAllRequest.Builder addWants(AcquireAllRequest.Builder request, int count) {
        for (int i = 0; i < count; i++) {
            request.addWants(Want.newBuilder().setName("w" + i));
        }
        return request;
    }

    @Test
    void what_else_a_set_says_is_checked_as_with_one_lock() {
        assertSetRefused(AcquireAllRequest.Builder::clearOwner, "owner", "owner is missing");
        assertSetRefused(AcquireAllRequest.Builder::clearTag, "tag", "tag is missing");
        assertSetRefused(it -> it.setTtlMs(99), "ttl_ms", "it must be 100 ms to 24 h");
        assertSetRefused(it -> it.setWaitMs(-2), "wait_ms", "it must be 0 (only try)");
        assertSetRefused(it -> it.setOwnerLabel("x".repeat(257)), "owner_label", "(257 bytes)");
        assertSetRefused(it -> it.setBlockMs(-1), "block_ms", "it must be 0 to");
    }

    @Test
    void names_that_are_given_back_are_1_to_128_each_once() {
        BadInputTest.assertRefused(
                () -> door.locks().releaseAll(Requests.releaseAll("A").build()),
                "names",
                "names is 0 locks; it must be 1 to 128 locks");
        BadInputTest.assertRefused(
                () -> door.locks()
                        .releaseAll(Requests.releaseAll("A", "a", "b", "a").build()),
                "names[2]",
                "names[2] is \"a\" once more");
        BadInputTest.assertRefused(
                () -> door.locks().giveUpAll(Requests.giveUpAll("A", "a", "").build()),
                "names[1]",
                "names[1] is empty");
        BadInputTest.assertRefused(
                () -> door.locks().giveUpAll(GiveUpAllRequest.getDefaultInstance()), "owner", "owner is missing");
        BadInputTest.assertRefused(
                () -> door.locks().releaseAll(ReleaseAllRequest.getDefaultInstance()), "owner", "owner is missing");
        BadInputTest.assertRefused(
                () -> door.locks()
                        .releaseAll(Requests.releaseAll("A", "a").setToken(-1).build()),
                "token",
                "token is -1; it must be 1 to");
    }

    @Test
    void a_hold_is_converted_to_exclusive_or_shared() {
        BadInputTest.assertRefused(
                () -> door.locks()
                        .convert(Requests.convert("a", "A", Lock.Mode.SEMAPHORE).build()),
                "mode",
                "mode is SEMAPHORE; it must be EXCLUSIVE or SHARED");
        BadInputTest.assertRefused(
                () -> door.locks()
                        .convert(Requests.convert("a", "A", Lock.Mode.SHARED)
                                .setModeValue(77)
                                .build()),
                "mode",
                "mode is 77; it must be EXCLUSIVE or SHARED");
        BadInputTest.assertRefused(
                () -> door.locks().convert(ConvertRequest.getDefaultInstance()), "owner", "owner is missing");
    }

    @Test
    void a_revocation_names_token_reason_and_a_grace_of_up_to_24_h() {
        assertRevokeRefused(it -> it.setName(""), "name", "name is empty");
        assertRevokeRefused(it -> it.setIfToken(0), "if_token", "if_token is 0; it must be 1 to");
        assertRevokeRefused(it -> it.setGraceMs(-1), "grace_ms", "grace_ms is -1 ms; it must be 0 to 24 h");
        assertRevokeRefused(it -> it.setGraceMs(86_400_001), "grace_ms", "it must be 0 to 24 h");
        assertRevokeRefused(it -> it.setReason(""), "reason", "reason is empty; it must be 1 to 512 bytes");
        assertRevokeRefused(it -> it.setReason("a\nb"), "reason", "(with a control character)");
        assertRevokeRefused(it -> it.setBy("x".repeat(257)), "by", "(257 bytes)");
        assertRevokeRefused(it -> it.setTag(Requests.number(1)), "tag.number", "it must be an id instead");
        assertRevokeRefused(RevokeRequest.Builder::clearTag, "tag", "tag is missing");
    }

    private void assertRevokeRefused(UnaryOperator<RevokeRequest.Builder> spoil, String field, String message) {
        RevokeRequest.Builder request = spoil.apply(RevokeRequest.newBuilder()
                .setName("a")
                .setIfToken(1)
                .setTag(Requests.tag())
                .setReason("drill"));
        BadInputTest.assertRefused(() -> door.locks().revoke(request.build()), field, message);
    }

    @Test
    void a_lock_is_passed_on_to_a_sound_owner() {
        assertHandOffRefused(HandOffRequest.Builder::clearTo, "to", "to is missing; it must be an id or a session_id");
        assertHandOffRefused(it -> it.setTo(Requests.owner("")), "to.id", "to.id is empty");
        assertHandOffRefused(it -> it.setTtlMs(99), "ttl_ms", "it must be 100 ms to 24 h");
        assertHandOffRefused(it -> it.setTo(Requests.session(Requests.id())), "ttl_ms", "it must be 0 with a session");
        assertHandOffRefused(it -> it.setToLabel("x".repeat(257)), "to_label", "(257 bytes)");
        assertHandOffRefused(HandOffRequest.Builder::clearOwner, "owner", "owner is missing");
    }

    private void assertHandOffRefused(UnaryOperator<HandOffRequest.Builder> spoil, String field, String message) {
        HandOffRequest.Builder request = spoil.apply(HandOffRequest.newBuilder()
                .setOwner(Requests.owner("A"))
                .setName("a")
                .setTag(Requests.tag())
                .setTo(Requests.owner("B"))
                .setTtlMs(5_000));
        BadInputTest.assertRefused(() -> door.locks().handOff(request.build()), field, message);
    }

    @Test
    void every_other_request_is_checked_alike() {
        BadInputTest.assertRefused(
                () -> door.locks()
                        .release(Requests.release("a", "A").setPermits(-1).build()),
                "permits",
                "permits is -1; it must be 0 to 1000000");
        BadInputTest.assertRefused(
                () -> door.locks().proclaim(ProclaimRequest.getDefaultInstance()), "owner", "owner is missing");
        BadInputTest.assertRefused(
                () -> door.locks()
                        .checkToken(CheckTokenRequest.newBuilder().setName("a").build()),
                "token",
                "token is 0; it must be 1 to");
        BadInputTest.assertRefused(
                () -> door.locks()
                        .checkToken(CheckTokenRequest.newBuilder().setToken(1).build()),
                "name",
                "name is empty");
        BadInputTest.assertRefused(
                () -> door.sessions().getSession(GetSessionRequest.getDefaultInstance()),
                "session_id",
                "session_id is missing");
    }

    private void assertRefused(UnaryOperator<Terms.Builder> spoil, String field, String message) {
        Terms.Builder terms = spoil.apply(Terms.newBuilder());
        BadInputTest.assertRefused(
                () -> door.locks()
                        .acquire(Requests.acquire("a", "A").setTerms(terms).build()),
                field,
                message);
    }

    private void assertSetRefused(UnaryOperator<AcquireAllRequest.Builder> spoil, String field, String message) {
        AcquireAllRequest.Builder request = spoil.apply(Requests.acquireAll("A", "a", "b"));
        BadInputTest.assertRefused(() -> door.locks().acquireAll(request.build()), field, message);
    }
}
