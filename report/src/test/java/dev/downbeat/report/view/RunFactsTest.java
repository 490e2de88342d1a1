package dev.downbeat.report.view;

import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.StreamCounts;
import dev.downbeat.report.Samples;
import dev.downbeat.report.data.Diagnosis;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.Page;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.Workload;
import dev.downbeat.run.Workload.External;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.simulate.QueueLengths;
import dev.downbeat.simulate.QueueLengths.Stretch;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.caveat.Caveat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What the facts of a run say, and from where on they say it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RunFactsTest {
    /** The text of a fact; empty if there is none of this label. */
    private static String fact(String label, RunReport report) {
        return new RunFacts(report)
                .all().stream()
                        .filter(fact -> fact.label().equals(label))
                        .map(Page.Fact::text)
                        .findFirst()
                        .orElse("");
    }

    private static String fact(String label, RunFixture run) {
        return fact(label, Samples.report(run.result()));
    }

    @Test
    void half_of_the_answers_being_redirects_are_what_is_measured() {
        assertThat(fact("statuses", answers(51, 49))).isEqualTo("51 with 200, 49 with 302");
        assertThat(fact("statuses", answers(50, 50)))
                .isEqualTo("50 with 200, 50 with 302: you are measuring the redirect, which is not followed");
        assertThat(fact("statuses", new RunFixture().answeredWith(200, 100, MS)))
                .as("all as they should be")
                .isEmpty();
        assertThat(fact("statuses", new RunFixture().answeredWith(200, 99, MS).answeredWith(204, 1, MS)))
                .isEqualTo("99 with 200, 1 with 204");
    }

    private static RunFixture answers(int ok, int redirected) {
        return new RunFixture().answeredWith(200, ok, MS).answeredWith(302, redirected, MS);
    }

    /** The JSON of a saved run names it in any case. */
    @Test
    void a_change_that_the_saved_verdict_does_not_know_is_a_fact() {
        RunFixture run =
                new RunFixture().workload(new Workload.Open(new Constant(Rate.perSecond(50))), Duration.ofSeconds(60));
        for (int second = 0; second < 60; second++) {
            run.answered(50, 5 * MS + second * MS).until((second + 1) * S);
        }
        RunReport now =
                Samples.report(run.ended(RunSpan.Ending.COMPLETE, 60 * S).result(), "p50<20ms");
        assertThat(fact("steadiness", now)).as("a note says it").isEmpty();
        RunVerdict verdict = now.verdict();
        RunVerdict before = new RunVerdict(
                verdict.measurement(),
                verdict.rows(),
                verdict.service(),
                verdict.objectives(),
                verdict.caveats().stream()
                        .filter(caveat -> !(caveat instanceof Caveat.Unsteady))
                        .toList(),
                verdict.rigour());
        RunReport saved = new RunReport(
                now.result(), before, now.command(), now.seed(), now.version(), now.machine(), now.details());
        assertThat(fact("steadiness", saved)).startsWith("response times grew throughout, from ");
        assertThat(new RunFacts(saved).brief()).extracting(Page.Fact::label).contains("steadiness");
    }

    @Test
    void eight_reasons_of_failure_are_listed() {
        RunFixture eight = new RunFixture();
        for (int i = 1; i <= 8; i++) {
            eight.failed(i, "reason " + i, MS);
        }
        assertThat(fact("failures", eight))
                .startsWith("8 reason 8, 7 reason 7, ")
                .endsWith("2 reason 2, 1 reason 1");
        RunFixture nine = new RunFixture();
        for (int i = 1; i <= 9; i++) {
            nine.failed(i, "reason " + i, MS);
        }
        assertThat(fact("failures", nine)).startsWith("9 reason 9, ").endsWith(", 2 reason 2 and 1 more reason");
    }

    /** Such as deliveries that are delayed for longer than the load lasts. */
    private static RunFixture answersUnderLoadAndAfterIt(int inTime, int later) {
        RunFixture run =
                new RunFixture().workload(new Workload.Open(new Constant(Rate.perSecond(10))), Duration.ofSeconds(5));
        if (inTime > 0) {
            run.answered(inTime, MS);
        }
        return run.planned(50 - inTime)
                .until(5 * S)
                .answeredLater(later, 15 * S)
                .until(20 * S);
    }

    @Test
    void answers_of_which_most_come_after_the_load_are_said_to() {
        assertThat(RunFacts.answered(answersUnderLoadAndAfterIt(0, 50).result()))
                .isEqualTo("all answered after the load ended");
        assertThat(RunFacts.answered(answersUnderLoadAndAfterIt(0, 40).result()))
                .isEqualTo("40 answered after the load ended");
        assertThat(RunFacts.answered(answersUnderLoadAndAfterIt(10, 40).result()))
                .isEqualTo("2/s answered, 40 after the load ended");
        assertThat(RunFacts.answered(answersUnderLoadAndAfterIt(25, 25).result()))
                .isEqualTo("5/s answered");
        assertThat(fact("throughput", answersUnderLoadAndAfterIt(0, 50)))
                .isEqualTo("10/s intended, 0/s answered over 5.00 s, 50 after the load ended");
    }

    @Test
    void waits_within_the_client_of_a_millisecond_are_notable() {
        assertThat(fact("backlog", new RunFixture().answered(10, 0, 900_000, MS)))
                .isEqualTo("none: every request was sent on time");
        assertThat(fact("backlog", new RunFixture().answered(10, 0, 1_100_000, MS)))
                .isEqualTo("none; within Downbeat, requests waited up to 1.10 ms to be sent");
        assertThat(fact("backlog", new RunFixture().answered(10, MS).backlog(1, 5 * S)))
                .isEqualTo("peak 1 at 5.0 s");
    }

    @Test
    void a_request_that_was_late_by_a_millisecond_was_not_sent_on_time() {
        assertThat(fact("backlog", new RunFixture().answered(10, 900_000, 0, MS)))
                .isEqualTo("none: every request was sent on time");
        assertThat(fact("backlog", new RunFixture().answered(10, 2_910 * MS, 0, MS)))
                .isEqualTo("none, but requests were sent up to 2.91 s late");
    }

    /** Only it knows when they were to be sent and were. */
    @Test
    void nothing_is_said_about_lateness_of_a_generator_of_the_users_own() {
        RunFixture own = new RunFixture().answered(10, MS).workload(External.ofGenerator(), Duration.ofSeconds(20));
        assertThat(new RunFacts(Samples.report(own.result())).sender()).isEqualTo("10 of 10 sent");
        assertThat(fact("backlog", own)).isEmpty();
        assertThat(new RunChecks(Samples.report(own.result())).passed())
                .extracting(Page.Check::text)
                .noneMatch(text -> text.contains("late"));
    }

    @Test
    void failures_within_a_limit_that_was_set_do_not_make_a_service_failing() {
        RunFixture some = new RunFixture().answered(1_252, MS).failed(13, "status 500", MS);
        assertThat(service(some, "p99<500ms", "errors<5%")).isEqualTo("met");
        assertThat(service(some, "p99<500ms")).isEqualTo("failing");
        assertThat(service(some, "errors<1%")).isEqualTo("missed");
        assertThat(service(some, "p99.99<500ms", "errors<5%")).isEqualTo("undecided");
        assertThat(service(some, "p99.99<500ms")).isEqualTo("failing");
    }

    private static String service(RunFixture run, String... objectives) {
        return RunView.service(Samples.report(run.result(), objectives).analysis())
                .word();
    }

    @Test
    void requests_that_timed_out_unsent_were_not_sent_when_due() {
        assertThat(fact("backlog", new RunFixture().answered(10, MS).timedOutUnsent(2, 20 * MS)))
                .isEqualTo("none, but 2 requests timed out unsent");
        assertThat(fact("backlog", new RunFixture().answered(10, MS).timedOut(2, 20 * MS)))
                .isEqualTo("none: every request was sent on time");
    }

    /** The slowest hundredth, and those that took as long: one in twenty at most. */
    @Test
    void a_tail_has_at_most_one_answer_in_twenty() {
        assertThat(fact("tail", new RunFixture().answered(950, MS).answered(50, 10 * MS)))
                .startsWith("time of the 50 slowest responses (p99 and beyond): ");
        assertThat(fact("tail", new RunFixture().answered(949, MS).answered(51, 10 * MS)))
                .isEmpty();
        assertThat(fact("tail", new RunFixture().answered(475, MS).answered(25, 10 * MS)))
                .startsWith("time of the 25 slowest responses");
        assertThat(fact("tail", new RunFixture().answered(474, MS).answered(25, 10 * MS)))
                .as("499 are too few for p99")
                .isEmpty();
    }

    private static String health(
            long cpuNanos, long hiccupNanos, long collections, long longestNanos, long stealNanos) {
        return fact(
                "Downbeat",
                new RunFixture()
                        .answered(10, MS)
                        .health(new GeneratorHealth(
                                20 * S,
                                cpuNanos,
                                hiccupNanos,
                                4 * S,
                                hiccupNanos,
                                collections,
                                2 * longestNanos,
                                longestNanos,
                                stealNanos)));
    }

    @Test
    void the_client_says_what_it_used_and_what_it_went_through() {
        assertThat(health(3 * S, 2 * MS, 3, 6 * MS, 0))
                .isEqualTo("longest pause 2.00 ms at 4.0 s; 3 GC, longest 6.00 ms; 0.15 of 8 cores");
        assertThat(health(0, 0, 0, 0, 1)).isEqualTo("longest pause 0 ns; no GC; 0.00 of 8 cores; steal 1 ns");
        assertThat(health(-1, 0, 0, 0, -1)).isEqualTo("longest pause 0 ns; no GC");
        RunReport paced = Samples.report(
                new RunFixture().answered(10, MS).result(), Map.of("pacing", "spin", "pacing_because", "few cores"));
        assertThat(fact("Downbeat", paced)).endsWith("; pacing spin: few cores");
    }

    @Test
    void streams_are_counted_with_those_that_were_sent_again() {
        ConnectionCounts two = new ConnectionCounts(2, 0, 0, 0, 0, 0, 2, 1);
        RunFixture again = new RunFixture().answered(10, MS).connections(two.with(new StreamCounts(500, 3, 2, 2)));
        assertThat(fact("streams", again)).isEqualTo("500 begun, 3 sent again");
        RunFixture once = new RunFixture().answered(10, MS).connections(two.with(new StreamCounts(500, 0, 2, 2)));
        assertThat(fact("streams", once)).isEqualTo("500 begun");
        assertThat(fact("streams", new RunFixture().answered(10, MS).connections(two)))
                .isEmpty();
    }

    /** The default screen has no ledger where all were answered: "of these" had nothing to refer to. */
    @Test
    void requests_that_were_sent_again_are_told_without_the_ledger() {
        assertThat(sentAgain(new StreamCounts(500, 5, 2, 2)))
                .containsExactly("5 requests: the server had not processed them (GOAWAY or REFUSED_STREAM)");
        assertThat(sentAgain(new StreamCounts(500, 1, 2, 2)))
                .containsExactly("1 request: the server had not processed it (GOAWAY or REFUSED_STREAM)");
        assertThat(sentAgain(new StreamCounts(0, 5, 0, 0)))
                .as("a server may reset a connection after it has done what was asked")
                .containsExactly("5 requests: a kept connection closed before the response; the server may have"
                        + " processed them");
    }

    private static List<String> sentAgain(StreamCounts streams) {
        ConnectionCounts again = new ConnectionCounts(2, 0, 0, 0, 0, 0, 2, 1).with(streams);
        RunReport report = Samples.report(
                new RunFixture().answered(10, MS).connections(again).result());
        return new RunFacts(report)
                .brief().stream()
                        .filter(fact -> fact.label().equals("sent again"))
                        .map(Page.Fact::text)
                        .toList();
    }

    /** The same word "at" has an incident's begin. */
    @Test
    void the_longest_pause_is_told_by_its_begin() {
        GeneratorHealth paused = new GeneratorHealth(20 * S, 3 * S, 3 * S, 8 * S, 3 * S, 0, 0, 0, 0);
        assertThat(fact("Downbeat", new RunFixture().answered(10, MS).health(paused)))
                .startsWith("longest pause 3.00 s at 5.0 s; ");
    }

    private static RunReport withQueue(QueueLengths queue) {
        RunReport report = Samples.report(new RunFixture().answered(10, MS).result());
        return new RunReport(
                report.analysis(),
                report.command(),
                report.seed(),
                report.version(),
                report.machine(),
                report.details(),
                Optional.of(queue),
                Map.of(),
                Diagnosis.NONE);
    }

    /** Four parts of 5 s, whose lengths are on average 0, 5, 25 and 90. */
    private static QueueLengths queue(double growthPerSecond) {
        return new QueueLengths(
                List.of(
                        new Stretch(0, 5 * S, 0, 0),
                        new Stretch(5 * S, 10 * S, 5, 22),
                        new Stretch(10 * S, 15 * S, 25, 50),
                        new Stretch(15 * S, 20 * S, 90, 100)),
                100,
                19 * S,
                growthPerSecond,
                100);
    }

    @Test
    void a_queue_has_its_lengths_its_growth_and_a_picture() {
        assertThat(fact("queue", withQueue(queue(5))))
                .startsWith("30.0 requests waiting on average, at most 100 (at 19.0 s), 100 when the load ended")
                .containsPattern(": it grew by 5(\\.0+)?/s$");
        assertThat(fact("queue", withQueue(queue(0)))).endsWith(", 100 when the load ended");
        // ten heights: 22 and 50 of 100 are the second and the fifth
        assertThat(fact("over time", withQueue(queue(5)))).isEqualTo("._=@ to 20.0 s");
        QueueLengths none = new QueueLengths(List.of(new Stretch(0, S, 0, 0)), 0, 0, 0, 0);
        assertThat(fact("queue", withQueue(none))).isEqualTo("none: no request queued for a server");
        assertThat(fact("over time", withQueue(none))).isEmpty();
    }

    @Test
    void a_picture_of_a_queue_has_forty_columns_with_the_longest_of_each_part() {
        List<Stretch> stretches = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            stretches.add(new Stretch(i * S, (i + 1) * S, 0, i == 1 || i == 78 ? 9 : 0));
        }
        assertThat(fact("over time", withQueue(new QueueLengths(stretches, 9, S, 0, 0))))
                .isEqualTo("@" + ".".repeat(38) + "@ to 80.0 s");
    }
}
