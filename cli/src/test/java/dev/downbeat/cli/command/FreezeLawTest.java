package dev.downbeat.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.arrival.Rate;
import dev.downbeat.record.Distribution;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FreezeLawTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;

    static IntStream seeds() {
        return IntStream.range(0, 50);
    }

    @Test
    void a_freeze_to_the_end_has_the_numbers_of_tenes_example() {
        // Tene's talk: 100/s, 1 ms, 100 s good, 100 s frozen. Mean 25.003 s, p50 1 ms, p75 50 s, p99.99 99.98 s.
        FreezeLaw law = new FreezeLaw(100 * SECOND, 200 * SECOND, 0, MILLI);
        Distribution response = law.open(Rate.perSecond(100), 20_000);
        assertThat(response.count()).isEqualTo(20_000);
        assertThat(response.meanNanos() / 1e9).isCloseTo(25.003, within(0.02));
        assertThat(response.valueAtPercentile(50) / 1e6).isCloseTo(1, within(0.001));
        assertThat(response.valueAtPercentile(75) / 1e9).isCloseTo(50, within(0.06));
        assertThat(response.valueAtPercentile(99.99) / 1e9).isCloseTo(99.98, within(0.11));
    }

    @Test
    void a_stopwatch_that_waits_meets_the_freeze_once() {
        FreezeLaw law = new FreezeLaw(100 * SECOND, 200 * SECOND, 0, MILLI);
        Distribution waiting = law.waiting(Rate.perSecond(100), 20_000);
        assertThat(waiting.count()).isEqualTo(10_001);
        assertThat(waiting.countAbove(SECOND)).isEqualTo(1);
        assertThat(waiting.meanNanos() / 1e6).isCloseTo(11.0, within(0.05));
        assertThat(waiting.valueAtPercentile(99.99) / 1e6).isCloseTo(1, within(0.001));
        assertThat(waiting.maxNanos() / 1e9).isCloseTo(100.001, within(0.11));
    }

    @Test
    void arrivals_in_the_freeze_wait_for_its_end() {
        FreezeLaw law = new FreezeLaw(3 * SECOND, 6 * SECOND, 0, 100_000);
        assertThat(law.responseNanos(0)).isEqualTo(100_000);
        assertThat(law.responseNanos(3 * SECOND - 50_000)).isEqualTo(3 * SECOND + 50_000);
        assertThat(law.responseNanos(3 * SECOND)).isEqualTo(3 * SECOND);
        assertThat(law.responseNanos(5 * SECOND)).isEqualTo(SECOND);
        assertThat(law.responseNanos(6 * SECOND)).isEqualTo(100_000);
    }

    @Test
    void the_backlog_is_served_in_order_of_arrival() {
        FreezeLaw law = new FreezeLaw(0, 3 * SECOND, SECOND, 0);
        assertThat(law.responseNanos(0)).isEqualTo(3 * SECOND);
        assertThat(law.responseNanos(2 * SECOND)).isEqualTo(3 * SECOND + SECOND / 2 - 2 * SECOND);
        assertThat(law.responseNanos(4 * SECOND)).isZero();
    }

    /** Of 1,000 requests a second, those of the last 2 ms and one more may be under way. */
    @Test
    void a_server_has_caught_up_once_it_answered_what_was_due_and_at_last_everything() {
        Freezer.Plan plan = new Freezer.Plan(Rate.perSecond(1_000), 0, SECOND, 10_000);
        assertThat(plan.isDrained(0, 0)).isTrue();
        assertThat(plan.isDrained(998, SECOND + 2 * MILLI)).isFalse();
        assertThat(plan.isDrained(999, SECOND + 2 * MILLI)).isTrue();
        assertThat(plan.isDrained(9_999, 60 * SECOND)).isFalse();
        assertThat(plan.isDrained(10_000, 60 * SECOND)).isTrue();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void no_answer_overtakes_an_earlier_one(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long from = random.nextLong(0, 10 * SECOND);
        FreezeLaw law = new FreezeLaw(
                from,
                from + random.nextLong(0, 5 * SECOND),
                random.nextLong(0, SECOND),
                random.nextLong(0, 10 * MILLI));
        long answeredBefore = Long.MIN_VALUE;
        for (long t = 0; t < 20 * SECOND; t += 10 * MILLI) {
            long answered = t + law.responseNanos(t);
            assertThat(answered).isGreaterThanOrEqualTo(answeredBefore);
            answeredBefore = answered;
        }
    }

    @Test
    void a_freeze_does_not_end_before_it_begins() {
        assertThatThrownBy(() -> new FreezeLaw(5, 4, 0, 0)).hasMessageContaining("at least 5, but was 4");
        assertThatThrownBy(() -> new FreezeLaw(5, 6, -1, 0)).hasMessageContaining("drainNanos");
    }

    @Test
    void values_within_tolerance_are_proved_and_others_named() {
        FreezeLaw law = new FreezeLaw(3 * SECOND, 6 * SECOND, 0, 100_000);
        Rate rate = Rate.perSecond(1_000);
        Distribution must = law.open(rate, 10_000);
        Distribution waiting = law.waiting(rate, 10_000);
        assertThat(new FreezeLaw.Check(must, must, waiting).failures()).isEmpty();
        Distribution near = new FreezeLaw(3 * SECOND, 6 * SECOND + 4 * MILLI, 0, 100_000).open(rate, 10_000);
        assertThat(new FreezeLaw.Check(near, must, waiting).failures()).isEmpty();
        FreezeLaw.Check wrong = new FreezeLaw.Check(waiting, must, waiting);
        assertThat(wrong.failures())
                .anyMatch(failure -> failure.text().startsWith("count was 7,000 instead of 10,000"));
        assertThat(wrong.failures()).anyMatch(failure -> failure.text().startsWith("p99 was"));
        assertThat(wrong.failures()).anyMatch(failure -> failure.text().startsWith("p99.9 was"));
        assertThat(wrong.rows()).hasSize(8);
        assertThat(wrong.rows().get(0).held()).isFalse();
    }

    @Test
    void a_percentile_that_the_requests_do_not_carry_is_not_compared() {
        FreezeLaw law = new FreezeLaw(SECOND, 2 * SECOND, 0, 100_000);
        Rate rate = Rate.perSecond(1_000);
        Distribution few = law.open(rate, 4_999);
        Distribution enough = law.open(rate, 5_000);
        assertThat(new FreezeLaw.Check(few, few, few).rows())
                .noneMatch(row -> row.name().equals("p99.9"));
        assertThat(new FreezeLaw.Check(enough, enough, enough).rows())
                .anyMatch(row -> row.name().equals("p99.9"));
    }
}
