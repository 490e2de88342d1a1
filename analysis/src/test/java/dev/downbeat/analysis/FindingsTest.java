package dev.downbeat.analysis;

import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.analysis.Finding.Kind;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.record.Interruptions.Silence;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** From where on something is a finding, and which of several leads. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FindingsTest {
    private static List<Finding> findings(RunResult run, String... slos) {
        List<ServiceLevelObjective> asked =
                Stream.of(slos).map(ServiceLevelObjective::parse).toList();
        return Analysis.of(run, new Criteria(asked, RequiredCertainty.PLAIN, false))
                .findings();
    }

    private static List<Kind> kinds(RunResult run, String... slos) {
        return findings(run, slos).stream().map(Finding::kind).toList();
    }

    private static RunFixture answered(long count) {
        return new RunFixture().answered(count, 2 * MS);
    }

    @Test
    void failures_are_a_finding_from_one_in_a_hundred_on_or_where_their_objective_is_missed() {
        assertThat(kinds(answered(9_900).failed(100, "HTTP 500", MS).result())).startsWith(Kind.FAILING);
        assertThat(kinds(answered(9_901).failed(99, "HTTP 500", MS).result())).containsExactly(Kind.MEASURED);
        assertThat(kinds(answered(9_999).failed(1, "HTTP 500", MS).result(), "errors<0.001%"))
                .startsWith(Kind.FAILING, Kind.MISSED);
    }

    @Test
    void timeouts_are_a_finding_as_failures_are() {
        assertThat(kinds(answered(9_900).timedOut(100, S).result())).startsWith(Kind.GAVE_UP);
        assertThat(kinds(answered(9_901).timedOut(99, S).result())).doesNotContain(Kind.GAVE_UP, Kind.FAILING);
        List<Kind> both =
                kinds(answered(9_990).timedOut(6, S).failed(4, "HTTP 500", MS).result(), "errors<0.001%");
        assertThat(both).contains(Kind.GAVE_UP).doesNotContain(Kind.FAILING);
        List<Kind> equal =
                kinds(answered(9_990).timedOut(5, S).failed(5, "HTTP 500", MS).result(), "errors<0.001%");
        assertThat(equal).contains(Kind.FAILING).doesNotContain(Kind.GAVE_UP);
    }

    /** Few of 10,000 requests, but half of those of their name. */
    private static List<Kind> ofName(long planned, long failed) {
        RunResult run = answered(9_990).failed(10, "HTTP 500", MS).result();
        return kinds(run.with(run.recording()
                .withNames(Map.of(
                        "rare",
                        answered(planned - failed)
                                .failed(failed, "HTTP 500", MS)
                                .result()
                                .recording()))));
    }

    @Test
    void ten_failures_of_a_name_that_are_half_of_it_are_a_finding() {
        assertThat(ofName(20, 10)).startsWith(Kind.FAILING);
        assertThat(ofName(21, 10)).doesNotContain(Kind.FAILING);
        assertThat(ofName(9, 9)).doesNotContain(Kind.FAILING);
        assertThat(ofName(10, 10)).startsWith(Kind.FAILING);
    }

    @Test
    void the_most_frequent_failure_is_the_reason() {
        RunResult run = answered(100)
                .failed(3, "HTTP 502", MS)
                .failed(5, "HTTP 503", MS)
                .failed(4, "HTTP 500", MS)
                .result();
        assertThat((Finding.Failing) findings(run).get(0))
                .isEqualTo(new Finding.Failing(12, 112, "HTTP 503", List.of()));
    }

    /** 400 in one second, and some in each of ten others. */
    private static Finding.Failing burst(int others) {
        RunFixture run = new RunFixture();
        for (int second = 0; second < 20; second++) {
            boolean isOther = second >= 8 && second < 18;
            int failed = second == 5 ? 400 : isOther ? others / 10 + (second - 8 < others % 10 ? 1 : 0) : 0;
            run.answered(1_000 - failed, 2 * MS).failed(failed, "HTTP 503", MS).until((second + 1) * S);
        }
        return (Finding.Failing) findings(run.result()).get(0);
    }

    @Test
    void what_a_limit_of_this_process_cut_short_is_no_failure_of_the_service() {
        assertThat(kinds(answered(1_000).cutShortBy("no local port", 500).result()))
                .doesNotContain(Kind.FAILING);
        RunFixture spell = new RunFixture();
        for (int second = 0; second < 20; second++) {
            spell.answered(100, MS)
                    .cutShortBy("no local port", second == 10 ? 100 : 0)
                    .until((second + 1) * S);
        }
        assertThat(findings(spell.result())).noneMatch(finding -> finding instanceof Finding.Happened);
    }

    @Test
    void failures_are_those_of_a_burst_if_it_has_four_fifths_of_them() {
        assertThat(burst(100).failed()).isEqualTo(500);
        assertThat(burst(100).spells()).hasSize(1);
        assertThat(burst(101).spells()).isEmpty();
    }

    /** Twenty seconds of 200 requests, and slow ones in two of them; nothing was answered for most of the first. */
    private static RunResult slow(int stalled, int slow) {
        RunFixture run = new RunFixture();
        for (int second = 0; second < 20; second++) {
            run.answered(200, 2 * MS)
                    .answered(second == 5 ? stalled : second == 12 ? slow : 0, 60 * MS)
                    .until((second + 1) * S);
        }
        Silence silence = new Silence(5 * S, 5 * S, 5_900 * MS, 5_900 * MS);
        return run.result().with(new Interruptions(true, List.of(silence), List.of(), List.of(), MS, 0));
    }

    @Test
    void events_with_half_of_the_tail_lead() {
        Finding stall = findings(slow(22, 18)).get(0);
        assertThat(stall).isInstanceOfSatisfying(Finding.Happened.class, happened -> {
            assertThat(happened.kind()).isEqualTo(Kind.STALLED);
            assertThat(happened.only()).isPresent();
            assertThat(happened.events().get(0).startNanos()).isEqualTo(5 * S);
            assertThat(happened.tailShare()).isEqualTo(22 / 40.0);
        });
        Finding slow = findings(slow(18, 22)).get(0);
        assertThat(slow).isInstanceOfSatisfying(Finding.Happened.class, happened -> {
            assertThat(happened.kind()).isEqualTo(Kind.SLOW);
            assertThat(happened.tailShare()).isEqualTo(22 / 40.0);
        });
        assertThat(kinds(slow(20, 0), "p99<1s")).containsExactly(Kind.STALLED, Kind.MET, Kind.MEASURED);
    }

    @Test
    void a_pause_of_Downbeat_is_its_own() {
        RunFixture run = new RunFixture();
        for (int second = 0; second < 20; second++) {
            run.answered(200, 2 * MS).answered(second == 5 ? 30 : 0, 500 * MS).until((second + 1) * S);
        }
        Pause pause = new Pause(5 * S, 5_500 * MS);
        assertThat(kinds(run.result().with(new Interruptions(true, List.of(), List.of(), List.of(pause), MS, 0))))
                .contains(Kind.OWN_PAUSE)
                .doesNotContain(Kind.STALLED, Kind.SLOW);
    }

    @Test
    void objectives_are_findings_by_their_answer() {
        RunResult quiet = answered(10_000).result();
        assertThat(kinds(quiet)).containsExactly(Kind.MEASURED);
        assertThat(kinds(quiet, "p99<5ms")).containsExactly(Kind.MET, Kind.MEASURED);
        assertThat(kinds(quiet, "p99<1ms", "p50<5ms")).containsExactly(Kind.MISSED, Kind.MEASURED);
        assertThat(kinds(quiet, "p99.9999<5ms", "p50<5ms")).containsExactly(Kind.UNDECIDED, Kind.MEASURED);
    }
}
