package dev.downbeat.analysis;

import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.analysis.PercentileRow.Factor;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The rows of a table of percentiles. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PercentileRowTest {
    private static List<PercentileRow> rows(RunFixture run, String... slos) {
        return Analysis.of(
                        run.result(),
                        Criteria.of(Stream.of(slos)
                                .map(ServiceLevelObjective::parse)
                                .toList()))
                .rows();
    }

    private static PercentileRow row(String name, List<PercentileRow> rows) {
        return rows.stream().filter(row -> row.name().equals(name)).findFirst().orElseThrow();
    }

    /** Requests that waited for so many microseconds, and took 2 ms then. */
    private static Optional<Factor> hidden(long waitMicros) {
        return row("p50", rows(new RunFixture().answered(1_000, 0, waitMicros * 1_000, 2 * MS)))
                .hidden();
    }

    @Test
    void a_wait_of_half_of_the_service_time_is_notable() {
        assertThat(hidden(980)).isEmpty();
        assertThat(hidden(1_020)).hasValueSatisfying(factor -> {
            assertThat(factor.times()).isCloseTo(1.51, within(0.005));
            assertThat(factor.isLowerBound()).isFalse();
        });
    }

    @Test
    void what_was_not_seen_to_end_is_a_lower_bound() {
        List<PercentileRow> rows = rows(new RunFixture().answered(900, 2 * MS).timedOutUnsent(100, S));
        assertThat(row("p50", rows).response().isLowerBound()).isFalse();
        assertThat(row("p50", rows).service())
                .hasValueSatisfying(time -> assertThat(time.isLowerBound()).isFalse());
        assertThat(row("p99", rows).response().isLowerBound()).isTrue();
        assertThat(row("p99", rows).hidden())
                .hasValueSatisfying(factor -> assertThat(factor.isLowerBound()).isTrue());
    }

    /** Five requests must lie beyond; a row with an objective that is decided is shown for fewer. */
    @Test
    void there_is_a_row_where_there_are_enough_requests_and_for_each_objective() {
        assertThat(rows(new RunFixture())).isEmpty();
        assertThat(rows(new RunFixture().answered(500, 2 * MS)))
                .extracting(PercentileRow::name)
                .containsExactly("p50", "p90", "p95", "p99", "max");
        assertThat(rows(new RunFixture().answered(499, 2 * MS)))
                .extracting(PercentileRow::name)
                .containsExactly("p50", "p90", "p95", "max");
        assertThat(rows(new RunFixture().answered(499, 2 * MS), "p99<1ms", "p75<5ms", "mean<5ms"))
                .extracting(PercentileRow::name)
                .containsExactly("mean", "p50", "p75", "p90", "p95", "p99", "max");
        PercentileRow mean = row("mean", rows(new RunFixture().answered(100, 0, 2 * MS, 2 * MS), "mean<5ms"));
        assertThat((double) mean.response().nanos()).isCloseTo(4.0 * MS, within(0.01 * MS));
        assertThat((double) mean.service().orElseThrow().nanos()).isCloseTo(2.0 * MS, within(0.01 * MS));
        assertThat(mean.hidden().orElseThrow().times()).isCloseTo(2, within(0.01));
        assertThat(mean.objectives()).hasSize(1);
    }

    @Test
    void the_mean_says_how_much_of_it_may_be_Downbeats_as_each_percentile_does() {
        List<PercentileRow> rows = rows(new RunFixture().answered(100, 10 * MS, 0, 5 * MS), "mean<50ms");
        for (String name : List.of("mean", "p50")) {
            assertThat(row(name, rows).ownDelayNanos().orElseThrow() / 1e6).isCloseTo(10, within(0.1));
            assertThat(row(name, rows).hidden()).isEmpty();
        }
        assertThat(row("mean", rows(new RunFixture().answered(100, MS, 0, 15 * MS), "mean<50ms"))
                        .ownDelayNanos())
                .isEmpty();
    }
}
