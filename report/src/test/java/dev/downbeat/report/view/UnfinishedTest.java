package dev.downbeat.report.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.report.Samples;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.testing.ParsedJson;
import dev.downbeat.verdict.RunFixture;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UnfinishedTest {
    private static final long MILLI = 1_000_000;
    private static final int REQUESTS = 1_000;

    /** Response times of 1 to 1,000 ms; every tenth was seen for half its time only. */
    private static RunFixture run(boolean everyTenthIsCut) {
        RunFixture run = new RunFixture();
        for (int i = 1; i <= REQUESTS; i++) {
            if (everyTenthIsCut && i % 10 == 0) {
                run.inFlight(1, i * MILLI / 2);
            } else {
                run.answered(1, i * MILLI);
            }
        }
        return run;
    }

    private static Analysis analysis(RunResult result) {
        return Analysis.of(result, Criteria.of(List.of()));
    }

    @Test
    void requests_that_were_in_flight_at_the_end_are_taken_to_be_like_the_others() {
        RunResult cut =
                run(true).ended(RunSpan.Ending.INTERRUPTED, 5_000 * MILLI).result();
        assertThat(RunFacts.Unfinished.sentence(analysis(cut)))
                .get()
                .asString()
                .contains("p50 5")
                .contains("p90 9")
                .endsWith("if the 100 requests in flight at the end were like the others (Kaplan-Meier)");
    }

    @Test
    void programs_read_the_estimate_too() {
        RunResult cut =
                run(true).ended(RunSpan.Ending.INTERRUPTED, 5_000 * MILLI).result();
        String json = Samples.text(RunView.on(Renderer.JSON), Samples.report(cut));
        assertThat(ParsedJson.parse(json).at("response_kaplan_meier.p90_ns").number() / 1e6)
                .isBetween(890.0, 1_000.0);
        RunResult whole =
                run(false).ended(RunSpan.Ending.COMPLETE, 5_000 * MILLI).result();
        assertThat(Samples.text(RunView.on(Renderer.JSON), Samples.report(whole)))
                .contains("\"response_kaplan_meier\": null");
    }

    @Test
    void where_all_ends_were_seen_there_is_nothing_to_estimate() {
        assertThat(RunFacts.Unfinished.sentence(analysis(
                        run(false).ended(RunSpan.Ending.COMPLETE, 5_000 * MILLI).result())))
                .isEmpty();
    }

    @Test
    void requests_that_timed_out_are_not_like_the_others() {
        RunResult timedOut = run(true)
                .timedOut(1, 2_000 * MILLI)
                .ended(RunSpan.Ending.COMPLETE, 5_000 * MILLI)
                .result();
        assertThat(RunFacts.Unfinished.sentence(analysis(timedOut))).isEmpty();
    }
}
