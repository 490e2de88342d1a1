package dev.downbeat.report.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.downbeat.audit.AuditFinding;
import dev.downbeat.audit.AuditResult;
import dev.downbeat.audit.AuditResult.AuditVerdict;
import dev.downbeat.audit.AuditResult.Row;
import dev.downbeat.audit.RecoveredPlan;
import dev.downbeat.audit.RecoveredPlan.Certainty;
import dev.downbeat.audit.RecoveredPlan.Kind;
import dev.downbeat.audit.Stalls.FoundStall;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.Table.Cell;
import dev.downbeat.report.view.AuditView.AuditReport;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of results whose bounds are given. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AuditViewTest {
    private static final long MS = 1_000_000;
    private static final long S = 1_000_000_000;

    private static final Row SOUND = row(50, 20, 20, 21);
    private static final Row OPEN = row(90, 25, 25, 1_000);
    private static final Row HIDES = row(99, 25, 1_820, 2_000);
    private static final Row ENDLESS = new Row(99, 25 * MS, 25 * MS, OptionalLong.empty(), true, 0);
    private static final Row UNJUDGED = new Row(99.9, 30 * MS, 30 * MS, OptionalLong.of(9 * S), false, 0);

    private static Row row(double percentile, long printed, long atLeast, long atMost) {
        return new Row(percentile, printed * MS, atLeast * MS, OptionalLong.of(atMost * MS), true, 0);
    }

    private static RecoveredPlan plan(double perSecond) {
        return plan(perSecond, 20);
    }

    private static RecoveredPlan plan(double perSecond, long seconds) {
        return new RecoveredPlan(Kind.CLOSED, Certainty.CERTAIN, "8 users", perSecond, seconds * S, Optional.of(8L));
    }

    private static AuditResult result(
            String name, AuditVerdict verdict, Optional<RecoveredPlan> plan, List<Row> rows, AuditFinding... findings) {
        return new AuditResult(
                name,
                "JMeter JTL (CSV)",
                "http://shop/?a=b",
                8_000,
                20 * S,
                plan,
                rows,
                List.of(),
                List.of(findings),
                verdict,
                0.1);
    }

    private static AuditResult result(AuditVerdict verdict, Row... rows) {
        return result("file.jtl", verdict, Optional.of(plan(400)), List.of(rows));
    }

    private static AuditView view(AuditResult... results) {
        return new AuditView(new AuditReport(List.of(results), List.of("downbeat", "audit"), "0.1.0"));
    }

    private static String headline(AuditResult result) {
        return view(result).page().head().headline();
    }

    @Test
    void the_worst_percentile_is_quoted_with_both_of_its_bounds() {
        assertThat(headline(result(AuditVerdict.HIDES, SOUND, row(90, 20, 30, 40), HIDES)))
                .isEqualTo("Reported p99: 25.0 ms; callers waited 1.82 s to 2.00 s.");
        Row unbounded = new Row(99, 25 * MS, 1_820 * MS, OptionalLong.empty(), true, 0);
        assertThat(headline(result(AuditVerdict.HIDES, unbounded)))
                .isEqualTo("Reported p99: 25.0 ms; callers waited at least 1.82 s.");
    }

    @Test
    void the_highest_percentile_that_may_hide_something_is_quoted() {
        assertThat(headline(result(AuditVerdict.CANNOT_TELL, OPEN, row(95, 25, 25, 2_000), UNJUDGED)))
                .isEqualTo(
                        "Reported p95: 25.0 ms; callers may have waited up to 2.00 s, but the file does not show whether they did.");
        assertThat(headline(result(AuditVerdict.CANNOT_TELL, OPEN, ENDLESS)))
                .isEqualTo("Reported p99: 25.0 ms; the file does not show how long callers waited.");
    }

    @Test
    void where_nothing_can_be_said_the_first_weighty_finding_says_why() {
        AuditFinding note = AuditFinding.note(AuditFinding.Kind.ROUNDED, "they are rounded");
        AuditFinding few = AuditFinding.note(AuditFinding.Kind.FEW_SAMPLES, "there are few");
        AuditFinding weighty = AuditFinding.weighty(AuditFinding.Kind.NO_COUNT, "nobody counted");
        assertThat(headline(
                        result("f", AuditVerdict.CANNOT_TELL, Optional.empty(), List.of(UNJUDGED), note, weighty, few)))
                .isEqualTo("No verdict: nobody counted.");
        assertThat(headline(
                        result("f", AuditVerdict.CANNOT_TELL, Optional.empty(), List.of(UNJUDGED), note, few, weighty)))
                .isEqualTo("No verdict: there are few.");
        assertThat(headline(result("f", AuditVerdict.CANNOT_TELL, Optional.empty(), List.of(UNJUDGED), note)))
                .isEqualTo("No verdict: too few requests for any percentile.");
    }

    @Test
    void one_result_has_its_verdict_with_a_reason() {
        Page.AnsweredQuestion sound =
                view(result(AuditVerdict.SOUND, SOUND)).page().answers().get(0);
        assertThat(sound.mark()).isEqualTo(Mark.GOOD);
        assertThat(sound.word()).isEqualTo("sound");
        assertThat(sound.summary()).isEqualTo("callers waited at most 10 % longer than reported");
        Page.AnsweredQuestion hides =
                view(result(AuditVerdict.HIDES, HIDES)).page().answers().get(0);
        assertThat(hides.mark()).isEqualTo(Mark.BAD);
        assertThat(hides.word()).isEqualTo("misleading");
        assertThat(hides.summary()).isEqualTo("callers waited over 10 % longer than reported");
        Page.AnsweredQuestion open =
                view(result(AuditVerdict.CANNOT_TELL, OPEN)).page().answers().get(0);
        assertThat(open.mark()).isEqualTo(Mark.OPEN);
        assertThat(open.word()).isEqualTo("undecided");
        assertThat(open.summary()).isEqualTo("the file does not show how long callers waited");
        assertThat(headline(result(AuditVerdict.SOUND, SOUND))).isEqualTo("The reported percentiles hide no stall.");
    }

    /** It said "at most 10 % longer" of whole milliseconds that were 40 % longer. */
    @Test
    void rounded_times_are_sound_to_their_resolution() {
        Row rough = new Row(50, MS, 0, OptionalLong.of(2 * MS), true, MS);
        Row fine = new Row(99, 50 * MS, 49 * MS, OptionalLong.of(51 * MS), true, MS);
        Page page = view(result(AuditVerdict.SOUND, rough, fine)).page();
        assertThat(page.answers().get(0).summary())
                .isEqualTo("callers waited at most 10 % or 1.00 ms longer than reported");
        Table table = (Table) page.sections().get(0).blocks().get(0);
        assertThat(table.rows()).extracting(row -> row.get(4).text()).containsExactly("sound to 1.00 ms", "sound");
        assertThat(view(result(AuditVerdict.SOUND, fine))
                        .page()
                        .answers()
                        .get(0)
                        .summary())
                .isEqualTo("callers waited at most 10 % longer than reported");
    }

    @Test
    void each_percentile_has_its_bounds_and_whether_it_can_be_used() {
        Page page = view(result(AuditVerdict.HIDES, SOUND, OPEN, HIDES, ENDLESS, UNJUDGED))
                .page();
        Page.Section section = page.sections().get(0);
        assertThat(section.title()).isEqualTo("What callers waited");
        Table table = (Table) section.blocks().get(0);
        assertThat(table.rows())
                .extracting(row -> row.stream().map(Cell::text).toList())
                .containsExactly(
                        List.of("p50", "20.0 ms", "20.0 ms", "21.0 ms", "sound"),
                        List.of("p90", "25.0 ms", "25.0 ms", "1.00 s", "undecided"),
                        List.of("p99", "25.0 ms", "1.82 s", "2.00 s", "hidden, at least x73"),
                        List.of("p99", "25.0 ms", "25.0 ms", "unknown", "undecided"),
                        List.of("p99.9", "30.0 ms", "", "", "not judged"));
        assertThat(table.rows())
                .extracting(row -> row.get(4).mark())
                .containsExactly(
                        Optional.of(Mark.GOOD),
                        Optional.of(Mark.OPEN),
                        Optional.of(Mark.BAD),
                        Optional.of(Mark.OPEN),
                        Optional.empty());
        assertThat(page.facts())
                .extracting(Page.Fact::label, Page.Fact::text)
                .containsExactly(
                        tuple("file", "JMeter JTL (CSV), 8,000 requests in 20.0 s"),
                        tuple("plan", "closed loop: 8 users (certain)"),
                        tuple("to measure", "downbeat run 'http://shop/?a=***' -R 400 -d 20s"));
    }

    @Test
    void several_results_are_counted_and_named() {
        AuditFinding stall = AuditFinding.weighty(AuditFinding.Kind.STALL, "line 2", "it stalled");
        AuditFinding note = AuditFinding.note(AuditFinding.Kind.ROUNDED, "rounded");
        Page page = view(
                        result("a", AuditVerdict.HIDES, Optional.of(plan(400)), List.of(HIDES), stall, note),
                        result("b", AuditVerdict.SOUND, Optional.empty(), List.of(SOUND)),
                        result("c", AuditVerdict.SOUND, Optional.of(plan(400)), List.of(SOUND)))
                .page();
        assertThat(page.head().title()).isEqualTo("3 results of other tools");
        assertThat(page.head().headline()).isEqualTo("Of 3 results: 1 misleading, 2 sound.");
        assertThat(page.answers()).extracting(Page.AnsweredQuestion::label).containsExactly("a", "b", "c");
        assertThat(page.answers().get(1).summary()).isEqualTo("The reported percentiles hide no stall.");
        assertThat(page.sections())
                .extracting(Page.Section::id)
                .containsExactly("percentiles", "percentiles-1", "percentiles-2");
        assertThat(page.sections()).extracting(Page.Section::title).containsExactly("a", "b", "c");
        assertThat(page.notes()).extracting(Page.Note::text).containsExactly("a: line 2: it stalled", "a: rounded");
        assertThat(page.notes()).extracting(Page.Note::isDoubt).containsExactly(true, false);
        assertThat(page.facts()).hasSize(6);
        assertThat(page.facts().get(2).text())
                .isEqualTo(
                        "JMeter JTL (CSV), 8,000 requests in 20.0 s; plan: unknown: the file contains only a distribution");
        assertThat(page.facts().get(3).text()).as("8,000 in 20 s").contains(" -R 400 ");
    }

    @Test
    void one_result_that_hides_something_decides() {
        AuditResult sound = result(AuditVerdict.SOUND, SOUND);
        AuditResult open = result(AuditVerdict.CANNOT_TELL, OPEN);
        AuditResult hides = result(AuditVerdict.HIDES, HIDES);
        assertThat(view(sound, open, hides).report().verdict()).isEqualTo(AuditVerdict.HIDES);
        assertThat(view(sound, open).report().verdict()).isEqualTo(AuditVerdict.CANNOT_TELL);
        assertThat(view(sound, sound).report().verdict()).isEqualTo(AuditVerdict.SOUND);
        assertThat(view(open, sound).page().head().headline()).isEqualTo("Of 2 results: 1 undecided, 1 sound.");
        assertThatIllegalArgumentException().isThrownBy(AuditViewTest::view);
    }

    /** At least ten seconds and as long as the plan, not its last response, and for a hundred requests. */
    @ParameterizedTest(name = "{0}/s for {1} s")
    @CsvSource({
        "400, 20, -R 400 -d 20s",
        "399.6, 5, -R 400 -d 10s",
        "100, 20, -R 100 -d 20s",
        "99.9, 20, -R 5994/m -d 20s",
        "99.999, 20, -R 100 -d 20s",
        "50, 20, -R 50 -d 20s",
        "1.5, 20, -R 90/m -d 67s",
        "0.001, 20, -R 1/m -d 100000s",
        "0, 20, -R 100 -d 20s"
    })
    void the_same_load_is_measured_from_intended_times(double perSecond, long seconds, String options) {
        AuditResult result = new AuditResult(
                "f",
                "wrk",
                "",
                0,
                (seconds + 5) * S,
                Optional.of(plan(perSecond, seconds)),
                List.of(SOUND),
                List.of(),
                List.of(),
                AuditVerdict.SOUND,
                0.1);
        assertThat(view(result).page().facts())
                .extracting(Page.Fact::text)
                .contains("downbeat run http://localhost:8080/ " + options)
                .contains("wrk, an unknown number of requests in " + (seconds + 5) + ".0 s");
    }

    @Test
    void a_file_without_a_length_has_no_rate() {
        AuditResult result = new AuditResult(
                "f", "wrk", "", 1, 0, Optional.empty(), List.of(SOUND), List.of(), List.of(), AuditVerdict.SOUND, 0.1);
        assertThat(view(result).page().facts())
                .extracting(Page.Fact::text)
                .contains("downbeat run http://localhost:8080/ -R 100 -d 10s", "wrk, 1 request");
    }

    @Test
    void for_scripts_only_what_a_waiting_tool_left_out_counts_as_omitted() throws IOException {
        AuditResult stalled = new AuditResult(
                "f",
                "hey (CSV)",
                "http://shop/",
                8_000,
                20 * S,
                Optional.of(plan(400)),
                List.of(HIDES, ENDLESS),
                List.of(
                        new FoundStall(S, 2 * S, 8, 10, 400, 420, true, Optional.empty()),
                        new FoundStall(4 * S, 5 * S, 9, 350, 400, 420, false, Optional.empty())),
                List.of(AuditFinding.weighty(AuditFinding.Kind.STALL, "line 2", "it stalled")),
                AuditVerdict.HIDES,
                0.1);
        StringBuilder json = new StringBuilder();
        Renderer.JSON.write(view(stalled), json);
        assertThat(json.toString().replaceAll("\\s+", " "))
                .contains("\"verdict\": \"hides\"")
                .contains("\"requests\": 8000", "\"duration_ns\": 20000000000", "\"tolerance\": 0.1")
                .contains("\"from_ns\": 1000000000, \"until_ns\": 2000000000, \"in_flight\": 8, \"started\": 10,"
                        + " \"omitted\": 390, \"certain\": true")
                .contains("\"from_ns\": 4000000000, \"until_ns\": 5000000000, \"in_flight\": 9, \"started\": 350,"
                        + " \"omitted\": 0, \"certain\": false")
                .contains("\"percentile\": 99.0, \"printed_ns\": 25000000, \"at_least_ns\": 1820000000, \"at_most_ns\":"
                        + " 2000000000, \"judged\": true, \"hides\": true")
                .contains("\"at_most_ns\": null, \"judged\": true, \"hides\": false")
                .contains("\"code\": \"stall\", \"place\": \"line 2\", \"text\": \"it stalled\", \"weighty\": true")
                .contains("\"kind\": \"closed loop\", \"certainty\": \"certain\", \"text\": \"8 users\","
                        + " \"per_s\": 400.0, \"users\": 8");
    }
}
