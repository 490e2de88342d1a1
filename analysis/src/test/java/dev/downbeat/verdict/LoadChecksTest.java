package dev.downbeat.verdict;

import static dev.downbeat.verdict.Judged.codes;
import static dev.downbeat.verdict.Judged.only;
import static dev.downbeat.verdict.Judged.quiet;
import static dev.downbeat.verdict.Judged.verdict;
import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.run.RunSpan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.caveat.LoadCaveat;
import java.time.Duration;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether the load was offered, and whether the service could take it: at the limits, and beside them. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LoadChecksTest {
    /** Twenty seconds of 1,000 requests, of which so many were late in one of them. */
    private static RunFixture late(int inSecond, int count, long lateNanos) {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            int lateNow = second == inSecond ? count : 0;
            run.answered(1_000 - lateNow, MS)
                    .answered(lateNow, lateNanos, 0, MS)
                    .until(second * S);
        }
        return run;
    }

    private static Optional<LoadCaveat.NotOffered> notOffered(RunFixture run) {
        return verdict(run).caveats().stream()
                .filter(LoadCaveat.NotOffered.class::isInstance)
                .map(LoadCaveat.NotOffered.class::cast)
                .findFirst();
    }

    @Test
    void a_second_of_which_more_than_a_twentieth_came_more_than_a_second_late_was_not_offered() {
        assertThat(notOffered(late(9, 50, 1_500 * MS))).isEmpty();
        LoadCaveat.NotOffered found = notOffered(late(9, 51, 1_500 * MS)).orElseThrow();
        assertThat(found.share()).isEqualTo(0.949);
        // meant to start from the beginning of the second, less the delay
        assertThat(found.fromNanos()).isBetween(6_498 * MS, 6_500 * MS);
        assertThat(found.fromNanos() + found.lengthNanos()).isEqualTo(9 * S);
        assertThat(notOffered(late(9, 51, 990 * MS))).isEmpty();
    }

    @Test
    void a_second_that_was_sent_late_by_more_than_a_twentieth_of_one_nearly_all_of_it_was_not_offered() {
        assertThat(notOffered(late(9, 951, 60 * MS)).orElseThrow().share()).isEqualTo(0.049, within());
        assertThat(notOffered(late(9, 940, 60 * MS))).isEmpty();
        assertThat(notOffered(late(9, 1_000, 49 * MS))).isEmpty();
    }

    /** One request is all of a second of these, and the load is what was planned. */
    @Test
    void one_late_request_of_a_slow_load_is_no_load_that_was_not_offered() {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 21; second++) {
            run.answered(1, second == 9 || second == 21 ? 61 * MS : 0, 0, MS).until(second * S);
        }
        assertThat(notOffered(run)).isEmpty();
        RunFixture late = new RunFixture();
        for (int second = 1; second <= 21; second++) {
            late.answered(1, 61 * MS, 0, MS).until(second * S);
        }
        assertThat(notOffered(late).orElseThrow().share()).isZero();
    }

    /** A hundred a second for 20 s, each of which takes 25 s: all end in the drain, when nothing is planned any more. */
    @ParameterizedTest(name = "{0} ms late")
    @CsvSource({"60, 36.94, 1.06", "1500, 35.5, 2.5"})
    void a_second_that_was_sent_late_is_seen_even_if_all_of_it_ends_after_the_load(
            long lateMillis, double fromSeconds, double forSeconds) {
        RunFixture run = new RunFixture().timeout(Duration.ofSeconds(60));
        for (int second = 1; second <= 45; second++) {
            if (second <= 20) {
                run.planned(100);
            } else if (second > 25) {
                run.answeredLater(100, second == 38 ? lateMillis * MS : 0, 25 * S);
            }
            run.until(second * S);
        }
        LoadCaveat.NotOffered found =
                notOffered(run.ended(RunSpan.Ending.COMPLETE, 45 * S)).orElseThrow();
        assertThat(found.share()).isZero();
        assertThat(found.fromNanos() / 1e9).isEqualTo(fromSeconds, Offset.offset(0.01));
        assertThat(found.lengthNanos() / 1e9).isEqualTo(forSeconds, Offset.offset(0.01));
    }

    private static Offset<Double> within() {
        return Offset.offset(1e-9);
    }

    @Test
    void the_worst_second_is_reported() {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            int lateNow = second == 5 ? 60 : second == 9 ? 100 : second == 13 ? 80 : 0;
            run.answered(1_000 - lateNow, MS).answered(lateNow, 2 * S, 0, MS).until(second * S);
        }
        assertThat(notOffered(run).orElseThrow().share()).isEqualTo(0.9);
    }

    @Test
    void the_first_second_cannot_have_been_meant_to_start_before_the_run() {
        LoadCaveat.NotOffered found = notOffered(late(1, 100, 1_500 * MS)).orElseThrow();
        assertThat(found.fromNanos()).isZero();
        assertThat(found.lengthNanos()).isEqualTo(S);
    }

    @Test
    void what_is_left_over_at_the_end_counts_if_it_is_longer_than_half_a_second() {
        RunFixture shortRest = late(0, 0, 0).answered(500, 2 * S, 0, MS).ended(RunSpan.Ending.COMPLETE, 20_500 * MS);
        assertThat(notOffered(shortRest)).isEmpty();
        RunFixture rest = late(0, 0, 0).answered(500, 2 * S, 0, MS).ended(RunSpan.Ending.COMPLETE, 20_501 * MS);
        assertThat(notOffered(rest).orElseThrow().share()).isZero();
    }

    @Test
    void milder_seconds_than_the_worst_are_not_reported() {
        RunFixture rest = late(9, 100, 1_500 * MS).answered(470, MS).answered(30, 2 * S, 0, MS);
        assertThat(notOffered(rest.ended(RunSpan.Ending.COMPLETE, 20_900 * MS))
                        .orElseThrow()
                        .share())
                .isEqualTo(0.9);
    }

    @Test
    void short_intervals_are_put_together_to_seconds() {
        RunFixture run = new RunFixture();
        for (int fifth = 1; fifth <= 100; fifth++) {
            // a fifth of a second all of which is late is a fifth of its second
            int lateNow = fifth == 42 ? 200 : 0;
            run.answered(200 - lateNow, MS).answered(lateNow, 2 * S, 0, MS).until(fifth * 200L * MS);
        }
        assertThat(notOffered(run).orElseThrow().share()).isEqualTo(0.8, within());
    }

    /** Twenty seconds of 1,000 requests: as in the first half, then as in the second. */
    private static RunFixture halves(Second first, Second second) {
        RunFixture run = new RunFixture().warmedUp().timeout(Duration.ofSeconds(3));
        for (int i = 1; i <= 20; i++) {
            (i <= 10 ? first : second).add(run);
            run.until(i * S);
        }
        return run;
    }

    private interface Second {
        void add(RunFixture run);
    }

    /** Those that were answered waited for 700 ms, more than a fifth of the timeout of 3 s. */
    private static Second second(int answered, int failed, int timedOut) {
        return second(answered, 700 * MS, failed, timedOut);
    }

    private static Second second(int answered, long nanos, int failed, int timedOut) {
        return run -> run.answered(answered, nanos)
                .failed(failed, "HTTP 500", MS)
                .timedOut(timedOut, 3 * S)
                .inFlight(1_000 - answered - failed - timedOut, S);
    }

    private static boolean isOverloaded(RunFixture run) {
        return verdict(run).overload().isPresent();
    }

    @ParameterizedTest(name = "of 1,000 a second {0} answered, {1} failed, {2} timed out: {3}")
    @CsvSource({
        "940, 0, 60, true",
        "949, 0, 51, true",
        "950, 0, 50, false",
        "945, 0, 50, false",
        "450, 490, 60, true",
        "450, 500, 50, false",
        "51, 0, 949, true",
        "50, 0, 950, false"
    })
    void an_overload_answers_less_than_95_percent_and_gives_up_on_the_rest(
            int answered, int failed, int timedOut, boolean overloaded) {
        Second each = second(answered, failed, timedOut);
        assertThat(isOverloaded(halves(each, each))).isEqualTo(overloaded);
    }

    /** Who answers at once what it answers has lost the others: it has no backlog. */
    @Test
    void an_overload_lets_the_last_answers_wait_for_a_fifth_of_the_timeout() {
        Second waiting = second(700, 601 * MS, 0, 300);
        Second soon = second(700, 598 * MS, 0, 300);
        assertThat(isOverloaded(halves(waiting, waiting))).isTrue();
        assertThat(isOverloaded(halves(soon, soon))).isFalse();
        assertThat(isOverloaded(quarters(waiting, waiting, waiting, soon))).isFalse();
    }

    @Test
    void an_overload_lasts_for_a_good_part_of_the_load() {
        Second good = second(1_000, 0, 0);
        Second bad = second(700, 0, 300);
        assertThat(isOverloaded(halves(good, bad))).isTrue();
        assertThat(isOverloaded(halves(bad, good))).isTrue();
        assertThat(isOverloaded(quarters(good, good, bad, good))).isFalse();
        assertThat(isOverloaded(quarters(good, good, good, bad))).isFalse();
        assertThat(isOverloaded(quarters(good, bad, bad, bad))).isTrue();
    }

    private static RunFixture quarters(Second... quarters) {
        RunFixture run = new RunFixture().warmedUp().timeout(Duration.ofSeconds(3));
        for (int i = 0; i < 20; i++) {
            quarters[i / 5].add(run);
            run.until((i + 1) * S);
        }
        return run;
    }

    @Test
    void an_overload_has_its_start_and_answered_rate() {
        LoadCaveat.Overloaded found =
                only(LoadCaveat.Overloaded.class, verdict(halves(second(1_000, 0, 0), second(700, 0, 300))));
        assertThat(found.worst().startNanos()).isEqualTo(10 * S);
        assertThat(found.worst().isOpen()).isTrue();
        assertThat(found.worst().answeredPerSecond()).isEqualTo(700);
        assertThat(found.worst().offeredPerSecond()).isEqualTo(1_000);
        assertThat(found.brief()).isEqualTo("OVERLOADED from 10.0 s on: 700/s of 1,000/s answered, 30 % timed out");
    }

    /** Without timeouts: what is missing is a backlog of 0.3 x 20 s, and a fifth of that is 1.2 s. */
    @Test
    void a_backlog_makes_the_last_answers_slower_than_the_first_by_a_fifth_of_what_is_missing() {
        assertThat(isOverloaded(growing(1_250 * MS))).isTrue();
        assertThat(isOverloaded(growing(1_150 * MS))).isFalse();
    }

    private static RunFixture growing(long byNanos) {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 20; i++) {
            run.answered(700, MS + (i < 15 ? 0 : byNanos)).inFlight(300, S).until((i + 1) * S);
        }
        return run;
    }

    /** Nothing is answered for ten seconds, as by a service that takes so long: its first answers are those that then come. */
    @Test
    void a_late_service_is_overloaded_only_if_it_keeps_getting_slower() {
        // missing are 0.65 of all: a fifth of that in 20 s is 2.6 s
        assertThat(isOverloaded(lateFirst(3_000 * MS))).isFalse();
        assertThat(isOverloaded(lateFirst(3_200 * MS))).isTrue();
    }

    private static RunFixture lateFirst(long lastNanos) {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 20; i++) {
            int answered = i < 10 ? 0 : 700;
            run.answered(answered, i < 15 ? 500 * MS : lastNanos)
                    .inFlight(1_000 - answered, S)
                    .until((i + 1) * S);
        }
        return run;
    }

    /** What failed was answered: only the rest is missing, 0.1 of all, and a fifth of that in 20 s is 0.4 s. */
    @Test
    void a_failure_is_no_part_of_the_backlog() {
        assertThat(isOverloaded(failing(300, 450 * MS))).isTrue();
        assertThat(isOverloaded(failing(300, 350 * MS))).isFalse();
        assertThat(isOverloaded(failing(350, 5 * S)))
                .as("95 % had an answer of some kind")
                .isFalse();
    }

    private static RunFixture failing(int failed, long byNanos) {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 20; i++) {
            run.answered(600, MS + (i < 15 ? 0 : byNanos))
                    .failed(failed, "HTTP 500", MS)
                    .inFlight(400 - failed, S)
                    .until((i + 1) * S);
        }
        return run;
    }

    /** A plan of 20 s: what ended in the drain after it was answered too late. */
    @Test
    void answers_in_the_drain_do_not_undo_an_overload() {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 20; i++) {
            run.answered(700, 7 * S).timedOut(100, 30 * S).inFlight(200, S).until((i + 1) * S);
        }
        RunFixture drained = run.answeredLater(4_000, MS).until(22 * S).ended(RunSpan.Ending.COMPLETE, 22 * S);
        assertThat(verdict(drained).overload().orElseThrow().worst().answeredPerSecond())
                .isEqualTo(700);
    }

    @Test
    void a_closed_loop_is_never_an_overload() {
        RunFixture run = halves(second(700, 0, 300), second(700, 0, 300));
        run.workload(new Workload.Closed(5, ThinkTime.none()), Duration.ofSeconds(20));
        assertThat(codes(verdict(run))).contains("closed_workload").doesNotContain("overloaded");
    }

    @Test
    void requests_unsent_due_to_own_limits_do_not_count_as_lacking_a_connection() {
        RunVerdict verdict = verdict(new RunFixture()
                .answered(20_000, MS)
                .keptBy("too many open files", 3)
                .keptBy("no port", 4));
        assertThat(only(LoadCaveat.OwnLimit.class, verdict))
                .isEqualTo(new LoadCaveat.OwnLimit("no port, too many open files", 7, 20_007));
        assertThat(codes(verdict)).doesNotContain("not_sent");
        RunVerdict both = verdict(
                new RunFixture().answered(20_000, MS).keptBy("no port", 4).neverSent(2, MS));
        assertThat(only(LoadCaveat.NotSent.class, both)).isEqualTo(new LoadCaveat.NotSent(2, 20_006));
    }

    /** Such as at the second hop of a redirect: the service saw the first one, but did not fail. */
    @Test
    void requests_cut_short_by_own_limits_are_neither_unsent_nor_surely_errors() {
        RunVerdict verdict = verdict(new RunFixture()
                .answered(20_000, MS)
                .cutShortBy("no port", 1_500)
                .neverSent(2, MS));
        assertThat(only(LoadCaveat.OwnLimit.class, verdict))
                .isEqualTo(new LoadCaveat.OwnLimit("no port", 1_500, 21_502));
        assertThat(only(LoadCaveat.NotSent.class, verdict)).isEqualTo(new LoadCaveat.NotSent(2, 21_502));
        assertThat(BoundedCount.ofErrors(
                        new RunFixture()
                                .answered(90, MS)
                                .failed(4, "HTTP 503", MS)
                                .cutShortBy("no port", 6)
                                .result()
                                .recording(),
                        new RunFixture().result().plan()))
                .isEqualTo(new BoundedCount(4, 10, 100));
    }

    @Test
    void ten_that_wait_are_a_backlog() {
        assertThat(codes(verdict(quiet().backlog(10, S)))).containsExactly("backlog_grew");
        assertThat(only(LoadCaveat.BacklogGrew.class, verdict(quiet().backlog(10, S))))
                .isEqualTo(new LoadCaveat.BacklogGrew(10, S));
    }
}
