package dev.downbeat.report.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.event.Incident;
import dev.downbeat.event.Incident.Cause;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interruptions.Silence;
import dev.downbeat.report.Samples;
import dev.downbeat.report.data.Diagnosis;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.RunFixture;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Which incidents of many are shown. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IncidentFactsTest {
    private static final long S = 1_000_000_000;

    private static Incident at(int second, double tailShare, Cause cause) {
        return new Incident(second * S, S / 2, 10, tailShare, S / 2, cause, 0, false, false, "");
    }

    /** The labels of what is always shown; empty for the sum of the others. */
    private static List<String> shown(Incident... incidents) {
        return new IncidentFacts(List.of(incidents), Diagnosis.NONE, true)
                .brief().stream().map(Page.Fact::label).toList();
    }

    @Test
    void incidents_with_a_tenth_of_the_tail_are_shown_and_three_at_most() {
        assertThat(shown(
                        at(1, 0.09, Cause.SERVICE_STALL),
                        at(2, 0.1, Cause.SERVICE_STALL),
                        at(3, 0.2, Cause.SERVICE_STALL)))
                .startsWith("at 2.0 s", "at 3.0 s")
                .hasSize(3);
        assertThat(shown(
                        at(1, 0.2, Cause.SERVICE_STALL),
                        at(2, 0.2, Cause.SERVICE_STALL),
                        at(3, 0.2, Cause.SERVICE_STALL)))
                .containsExactly("at 1.0 s", "at 2.0 s", "at 3.0 s");
        assertThat(shown(
                        at(1, 0.2, Cause.SERVICE_STALL),
                        at(2, 0.2, Cause.SERVICE_STALL),
                        at(3, 0.2, Cause.SERVICE_STALL),
                        at(4, 0.2, Cause.SERVICE_STALL)))
                .startsWith("at 1.0 s", "at 2.0 s", "at 3.0 s")
                .hasSize(4);
    }

    @Test
    void of_more_than_three_those_with_most_of_the_tail_are_shown_in_the_order_of_time() {
        assertThat(shown(
                        at(1, 0.1, Cause.SERVICE_STALL),
                        at(2, 0.3, Cause.SERVICE_STALL),
                        at(3, 0.1, Cause.SERVICE_STALL),
                        at(4, 0.15, Cause.SERVICE_STALL),
                        at(5, 0.2, Cause.SERVICE_STALL)))
                .startsWith("at 2.0 s", "at 4.0 s", "at 5.0 s")
                .hasSize(4);
    }

    @Test
    void failures_are_shown_though_they_are_in_no_percentile_and_without_either_the_first() {
        assertThat(shown(at(1, 0, Cause.SERVICE_SLOW), at(2, 0, Cause.ERRORS), at(3, 0, Cause.UNREACHABLE)))
                .startsWith("at 2.0 s", "at 3.0 s")
                .hasSize(3);
        assertThat(shown(at(1, 0.05, Cause.SERVICE_SLOW), at(2, 0.06, Cause.SERVICE_SLOW)))
                .startsWith("at 1.0 s")
                .hasSize(2);
        assertThat(shown()).isEmpty();
    }

    /** The text of the sum of those that are not shown, which come after it in detailed output. */
    private static String others(Incident... incidents) {
        return new IncidentFacts(List.of(incidents), Diagnosis.NONE, true)
                .brief().stream()
                        .filter(fact -> fact.label().isEmpty())
                        .map(Page.Fact::text)
                        .findFirst()
                        .orElse("");
    }

    /** Of 300 requests no p99 is shown. */
    @Test
    void detailed_output_has_each_incident_once_and_no_share_of_a_tail_that_is_not_shown() {
        List<Incident> two = List.of(at(1, 0.05, Cause.SERVICE_STALL), at(2, 0.5, Cause.SERVICE_STALL));
        List<Page.Fact> whole = new IncidentFacts(two, Diagnosis.NONE, false).all();
        assertThat(whole).extracting(Page.Fact::label).containsExactly("at 1.0 s", "at 2.0 s");
        assertThat(whole)
                .extracting(Page.Fact::text)
                .allMatch(text -> text.endsWith("10 requests hit, slowest 500 ms"));
        assertThat(new IncidentFacts(two, Diagnosis.NONE, false).brief())
                .extracting(Page.Fact::text)
                .contains("1 more, 500 ms: the service stalled");
    }

    @Test
    void the_others_are_summed_up() {
        Incident one = at(1, 0.5, Cause.SERVICE_STALL);
        Incident longer = new Incident(3 * S, S, 10, 0.06, S, Cause.SERVICE_SLOW, 0, false, false, "");
        assertThat(others(one)).isEmpty();
        assertThat(others(one, longer)).isEqualTo("1 more, 1.00 s: the service was slow; 6 % of requests beyond p99");
        assertThat(others(one, longer, at(5, 0.01, Cause.SERVICE_SLOW), at(6, 0.01, Cause.SERVICE_STALL)))
                .isEqualTo(
                        "3 more, 500 ms or longer: the service was slow, the service stalled; 8 % of requests beyond p99");
        assertThat(others(one, at(5, 0.004, Cause.SERVICE_SLOW)))
                .as("hardly any")
                .isEqualTo("1 more, 500 ms: the service was slow");
        assertThat(others(one, at(5, 0.006, Cause.SERVICE_SLOW))).endsWith("; 1 % of requests beyond p99");
    }

    /** A stall beyond the timeout: of its slowest request only the age is known, as of the slowest of all. */
    @Test
    void the_slowest_request_of_an_incident_is_a_lower_bound_if_one_was_not_seen_to_end() {
        RunFixture fixture = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            fixture.answered(100, 5 * RunFixture.MS)
                    .timedOut(second == 7 ? 59 : 0, 800 * RunFixture.MS)
                    .until(second * S);
        }
        Silence stall = new Silence(5 * S, 5 * S, 6_500 * RunFixture.MS, 6_500 * RunFixture.MS);
        RunResult stalled = fixture.result()
                .with(new Interruptions(true, List.of(stall), List.of(), List.of(), 5 * RunFixture.MS, 0));
        RunReport report = Samples.report(stalled);
        assertThat(new IncidentFacts(report.analysis().events(), Diagnosis.NONE, true)
                        .all()
                        .toString())
                .contains(", slowest ≥ 800 ms; ");
        assertThat(new IncidentFacts(report.analysis().events(), Diagnosis.NONE, true)
                        .table(Page.Where.HTML)
                        .toString())
                .contains("≥ 800 ms");
        assertThat(Samples.text(RunView.on(Renderer.JSON), report).replaceAll("\\s+", " "))
                .containsPattern("\"slowest_ns\": 80\\d{7}, \"slowest_lower_bound\": true");
        assertThat(Samples.text(RunView.on(Renderer.JSON), Samples.stall()).replaceAll("\\s+", " "))
                .containsPattern("\"slowest_ns\": \\d+, \"slowest_lower_bound\": false");
    }

    @Test
    void a_table_has_twenty_rows_and_counts_the_rest() {
        assertThat(new IncidentFacts(List.of(), Diagnosis.NONE, true).table(Page.Where.HTML))
                .isEmpty();
        Page.Section twenty = table(20);
        assertThat(twenty.remarks()).isEmpty();
        assertThat(table(21).remarks()).containsExactly("and 1 more");
    }

    private static Page.Section table(int count) {
        List<Incident> incidents = IntStream.range(0, count)
                .mapToObj(second -> at(second, 0.01, Cause.SERVICE_STALL))
                .toList();
        return new IncidentFacts(incidents, Diagnosis.NONE, true)
                .table(Page.Where.HTML)
                .orElseThrow();
    }
}
