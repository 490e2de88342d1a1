package dev.downbeat.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.view.RunView;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.ShardRun;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JUnitReportTest {
    private static Element suite(RunReport report) throws Exception {
        String text = Samples.text(RunView.on(Renderer.JUNIT), report);
        return (Element) DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(text)))
                .getElementsByTagName("testsuite")
                .item(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stall", "interrupted", "censored", "refused"})
    void each_objective_and_the_measurement_are_tests_and_the_head_counts_them(String sample) throws Exception {
        RunReport report = Samples.of(sample);
        Element suite = suite(report);
        assertThat(suite.getElementsByTagName("testcase").getLength())
                .isEqualTo(report.verdict().objectives().size() + 1);
        for (String kind : List.of("failure", "error")) {
            assertThat(suite.getAttribute(kind + "s"))
                    .isEqualTo("" + suite.getElementsByTagName(kind).getLength());
        }
        assertThat(suite.getElementsByTagName("skipped").getLength()).isZero();
        assertThat(suite.getElementsByTagName("failure").getLength())
                .isEqualTo(count(report, JudgedObjective.Status.MISSED));
        assertThat(suite.getElementsByTagName("error").getLength())
                .isEqualTo(count(report, JudgedObjective.Status.UNDECIDED)
                        + (report.verdict().measurement() == RunVerdict.Soundness.SOUND
                                        && report.result().isComplete()
                                ? 0
                                : 1));
    }

    private static int count(RunReport report, JudgedObjective.Status status) {
        return (int) report.verdict().objectives().stream()
                .filter(objective -> objective.status() == status)
                .count();
    }

    /** Too few to decide about errors of 1 %. */
    private static RunResult few() {
        return new RunFixture()
                .answered(376, 3 * RunFixture.MS)
                .failed(1, "HTTP 503", 2 * RunFixture.MS)
                .inFlight(3, 12 * RunFixture.MS)
                .result();
    }

    @Test
    void an_undecided_limit_that_nobody_set_is_no_error() throws Exception {
        Analysis analysis = Analysis.of(few(), Criteria.of(ServiceLevelObjective.defaults()));
        assertThat(analysis.outcome().exitCode()).isZero();
        RunReport report = new RunReport(
                analysis, List.of("downbeat", "run"), Optional.empty(), "0.1.0", Samples.machine(), Map.of());
        assertThat(count(report, JudgedObjective.Status.UNDECIDED)).isEqualTo(1);
        assertThat(suite(report).getAttribute("errors")).isEqualTo("0");
        assertThat(suite(report).getAttribute("skipped")).isEqualTo("1");
        assertThat(suite(report).getElementsByTagName("skipped").getLength()).isEqualTo(1);
    }

    @Test
    void what_is_accepted_is_skipped_and_no_error() throws Exception {
        RunReport undecided = Samples.report(few(), "errors<1%");
        assertThat(undecided.analysis().outcome().exitCode()).isEqualTo(98);
        assertThat(suite(undecided).getAttribute("errors")).isNotEqualTo("0");
        RunReport accepted = undecided.accepting(true);
        assertThat(accepted.analysis().outcome().exitCode()).isZero();
        Element suite = suite(accepted);
        assertThat(suite.getAttribute("errors")).isEqualTo("0");
        assertThat(suite.getAttribute("skipped")).isEqualTo(suite(undecided).getAttribute("errors"));
        assertThat(((Element) suite.getElementsByTagName("skipped").item(0)).getAttribute("message"))
                .isNotBlank();
    }

    /** Its exit code is 130, whatever was seen until then. */
    @Test
    void a_run_that_was_interrupted_is_an_error_even_if_all_it_saw_was_sound() throws Exception {
        RunFixture run = new RunFixture().answered(2_000, RunFixture.MS);
        RunReport report = Samples.report(
                run.ended(RunSpan.Ending.INTERRUPTED, 2 * RunFixture.S).result(), "max<5s");
        assertThat(report.analysis().outcome().exitCode()).isZero();
        RunFixture shard = new RunFixture().answered(2_000, RunFixture.MS).shards(ShardRun.missing(0));
        RunReport sum = Samples.report(
                shard.ended(RunSpan.Ending.INTERRUPTED, 2 * RunFixture.S).result(), "max<5s");
        for (RunReport each : List.of(report, report.accepting(true), sum)) {
            Element error = (Element) suite(each).getElementsByTagName("error").item(0);
            assertThat(error.getAttribute("type")).isEqualTo("partial");
            assertThat(error.getAttribute("message")).isEqualTo("INTERRUPTED after 2.0 s of 20 s: partial");
        }
        RunFixture decided = new RunFixture().answered(2_000, RunFixture.MS);
        assertThat(suite(Samples.report(
                                decided.ended(RunSpan.Ending.DECIDED, 2 * RunFixture.S)
                                        .result(),
                                "max<5s"))
                        .getAttribute("errors"))
                .isEqualTo("0");
    }

    @Test
    void a_missed_objective_says_what_was_seen() throws Exception {
        Element failure = (Element)
                suite(Samples.of("stall")).getElementsByTagName("failure").item(0);
        assertThat(failure.getAttribute("type")).isEqualTo("missed");
        assertThat(failure.getAttribute("message")).startsWith("p99 < 20 ms: measured ");
    }

    @Test
    void characters_invalid_in_xml_do_not_break_the_file() throws Exception {
        RunResult result = Samples.interrupted().result();
        RunReport nasty = new RunReport(
                result,
                Samples.interrupted().verdict(),
                List.of("downbeat", "\u0001<&>\"']]>\uFFFE\uD800"),
                Optional.empty(),
                "0",
                Samples.machine(),
                Map.of());
        Element suite = suite(nasty);
        Element command = (Element) suite.getElementsByTagName("property").item(1);
        assertThat(command.getAttribute("value")).isEqualTo("downbeat \"$(printf %b '\\0001<&>\"'\\'']]>??')\"");
    }
}
