package io.holdfast.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.holdfast.jepsen.process.NodeProcess;
import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.jepsen.wire.Grant;
import io.holdfast.jepsen.wire.WireClient;
import io.holdfast.v1.ErrorReason;
import io.holdfast.v1.Owner;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** Whatever a client sends, the node says clearly what is wrong with it, and goes on. */
@OnSharedCluster
class BadInputIT {
    private static final long MEBIBYTE = 1024 * 1024;

    @Test
    void each_bad_request_is_told_its_field_the_value_and_the_limit(RealCluster cluster) {
        SoftAssertions softly = new SoftAssertions();
        for (NodeProcess node : List.of(cluster.leader(), cluster.followers().getFirst())) {
            for (BadRequest bad : BadRequest.all()) {
                var error = catchThrowableOfType(
                        StatusRuntimeException.class, () -> bad.call().accept(node.wire()));
                softly.assertThat(error)
                        .as("%s is refused by %s", bad.label(), node.id())
                        .isNotNull();
                if (error != null) {
                    check(softly, bad, error);
                }
            }
        }
        softly.assertAll();
    }

    @Test
    void what_is_not_held_is_answered_and_not_an_error(RealCluster cluster) {
        var client = new WireClient(() -> cluster.leader().wire());
        Grant one = client.mustAcquire(client.request(Names.fresh("one"), Duration.ofSeconds(30), Duration.ZERO));
        Grant other = client.mustAcquire(client.request(Names.fresh("other"), Duration.ofSeconds(30), Duration.ZERO));
        var release = client.releaseOf(one);

        var stranger = release.toBuilder()
                .setTag(client.tag())
                .setOwner(Owner.newBuilder().setId("nobody"))
                .build();
        assertThat(client.send(stranger).getNotHeld().getHolder().getToken()).isEqualTo(one.token());
        var othersToken =
                release.toBuilder().setTag(client.tag()).setToken(other.token()).build();
        assertThat(client.send(othersToken).getNotHeld().getHolder().getToken()).isEqualTo(one.token());
        assertThat(client.send(release).hasReleased()).isTrue();
        var again = release.toBuilder().setTag(client.tag()).build();
        assertThat(client.send(again).hasNotHeld()).isTrue();
        assertThat(client.send(client.releaseOf(other)).hasReleased()).isTrue();
    }

    @Test
    void a_storm_of_bad_requests_costs_no_memory(RealCluster cluster) {
        MemoryStorm.Result storm = MemoryStorm.on(cluster.leader(), 1_000 * Rounds.orElse(1));
        System.out.println(storm);

        assertThat(storm.grownBytes()).isLessThan(8 * MEBIBYTE);
        var client = new WireClient(() -> cluster.leader().wire());
        Grant after = client.mustAcquire(client.request(Names.fresh("after"), Duration.ofSeconds(30), Duration.ZERO));
        assertThat(client.send(client.releaseOf(after)).hasReleased()).isTrue();
    }

    private static void check(SoftAssertions softly, BadRequest bad, StatusRuntimeException error) {
        Status status = Objects.requireNonNull(StatusProto.fromThrowable(error));
        softly.assertThat(details(status, ErrorInfo.class))
                .as("%s: %s", bad.label(), error.getStatus())
                .singleElement()
                .satisfies(info -> {
                    assertThat(info.getDomain()).isEqualTo("holdfast");
                    assertThat(info.getReason()).isEqualTo(bad.reason().name());
                });
        if (bad.reason() == ErrorReason.INVALID_FIELD) {
            softly.assertThat(details(status, com.google.rpc.BadRequest.class))
                    .as("%s: %s", bad.label(), error.getStatus())
                    .singleElement()
                    .satisfies(request -> assertThat(request.getFieldViolationsList())
                            .singleElement()
                            .satisfies(violation -> {
                                assertThat(violation.getField()).contains(bad.field());
                                assertThat(violation.getDescription()).contains("must be");
                            }));
        }
    }

    private static <T extends com.google.protobuf.Message> List<T> details(Status status, Class<T> type) {
        return status.getDetailsList().stream()
                .filter(any -> any.is(type))
                .map(any -> unpacked(any, type))
                .toList();
    }

    private static <T extends com.google.protobuf.Message> T unpacked(Any any, Class<T> type) {
        try {
            return any.unpack(type);
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError("a detail that cannot be read", e);
        }
    }
}
