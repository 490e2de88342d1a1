package dev.downbeat.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.Results;
import dev.downbeat.cli.console.Console.OutputOptions;
import dev.downbeat.cli.terminal.Terminal;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GitHubStepsTest {
    @TempDir
    Path folder;

    private final StringWriter err = new StringWriter();

    private Console console() {
        return new Console(
                new PrintWriter(new StringWriter()),
                new PrintWriter(err),
                Terminal.detect(),
                false,
                false,
                new OutputOptions(),
                "run",
                Optional.empty());
    }

    private void tell(Map<String, String> environment, String... objectives) {
        RunResult result = Results.result(1_000, 20);
        RunReport report = new RunReport(
                result,
                RunVerdict.of(
                        result,
                        java.util.Arrays.stream(objectives)
                                .map(ServiceLevelObjective::parse)
                                .toList()),
                List.of("downbeat", "run"),
                Optional.empty(),
                "0",
                Results.MACHINE,
                Map.of());
        new GitHubSteps(environment, console()).report(report);
    }

    @Test
    void the_verdict_is_an_output_of_the_step_after_those_of_others() throws IOException {
        Path output = Files.writeString(folder.resolve("output"), "mine=1\n");
        GitHubSteps steps = new GitHubSteps(Map.of("GITHUB_OUTPUT", output.toString()), console());
        for (int code : new int[] {0, 99, 98, 1, 130}) {
            steps.verdict(code);
        }
        assertThat(output)
                .hasContent("mine=1\nverdict=met\nverdict=missed\nverdict=undecided\nverdict=broken\nverdict=broken\n");
        new GitHubSteps(Map.of(), console()).verdict(0);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void elsewhere_nothing_is_printed() {
        tell(Map.of(), "p99<1us");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void an_objective_that_was_missed_is_an_annotation_on_one_line() {
        tell(Map.of("GITHUB_ACTIONS", "true"), "errors<1%", "max<1h");
        assertThat(err.toString().lines())
                .filteredOn(line -> line.startsWith("::error"))
                .singleElement()
                .asString()
                .startsWith("::error title=downbeat%3A objective missed::errors<1%25: measured ");
        assertThat(GitHubSteps.escaped("50%\nb")).isEqualTo("50%25%0Ab");
    }

    /** Its exit code is 0, and no other output warns of it. */
    @Test
    void a_limit_that_nobody_set_is_no_annotation_if_it_is_undecided() {
        RunResult few = Results.result(20, 0, 0);
        RunResult open = few.with(few.recording().plus(inFlight()));
        for (boolean isAsked : new boolean[] {false, true}) {
            RunReport report = new RunReport(
                    open,
                    RunVerdict.of(
                            open,
                            isAsked
                                    ? List.of(ServiceLevelObjective.parse("errors<1%"))
                                    : ServiceLevelObjective.defaults()),
                    List.of("downbeat", "run"),
                    Optional.empty(),
                    "0",
                    Results.MACHINE,
                    Map.of());
            assertThat(report.verdict().objectives())
                    .extracting(JudgedObjective::status)
                    .containsExactly(JudgedObjective.Status.UNDECIDED);
            new GitHubSteps(Map.of("GITHUB_ACTIONS", "true"), console()).report(report);
            assertThat(err.toString().contains("objective undecided")).isEqualTo(isAsked);
        }
    }

    @Test
    void a_limit_that_nobody_set_is_an_annotation_if_it_keeps_the_run_from_passing() {
        RunResult result = Results.result(20, 0, 0);
        List<ServiceLevelObjective> slos = ServiceLevelObjective.defaults();
        JudgedObjective open = new JudgedObjective(
                slos.get(0),
                JudgedObjective.Status.UNDECIDED,
                OptionalLong.empty(),
                OptionalDouble.of(0.5),
                false,
                "measured 50 % (10 of 20), but messages waited for a consumer");
        RunReport report = new RunReport(
                result,
                RunVerdict.of(result, slos).with(RunVerdict.Service.UNDECIDED, List.of(open)),
                List.of("downbeat", "run"),
                Optional.empty(),
                "0",
                Results.MACHINE,
                Map.of());
        new GitHubSteps(Map.of("GITHUB_ACTIONS", "true"), console()).report(report);
        assertThat(err.toString()).contains("objective undecided");
    }

    private static Recording inFlight() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        Exchange exchange = new Exchange(0);
        recorder.planned(1);
        exchange.begin(0, 0, 0);
        recorder.inFlight(exchange, 1_000_000);
        return recorder.drain();
    }

    @Test
    void the_report_is_added_to_what_other_steps_have_written() throws IOException {
        Path summary = Files.writeString(folder.resolve("summary.md"), "# before\n");
        tell(Map.of("GITHUB_STEP_SUMMARY", summary.toString()), "errors<1%");
        assertThat(Files.readString(summary)).startsWith("# before\n## ").contains("| p99 |");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void a_summary_that_cannot_be_written_is_a_line_and_no_more() {
        tell(Map.of("GITHUB_STEP_SUMMARY", folder.resolve("missing/summary.md").toString()));
        assertThat(err.toString()).contains("the job summary was not written").hasLineCount(1);
    }

    @Test
    void an_output_that_cannot_be_written_is_a_line_and_no_more() {
        String missing = folder.resolve("missing/output").toString();
        new GitHubSteps(Map.of("GITHUB_OUTPUT", missing), console()).verdict(0);
        assertThat(err.toString())
                .startsWith("downbeat run: the step's output was not written: ")
                .hasLineCount(1);
    }
}
