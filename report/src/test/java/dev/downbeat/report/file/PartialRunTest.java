package dev.downbeat.report.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.ProcessDelays;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.report.Samples;
import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.view.RunView;
import dev.downbeat.run.MergedRun;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.VirtualService;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A run before its end, and one whose process died: what is known of the requests that had not ended. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PartialRunTest {
    private static final long MS = RunFixture.MS;
    private static final long S = RunFixture.S;
    private static final Workload STEADY = new Workload.Open(new Constant(Rate.perSecond(100)));

    /** A second in which so many requests were planned and answered. */
    private static Interval second(int number, int planned, int answered) {
        CorrectedRecorder recorder = new CorrectedRecorder();
        recorder.planned(planned);
        for (int i = 0; i < answered; i++) {
            Exchange exchange = new Exchange(0);
            exchange.begin(0, 0, 0);
            exchange.completedAt = RunFixture.MS;
            recorder.completed(exchange);
        }
        return new Interval(
                number * S, (number + 1) * S, recorder.drain(), new ConnectionCounts(2, 0, 0, 0, 0, 0, 5, 0));
    }

    @Test
    void of_a_run_so_far_the_requests_that_have_not_ended_are_outstanding() {
        PartialRun run = new PartialRun();
        run.add(second(0, 10, 4));
        run.add(second(1, 10, 13));
        RunHead head = RunHead.of(Samples.stall());
        RunResult result = run.result(head, RunSpan.Ending.CUT_OFF, false);
        assertThat(result.ending()).isEqualTo(RunSpan.Ending.CUT_OFF);
        assertThat(result.durationNanos()).isEqualTo(2 * S);
        assertThat(result.ledger().planned()).isEqualTo(20);
        assertThat(result.ledger().answered()).isEqualTo(17);
        assertThat(result.ledger().inFlight()).isEqualTo(3);
        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(result.recording().censored().count()).isEqualTo(3);
        assertThat(result.recording().censored().maxNanos()).isZero();
        assertThat(result.intervals()).hasSize(2);
        assertThat(result.lanes().connections().opened()).isEqualTo(4);
        RunReport report = run.report(head, false);
        assertThat(report.verdict().objectives())
                .as("none is judged before the end")
                .isEmpty();
        assertThat(report.command()).isEqualTo(head.command());
        run.add(second(2, 10, 13));
        assertThat(run.result(head, RunSpan.Ending.CUT_OFF, false).ledger().inFlight())
                .isZero();
        assertThat(run.result(head, RunSpan.Ending.CUT_OFF, false)
                        .recording()
                        .censored()
                        .count())
                .isZero();
    }

    static Stream<Workload> workloads() {
        return Stream.of(
                STEADY,
                new Workload.Open(new Poisson(Rate.perSecond(300), 7)),
                new Workload.Closed(40, new ThinkTime.Constant(20 * MS)),
                new Workload.PartlyOpen(new Poisson(Rate.perSecond(30), 7), 4, new ThinkTime.Constant(90 * MS)));
    }

    /** A load of 4 s and 5 s more, against a service that hangs from 2.3 s on: the last requests are in flight or unsent. */
    private static RunResult whole(Workload workload) {
        RunPlan plan = RunPlan.builder(workload)
                .duration(Duration.ofSeconds(4))
                .timeout(Duration.ofSeconds(30))
                .drain(Duration.ofSeconds(5))
                .build();
        return VirtualService.frozen(plan, 50, index -> 3 * MS, 2_300 * MS, 60 * S);
    }

    /** What the journal of this run has at its end: its intervals without the requests that had not ended. */
    private static PartialRun journal(RunResult whole) {
        PartialRun run = new PartialRun();
        whole.intervals().forEach(interval -> run.add(interval.with(ended(interval.recording()))));
        return run;
    }

    private static Recording ended(Recording all) {
        Ledger ledger = all.ledger();
        ResponseTimes times = all.times();
        assertThat(ledger.timedOut()).isZero();
        Distribution none = Distribution.empty();
        return all.withLedger(new Ledger(ledger.planned(), ledger.answered(), ledger.failed(), 0, 0, 0, 0))
                .with(new ResponseTimes(
                        times.response(), times.service(), times.withoutLateness(), times.failed(), none, none, none));
    }

    private static RunReport cutOff(RunResult whole, String... objectives) {
        RunHead head = RunHead.of(Samples.report(whole, objectives));
        RunResult result = journal(whole).result(head, RunSpan.Ending.CUT_OFF, false);
        return PartialRun.report(head, Analysis.of(result, PartialRun.criteria(head)), Optional.empty());
    }

    /** The truth is the run itself, whose generators know every age. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("workloads")
    void the_ages_of_outstanding_requests_are_sure_lower_bounds(Workload workload) {
        RunResult whole = whole(workload);
        RunResult cut = cutOff(whole).result();
        long unfinished = whole.ledger().inFlight() + whole.ledger().neverSent();
        assertThat(unfinished).isPositive();
        assertThat(cut.ledger().inFlight()).isEqualTo(unfinished);
        assertThat(cut.ledger().addsUp()).isTrue();
        atMost(cut.recording().censored(), whole.recording().censored());
        atMost(
                cut.recording().times().censoredWithoutLateness(),
                whole.recording().times().censoredWithoutLateness());
        assertThat(cut.recording().censored().valueAtRank(1))
                .as("they tell of the hang")
                .isGreaterThanOrEqualTo(5 * S);
    }

    private static void atMost(Distribution bound, Distribution truth) {
        assertThat(bound.count()).isEqualTo(truth.count());
        for (long rank = 1; rank <= truth.count(); rank++) {
            assertThat(bound.valueAtRank(rank)).isLessThanOrEqualTo(truth.valueAtRank(rank));
        }
    }

    /** Ten requests were due in the second of four seconds, and have not ended. */
    private static PartialRun tenOutstanding(ProcessDelays ofTheLast) {
        PartialRun run = new PartialRun();
        for (int number = 0; number < 4; number++) {
            Interval counted = second(number, number < 2 ? 10 : 0, number == 0 ? 10 : 0);
            ProcessDelays strain = number == 3 ? ofTheLast : ProcessDelays.NONE;
            run.add(new Interval(
                    counted.startNanos(), counted.endNanos(), counted.recording(), counted.connections(), strain));
        }
        return run;
    }

    /** One of them may have passed its own end of the interval before the other did. */
    @ParameterizedTest(name = "{0} generators, of several processes: {1}")
    @CsvSource({"1, false, 2", "3, false, 1", "1, true, 1"})
    void requests_that_several_planned_were_due_before_the_end_of_the_next_interval(
            int generators, boolean isSum, long seconds) {
        PartialRun run = tenOutstanding(ProcessDelays.NONE);
        RunPlan plan = RunPlan.builder(STEADY)
                .duration(Duration.ofSeconds(4))
                .generators(generators)
                .build();
        RunHead head = RunHead.of(Samples.report(RunResult.nothing(plan, "", RunFixture.STARTED, "none")));
        Distribution ages =
                run.result(head, RunSpan.Ending.CUT_OFF, isSum).recording().censored();
        assertThat(ages).isEqualTo(times(seconds * S));
    }

    private static Distribution times(long nanos) {
        return Distribution.of(new long[] {nanos}, new long[] {10});
    }

    @Test
    void time_in_which_this_process_was_too_busy_is_not_of_the_service() {
        PartialRun run = tenOutstanding(new ProcessDelays(30 * MS, 0, 20 * MS, 0, 0, 0));
        RunHead head = RunHead.of(Samples.stall());
        ResponseTimes times =
                run.result(head, RunSpan.Ending.CUT_OFF, false).recording().times();
        assertThat(times.censored()).isEqualTo(times(2 * S));
        assertThat(times.censoredWithoutLateness()).isEqualTo(times(2 * S - 50 * MS));
        ResponseTimes starved = tenOutstanding(new ProcessDelays(60 * MS, 0, 0, 0, 0, S))
                .result(head, RunSpan.Ending.CUT_OFF, false)
                .recording()
                .times();
        assertThat(starved.censoredWithoutLateness()).isEqualTo(times(S - 60 * MS));
    }

    @Test
    void a_hang_before_the_process_died_misses_its_objective() {
        RunReport cut = cutOff(whole(STEADY), "p50<500ms", "p90<500ms");
        assertThat(cut.verdict().objectives())
                .extracting(JudgedObjective::status)
                .as("170 of 400 requests hang; a record without its end meets nothing")
                .containsExactly(JudgedObjective.Status.UNDECIDED, JudgedObjective.Status.MISSED);
        assertThat(cut.analysis().response().atLeastNanos(90)).isGreaterThanOrEqualTo(5 * S);
    }

    /** Of requests whose age is known to the interval, those of the last interval seem to have waited for nothing. */
    @Test
    void unknown_ages_give_no_estimate() {
        RunResult whole = whole(STEADY);
        PartialRun run = new PartialRun();
        whole.intervals().subList(0, 3).forEach(run::add);
        RunHead head = RunHead.of(Samples.report(whole));
        RunResult cut = run.result(head, RunSpan.Ending.CUT_OFF, false);
        RunReport died = PartialRun.report(head, Analysis.of(cut, Criteria.of(List.of())), Optional.empty());
        for (RunReport report : List.of(run.report(head, false), died)) {
            assertThat(report.result().ledger().inFlight()).isEqualTo(70);
            assertThat(Samples.text(RunView.on(Renderer.TEXT), report)).doesNotContain("Kaplan-Meier");
        }
    }

    /** Nobody saw its pauses, its collections and its longest backlog. */
    @Test
    void what_was_not_observed_is_not_told_as_nothing() {
        RunReport whole = Samples.report(whole(STEADY));
        RunReport cut = cutOff(whole.result());
        RunHead head = RunHead.of(whole);
        RunResult none = new PartialRun().result(head, RunSpan.Ending.CUT_OFF, false);
        RunReport atOnce = PartialRun.report(head, Analysis.of(none, Criteria.of(List.of())), Optional.empty());
        for (RunReport each : List.of(cut, atOnce)) {
            assertThat(Samples.text(RunView.on(Renderer.MARKDOWN), each))
                    .doesNotContain("longest pause", "no GC", "sent on time", "was not paused", "virtual time");
        }
        assertThat(Samples.text(RunView.on(Renderer.MARKDOWN), cut)).contains("Downbeat's own delays are unknown");
        assertThat(Samples.text(RunView.on(Renderer.HTML), cut)).doesNotContain("was not paused");
        assertThat(Samples.text(RunView.on(Renderer.HTML), whole)).contains("was not paused");
    }

    @Test
    void intervals_and_rows_add_up_to_the_ledger() {
        RunResult cut = cutOff(whole(STEADY)).result();
        assertThat(Interval.sum(cut.intervals()).ledger()).isEqualTo(cut.ledger());
        assertThat(Interval.sum(cut.intervals()).times())
                .isEqualTo(cut.recording().times());
    }

    @Test
    void a_comparison_counts_what_a_killed_process_had_not_seen_to_end() {
        RunReport cut = cutOff(whole(STEADY));
        ComparedRun compared = ComparedRun.of("cut", cut.analysis().observations(), cut.verdict());
        assertThat(ComparedRun.planned(compared.total())).isEqualTo(400);
        assertThat(ComparedRun.notAnswered(compared.total())).isEqualTo(170);
    }

    /** Their own time in the service is at least nothing, which must not hide that of the other shard's timeouts. */
    @Test
    void a_merge_with_a_part_keeps_the_service_times_of_the_other_shard() {
        RunPlan plan = RunPlan.builder(STEADY)
                .duration(Duration.ofSeconds(4))
                .timeout(Duration.ofSeconds(1))
                .build();
        RunResult timedOut = VirtualService.frozen(plan, 200, index -> 3 * MS, 2 * S, 60 * S);
        MergedRun merged = new MergedRun();
        for (RunResult shard : List.of(timedOut, cutOff(whole(STEADY)).result())) {
            merged.add(shard, 1, List.of());
        }
        assertThat(ResponseBounds.ofService(timedOut.recording()).atLeastNanos(100))
                .isGreaterThanOrEqualTo(S);
        assertThat(ResponseBounds.ofService(merged.result().recording()).atLeastNanos(100))
                .isGreaterThanOrEqualTo(S);
    }
}
