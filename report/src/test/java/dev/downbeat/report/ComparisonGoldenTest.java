package dev.downbeat.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.compare.ComparedNames;
import dev.downbeat.compare.ComparedRow;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.ComparedSide;
import dev.downbeat.compare.Comparison;
import dev.downbeat.compare.Comparison.ComparedIncidents;
import dev.downbeat.compare.Gate;
import dev.downbeat.compare.Incomparable;
import dev.downbeat.compare.Variants;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.report.data.ComparisonReport;
import dev.downbeat.report.data.ComparisonReport.VariantsReport;
import dev.downbeat.report.render.Lines;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.render.Renderer.TerminalStyle;
import dev.downbeat.report.view.compare.ComparisonView;
import dev.downbeat.report.view.compare.VariantsView;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.stats.change.QuantileChange;
import dev.downbeat.testing.ParsedJson;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Holds comparisons against files, which are written anew as those of {@link GoldenFileTest}. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
public class ComparisonGoldenTest {
    private static final long SECOND = 1_000_000_000;
    private static final RunPlan PLAN = RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(200), 1)))
            .duration(Duration.ofSeconds(24))
            .build();

    /** How requests of a system fare. */
    private record Service(double meanMillis, double waitMillis, double failing) {}

    /** Writes a page or a text. */
    public interface Writer {
        void write(Appendable out) throws IOException;
    }

    @Test
    void a_slower_system() throws IOException {
        ComparisonReport report = saved(new Service(1, 0, 0), new Service(1.3, 0, 0), OptionalDouble.of(0.05));
        assertThat(report.exitCode()).isEqualTo(ExitCode.MISSED);
        check("compare-slower.txt", out -> Renderer.TEXT.write(new ComparisonView(report), out));
        check("compare-slower.json", out -> Renderer.JSON.write(new ComparisonView(report), out));
        check("compare-slower.html", out -> Renderer.HTML.write(new ComparisonView(report), out));
    }

    /** Most requests are alike, and one name is slower: a script must hear of it. */
    @Test
    void a_request_that_is_slower_though_the_whole_is_not() throws IOException {
        ComparedSide base = shop("a.hlog", 1, "pay", "old");
        ComparedSide other = shop("b.hlog", 2, "pay", "new");
        ComparisonReport report = report(Comparison.of(base, other), OptionalDouble.of(0.1));
        assertThat(report.comparison().isRegression(0.1)).isFalse();
        assertThat(report.exitCode()).isEqualTo(ExitCode.MISSED);
        check("compare-names.txt", out -> Renderer.TEXT.write(new ComparisonView(report), out));
        check("compare-names.json", out -> Renderer.JSON.write(new ComparisonView(report), out));
    }

    /** A gate that passes has compared these names with nothing: its first line and its tests say so. */
    @Test
    void names_of_one_side_only_are_in_the_first_line_in_all_formats_and_a_skipped_test() throws IOException {
        ComparisonReport alike = saved(new Service(1, 0, 0), new Service(1, 0, 0), OptionalDouble.of(0.5));
        ComparedNames names = new ComparedNames(Map.of(), List.of("a"), List.of("f", "g", "h", "i", "j"));
        ComparisonView view = new ComparisonView(new ComparisonReport(
                alike.comparison(), names, alike.gate(), alike.load(), alike.command(), alike.version()));
        String apart = "'a' is only in the base, 'f', 'g', 'h' and 2 more only in the other";
        assertThat(alike.exitCode()).isZero();
        assertThat(written(Renderer.TEXT, view))
                .contains("; not compared: " + apart + ".", "NAMES not compared " + apart);
        assertThat(written(Renderer.MARKDOWN, view))
                .contains("; not compared: " + apart + ".", "* names: **not compared**, " + apart);
        assertThat(written(Renderer.JUNIT, view).replace("&apos;", "'"))
                .contains("<testcase name=\"names\"", "<skipped message=\"not compared: " + apart + "\"/>");
        assertThat(written(Renderer.JSON, view)).contains("; not compared: " + apart);
    }

    /** A test that disappears from JUnit's file when it cannot tell looks like one that somebody deleted. */
    @Test
    void a_gate_that_cannot_tell_is_a_skipped_test() throws IOException {
        ComparisonReport open = saved(new Service(1, 0, 0), new Service(1, 0, 0), OptionalDouble.of(0.001));
        assertThat(open.gate().decision()).isEqualTo(Gate.Decision.NONE_FOUND);
        assertThat(written(Renderer.JUNIT, new ComparisonView(open)))
                .contains("<testcase name=\"result\"", "<testcase name=\"regression\"")
                .contains("<skipped message=\"none found: no regression found; a slowdown of up to")
                .contains(" cannot be ruled out (one-sided 95 %)");
        assertThat(written(Renderer.JUNIT_UNDECIDED_PASSES, new ComparisonView(open)))
                .contains("errors=\"0\" skipped=\"2\"");
        assertThat(written(Renderer.JUNIT_UNDECIDED_FAILS, new ComparisonView(open)))
                .as("the exit code is 98")
                .contains("errors=\"2\" skipped=\"0\"");
    }

    /** Whoever reads the row of the decision only must not miss one of its causes. */
    @Test
    void the_row_of_the_decision_names_all_causes_and_no_others() throws IOException {
        ComparisonReport slower = saved(new Service(1, 0, 0), new Service(2, 0, 0.1), OptionalDouble.of(0.05));
        assertThat(written(Renderer.TEXT, new ComparisonView(slower)))
                .contains("REGRESSION YES fails more; slower by more than +5.0 % at p50, p90, p95 and p99");
    }

    private static String written(Renderer format, ComparisonView view) throws IOException {
        StringBuilder written = new StringBuilder();
        format.write(view, written);
        return written.toString().replaceAll("\\s+", " ");
    }

    /** Twelve seconds of 200 slow requests of "list", 40 quick ones of the first name and one of the second. */
    private static ComparedSide shop(String name, long seed, String few, String one) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Recording> seconds = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            Recording list = second(new Service(5, 0, 0), random);
            Recording pay = second(new Service(seed == 1 ? 0.5 : 2, 0, 0), 40, random);
            Recording last = second(new Service(1, 0, 0), 1, random);
            seconds.add(list.plus(pay).plus(last).withNames(new TreeMap<>(Map.of("list", list, few, pay, one, last))));
        }
        return new ComparedSide(
                name, List.of(new ComparedRun(name, seconds, "open", OptionalDouble.of(241), List.of())));
    }

    @Test
    void a_system_that_fails_more() throws IOException {
        ComparisonReport report = saved(new Service(1.3, 0, 0), new Service(1, 0, 0.05), OptionalDouble.empty());
        check("compare-fails.txt", out -> Renderer.TEXT.write(new ComparisonView(report), out));
    }

    @Test
    void what_is_not_comparable() throws IOException {
        Comparison sound = saved(new Service(1, 0, 0), new Service(1, 0, 0), OptionalDouble.empty())
                .comparison();
        Comparison comparison = new Comparison(
                sound.base(),
                sound.other(),
                sound.inTurns(),
                sound.rows(),
                sound.incidents(),
                false,
                sound.failures(),
                sound.effect(),
                sound.requested(),
                List.of(new Incomparable(Incomparable.Kind.PARTIAL, "b.hlog ended early")));
        ComparisonReport report = report(comparison, OptionalDouble.empty());
        assertThat(report.exitCode()).isEqualTo(ExitCode.UNSOUND);
        ComparisonReport accepted = ComparisonReport.of(
                comparison, new Gate.Question(OptionalDouble.empty(), true, false), "", List.of(), "0.1.0");
        assertThat(written(Renderer.TEXT, new ComparisonView(accepted))).startsWith("PARTIAL: b.hlog ended early ");
        check("compare-doubt.txt", out -> Renderer.TEXT.write(new ComparisonView(report), out));
    }

    @Test
    void a_system_that_stalls_more_may_be_the_same_without_stalls() throws IOException {
        Service service = new Service(1, 0, 0);
        Comparison whole = Comparison.of(side("a.hlog", service, 1), side("b.hlog", service, 1));
        ComparedIncidents apart = new ComparedIncidents(
                new ComparedIncidents.SideIncidents(List.of(), 24),
                new ComparedIncidents.SideIncidents(List.of(SECOND, SECOND, SECOND), 24),
                ChangeAnswer.SLOWER,
                ChangeAnswer.CANNOT_TELL,
                whole.rows());
        assertThat(firstLines(with(whole, apart)))
                .startsWith("b.hlog stalls more: 3 stalls (3.00 s in total) in b.hlog, none in a.hlog: more (95 %);"
                        + " without stalls b.hlog is the same as a.hlog within 1 % at p50, p90, p95 and p99.");
    }

    private static Comparison with(Comparison whole, ComparedIncidents apart) {
        return new Comparison(
                whole.base(),
                whole.other(),
                whole.inTurns(),
                whole.rows(),
                Optional.of(apart),
                false,
                whole.failures(),
                whole.effect(),
                whole.requested(),
                whole.doubts());
    }

    private static String firstLines(Comparison comparison) throws IOException {
        StringBuilder screen = new StringBuilder();
        Renderer.TEXT.write(new ComparisonView(report(comparison, OptionalDouble.empty())), screen);
        return screen.toString().split("\n\n")[0].replaceAll("\\s+", " ");
    }

    /** Its table has intervals, those with incidents. */
    @Test
    void the_first_line_says_that_incidents_leave_too_little() throws IOException {
        Comparison whole = saved(new Service(1, 0, 0), new Service(1, 0, 0), OptionalDouble.empty())
                .comparison();
        ComparedIncidents apart = new ComparedIncidents(
                new ComparedIncidents.SideIncidents(List.of(SECOND), 24),
                new ComparedIncidents.SideIncidents(List.of(), 24),
                ChangeAnswer.CANNOT_TELL,
                ChangeAnswer.CANNOT_TELL,
                List.of(delayed(OptionalDouble.empty(), OptionalDouble.empty())));
        assertThat(firstLines(with(whole, apart)))
                .startsWith("Without stalls there is too little data to compare b.hlog with a.hlog");
        assertThat(written(Renderer.TEXT, new ComparisonView(report(with(whole, apart), OptionalDouble.empty()))))
                .doesNotContain("the interval includes it");
    }

    /** A median half of which may be delay, and undecided if it has an interval. */
    private static ComparedRow delayed(OptionalDouble low, OptionalDouble high) {
        return new ComparedRow(
                50,
                2_000_000,
                false,
                2_000_000,
                false,
                low,
                high,
                low,
                high,
                new QuantileChange.ForeignPart(0, 1_000_000),
                ChangeAnswer.CANNOT_TELL);
    }

    @Test
    void the_first_line_keeps_the_case_of_a_name() throws IOException {
        Comparison fewer = saved(new Service(1, 0, 0.05), new Service(1, 0, 0), OptionalDouble.empty())
                .comparison();
        ComparedRow row = delayed(OptionalDouble.of(-0.2), OptionalDouble.of(0.2));
        Comparison undecided = new Comparison(
                fewer.base(),
                fewer.other(),
                fewer.inTurns(),
                List.of(row),
                Optional.empty(),
                false,
                fewer.failures(),
                fewer.effect(),
                fewer.requested(),
                fewer.doubts());
        assertThat(firstLines(undecided)).startsWith("b.hlog fails less: ").contains("; undecided between ");
    }

    /** A tail that could be far slower is beside the answer: the gate has not decided it. */
    @Test
    void a_passed_gate_names_the_percentiles_that_it_decided() {
        ComparisonReport report = saved(new Service(1, 0, 0), new Service(1, 0, 0), OptionalDouble.of(0.3));
        assertThat(report.gate().decision()).isEqualTo(Gate.Decision.NO_REGRESSION);
        assertThat(answers(report)).contains("not slower by more than +30.0 % at p50, p90 and p99 (one-sided 95 %)");
        Comparison median =
                Comparison.of(report.comparison().base(), report.comparison().other(), List.of(50.0));
        assertThat(answers(report(median, OptionalDouble.of(0.3))))
                .contains("not slower by more than +30.0 % at p50")
                .doesNotContain("p90");
    }

    private static String answers(ComparisonReport report) {
        return new ComparisonView(report).page().answers().toString();
    }

    @Test
    void what_intervals_allow_for_is_not_said_where_there_are_none() {
        ComparisonReport whole = saved(new Service(1, 0, 0), new Service(1, 0, 0), OptionalDouble.empty());
        assertThat(facts(whole)).contains("run to run");
        Comparison brief = Comparison.of(
                firstSeconds(whole.comparison().base()),
                firstSeconds(whole.comparison().other()));
        assertThat(brief.rows()).isNotEmpty();
        assertThat(facts(report(brief, OptionalDouble.empty()))).doesNotContain("run to run");
    }

    private static List<String> facts(ComparisonReport report) {
        return new ComparisonView(report)
                .page().facts().stream().map(Page.Fact::label).toList();
    }

    private static ComparedSide firstSeconds(ComparedSide side) {
        ComparedRun run = side.runs().get(0);
        return new ComparedSide(
                side.name(),
                List.of(new ComparedRun(
                        run.name(), run.stretches().subList(0, 8), run.workload(), run.ratePerSecond(), List.of())));
    }

    /** The table beside it has "≥ 2.00 s". */
    @Test
    void a_maximum_of_which_a_request_never_ended_is_a_lower_bound() throws IOException {
        Recording second = new RunFixture()
                .answered(100, 1_000_000)
                .timedOut(1, 2 * SECOND)
                .result()
                .recording();
        List<Recording> seconds = Collections.nCopies(24, second);
        ComparedRun run = new ComparedRun("a.hlog", seconds, "open", OptionalDouble.of(101), List.of());
        ComparedSide timedOut = new ComparedSide("a.hlog", List.of(run));
        Comparison comparison = Comparison.of(timedOut, side("b.hlog", new Service(1, 0, 0), 1));
        assertThat(written(Renderer.JSON, new ComparisonView(report(comparison, OptionalDouble.empty()))))
                .containsPattern("\"base\": \\{.*?\"max_ns\": 2\\d{9}, \"max_lower_bound\": true")
                .containsPattern("\"other\": \\{.*?\"max_ns\": \\d+, \"max_lower_bound\": false");
    }

    /** A median of which only "at least 1 ms" is known, for all timed out then, has not halved. */
    @Test
    void a_change_to_a_lower_bound_is_one_too() throws IOException {
        assertThat(changed(false, true)).contains("2.00 ms  ≥ 1.00 ms  ≥ -50.0 %");
        assertThat(changed(true, false)).contains("≥ 2.00 ms  1.00 ms  ≤ -50.0 %");
        assertThat(changed(true, true)).contains("≥ 2.00 ms  ≥ 1.00 ms  unknown");
        assertThat(changed(false, false)).contains("2.00 ms  1.00 ms  -50.0 %");
    }

    private static String changed(boolean isBaseLowerBound, boolean isOtherLowerBound) throws IOException {
        Comparison whole = saved(new Service(1, 0, 0), new Service(1, 0, 0), OptionalDouble.empty())
                .comparison();
        ComparedRow row = new ComparedRow(
                50,
                2_000_000,
                isBaseLowerBound,
                1_000_000,
                isOtherLowerBound,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                QuantileChange.ForeignPart.NONE,
                ChangeAnswer.NOT_JUDGED);
        Comparison comparison = new Comparison(
                whole.base(),
                whole.other(),
                whole.inTurns(),
                List.of(row),
                whole.incidents(),
                false,
                whole.failures(),
                whole.effect(),
                whole.requested(),
                whole.doubts());
        StringBuilder screen = new StringBuilder();
        Renderer.TEXT.write(new ComparisonView(report(comparison, OptionalDouble.empty())), screen);
        return screen.toString();
    }

    @Test
    void variants() throws IOException {
        VariantsReport report = someVariants();
        check("variants.txt", out -> Renderer.TEXT.write(new VariantsView(report), out));
        check("variants.json", out -> Renderer.JSON.write(new VariantsView(report), out));
        check("variants.html", out -> Renderer.HTML.write(new VariantsView(report), out));
    }

    /** Faster at the median, slower in the tail. */
    public static ComparisonReport someComparison() {
        return saved(new Service(1.3, 2, 0.01), new Service(1, 4, 0.01), OptionalDouble.of(0.05));
    }

    /** A side that stalled once, and what is left of both without that. */
    public static ComparisonReport stalled() {
        ComparedSide base = side("a.hlog", new Service(1, 0, 0), 1);
        Comparison whole = Comparison.of(base, side("b.hlog", new Service(1, 0, 0), 3));
        Comparison calm = Comparison.of(base, side("b.hlog", new Service(1, 0, 0), 2));
        ComparedIncidents apart = new ComparedIncidents(
                new ComparedIncidents.SideIncidents(List.of(), 24),
                new ComparedIncidents.SideIncidents(List.of(SECOND), 24),
                ChangeAnswer.CANNOT_TELL,
                ChangeAnswer.CANNOT_TELL,
                calm.rows());
        return report(with(whole, apart), OptionalDouble.empty());
    }

    @Test
    void what_a_variant_missed_is_in_the_first_line_and_a_slower_one_is_no_failure() throws IOException {
        VariantsReport missed = variants(
                List.of(ServiceLevelObjective.parse("p99<50ms"), ServiceLevelObjective.parse("errors<1%")),
                measured("connections=1", new Service(2, 20, 0)),
                measured("connections=16", new Service(2, 0, 0)));
        assertThat(missed.exitCode()).isEqualTo(ExitCode.MISSED);
        assertThat(new VariantsView(missed).page().head().headline())
                .isEqualTo("connections=16 is faster at p50, p90, p95 and p99. Missed by connections=1: p99 < 50 ms.");
        VariantsReport slower = variants(
                ServiceLevelObjective.defaults(),
                measured("connections=16", new Service(2, 0, 0)),
                measured("connections=1", new Service(2, 20, 0)));
        assertThat(slower.exitCode()).isEqualTo(ExitCode.MET);
        assertThat(xml(slower)).contains("connections=1 is slower at ", "failures=\"0\" errors=\"0\"");
    }

    @Test
    void too_few_turns_are_said_once_and_no_card_shows_a_result() {
        VariantsReport report = variants(
                ServiceLevelObjective.defaults(),
                inTurns(3, measured("connections=1", new Service(2, 20, 0))),
                inTurns(3, measured("connections=4", new Service(2, 0, 0))),
                inTurns(3, measured("connections=16", new Service(2, 0, 0))));
        Page page = new VariantsView(report).page();
        assertThat(page.head().headline()).containsOnlyOnce("Not comparable: only 3 turns");
        assertThat(page.answers().subList(0, 2))
                .allSatisfy(answer -> assertThat(answer.word()).isEqualTo("not comparable"));
        assertThat(new VariantsView(report).brief().answers())
                .containsAll(page.answers().subList(0, 2));
    }

    @Test
    void a_first_variant_that_answered_nothing_is_noted_once() {
        VariantsReport report = variants(
                ServiceLevelObjective.defaults(),
                measured("connections=1", new Service(2, 0, 1)),
                measured("connections=16", new Service(2, 0, 0)));
        assertThat(new VariantsView(report).page().notes())
                .extracting(Page.Note::code)
                .containsOnlyOnce("nothing_answered");
    }

    private static Variants.MeasuredVariant inTurns(int turns, Variants.MeasuredVariant whole) {
        return new Variants.MeasuredVariant(
                whole.name(), whole.plan(), whole.slices().subList(0, turns));
    }

    public static VariantsReport someVariants() {
        return variants(
                ServiceLevelObjective.defaults(),
                measured("connections=1", new Service(2, 20, 0)),
                measured("connections=16", new Service(2, 0, 0)));
    }

    private static VariantsReport variants(
            List<ServiceLevelObjective> objectives, Variants.MeasuredVariant... measured) {
        return new VariantsReport(
                Variants.of(List.of(measured), objectives, RequiredCertainty.PLAIN, List.of()),
                "GET http://localhost:8080/orders",
                "open loop, Poisson 200/s, 2 variants alternately, each in 6 slices of 2 s, seed 1",
                Optional.empty(),
                false,
                false,
                List.of("downbeat", "run"),
                "0.1.0");
    }

    /** All turns until then were whole, so that only the exit code told of it. */
    @Test
    void variants_whose_target_died_say_so_in_every_format() throws IOException {
        String reason = "ended in turn 7 of 10: connections=1: connection refused";
        for (Renderer renderer :
                List.of(Renderer.TEXT, Renderer.HTML, Renderer.MARKDOWN, Renderer.JSON, Renderer.JUNIT)) {
            StringBuilder page = new StringBuilder();
            renderer.write(new VariantsView(cutShort(reason, false)), page);
            assertThat(page).contains(reason);
        }
        assertThat(cutShort(reason, false).exitCode()).isEqualTo(ExitCode.UNSOUND);
        assertThat(new VariantsView(cutShort(reason, false)).page().head().partial())
                .contains("PARTIAL: " + reason);
        assertThat(xml(cutShort(reason, false))).contains("failures=\"0\" errors=\"1\"");
        assertThat(cutShort(reason, true).exitCode()).isEqualTo(ExitCode.MET);
        assertThat(xml(cutShort(reason, true))).contains("failures=\"0\" errors=\"0\"");
    }

    /** As of a single run: the exit code is the signal's, and what was not measured to the end is not complete. */
    @Test
    void interrupted_variants_have_no_exit_code_and_are_partial_in_JSON() throws IOException {
        String reason = "interrupted in turn 7 of 10";
        ParsedJson json = json(cutShort(reason, true, false));
        assertThat(json.at("exit_code").isNull()).isTrue();
        assertThat(json.at("headline").text()).startsWith("PARTIAL: " + reason + ". ");
        assertThat(json.at("variants").items())
                .extracting(variant -> variant.at("complete").truth())
                .containsOnly(false);
        assertThat(json(someVariants()).at("exit_code").whole()).isZero();
    }

    private static ParsedJson json(VariantsReport report) throws IOException {
        StringBuilder json = new StringBuilder();
        Renderer.JSON.write(new VariantsView(report), json);
        return ParsedJson.parse(json.toString());
    }

    private static String xml(VariantsReport report) throws IOException {
        StringBuilder xml = new StringBuilder();
        Renderer.JUNIT.write(new VariantsView(report), xml);
        return xml.toString();
    }

    private static VariantsReport cutShort(String reason, boolean acceptUnsound) {
        return cutShort(reason, false, acceptUnsound);
    }

    private static VariantsReport cutShort(String reason, boolean isEndedBySignal, boolean acceptUnsound) {
        VariantsReport whole = someVariants();
        return new VariantsReport(
                whole.variants(),
                whole.target(),
                whole.load(),
                Optional.of(new Incomparable(Incomparable.Kind.PARTIAL, reason)),
                isEndedBySignal,
                acceptUnsound,
                whole.command(),
                whole.version());
    }

    @Test
    void colours_repeat_what_words_say() throws IOException {
        ComparisonReport report = saved(new Service(1, 0, 0), new Service(1.3, 0, 0), OptionalDouble.of(0.05));
        StringBuilder coloured = new StringBuilder();
        new TerminalStyle(true, true, Lines.WIDTH).write(new ComparisonView(report), coloured);
        StringBuilder plain = new StringBuilder();
        Renderer.TEXT.write(new ComparisonView(report), plain);
        assertThat(coloured.toString().replaceAll("\u001b\\[[0-9;]*m", "")).isEqualTo(plain.toString());
    }

    private static ComparisonReport saved(Service base, Service other, OptionalDouble tolerance) {
        Comparison comparison = Comparison.of(side("a.hlog", base, 1), side("b.hlog", other, 2));
        return report(comparison, tolerance);
    }

    private static ComparisonReport report(Comparison comparison, OptionalDouble tolerance) {
        return ComparisonReport.of(
                comparison,
                new Gate.Question(tolerance, false, false),
                "",
                List.of("downbeat", "compare", "a.hlog", "b.hlog"),
                "0.1.0");
    }

    private static ComparedSide side(String name, Service system, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Recording> seconds = new ArrayList<>();
        for (int second = 0; second < 24; second++) {
            seconds.add(second(system, random));
        }
        return new ComparedSide(
                name, List.of(new ComparedRun(name, seconds, "open", OptionalDouble.of(200), List.of())));
    }

    private static Variants.MeasuredVariant measured(String name, Service system) {
        SplittableRandom random = new SplittableRandom(name.hashCode());
        List<RunResult> slices = new ArrayList<>();
        for (int turn = 0; turn < 6; turn++) {
            Recording one = second(system, random);
            Recording two = second(system, random);
            slices.add(new RunResult(
                    PLAN.slice(PLAN.workload(), turn, 12),
                    "GET http://localhost:8080/orders",
                    RunSpan.of(Instant.EPOCH, 0, 2 * SECOND, RunSpan.Ending.COMPLETE),
                    one.plus(two),
                    List.of(new Interval(0, SECOND, one), new Interval(SECOND, 2 * SECOND, two)),
                    LaneCounts.of(new ConnectionCounts(1, 0, 0, 0, 0, 0, 1, 0), TargetCounts.NONE),
                    new GeneratorHealth(2 * SECOND, 1, 0, 0, 0, 0, 0, 0, 0)));
        }
        return new Variants.MeasuredVariant(name, PLAN, slices);
    }

    private static Recording second(Service system, SplittableRandom random) {
        return second(system, 200, random);
    }

    private static Recording second(Service system, int requests, SplittableRandom random) {
        CorrectedRecorder recorder = new CorrectedRecorder();
        recorder.planned(requests);
        double level = 1e6 * Math.exp(0.05 * random.nextGaussian());
        for (int i = 0; i < requests; i++) {
            Exchange exchange = new Exchange(0);
            exchange.begin(0, 0, 0);
            exchange.startedAt = (long) (level * system.waitMillis * random.nextExponential());
            exchange.completedAt =
                    exchange.startedAt + (long) (level * system.meanMillis * (0.2 + random.nextExponential()));
            exchange.outcome =
                    random.nextDouble() < system.failing ? Outcome.failed("connection refused") : Outcome.answered();
            recorder.completed(exchange);
        }
        return recorder.drain();
    }

    public static void check(String name, Writer writer) throws IOException {
        StringBuilder written = new StringBuilder();
        writer.write(written);
        Samples.hold(name, written.toString());
    }
}
