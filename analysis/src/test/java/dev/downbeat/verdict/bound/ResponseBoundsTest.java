package dev.downbeat.verdict.bound;

import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.OutcomeCounts;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.verdict.RunFixture;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ResponseBoundsTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 50);
    }

    /** The truth is made first and then cut: whatever was cut off, the truth must lie between the bounds. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void the_truth_lies_between_the_bounds(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RunFixture whole = new RunFixture();
        RunFixture cut = new RunFixture();
        int count = random.nextInt(1, 400);
        for (int i = 0; i < count; i++) {
            long nanos = 1 + random.nextLong((20 * S) >>> random.nextInt(20));
            whole.answered(1, nanos);
            if (random.nextInt(4) == 0) {
                cut.timedOut(1, random.nextLong(nanos + 1));
            } else {
                cut.answered(1, nanos);
            }
        }
        Recording truth = whole.result().recording();
        Recording seen = cut.result().recording();
        ResponseBounds bounds = ResponseBounds.of(seen);
        for (double percentile : new double[] {1, 25, 50, 75, 90, 99, 99.9, 100}) {
            long nanos = truth.response().valueAtPercentile(percentile);
            assertThat(bounds.atLeastNanos(percentile)).isLessThanOrEqualTo(nanos);
            bounds.atMostNanos(percentile).ifPresent(most -> assertThat(most).isGreaterThanOrEqualTo(nanos));
            assertThat(bounds.isKnownAt(percentile)).isEqualTo(seen.isKnownAt(percentile));
        }
    }

    /** As taken while other threads record: a request that is counted as answered may not be in the last counts yet. */
    @Test
    void a_request_that_is_being_recorded_does_not_make_our_delay_unknown() {
        Distribution none = Distribution.empty();
        Distribution answered = Distribution.of(new long[] {100 * MS}, new long[] {100});
        Distribution theirs = Distribution.of(new long[] {10 * MS}, new long[] {99});
        Recording taken = Recording.of(
                new Ledger(100, 100, 0, 0, 0, 0, 0),
                new ResponseTimes(answered, answered, theirs, none, none, none, none),
                OutcomeCounts.NONE);
        assertThat(ResponseBounds.of(taken).ownDelayNanos(50)).isBetween(89 * MS, 91 * MS);
    }

    @Test
    void without_censored_requests_all_is_known() {
        ResponseBounds bounds =
                ResponseBounds.of(new RunFixture().answered(10, MS).result().recording());
        assertThat(bounds.isExact()).isTrue();
        assertThat(bounds.isKnownAt(100)).isTrue();
        assertThat(bounds.atMostNanos(100)).hasValue(bounds.atLeastNanos(100));
    }

    @Test
    void beyond_the_answered_requests_there_is_no_upper_bound() {
        ResponseBounds bounds = ResponseBounds.of(
                new RunFixture().answered(9, MS).inFlight(1, S).result().recording());
        assertThat(bounds.atMostNanos(90)).isPresent();
        assertThat(bounds.atMostNanos(91)).isEmpty();
        assertThat(bounds.isExact()).isFalse();
    }

    @Test
    void of_nothing_there_are_no_bounds() {
        ResponseBounds bounds = ResponseBounds.of(Recording.empty());
        assertThat(bounds.count()).isZero();
        assertThat(bounds.atMostNanos(50)).isEmpty();
        assertThat(bounds.isKnownAt(50)).isFalse();
        assertThat(bounds.hasEnoughFor(100)).isFalse();
    }

    @ParameterizedTest(name = "p{0} needs {1}")
    @CsvSource({"0, 5", "50, 10", "90, 50", "99, 500", "99.9, 5000", "99.99, 50000", "99.999, 500000", "100, 1"})
    void five_requests_must_be_expected_beyond_a_percentile(double percentile, long needed) {
        assertThat(ResponseBounds.neededFor(percentile)).isEqualTo(needed);
        assertThat(ResponseBounds.hasEnoughFor(percentile, needed)).isTrue();
        assertThat(ResponseBounds.hasEnoughFor(percentile, needed - 1)).isFalse();
    }
}
