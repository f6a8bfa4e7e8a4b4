package io.holdfast.statemachine.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.retry.RetryPolicy;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RaftSettingsTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 30, 5_000, 10_000_000})
    void a_follower_that_does_not_answer_is_tried_again_well_within_an_election_timeout(int failures) {
        RaftNodeConfig config = Replicas.config("test", "n1", Replicas.members(3), folder);
        RetryPolicy policy = RetryPolicy.parse(RaftServerConfigKeys.Log.Appender.retryPolicy(RaftSettings.of(config)));

        RetryPolicy.Action action = policy.handleAttemptFailure(() -> failures);

        assertThat(action.shouldRetry()).isTrue();
        assertThat(Duration.ofMillis(action.getSleepTime().toLong(TimeUnit.MILLISECONDS)))
                .isPositive()
                .isLessThanOrEqualTo(config.electionTimeoutMin().dividedBy(2));
    }
}
