package io.holdfast.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.grpc.Status;
import io.holdfast.v1.BackupResponse;
import io.holdfast.v1.ErrorReason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What operators do through the library, when answers get lost and nodes refuse. */
class ClusterAdminTest {
    private static final int UNAVAILABLE = Status.Code.UNAVAILABLE.value();
    private static final int ALREADY_EXISTS = Status.Code.ALREADY_EXISTS.value();
    private static final int NOT_FOUND = Status.Code.NOT_FOUND.value();
    private static final Duration CATCH_UP = Duration.ofSeconds(5);
    private static final MemberInfo N4 = new MemberInfo("n4", "n4:1", "n4:2");

    private final FakeClock clock = new FakeClock();
    private final FakeMembers nodes =
            new FakeMembers().node("n1", 40).node("n2", 42).node("n3", 41);
    private final HoldfastClient client =
            new HoldfastClient(new Router(List.of("n1:1"), nodes, clock, Duration.ofSeconds(2)), clock, 0.01);
    private final ClusterAdmin admin = client.admin();
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void the_leader_tells_who_the_members_are() throws Exception {
        Members members = admin.members();

        assertThat(members.members()).extracting(MemberInfo::id).containsExactly("n1", "n2", "n3");
        assertThat(members.leader()).contains("n1");
        assertThat(members.term()).isEqualTo(3);
    }

    @Test
    void a_member_that_an_earlier_sending_added_is_added() throws Exception {
        nodes.failures.add(FakeCluster.error(UNAVAILABLE, ErrorReason.OUTCOME_UNKNOWN, ""));
        nodes.failures.add(FakeCluster.error(ALREADY_EXISTS, ErrorReason.ALREADY_MEMBER, ""));
        // It is on the list only once it was asked for, or it would have been a member before.
        List<MemberInfo> now = whileAsked("add n4", () -> admin.addMember(N4, CATCH_UP), () -> nodes.node("n4", 0));

        assertThat(now).contains(N4);
        assertThat(nodes.asked).hasSize(2).allMatch(it -> it.endsWith("add n4 5000"));
    }

    @Test
    void a_member_that_there_was_before_is_refused() {
        nodes.failures.add(FakeCluster.error(ALREADY_EXISTS, ErrorReason.ALREADY_MEMBER, ""));

        assertThatExceptionOfType(HoldfastException.OperationRefused.class)
                .isThrownBy(() -> admin.addMember(new MemberInfo("n3", "n3:1", "n3:2"), CATCH_UP))
                .satisfies(it -> assertThat(it.reason()).isEqualTo("ALREADY_MEMBER"));
    }

    @Test
    void another_member_with_the_same_id_is_not_taken_for_the_one_that_was_to_be_added() {
        nodes.failures.add(FakeCluster.error(ALREADY_EXISTS, ErrorReason.ALREADY_MEMBER, ""));

        assertThatExceptionOfType(HoldfastException.OperationRefused.class)
                .isThrownBy(() -> admin.addMember(new MemberInfo("n3", "elsewhere:1", "n3:2"), CATCH_UP));
    }

    @Test
    void a_member_that_an_earlier_sending_removed_is_removed() throws Exception {
        nodes.failures.add(FakeCluster.error(UNAVAILABLE, ErrorReason.OUTCOME_UNKNOWN, ""));
        nodes.failures.add(FakeCluster.error(NOT_FOUND, ErrorReason.NO_SUCH_MEMBER, ""));

        List<MemberInfo> now = whileAsked("remove n3", () -> admin.removeMember("n3"), () -> nodes.members.remove(2));

        assertThat(now).extracting(MemberInfo::id).containsExactly("n1", "n2");
    }

    @Test
    void who_was_never_a_member_cannot_be_removed() {
        nodes.failures.add(FakeCluster.error(NOT_FOUND, ErrorReason.NO_SUCH_MEMBER, ""));

        assertThatExceptionOfType(HoldfastException.OperationRefused.class)
                .isThrownBy(() -> admin.removeMember("n9"))
                .satisfies(it -> assertThat(it.reason()).isEqualTo("NO_SUCH_MEMBER"));
    }

    @Test
    void a_repeated_transfer_names_who_led_at_first() throws Exception {
        nodes.failures.add(FakeCluster.error(UNAVAILABLE, ErrorReason.OUTCOME_UNKNOWN, ""));

        assertThat(admin.transferLeadership(Optional.of("n2"))).isEqualTo("n2");

        assertThat(nodes.asked).hasSize(2).allMatch(it -> it.endsWith("transfer to n2 if n1"));
    }

    @Test
    void a_snapshot_is_taken_by_the_node_that_is_named() throws Exception {
        assertThat(admin.takeSnapshot("n3").index()).isEqualTo(42);

        assertThat(nodes.asked).containsExactly("n3: snapshot");
    }

    @Test
    void a_node_that_nobody_knows_is_refused_at_once() {
        assertThatExceptionOfType(HoldfastException.OperationRefused.class)
                .isThrownBy(() -> admin.takeSnapshot("n9"))
                .withMessage("no member has the id n9");
    }

    @Test
    void a_snapshot_that_fails_for_the_disk_is_not_tried_at_another_node() {
        nodes.failures.add(FakeCluster.error(UNAVAILABLE, ErrorReason.DISK_UNUSABLE, ""));

        assertThatExceptionOfType(HoldfastException.OperationRefused.class)
                .isThrownBy(() -> admin.takeSnapshot("n2"))
                .satisfies(it -> assertThat(it.reason()).isEqualTo("DISK_UNUSABLE"));
        assertThat(nodes.asked).containsExactly("n2: snapshot");
    }

    @Test
    void a_backup_is_made_by_the_follower_that_is_furthest() throws Exception {
        BackupInfo backup = admin.backup(Optional.empty(), file, (bytes, of) -> {});

        assertThat(nodes.asked).containsExactly("n2: backup");
        assertThat(file).hasToString("locks");
        assertThat(backup.index()).isEqualTo(42);
        assertThat(backup.bytes()).isEqualTo(5);
        assertThat(backup.sha256()).startsWith("e4b3e9a6").hasSize(64);
    }

    @Test
    void a_backup_without_its_end_is_none() {
        nodes.backup.remove(3);

        assertNotWhole("it ended before its end");
    }

    @Test
    void a_backup_that_lacks_a_part_is_none() {
        nodes.backup.remove(2);

        assertNotWhole("its bytes came changed or not all of them");
    }

    @Test
    void a_backup_with_a_changed_byte_is_none() {
        nodes.backup.set(2, FakeMembers.data("ckz"));

        assertNotWhole("its bytes came changed or not all of them");
    }

    @Test
    void a_backup_that_begins_with_something_else_is_none() {
        nodes.backup.set(0, BackupResponse.getDefaultInstance());

        assertNotWhole("it sent something else than a backup");
    }

    @Test
    void a_node_that_cannot_make_a_backup_says_so() {
        nodes.failures.add(FakeCluster.error(UNAVAILABLE, ErrorReason.DISK_UNUSABLE, "disk"));

        assertThatExceptionOfType(HoldfastException.OperationRefused.class)
                .isThrownBy(() -> admin.backup(Optional.of("n1"), file, (bytes, of) -> {}))
                .withMessage("disk is wrong");
    }

    @Test
    void a_disk_that_fails_on_this_side_is_told_as_that() {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("no space left on device");
            }
        };

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> admin.backup(Optional.empty(), full, (bytes, of) -> {}))
                .withMessage("no space left on device");
    }

    private void assertNotWhole(String why) {
        assertThatExceptionOfType(HoldfastException.Unavailable.class)
                .isThrownBy(() -> admin.backup(Optional.empty(), file, (bytes, of) -> {}))
                .withMessage("the backup from n2:1 did not come whole: " + why);
        assertThat(file.toString(UTF_8).length()).isLessThanOrEqualTo(5);
    }

    /** A call of the library. */
    private interface Asking<T> {
        T call() throws InterruptedException;
    }

    /** Makes the call, and lets something happen once a node was asked for it. */
    private <T> T whileAsked(String what, Asking<T> asking, Runnable then) throws InterruptedException {
        nodes.onAsked = noted -> {
            if (noted.contains(what) && nodes.asked.size() == 1) {
                then.run();
            }
        };
        return asking.call();
    }
}
