package dev.downbeat.report.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.report.Samples;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.report.file.SweepFile;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.view.sweep.SweepView;
import dev.downbeat.stats.Growth;
import dev.downbeat.verdict.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A search that was saved is the same again, and nothing else is taken for one. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SavedSweepTest {
    @SuppressWarnings("NullAway.Init") // set before all tests
    private static SweepReport sweep;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @BeforeAll
    static void measure() throws IOException {
        sweep = SweepSample.of(2_000_000);
    }

    private SweepReport savedAndRead(SweepReport report) throws IOException {
        Path file = folder.resolve("sweep.downbeat");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        SweepFile.write(report, bytes);
        Files.write(file, bytes.toByteArray());
        assertThat(SweepFile.isOne(file)).isTrue();
        return SweepFile.read(file);
    }

    /** Where nothing was answered any more the queue grew without end. */
    @Test
    void numbers_without_end_are_kept() throws IOException {
        RateStep step = sweep.capacity().steps().get(0);
        Growth endless = new Growth(1, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
        RateStep overloaded = new RateStep(
                step.perSecond(),
                RateStep.StepOutcome.GROWING,
                "grew",
                false,
                step.measuredNanos(),
                step.recording(),
                0,
                Optional.of(endless),
                step.objectives(),
                step.responseTimes());
        SweepReport report = new SweepReport(
                new Capacity(sweep.capacity().plan(), List.of(overloaded), true, Optional.empty(), false),
                "a",
                "b",
                List.of(),
                "",
                "0.1.0",
                Map.of(),
                false);
        assertThat(savedAndRead(report).capacity().steps().get(0).growth()).contains(endless);
    }

    @Test
    void a_search_that_ended_early_without_a_rate_is_undecided_in_its_first_line_and_for_scripts() {
        RateStep step = sweep.capacity().steps().get(0);
        RateStep missed = new RateStep(
                step.perSecond(),
                RateStep.StepOutcome.MISSED,
                "errors: measured 50 %",
                false,
                step.measuredNanos(),
                step.recording(),
                0,
                Optional.empty(),
                step.objectives(),
                step.responseTimes());
        Capacity gone = new Capacity(
                sweep.capacity().plan(),
                List.of(missed),
                true,
                Optional.of(new Capacity.Unmeasured(67, "connection refused")),
                false);
        SweepReport report = new SweepReport(gone, "a", "b", List.of(), "", "0.1.0", Map.of(), false);
        assertThat(report.exitCode()).isEqualTo(ExitCode.UNSOUND);
        assertThat(accepting(gone).exitCode())
                .as("there is no answer to accept")
                .isEqualTo(ExitCode.UNSOUND);
        Capacity outOfBudget = new Capacity(sweep.capacity().plan(), List.of(missed), true, Optional.empty(), false);
        assertThat(accepting(outOfBudget).exitCode()).isEqualTo(ExitCode.MET);
        assertThat(new SweepView(report).page().head().headline())
                .startsWith("Undecided: no rate was proven sustainable with ")
                .contains("; at ")
                .endsWith(". The search ended early.");
        SweepReport whole = new SweepReport(
                new Capacity(sweep.capacity().plan(), List.of(missed), false, Optional.empty(), false),
                "a",
                "b",
                List.of(),
                "",
                "0.1.0",
                Map.of(),
                false);
        assertThat(whole.exitCode()).isEqualTo(ExitCode.MISSED);
        assertThat(new SweepView(whole).page().head().headline()).startsWith("No rate was sustained with ");
    }

    @Test
    void a_saved_sweep_makes_the_same_page_and_the_same_json_again() throws IOException {
        SweepReport read = savedAndRead(sweep);
        for (Renderer renderer : List.of(Renderer.HTML, Renderer.JSON)) {
            StringBuilder before = new StringBuilder();
            StringBuilder after = new StringBuilder();
            renderer.write(new SweepView(sweep), before);
            renderer.write(new SweepView(read), after);
            assertThat(after.toString()).isEqualTo(before.toString());
        }
    }

    private static SweepReport accepting(Capacity capacity) {
        return new SweepReport(capacity, "a", "b", List.of(), "", "0.1.0", Map.of(), true);
    }

    /** It was an error and failed the build, though the search had ended with 0. */
    @Test
    void what_was_accepted_is_accepted_in_reports_made_later() throws IOException {
        RateStep step = sweep.capacity().steps().get(0);
        RateStep undecided = new RateStep(
                step.perSecond(),
                RateStep.StepOutcome.UNDECIDED,
                "too few",
                false,
                step.measuredNanos(),
                step.recording(),
                0,
                Optional.empty(),
                step.objectives(),
                step.responseTimes());
        Capacity open = new Capacity(sweep.capacity().plan(), List.of(undecided), false, Optional.empty(), false);
        SweepReport report = accepting(open);
        StringBuilder before = new StringBuilder();
        Renderer.JUNIT.write(new SweepView(report), before);
        StringBuilder after = new StringBuilder();
        Renderer.JUNIT.write(new SweepView(savedAndRead(report)), after);
        assertThat(before).contains("<skipped ").doesNotContain("<error ");
        assertThat(after.toString()).isEqualTo(before.toString());
    }

    @Test
    void an_invalid_sweep_is_refused_in_one_line() throws IOException {
        Path file = folder.resolve("run.downbeat");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        RunFile.write(Samples.of("stall"), bytes);
        Files.write(file, bytes.toByteArray());
        assertThat(SweepFile.isOne(file)).isFalse();
        assertThat(SweepFile.isOne(folder.resolve("none"))).isFalse();
        assertThatThrownBy(() -> SweepFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not a sweep");
    }
}
