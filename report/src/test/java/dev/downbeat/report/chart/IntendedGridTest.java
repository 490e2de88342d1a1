package dev.downbeat.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.report.SimulatedRun;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.RunFixture;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IntendedGridTest {
    private static final long S = RunFixture.S;
    private static final Scale.Log DURATIONS = Scale.Log.durations(1_000_000, 2 * S);
    private static final int BANDS = 40;

    @Test
    void those_who_waited_stand_where_they_were_meant_to_start_and_not_where_they_ended() {
        RunResult run = new SimulatedRun(2_000, 60, 200_000_000, 31 * S).result();
        HeatMapChart.IntendedGrid grid = new HeatMapChart.IntendedGrid(run.intervals(), DURATIONS, BANDS);
        int stall = (int) (31.1 * S / grid.columnNanos());
        assertThat(grid.topNanos(stall)).isGreaterThan(1_100_000_000);
        assertThat(grid.count(stall)).isBetween(250L, 750L);
        int before = (int) (30.0 * S / grid.columnNanos());
        int after = (int) (34.5 * S / grid.columnNanos());
        assertThat(grid.topNanos(before)).isLessThan(10_000_000);
        assertThat(grid.topNanos(after)).isLessThan(10_000_000);
    }

    @Test
    void nearly_all_requests_are_on_the_map() {
        RunResult run = new SimulatedRun(1_000, 20, 200_000_000, 5 * S).result();
        HeatMapChart.IntendedGrid grid = new HeatMapChart.IntendedGrid(run.intervals(), DURATIONS, BANDS);
        long sum = 0;
        for (int column = 0; column < grid.columns(); column++) {
            sum += grid.count(column);
        }
        assertThat(sum).isBetween(19_000L, 20_200L);
    }

    @Test
    void a_single_slow_request_is_seen() {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 20; i++) {
            run.answered(1_000, 2_000_000);
            if (i == 10) {
                run.answered(1, 700_000_000);
            }
            run.until((i + 1) * S);
        }
        HeatMapChart.IntendedGrid grid =
                new HeatMapChart.IntendedGrid(run.result().intervals(), DURATIONS, BANDS);
        long most = 0;
        for (int column = 0; column < grid.columns(); column++) {
            most = Math.max(most, grid.topNanos(column));
        }
        assertThat(most).isGreaterThan(600_000_000);
    }

    @Test
    void more_requests_have_a_stronger_colour_and_one_has_the_weakest() {
        RunFixture run = new RunFixture()
                .answered(1, 900_000_000)
                .answered(100_000, 2_000_000)
                .until(S);
        run.answered(1, 2_000_000).until(2 * S);
        HeatMapChart.IntendedGrid grid =
                new HeatMapChart.IntendedGrid(run.result().intervals(), DURATIONS, BANDS);
        boolean[] seen = new boolean[8];
        for (int column = 0; column < grid.columns(); column++) {
            for (int band = 0; band < grid.bands(); band++) {
                int level = grid.level(column, band, 8);
                if (level >= 0) {
                    seen[level] = true;
                }
            }
        }
        assertThat(seen[0]).isTrue();
        assertThat(seen[7]).isTrue();
    }
}
