package dev.downbeat.run.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.OutcomeCounts;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UntilSteadyTest {
    private final AtomicInteger ended = new AtomicInteger();
    private final LoadRun.UntilSteady warmUp = new LoadRun.UntilSteady(ended::incrementAndGet);

    /** An interval in which these requests are answered in these times. */
    private void interval(LongStream nanos) {
        Recording recording =
                Recording.of(Ledger.EMPTY, ResponseTimes.ofAnswered(Distribution.of(nanos)), OutcomeCounts.NONE);
        warmUp.interval(new Interval(0, 1, recording));
    }

    private void interval(long nanos) {
        interval(LongStream.generate(() -> nanos).limit(1_000));
    }

    @Test
    void a_steady_service_is_warmed_up_for_six_intervals() {
        for (int i = 1; i <= 8; i++) {
            interval(1_000_000);
            assertThat(ended).as("interval %d", i).hasValue(i < 6 ? 0 : 1);
        }
    }

    @ParameterizedTest(name = "{0} ns after 1,000,000")
    @CsvSource({"1_029_000, 1", "1_031_000, 0", "972_000, 1", "969_000, 0"})
    void medians_within_three_percent_are_the_same(String last, int times) {
        for (int i = 0; i < 6; i++) {
            interval(i < 4 ? 1_000_000 : Long.parseLong(last.replace("_", "")));
        }
        assertThat(ended).hasValue(times);
    }

    @ParameterizedTest(name = "{0} ns after 100")
    @CsvSource({"103, 1", "104, 0"})
    void a_difference_of_exactly_three_percent_is_none(long last, int times) {
        for (int i = 0; i < 6; i++) {
            interval(i < 4 ? 100 : last);
        }
        assertThat(ended).hasValue(times);
    }

    /** A quarter is quick, so the median of 200 may be off by twice 66,000 ns. */
    @Test
    void chance_is_judged_by_the_middle_half() {
        for (int i = 0; i < 6; i++) {
            long usual = i < 4 ? 1_000_000 : 1_100_000;
            interval(LongStream.range(0, 100).map(n -> n < 25 ? 100_000 : n < 75 ? usual : usual + 1));
        }
        assertThat(ended).hasValue(1);
    }

    @Test
    void the_latest_half_decides() {
        for (int i = 0; i < 10; i++) {
            interval(2_000_000 - 150_000L * i);
        }
        for (int i = 11; i <= 17; i++) {
            interval(500_000);
            assertThat(ended).as("interval %d", i).hasValue(i < 17 ? 0 : 1); // eight, the first of which still differs
        }
    }

    @Test
    void thirds_that_differ_by_chance_are_the_same_and_none_without_responses_is() {
        for (int i = 0; i < 6; i++) {
            interval(
                    i < 4
                            ? LongStream.of(500_000, 1_000_000, 1_500_000)
                            : LongStream.of(600_000, 1_100_000, 1_600_000));
        }
        assertThat(ended).hasValue(1);
        AtomicInteger silent = new AtomicInteger();
        LoadRun.UntilSteady none = new LoadRun.UntilSteady(silent::incrementAndGet);
        for (int i = 0; i < 12; i++) {
            none.interval(new Interval(0, 1, Recording.of(Ledger.EMPTY, ResponseTimes.NONE, OutcomeCounts.NONE)));
        }
        assertThat(silent).hasValue(0);
    }
}
