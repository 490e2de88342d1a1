package dev.downbeat.verdict.caveat;

import static dev.downbeat.verdict.Judged.only;
import static dev.downbeat.verdict.Judged.verdict;
import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.caveat.Caveat.DataLimit;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DataLimitTest {
    @Test
    void the_percentiles_that_are_lower_bounds_are_named() {
        RunVerdict verdict =
                verdict(new RunFixture().answered(49_000, MS).timedOut(990, S).inFlight(10, S));
        DataLimit.TailCensored censored = only(DataLimit.TailCensored.class, verdict);
        assertThat(censored.percentiles()).containsExactly(99.0, 99.9, 99.99, 100.0);
        assertThat(censored.isDoubt()).isFalse();
        assertThat(censored.text())
                .isEqualTo(
                        "990 requests timed out and 10 were unfinished when the run ended: p99, p99.9, p99.99 and max are"
                                + " lower bounds. A longer timeout would show more");
    }

    @Test
    void a_percentile_of_an_objective_is_named_too() {
        RunVerdict verdict = verdict(new RunFixture().answered(40_000, MS).inFlight(10_000, S), "p85<1s");
        assertThat(only(DataLimit.TailCensored.class, verdict).percentiles()).contains(85.0);
        assertThat(only(DataLimit.TailCensored.class, verdict).text()).doesNotContain("timed out", "--timeout");
    }

    @Test
    void unsupported_percentiles_are_named_with_a_sufficient_duration() {
        DataLimit.TooFewSamples few = only(
                DataLimit.TooFewSamples.class,
                verdict(new RunFixture().answered(20_000, MS), "p99.99<1s", "p99.999<1s"));
        assertThat(few.percentiles()).containsExactly(99.99, 99.999);
        assertThat(few.isDoubt()).isFalse();
        assertThat(few.text())
                .isEqualTo("p99.99 and p99.999 are not shown: p99.99 needs 50,000 requests, got 20,000 (run for 50 s)");
        DataLimit.TooFewSamples one =
                only(DataLimit.TooFewSamples.class, verdict(new RunFixture().answered(5_000, MS), "p99.99<1s"));
        assertThat(one.text()).isEqualTo("p99.99 is not shown: it needs 50,000 requests, got 5,000 (run for 4m)");
    }

    @Test
    void the_advised_duration_is_longer_than_the_plan_and_acceptable() {
        RunFixture stopped = new RunFixture().answered(400, MS).ended(RunSpan.Ending.INTERRUPTED, 4 * S);
        assertThat(only(DataLimit.TooFewSamples.class, verdict(stopped, "p99<1s"))
                        .longerNanos())
                .isZero();
        RunFixture rare = new RunFixture().answered(1, MS);
        assertThat(only(DataLimit.TooFewSamples.class, verdict(rare, "p50<1s")).longerNanos())
                .isEqualTo(200 * S + 40 * S);
        RunFixture rarer = new RunFixture().answered(50, MS).ended(RunSpan.Ending.COMPLETE, 86_400 * S);
        RunFixture days = rarer.workload(new Workload.Closed(1, ThinkTime.none()), Duration.ofDays(1));
        assertThat(only(DataLimit.TooFewSamples.class, verdict(days, "p99<1s")).longerNanos())
                .isEqualTo(10 * 86_400 * S);
        RunFixture months = new RunFixture()
                .workload(new Workload.Closed(1, ThinkTime.none()), Duration.ofDays(4))
                .answered(50, MS)
                .ended(RunSpan.Ending.COMPLETE, 4 * 86_400 * S);
        assertThat(only(DataLimit.TooFewSamples.class, verdict(months, "p99<1s"))
                        .longerNanos())
                .isZero();
    }

    @Test
    void redirects_count_as_answers_with_a_note() {
        RunResult run = new RunFixture()
                .answeredWith(200, 900, MS)
                .answeredWith(302, 90, MS)
                .answeredWith(304, 10, MS)
                .result();
        assertThat(RunVerdict.of(run, List.of()).caveats())
                .filteredOn(caveat -> caveat.code().equals("not_followed"))
                .singleElement()
                .satisfies(caveat -> assertThat(caveat.text()).startsWith("90 of 1,000 responses were redirects"))
                .satisfies(caveat -> assertThat(caveat.isDoubt()).isFalse());
    }
}
