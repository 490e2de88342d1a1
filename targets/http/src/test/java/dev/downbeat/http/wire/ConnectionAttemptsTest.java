package dev.downbeat.http.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.wire.ConnectionAttempts.Attempt;
import dev.downbeat.time.ManualClock;
import java.io.IOException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When attempts to connect are given up and made again, on a clock of the test's own. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(20)
class ConnectionAttemptsTest {
    private static final long TIMEOUT_NANOS = 10_000_000;
    private static final long RETRY_NANOS = 1_000_000;

    private final ManualClock clock = new ManualClock(5_000);
    private final ConnectionCounter counter = new ConnectionCounter();
    private final List<String> seen = new ArrayList<>();
    private final List<Attempt> underWay = new ArrayList<>();
    private final Selector selector;
    private final ConnectionAttempts attempts;

    ConnectionAttemptsTest() throws IOException {
        selector = Selector.open();
        HttpOptions options = HttpOptions.of(draft -> draft.connectTimeout = Duration.ofNanos(TIMEOUT_NANOS));
        attempts = new Destination(HttpEndpoint.parse("http://127.0.0.1:1/"), options, new byte[0], false, "")
                .newAttempts(selector, clock, counter, new ReadBuffer(), new HttpFailures(""), List.of());
    }

    @AfterEach
    void close() throws IOException {
        attempts.close();
        selector.close();
    }

    /** Begins now; is refused again whenever it is retried if its name says so. */
    private Attempt begun(String name) {
        long openingAt = clock.nanoTime();
        Attempt attempt = new Attempt() {
            @Override
            public long openingAt() {
                return openingAt;
            }

            @Override
            public Outcome timedOut() {
                return Outcome.failed("too late");
            }

            @Override
            public void failedToOpen(Outcome why) {
                seen.add(name + ": " + why.reason());
                attempts.failed(this, why);
            }

            @Override
            public void retry() {
                seen.add(name + " again");
                if (name.startsWith("refused")) {
                    attempts.retryLater(this);
                }
            }
        };
        attempts.began(attempt);
        underWay.add(attempt);
        return attempt;
    }

    private boolean advance(long nanos) {
        clock.advanceNanos(nanos);
        return attempts.advance();
    }

    private long failed() {
        return counter.counts(0, 0).failed();
    }

    @Test
    void each_attempt_times_out_after_its_own_time() {
        begun("one");
        clock.advanceNanos(300);
        begun("two");
        assertThat(advance(TIMEOUT_NANOS - 301)).isFalse();
        assertThat(advance(1)).isTrue();
        assertThat(seen).containsExactly("one: too late");
        assertThat(advance(299)).isFalse();
        assertThat(advance(1)).isTrue();
        assertThat(seen).containsExactly("one: too late", "two: too late");
        assertThat(failed()).isEqualTo(2);
        assertThat(advance(TIMEOUT_NANOS)).isFalse();
    }

    @Test
    void an_attempt_that_is_open_times_out_no_more() {
        attempts.opened(begun("one"), true);
        assertThat(advance(TIMEOUT_NANOS)).isFalse();
        assertThat(counter.counts(0, 0).opened()).isEqualTo(1);
        assertThat(counter.counts(0, 0).resumed()).isEqualTo(1);
        assertThat(failed()).isZero();
    }

    @Test
    void who_finds_the_queue_full_tries_again_after_a_millisecond() {
        assertThat(attempts.nextAt(900)).as("nothing is to be retried").isEqualTo(900);
        attempts.retryLater(begun("refused"));
        attempts.retryLater(begun("other"));
        long againAt = clock.nanoTime() + RETRY_NANOS;
        assertThat(attempts.nextAt(againAt + 1)).isEqualTo(againAt);
        assertThat(attempts.nextAt(againAt - 1)).isEqualTo(againAt - 1);
        assertThat(advance(RETRY_NANOS - 1)).isFalse();
        assertThat(seen).isEmpty();
        assertThat(advance(1)).isTrue();
        assertThat(seen).containsExactly("refused again", "other again");
        assertThat(attempts.nextAt(Long.MAX_VALUE)).isEqualTo(againAt + RETRY_NANOS);
        assertThat(advance(RETRY_NANOS)).isTrue();
        assertThat(seen).endsWith("other again", "refused again").hasSize(3);
    }

    @Test
    void who_gives_up_is_neither_retried_nor_timed_out() {
        Attempt attempt = begun("one");
        attempts.retryLater(attempt);
        attempts.abandoned(attempt);
        assertThat(advance(TIMEOUT_NANOS)).isFalse();
        assertThat(seen).isEmpty();
        assertThat(failed()).isEqualTo(1);
    }

    @Test
    void beforehand_one_connection_shows_that_somebody_answers_and_the_rest_come_in_waves() throws IOException {
        List<Integer> waves = new ArrayList<>();
        attempts.openBeforehand(600, now -> begun("one"), until -> {
            assertThat(until).isEqualTo(clock.nanoTime() + 10_000_000);
            waves.add(underWay.size());
            underWay.forEach(attempt -> attempts.opened(attempt, false));
            underWay.clear();
        });
        assertThat(waves).containsExactly(1, 256, 256, 87);
    }

    @Test
    void beforehand_the_first_failure_is_the_last() {
        assertThatThrownBy(() -> attempts.openBeforehand(
                        600, now -> begun("one"), until -> underWay.get(0).failedToOpen(Outcome.failed("no luck"))))
                .isInstanceOf(IOException.class)
                .hasMessage("no luck");
        assertThat(underWay).hasSize(1);
        assertThat(failed()).isEqualTo(1);
    }

    @Test
    void an_interruption_ends_the_opening() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> attempts.openBeforehand(1, now -> begun("one"), until -> {}))
                .hasMessage("interrupted while connecting");
        assertThat(Thread.interrupted()).isTrue();
    }
}
