package dev.downbeat.sqs.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.operation.ReceiveOperation;
import dev.downbeat.sqs.options.SqsOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** What a receive is charged with: the message's own time, not a delay that was asked for, nor an error of a clock. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ServerClockTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
    private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final Queue QUEUE = new Queue("http://localhost/000000000000/q", 0, 30);

    private static long chargedNanos(long aheadMillis, long sentBeforeMillis, long delaySeconds, boolean told) {
        Instant there = NOW.plusMillis(aheadMillis);
        Message message = Message.builder()
                .attributes(Map.of(
                        MessageSystemAttributeName.SENT_TIMESTAMP,
                        Long.toString(there.minusMillis(sentBeforeMillis).toEpochMilli()),
                        MessageSystemAttributeName.APPROXIMATE_FIRST_RECEIVE_TIMESTAMP,
                        Long.toString(there.minusMillis(5).toEpochMilli()),
                        MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT,
                        "1"))
                .messageAttributes(
                        told ? Map.of() : new MessageMark("run", "lane", 0, 0, (int) delaySeconds, 0).attribute())
                .build();
        SqsOptions options = SqsOptions.of(draft -> {
            if (told) {
                draft.delay = Duration.ofSeconds(delaySeconds);
            }
        });
        ServerClock server = new ServerClock();
        server.learn(message, NOW, POLL_NANOS);
        long idle = ReceiveOperation.idleNanos(
                QUEUE, NOW.plusNanos(server.aheadNanos()), POLL_NANOS, List.of(message), options);
        return POLL_NANOS - idle;
    }

    @ParameterizedTest(name = "the server''s clock is {0} ms ahead")
    @ValueSource(longs = {-60_000, -556, -30, 0, 3, 546, 60_000})
    void an_error_of_a_clock_is_no_latency_and_hides_none(long aheadMillis) {
        assertThat(chargedNanos(aheadMillis, 14, 0, true) / 1e6).isCloseTo(14, within(11.0));
    }

    @ParameterizedTest(name = "told {0}")
    @ValueSource(booleans = {false, true})
    void a_delay_that_was_asked_for_is_no_latency(boolean told) {
        assertThat(chargedNanos(0, 1_014, 1, told) / 1e6).isCloseTo(14, within(11.0));
    }

    @ParameterizedTest(name = "receive {0}, each hides for {1} s")
    @CsvSource({"2,30", "2,1", "5,10"})
    void the_time_in_which_a_received_message_is_hidden_is_no_latency(int receives, int hiddenSeconds) {
        Instant back = NOW.minusMillis(14);
        assertThat(redelivered(back.minusSeconds((receives - 1L) * hiddenSeconds), receives, hiddenSeconds) / 1e6)
                .isCloseTo(14, within(1.0));
    }

    @Test
    void a_message_that_somebody_returned_before_its_visibility_timeout_is_charged_in_full() {
        assertThat(redelivered(NOW.minusSeconds(5), 2, 30)).isEqualTo(POLL_NANOS);
    }

    private static long redelivered(Instant first, int receives, int hiddenSeconds) {
        Message message = Message.builder()
                .attributes(Map.of(
                        MessageSystemAttributeName.SENT_TIMESTAMP,
                        Long.toString(first.minusSeconds(1).toEpochMilli()),
                        MessageSystemAttributeName.APPROXIMATE_FIRST_RECEIVE_TIMESTAMP,
                        Long.toString(first.toEpochMilli()),
                        MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT,
                        Integer.toString(receives)))
                .build();
        SqsOptions options = SqsOptions.of(draft -> draft.visibility = Optional.of(Duration.ofSeconds(hiddenSeconds)));
        return POLL_NANOS - ReceiveOperation.idleNanos(QUEUE, NOW, POLL_NANOS, List.of(message), options);
    }

    @Test
    void a_short_poll_bounds_the_difference_from_both_sides() {
        ServerClock server = new ServerClock();
        server.learn(NOW.plusMillis(500).toEpochMilli(), NOW.plusMillis(6), TimeUnit.MILLISECONDS.toNanos(10));
        assertThat(server.aheadNanos() / 1e6).isCloseTo(500, within(6.0));
    }
}
