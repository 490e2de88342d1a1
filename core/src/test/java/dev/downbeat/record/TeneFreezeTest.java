package dev.downbeat.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.record.recorder.CorrectedRecorder;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * Gil Tene's example ("How NOT to Measure Latency"): 100 requests a second, each answered in 1 ms for 100 s; then the
 * service is frozen for 100 s. Beside it, what a tester that waits for each answer writes down.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TeneFreezeTest {
    private static final long MS = 1_000_000;
    private static final long GAP_NANOS = 10 * MS;
    private static final long END_NANOS = 200_000 * MS;

    /** The slots of the whole 200 s, each answered when it can be. */
    private static Distribution intended() {
        Histogram histogram = Distribution.newHistogram();
        for (int slot = 0; slot < 20_000; slot++) {
            long intendedNanos = slot * GAP_NANOS;
            boolean frozen = intendedNanos >= END_NANOS / 2;
            histogram.recordValue(frozen ? END_NANOS - intendedNanos + MS : MS);
        }
        return Distribution.of(histogram);
    }

    private static void assertSeconds(long nanos, double seconds, double tolerance) {
        assertThat(nanos / 1e9).isCloseTo(seconds, within(tolerance));
    }

    @Test
    void from_the_intended_times_the_freeze_is_seen() {
        Distribution response = intended();
        assertThat(response.count()).isEqualTo(20_000);
        assertSeconds(response.meanNanos(), 25.0035, 0.02);
        assertSeconds(response.valueAtPercentile(50), 0.001, 0.000_001);
        assertSeconds(response.valueAtPercentile(75), 50.001, 0.06);
        assertSeconds(response.valueAtPercentile(90), 80.001, 0.09);
        assertSeconds(response.valueAtPercentile(99), 98.001, 0.11);
        assertSeconds(response.valueAtPercentile(99.9), 99.801, 0.11);
        assertSeconds(response.valueAtPercentile(99.99), 99.981, 0.11);
        assertSeconds(response.maxNanos(), 100.001, 0.11);
    }

    @Test
    void a_tester_that_waits_for_each_answer_does_not_see_it() {
        Histogram histogram = Distribution.newHistogram();
        histogram.recordValueWithCount(MS, 10_000);
        histogram.recordValue(END_NANOS / 2);
        Distribution coordinated = Distribution.of(histogram);
        assertSeconds(coordinated.meanNanos(), 0.010_998_9, 0.000_02);
        assertSeconds(coordinated.valueAtPercentile(99.99), 0.001, 0.000_001);
        assertSeconds(coordinated.maxNanos(), 100, 0.11);
    }

    @Test
    void a_run_that_ends_while_the_service_is_frozen_knows_the_lower_bounds() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        recorder.planned(20_000);
        Exchange exchange = new Exchange(0);
        for (int slot = 0; slot < 20_000; slot++) {
            long intendedAt = slot * GAP_NANOS;
            if (intendedAt < END_NANOS / 2) {
                exchange.begin(intendedAt, intendedAt, intendedAt);
                exchange.completedAt = intendedAt + MS;
                recorder.completed(exchange);
            } else {
                exchange.begin(intendedAt, intendedAt, END_NANOS);
                recorder.neverSent(exchange, END_NANOS - intendedAt);
            }
        }
        Recording recording = recorder.drain();
        assertThat(recording.ledger().addsUp()).isTrue();
        assertThat(recording.ledger().neverSent()).isEqualTo(10_000);
        assertThat(recording.isKnownAt(50)).isTrue();
        assertThat(recording.isKnownAt(75)).isFalse();
        assertSeconds(recording.responseAtLeast().valueAtPercentile(75), 50, 0.06);
        assertSeconds(recording.response().meanNanos(), 0.001, 0.000_001);
    }
}
