package dev.downbeat.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.RunFixture;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HistoryTest {
    private static final Host HERE = new Host(Map.of("cores", "8", "cpu", "x"));
    private static final Host THERE = new Host(Map.of("cores", "2", "cpu", "x"));

    /** Twelve seconds at 40/s. */
    private static ComparedRun run(String name, double factor, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double level = 1e6 * factor * Math.exp(0.03 * (random.nextDouble() - 0.5));
        List<Recording> seconds = new ArrayList<>();
        for (int second = 0; second < 12; second++) {
            CorrectedRecorder recorder = new CorrectedRecorder();
            recorder.planned(40);
            for (int i = 0; i < 40; i++) {
                Exchange exchange = new Exchange(0);
                exchange.begin(0, 0, 0);
                exchange.completedAt = (long) (level * (1 + 0.2 * random.nextDouble()));
                exchange.outcome = Outcome.answered();
                recorder.completed(exchange);
            }
            seconds.add(recorder.drain());
        }
        return new ComparedRun(name, seconds, "open", OptionalDouble.of(40), List.of());
    }

    private static Build build(String name, ComparedRun... runs) {
        return new Build(name, Optional.of(Instant.EPOCH), List.of(runs));
    }

    /** Ten builds of which the last four are slower by a third. */
    private static List<Build> slower() {
        List<Build> builds = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            builds.add(build("c" + i, run("c" + i, i < 6 ? 1 : 1.33, i).withHost(HERE)));
        }
        return builds;
    }

    @Test
    void the_last_change_that_made_it_slower_is_missed_until_it_is_known() {
        History history = History.of(slower(), List.of(), false);
        assertThat(history.series())
                .extracting(History.OfPercentile::percentile)
                .containsExactly(50.0, 90.0);
        assertThat(history.changes()).hasSize(2).allSatisfy(found -> {
            assertThat(found.isRise()).isTrue();
            assertThat(found.change().at()).isEqualTo(6);
            assertThat(found.change().low()).isLessThan(0.33);
            assertThat(found.change().high()).isGreaterThan(0.33);
        });
        assertThat(history.changes()).extracting(History.Found::percentile).containsExactly(50.0, 90.0);
        List<Long> medians = history.series().get(0).nanos();
        assertThat(medians).hasSize(10);
        assertThat(medians.get(9) / (double) medians.get(0)).isBetween(1.2, 1.5);
        assertThat(history.exitCode(0, -1)).isEqualTo(ExitCode.MISSED);
        assertThat(history.exitCode(0.5, -1)).isEqualTo(ExitCode.MET);
        assertThat(history.indexOf("c6")).hasValue(6);
        assertThat(history.indexOf("c")).isEmpty();
        assertThat(history.exitCode(0, 5)).isEqualTo(ExitCode.MISSED);
        assertThat(history.exitCode(0, 6)).isEqualTo(ExitCode.MET);
    }

    @Test
    void a_recovered_percentile_is_no_failure() {
        List<Build> builds = slower();
        for (int i = 10; i < 16; i++) {
            builds.add(build("c" + i, run("c" + i, 1, i).withHost(HERE)));
        }
        History history = History.of(builds, List.of(50.0), false);
        assertThat(history.changes())
                .as("the newest first")
                .extracting(found -> found.change().at())
                .containsExactly(10, 6);
        assertThat(history.changes()).extracting(History.Found::isRise).containsExactly(false, true);
        assertThat(history.exitCode(0, -1)).isEqualTo(ExitCode.MET);
    }

    @Test
    void runs_of_another_host_or_load_or_that_were_unsound_are_left_out_and_never_in_silence() {
        List<Build> builds = slower();
        builds.set(3, build("c3", run("c3", 1, 3).withHost(THERE)));
        ComparedRun loud = run("c4", 1, 4);
        builds.set(4, build("c4", new ComparedRun("c4", loud.stretches(), "open", OptionalDouble.of(400), List.of())));
        builds.set(
                5,
                build(
                        "c5",
                        new ComparedRun(
                                "c5",
                                loud.stretches(),
                                "open",
                                OptionalDouble.of(40),
                                List.of(ComparedRun.unsound("c5", List.of())))));
        History history = History.of(builds, List.of(50.0), false);
        assertThat(history.builds()).hasSize(7);
        assertThat(history.leftOut())
                .extracting(Incomparable::code)
                .containsExactlyInAnyOrder("different_host", "different_load", "unsound");
        assertThat(history.leftOut())
                .anySatisfy(
                        one -> assertThat(one.text())
                                .isEqualTo(
                                        "c3, unlike the newest: c3 and c9 ran in different environments (cores 2, not 8). Measure both in the same, preferably alternately"));
        assertThat(History.of(builds, List.of(50.0), true).leftOut()).hasSize(2);
    }

    @Test
    void a_history_that_lacks_its_newest_build_is_no_success_whatever_the_reason() {
        List<Build> builds = slower();
        builds.subList(6, 10).clear();
        ComparedRun run = run("c6", 1, 6);
        builds.add(build("c6", run));
        assertThat(History.of(builds, List.of(50.0), false).newestLeftOut()).isEmpty();
        Recording failed =
                new RunFixture().failed(40, "HTTP 503", 1_000_000).result().recording();
        builds.add(build("c7", new ComparedRun("c7", List.of(failed), "open", OptionalDouble.of(40), List.of())));
        History broken = History.of(builds, List.of(50.0), false);
        assertThat(broken.newestLeftOut().orElseThrow().code()).isEqualTo("nothing_answered");
        assertThat(broken.exitCode(0, -1)).isEqualTo(ExitCode.UNSOUND);
        assertThat(broken.buildsSince(6))
                .as("the newest counts, though it was left out")
                .isEqualTo(1);
        List<Incomparable> late = List.of(ComparedRun.unsound("c7", List.of()));
        builds.set(7, build("c7", new ComparedRun("c7", run.stretches(), "open", OptionalDouble.of(40), late)));
        History unsound = History.of(builds, List.of(50.0), false);
        assertThat(unsound.newestLeftOut().orElseThrow().code()).isEqualTo("unsound");
        assertThat(unsound.exitCode(0, -1)).isEqualTo(ExitCode.UNSOUND);
        ComparedRun starved = new ComparedRun("c7", run.stretches(), "open", OptionalDouble.of(40), late);
        ComparedRun delayed = new ComparedRun(
                "c7",
                run.stretches(),
                "open",
                OptionalDouble.of(40),
                List.of(late.get(0).ofOwnDelay()));
        builds.set(7, build("c7", delayed));
        assertThat(History.of(builds, List.of(50.0), false).exitCode(0, -1)).isEqualTo(ExitCode.UNSOUND);
        ComparedRun dead = new ComparedRun("c7", List.of(failed), "open", OptionalDouble.of(40), List.of());
        for (List<ComparedRun> order : List.of(List.of(starved, dead), List.of(dead, starved))) {
            builds.set(7, build("c7", order.toArray(ComparedRun[]::new)));
            assertThat(History.of(builds, List.of(50.0), false).exitCode(0, -1))
                    .as("whatever order the runs are in")
                    .isEqualTo(ExitCode.UNSOUND);
        }
    }

    @Test
    void a_short_run_is_left_out_and_takes_no_percentile_with_it() {
        List<Build> builds = slower();
        builds.set(3, build("c3", cut(run("c3", 1, 3), 1)));
        History history = History.of(builds, List.of(), false);
        assertThat(history.series())
                .extracting(History.OfPercentile::percentile)
                .containsExactly(50.0, 90.0);
        assertThat(history.builds())
                .extracting(Build::name)
                .doesNotContain("c3")
                .hasSize(9);
        assertThat(history.leftOut())
                .containsExactly(new Incomparable(
                        Incomparable.Kind.TOO_SHORT, "c3 has 40 requests, too few for p90, which needs 50"));
        assertThat(History.of(builds, List.of(90.0), false).exitCode(0, -1)).isEqualTo(ExitCode.MISSED);
    }

    @Test
    void a_percentile_that_was_asked_for_and_not_judged_is_undecided() {
        List<Build> even = slower().subList(0, 6);
        History history = History.of(even, List.of(50.0, 99.0), false);
        assertThat(history.exitCode(0, -1)).isEqualTo(ExitCode.UNSOUND);
        assertThat(history.notJudged())
                .containsExactly(
                        new History.NotJudged(99, true, "the newest build has 480 of the 500 requests it needs"));
        assertThat(History.of(even, List.of(), false).exitCode(0, -1)).isEqualTo(ExitCode.MET);
        List<Build> short7 = new ArrayList<>(slower().subList(0, 7));
        for (int i = 0; i < 4; i++) {
            short7.set(i, build("c" + i, cut(run("c" + i, 1, i), 1)));
        }
        History few = History.of(short7, List.of(50.0, 90.0), false);
        assertThat(few.builds()).hasSize(7);
        assertThat(few.exitCode(0.5, -1)).isEqualTo(ExitCode.UNSOUND);
        assertThat(few.notJudged())
                .containsExactly(new History.NotJudged(90, true, "3 of 7 builds have the 50 requests it needs"));
    }

    private static ComparedRun cut(ComparedRun run, int seconds) {
        return new ComparedRun(
                run.name(), run.stretches().subList(0, seconds), "open", run.ratePerSecond(), run.doubts());
    }

    /** One in eight times out: soon, which makes p90 look faster, or late, which is slower in any case. */
    @ParameterizedTest
    @CsvSource({"1000000,98", "100000000,99"})
    void builds_whose_percentiles_are_lower_bounds_are_no_faster(long timeoutNanos, int exit) {
        List<Build> builds = new ArrayList<>(slower().subList(0, 6));
        builds.addAll(timedOut(6, 10, timeoutNanos));
        History history = History.of(builds, List.of(90.0), false);
        assertThat(history.exitCode(0, -1)).isEqualTo(exit);
        boolean isLeftOut = exit == ExitCode.UNSOUND;
        assertThat(history.builds()).hasSize(isLeftOut ? 6 : 10);
        assertThat(history.newestLeftOut().map(Incomparable::text))
                .isEqualTo(
                        isLeftOut
                                ? Optional.of(
                                        "p90 of c9 is only known to be at least 1.00 ms: 12.5 % of its requests failed")
                                : Optional.empty());
    }

    /** Half of the requests are refused at once: the rest wait less, or are slower all the same. */
    @ParameterizedTest
    @CsvSource({"0.5,98", "1.5,99"})
    void builds_that_fail_fast_are_no_faster_and_those_after_them_no_slower(double factor, int exit) {
        List<Build> builds = new ArrayList<>(slower().subList(0, 6));
        for (int i = 6; i < 9; i++) {
            builds.add(build("c" + i, failing(run("c" + i, factor, i), 40, 12)));
        }
        History history = History.of(builds, List.of(50.0), false);
        assertThat(history.exitCode(0, -1)).isEqualTo(exit);
        assertThat(history.newestLeftOut().map(Incomparable::text))
                .isEqualTo(
                        exit == ExitCode.UNSOUND
                                ? Optional.of("50 % of the requests of c8 failed, 0 % of those of c0: times of the"
                                        + " rest do not compare")
                                : Optional.empty());
        for (int i = 9; i < 12; i++) {
            builds.add(build("c" + i, run("c" + i, 1, i)));
        }
        assertThat(History.of(builds, List.of(50.0), false).exitCode(0, -1)).isEqualTo(ExitCode.MET);
    }

    /** The worse it fails, the slower are the rest: a newest build above all others is no outlier to pass over. */
    @Test
    void a_newest_build_that_fails_is_no_success_however_slow_it_is() {
        for (ComparedRun bad : List.of(
                failing(run("c6", 1, 6), 40, 12),
                failing(run("c6", 30, 6), 40, 12),
                timedOut(6, 7, 100_000_000).get(0).runs().get(0))) {
            List<Build> builds = new ArrayList<>(slower().subList(0, 6));
            builds.add(build("c6", bad));
            History newest = History.of(builds, List.of(50.0, 90.0), false);
            assertThat(newest.exitCode(0, -1)).isEqualTo(ExitCode.UNSOUND);
            assertThat(newest.newestLeftOut().orElseThrow().text()).contains(" of c6 ", " failed");
            assertThat(newest.leftOut()).containsExactly(newest.newestLeftOut().orElseThrow());
            assertThat(newest.builds()).extracting(Build::name).doesNotContain("c6");
            builds.add(build("c7", run("c7", 1, 7)));
            assertThat(History.of(builds, List.of(50.0), false).exitCode(0, -1)).isEqualTo(ExitCode.MET);
        }
    }

    @Test
    void a_newest_build_that_fails_is_left_out_after_an_accepted_rise_too() {
        List<Build> builds = slower();
        builds.add(build("c10", failing(run("c10", 30, 10), 40, 12)));
        History history = History.of(builds, List.of(50.0), false);
        assertThat(history.exitCode(0, -1)).isEqualTo(ExitCode.MISSED);
        assertThat(history.exitCode(0, history.indexOf("c9").orElseThrow())).isEqualTo(ExitCode.UNSOUND);
        List<Build> failing = new ArrayList<>(slower().subList(0, 6));
        for (int i = 6; i < 9; i++) {
            failing.add(build("c" + i, failing(run("c" + i, 1.5, i), 40, 12)));
        }
        History known = History.of(failing, List.of(50.0), false);
        assertThat(known.exitCode(0, known.indexOf("c8").orElseThrow()))
                .as("the level of such builds is known")
                .isEqualTo(ExitCode.MET);
        failing.add(build("c9", failing(run("c9", 30, 9), 40, 12)));
        History apart = History.of(failing, List.of(50.0), false);
        assertThat(apart.exitCode(0, apart.indexOf("c8").orElseThrow()))
                .as("one above this level is not")
                .isEqualTo(ExitCode.UNSOUND);
    }

    @Test
    void a_few_failures_and_those_of_all_builds_leave_none_out() {
        List<Build> few = new ArrayList<>();
        List<Build> many = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            few.add(build("c" + i, failing(run("c" + i, 1, i), 1, i < 6 ? 0 : 4)));
            many.add(build("c" + i, failing(run("c" + i, 1, i), 20 + i, 12)));
        }
        assertThat(History.of(few, List.of(50.0), false).builds()).hasSize(8);
        assertThat(History.of(many, List.of(50.0), false).builds()).hasSize(8);
    }

    /** The same run with failed requests in each of its first seconds. */
    private static ComparedRun failing(ComparedRun run, int perSecond, int seconds) {
        Recording failed = new RunFixture()
                .failed(perSecond, "HTTP 503", 1_000_000)
                .result()
                .recording();
        List<Recording> stretches = new ArrayList<>(run.stretches());
        stretches.subList(0, seconds).replaceAll(second -> second.plus(failed));
        return new ComparedRun(run.name(), stretches, "open", OptionalDouble.of(40), List.of());
    }

    @Test
    void builds_that_all_time_out_are_compared_all_the_same() {
        History history = History.of(timedOut(0, 10, 100_000_000), List.of(), false);
        assertThat(history.builds()).hasSize(10);
        assertThat(history.exitCode(0, -1)).isEqualTo(ExitCode.MET);
    }

    /** Builds in which one request in eight times out. */
    private static List<Build> timedOut(int from, int to, long timeoutNanos) {
        Recording second = new RunFixture()
                .answered(35, 900_000)
                .timedOut(5, timeoutNanos)
                .result()
                .recording();
        return IntStream.range(from, to)
                .mapToObj(i -> build(
                        "c" + i,
                        new ComparedRun(
                                "c" + i, Collections.nCopies(12, second), "open", OptionalDouble.of(40), List.of())))
                .toList();
    }

    @Test
    void too_few_builds_tell_nothing() {
        History history = History.of(slower().subList(0, 5), List.of(), false);
        assertThat(history.series()).isEmpty();
        assertThat(history.exitCode(0, -1)).isEqualTo(ExitCode.UNSOUND);
    }

    /** Also what {@code compare} and JUnit's baselines ask before they compare. */
    @Test
    void two_hosts_are_never_compared_in_silence() {
        ComparedSide here = new ComparedSide("here", List.of(run("a", 1, 1).withHost(HERE)));
        ComparedSide there = new ComparedSide("there", List.of(run("b", 1, 2).withHost(THERE)));
        Comparison comparison = Comparison.of(here, there);
        assertThat(comparison.doubts()).extracting(Incomparable::code).containsExactly("different_host");
        assertThat(Gate.of(comparison, new Gate.Question(OptionalDouble.empty(), false, false))
                        .exitCode())
                .isEqualTo(ExitCode.UNSOUND);
        ComparedSide unknown = new ComparedSide("unknown", List.of(run("b", 1, 2)));
        assertThat(Comparison.of(here, unknown).doubts()).isEmpty();
        ComparedSide mixed = new ComparedSide(
                "mixed", List.of(run("c", 1, 3).withHost(HERE), run("b", 1, 2).withHost(THERE)));
        assertThat(Comparison.of(here, mixed).doubts()).isNotEmpty();
    }
}
