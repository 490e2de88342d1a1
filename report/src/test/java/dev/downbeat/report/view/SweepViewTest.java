package dev.downbeat.report.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.capacity.RateStep.StepOutcome;
import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.Table.Cell;
import dev.downbeat.report.view.sweep.SweepView;
import dev.downbeat.stats.Growth;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is said of a search whose steps are given. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SweepViewTest {
    private static final long S = RunFixture.S;
    private static final long MS = RunFixture.MS;

    private static final SearchPlan PLAN = new SearchPlan(
            100,
            2_000,
            10 * S,
            300 * S,
            List.of(ServiceLevelObjective.parse("p95<25ms"), ServiceLevelObjective.parse("errors<1%")),
            0.05,
            OptionalLong.empty());

    private static Recording taking(long nanos) {
        return new RunFixture().answered(1_000, nanos).result().recording();
    }

    private static RateStep step(
            double perSecond, StepOutcome outcome, boolean isConfirmed, Recording recording, Optional<Growth> growth) {
        return new RateStep(
                perSecond,
                outcome,
                outcome == StepOutcome.PASS ? "" : "because of " + outcome.word(),
                isConfirmed,
                10 * S,
                recording,
                perSecond - 1,
                growth,
                List.of(),
                List.of());
    }

    private static RateStep step(double perSecond, StepOutcome outcome) {
        return step(perSecond, outcome, false, taking(MS), Optional.empty());
    }

    private static RateStep confirmed(double perSecond) {
        return step(perSecond, StepOutcome.PASS, true, taking(MS), Optional.empty());
    }

    private static SweepReport report(boolean isCutShort, RateStep... steps) {
        Capacity capacity = new Capacity(PLAN, List.of(steps), isCutShort, Optional.empty(), false);
        return new SweepReport(capacity, "GET /", "Poisson", List.of("downbeat"), "", "0.1.0", Map.of(), false);
    }

    private static Page page(boolean isCutShort, RateStep... steps) {
        return new SweepView(report(isCutShort, steps)).page();
    }

    private static String headline(boolean isCutShort, RateStep... steps) {
        return page(isCutShort, steps).head().headline();
    }

    private static void assertAnswer(Page page, Mark mark, String word, String summary) {
        assertThat(page.answers()).singleElement().satisfies(answer -> {
            assertThat(answer.mark()).isEqualTo(mark);
            assertThat(answer.word()).isEqualTo(word);
            assertThat(answer.summary()).isEqualTo(summary);
        });
    }

    @Test
    void a_confirmed_rate_is_sustained() {
        Page page = page(false, step(100, StepOutcome.PASS), confirmed(200), step(300, StepOutcome.MISSED));
        assertThat(page.head().headline())
                .isEqualTo("Sustains 200/s with p95 < 25 ms and errors < 1 %, but not 300/s.");
        assertAnswer(page, Mark.GOOD, "200/s", "with p95 < 25 ms and errors < 1 % (95 %); 300/s is not");
        assertThat(page.facts())
                .extracting(fact -> fact.label() + ": " + fact.text())
                .containsExactly("not sustained: at 300/s: because of missed", "budget: 5m");
        assertThat(page.notes()).isEmpty();
        Page open = page(false, step(100, StepOutcome.PASS), confirmed(200));
        assertThat(open.head().headline()).isEqualTo("Sustains at least 200/s with p95 < 25 ms and errors < 1 %.");
        assertAnswer(open, Mark.GOOD, "at least 200/s", "with p95 < 25 ms and errors < 1 % (95 %)");
        assertThat(open.notes()).extracting(Page.Note::code).containsExactly("no_limit");
    }

    @Test
    void a_rate_that_passed_once_is_not_confirmed() {
        Page page = page(true, step(200, StepOutcome.PASS), step(300, StepOutcome.GROWING));
        assertThat(page.head().headline())
                .isEqualTo("Not confirmed: 200/s met p95 < 25 ms and errors < 1 % once; 300/s did not.");
        assertAnswer(
                page,
                Mark.OPEN,
                "too short",
                "200/s met p95 < 25 ms and errors < 1 % once; 300/s did not: use a longer budget");
        assertThat(page.notes()).extracting(Page.Note::code).containsExactly("cut_short");
    }

    @Test
    void a_search_without_a_rate_is_open_unless_it_came_to_its_end() {
        assertThat(headline(true))
                .isEqualTo(
                        "Undecided: no rate was proven sustainable with p95 < 25 ms and errors < 1 %; too little was measured.");
        Page undecided = page(true, step(100, StepOutcome.UNDECIDED));
        assertAnswer(
                undecided, Mark.OPEN, "undecided", "no rate was proven sustainable with p95 < 25 ms and errors < 1 %");
        assertThat(undecided.facts().get(0).text()).isEqualTo("at 100/s: because of undecided");
        Page none = page(false, step(100, StepOutcome.MISSED));
        assertThat(none.head().headline())
                .isEqualTo(
                        "No rate was sustained with p95 < 25 ms and errors < 1 %: at 100/s," + " because of missed.");
        assertAnswer(
                none,
                Mark.BAD,
                "none",
                "no rate was proven sustainable with p95 < 25 ms and errors < 1 %; 100/s is too high");
        assertThat(headline(true, step(100, StepOutcome.MISSED))).startsWith("Undecided: no rate was proven");
    }

    /** It said "No rate was sustained" and 99 of a service whose lower rates had too few requests. */
    @ParameterizedTest
    @EnumSource(names = {"UNDECIDED", "UNSOUND"})
    void a_search_whose_lowest_rate_did_not_fail_is_open(StepOutcome lowest) {
        RateStep[] steps = {step(100, lowest), step(200, StepOutcome.MISSED)};
        assertThat(report(false, steps).exitCode()).isEqualTo(ExitCode.UNSOUND);
        Page page = page(false, steps);
        assertThat(page.head().headline())
                .startsWith("Undecided: no rate was proven sustainable with p95 < 25 ms and errors < 1 %; at 200/s,"
                        + " because of missed. ");
        assertAnswer(
                page,
                Mark.OPEN,
                "undecided",
                "no rate was proven sustainable with p95 < 25 ms and errors < 1 %; 200/s is too high");
        assertThat(report(false, step(100, StepOutcome.MISSED)).exitCode()).isEqualTo(ExitCode.MISSED);
    }

    @Test
    void the_reason_of_the_lowest_rate_is_told_where_it_is_undecided() {
        Page page = page(false, step(100, StepOutcome.UNDECIDED), step(200, StepOutcome.MISSED));
        assertThat(page.head().headline()).endsWith(". Lower rates were undecided.");
        assertThat(page.facts())
                .extracting(fact -> fact.label() + ": " + fact.text())
                .startsWith("undecided: at 100/s: because of undecided", "not sustained: at 200/s: because of missed");
    }

    @Test
    void what_limited_the_search_is_a_note() {
        Page client = page(false, confirmed(200), step(400, StepOutcome.UNSOUND));
        assertThat(client.notes()).singleElement().satisfies(note -> {
            assertThat(note.isDoubt()).isTrue();
            assertThat(note.text())
                    .isEqualTo("this machine may have been the limit: because of UNSOUND. No rate above 200/s was"
                            + " measured");
        });
        assertThat(client.head().headline())
                .isEqualTo("Sustains at least 200/s with p95 < 25 ms and errors < 1 %; this machine may have been the"
                        + " limit at 400/s.");
        assertAnswer(
                client,
                Mark.OPEN,
                "at least 200/s",
                "with p95 < 25 ms and errors < 1 % (95 %); this machine may have been the limit at 400/s");
        assertThat(headline(false, step(100, StepOutcome.UNSOUND)))
                .isEqualTo(
                        "Undecided: no rate was proven sustainable with p95 < 25 ms and errors < 1 %; this machine may"
                                + " have been the limit at 100/s.");
        assertThat(headline(false, step(200, StepOutcome.PASS), step(400, StepOutcome.UNSOUND)))
                .endsWith(" once; this machine may have been the limit at 400/s.");
        Recording waiting =
                new RunFixture().answered(1_000, 0, 5 * MS, MS).result().recording();
        Page connections = page(false, confirmed(200), step(400, StepOutcome.MISSED, false, waiting, Optional.empty()));
        assertThat(connections.notes()).extracting(Page.Note::code).containsExactly("connection_limit");
        assertThat(connections.notes().get(0).text())
                .as("for Java and the command line alike")
                .endsWith("Use more connections or more calls in flight");
        assertThat(connections.notes()).noneMatch(Page.Note::isDoubt);
    }

    /** It said that this machine, not the service, was the limit at 100/s of a service that was overloaded at 225/s. */
    @Test
    void a_rate_below_measured_ones_that_downbeat_disturbed_is_undecided_and_no_limit() {
        Page overloaded = page(
                false,
                step(100, StepOutcome.UNSOUND),
                step(150, StepOutcome.UNDECIDED),
                step(225, StepOutcome.GROWING));
        assertThat(overloaded.head().headline())
                .endsWith("; at 225/s, because of overload. Lower rates were undecided.");
        assertThat(overloaded.notes()).isEmpty();
        assertThat(overloaded.facts())
                .extracting(fact -> fact.label() + ": " + fact.text())
                .startsWith("undecided: at 100/s: because of UNSOUND", "not sustained: at 225/s: because of overload");
        Page sustained = page(false, confirmed(100), step(200, StepOutcome.UNSOUND), step(300, StepOutcome.MISSED));
        assertThat(sustained.head().headline())
                .isEqualTo("Sustains 100/s with p95 < 25 ms and errors < 1 %, but not 300/s; 200/s was undecided.");
        assertThat(sustained.facts())
                .extracting(fact -> fact.label() + ": " + fact.text())
                .startsWith("undecided: at 200/s: because of UNSOUND");
        Page open = page(false, confirmed(100), step(200, StepOutcome.UNSOUND), step(300, StepOutcome.UNDECIDED));
        assertThat(open.notes()).extracting(Page.Note::text).containsExactly("rates above 100/s were undecided");
        assertAnswer(
                open,
                Mark.OPEN,
                "at least 100/s",
                "with p95 < 25 ms and errors < 1 % (95 %); rates above 100/s were undecided");
        Page above = page(false, confirmed(100), step(200, StepOutcome.MISSED), step(300, StepOutcome.UNSOUND));
        assertThat(above.notes()).isEmpty();
        assertThat(above.facts()).extracting(Page.Fact::label).doesNotContain("undecided");
    }

    /** A build that asked for up to 400/s passed, although nothing above 100/s was decided. */
    @ParameterizedTest(name = "exit code {0}: 200/s {1}, 300/s {2}")
    @CsvSource({
        "98, UNSOUND, UNSOUND",
        "98, UNSOUND, UNDECIDED",
        "98, UNDECIDED, UNSOUND",
        "98, UNSOUND, MISSED",
        " 0, UNSOUND, PASS",
        " 0, MISSED, UNSOUND",
        " 0, UNDECIDED, UNDECIDED"
    })
    void a_rate_that_downbeat_disturbed_leaves_a_search_undecided_unless_a_lower_one_failed_or_a_higher_one_passed(
            int exitCode, StepOutcome second, StepOutcome third) {
        SweepReport report = report(false, confirmed(100), step(200, second), step(300, third));
        assertThat(report.exitCode()).isEqualTo(exitCode);
        assertThat(new SweepView(report).isUndecided()).isEqualTo(exitCode == ExitCode.UNSOUND);
        assertThat(new SweepView(report).page().answers().get(0).mark())
                .isEqualTo(exitCode == ExitCode.UNSOUND ? Mark.OPEN : Mark.GOOD);
    }

    @Test
    void a_search_that_decided_nothing_in_long_runs_needs_longer_steps() {
        RateStep once = step(100, StepOutcome.UNDECIDED);
        RateStep longer = new RateStep(
                100,
                StepOutcome.UNDECIDED,
                "",
                false,
                PLAN.stepNanos() + PLAN.longerNanos(),
                taking(MS),
                99,
                Optional.empty(),
                List.of(),
                List.of());
        assertThat(page(true, once).notes())
                .extracting(Page.Note::text)
                .contains("the search ended early: a longer budget narrows the range");
        assertThat(page(true, longer).notes())
                .extracting(Page.Note::text)
                .contains("the search ended early: rates that stay undecided need longer steps and a longer budget");
        assertThat(page(true, confirmed(50), longer).notes())
                .extracting(Page.Note::text)
                .contains("the search ended early: a longer budget narrows the range");
    }

    /** Times that grow by half a second a second leave two thirds of 300/s. */
    @Test
    void an_overload_shows_where_the_service_saturates() {
        Page page = page(
                false,
                confirmed(100),
                step(300, StepOutcome.GROWING, false, taking(MS), Optional.of(new Growth(0.5, 0.4, 0.6))));
        assertThat(page.facts())
                .extracting(fact -> fact.label() + ": " + fact.text())
                .contains("saturates: at 200/s (188 to 214/s, 95 %): above that, response times depend on how long you"
                        + " measure");
    }

    /** The bars are logarithmic: a hundred times as long is as wide as may be, and ten times is half of it. */
    @Test
    void each_rate_has_a_row() {
        Page page = page(
                false,
                confirmed(100),
                step(200, StepOutcome.PASS, false, taking(10 * MS), Optional.empty()),
                step(300, StepOutcome.MISSED, false, taking(100 * MS), Optional.empty()));
        Table table = (Table) page.sections().stream()
                .filter(section -> section.id().equals("rates"))
                .findFirst()
                .orElseThrow()
                .blocks()
                .get(0);
        List<List<String>> rows = table.rows().stream()
                .map(row -> row.stream().map(Cell::text).toList())
                .toList();
        assertThat(rows.get(0).subList(0, 9))
                .containsExactly("100", "99", "1.00 ms", "1.00 ms", "1.00 ms", "", "1.00 ms", "ok, confirmed", "");
        assertThat(rows.get(2).subList(0, 9))
                .containsExactly(
                        "300", "299", "100 ms", "100 ms", "100 ms", "", "100 ms", "missed", "because of missed");
        assertThat(rows.get(0).get(9)).hasSize(1);
        assertThat(rows.get(1).get(9)).hasSizeBetween(11, 12);
        assertThat(rows.get(2).get(9)).hasSize(22);
        assertThat(SweepView.Rows.row(step(200, StepOutcome.PASS)))
                .isEqualTo("      200      199   1.00 ms   1.00 ms   1.00 ms  ok       ");
        assertThat(SweepView.Rows.head()).isEqualTo("   rate/s   done/s       p50       p99       max");
    }

    @Test
    void requests_of_the_sustained_rate_have_rows_by_name() {
        Recording named = taking(MS).withNames(Map.of("buy", taking(MS)));
        Page page =
                page(false, step(100, StepOutcome.PASS, true, named, Optional.empty()), step(300, StepOutcome.MISSED));
        Page.Section requests = page.sections().get(page.sections().size() - 1);
        assertThat(requests.id()).isEqualTo("requests");
        assertThat(requests.title()).isEqualTo("Requests at 100/s");
        Table table = (Table) requests.blocks().get(0);
        assertThat(table.rows())
                .singleElement()
                .satisfies(row -> assertThat(row).extracting(Cell::text).startsWith("buy", "100/s"));
        assertThat(page(false, confirmed(100)).sections())
                .extracting(Page.Section::id)
                .doesNotContain("requests");
    }
}
