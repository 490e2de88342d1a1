package dev.downbeat.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.ProcessDelays;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProcessDelayWatchTest {
    /** Totals that a test sets. */
    private static final class Totals implements DelayTotals {
        private long run;
        private long hiccup;
        private long gc;

        Totals to(long runNanos, long hiccupNanos, long gcNanos) {
            run = runNanos;
            hiccup = hiccupNanos;
            gc = gcNanos;
            return this;
        }

        @Override
        public long runDelayNanos() {
            return run;
        }

        @Override
        public long hiccupNanos() {
            return hiccup;
        }

        @Override
        public long gcNanos() {
            return gc;
        }
    }

    private final Totals own = new Totals().to(100, 200, 300);
    private final ProcessDelayWatch watch = new ProcessDelayWatch(own);

    @Test
    void each_interval_has_what_the_totals_grew_by() {
        own.to(110, 230, 301);
        assertThat(watch.next(1_000, 0, 5, 40, 10, 0)).isEqualTo(new ProcessDelays(10, 30, 1, 40, 30, 0));
        own.to(115, 231, 308);
        assertThat(watch.next(1_000, 0, 9, 45, 12, 0)).isEqualTo(new ProcessDelays(5, 1, 7, 5, 3, 0));
        assertThat(watch.next(1_000, 0, 10, 45, 99, 0)).isEqualTo(ProcessDelays.NONE);
        assertThat(watch.next(1_000, 0, 11, 50, -1, 0)).isEqualTo(new ProcessDelays(0, 0, 0, 5, -1, 0));
    }

    @Test
    void a_run_delay_is_known_if_both_ends_are() {
        own.to(-1, 200, 300);
        assertThat(watch.next(1_000, 0, 5, 0, 0, 0).runDelayNanos()).isEqualTo(-1);
        own.to(110, 200, 300);
        assertThat(watch.next(1_000, 0, 6, 0, 0, 0).runDelayNanos()).isEqualTo(-1);
        assertThat(watch.next(1_000, 0, 7, 0, 0, 0).runDelayNanos()).isZero();
    }

    @Test
    void a_threads_own_delay_counts_without_the_collections_in_it() {
        own.to(110, 230, 400);
        assertThat(watch.next(100_000, 0, 5, 0, 0, 600)).isEqualTo(new ProcessDelays(500, 500, 100, 0, 0, 0));
        own.to(120, 250, 400);
        assertThat(watch.next(100_000, 0, 6, 0, 0, 605)).isEqualTo(new ProcessDelays(10, 20, 0, 0, 0, 0));
    }

    @ParameterizedTest(name = "{0} answers, silent for {1} ns, delayed for {2} ns")
    @CsvSource({"0, 0, 900, false", "1, 0, 50, false", "1, 0, 51, true", "1, 500, 25, false", "1, 500, 26, true"})
    void an_interval_starves_by_the_time_in_which_responses_arrived(
            long answers, long silentNanos, long delayNanos, boolean isStarved) {
        own.to(100 + delayNanos, 200, 300);
        assertThat(watch.next(1_000, silentNanos, answers, 0, 0, 0).isStarved()).isEqualTo(isStarved);
    }

    @ParameterizedTest(name = "delayed for {0} ns")
    @CsvSource({"5, false", "6, true"})
    void responses_arrived_in_a_hundredth_of_an_interval_at_least(long delayNanos, boolean isStarved) {
        own.to(100 + delayNanos, 200, 300);
        assertThat(watch.next(10_000, 10_000, 1, 0, 0, 0).isStarved()).isEqualTo(isStarved);
    }
}
