package dev.downbeat.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Part;
import dev.downbeat.run.RunResult;
import dev.downbeat.sqs.options.SqsTransport;
import dev.downbeat.testing.Timing;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pool that is too small: the wait for it is a part of its own, and the service is not blamed. */
@Timing
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PoolWaitTest {
    private static final int COUNT = 250;
    private static final long SERVICE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static RunResult run(SqsTransport transport, int connections) throws IOException {
        try (FakeSqs server = FakeSqs.start().delay(SERVICE_NANOS)) {
            return Runs.of(
                    server.queue(),
                    server.options(transport).andThen(draft -> {
                        draft.maxConnections = connections;
                        draft.maxInFlight = 2_000;
                        draft.acquireTimeout = Duration.ofMinutes(1);
                    }),
                    Runs.plan(500, Duration.ofMillis(500)).timeout(Duration.ofMinutes(1)));
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"DOWNBEAT", "APACHE", "NETTY", "CRT"})
    void the_wait_for_a_connection_is_visible_as_its_own_part(SqsTransport transport) throws IOException {
        try (FakeSqs server = FakeSqs.start()) {
            Runs.of(server.queue(), server.options(transport)); // loads and compiles the client
        }
        RunResult one = run(transport, 1);
        RunResult five = run(transport, 5);
        RunResult fifty = run(transport, 50);

        assertThat(one.ledger().answered()).isEqualTo(COUNT);
        assertThat(fifty.ledger().answered()).isEqualTo(COUNT);
        // One connection carries less than 200/s: requests wait three times as long as the run, and less with five.
        assertThat(wait(one)).isGreaterThan(2 * wait(fifty)).isGreaterThan(wait(five));
        assertThat(share(one)).isGreaterThan(0.5);
        // What the service is said to need does not depend on how long requests waited to be sent.
        assertThat(one.recording().service().meanNanos())
                .isLessThan(one.recording().response().meanNanos() / 5);
    }

    private static long wait(RunResult result) {
        return parts(result).getOrDefault(Part.BACKLOG_WAIT, 0L);
    }

    private static double share(RunResult result) {
        long all = parts(result).values().stream().mapToLong(Long::longValue).sum();
        return (double) wait(result) / all;
    }

    private static Map<Part, Long> parts(RunResult result) {
        return result.recording().anatomy().attribution().meansNanos(0, Long.MAX_VALUE / 4);
    }
}
