package dev.downbeat.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.compare.Host;
import dev.downbeat.load.Measured;
import dev.downbeat.load.MeasuredFixture;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.ReportAccess;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.HistogramLogFile;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.simulate.RetryPolicy;
import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.simulate.Simulation;
import dev.downbeat.testing.Replications;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Services on paper, set against what is kept of others. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BaselineTest {
    private static final TestName NAME = new TestName("Orders.place", List.of("Orders"), "place", "orders-1");
    private static final MachineProfile HERE = machine(2, "17.0.1", "Some CPU");

    @TempDir
    Path folder;

    @BeforeEach
    void a_folder() throws IOException {
        Files.createDirectory(folder.resolve("in"));
        Files.createDirectory(folder.resolve("second"));
    }

    private static MachineProfile machine(int cores, String jdk, String processor) {
        return new MachineProfile(
                cores, -1, "Linux", "6", "amd64", "a VM " + jdk, List.of("G1"), 1, 20, 100, processor);
    }

    private static Measured service(long meanNanos, int seconds, long seed) {
        return service(meanNanos, seconds, seed, HERE);
    }

    private static Measured compiling(int seconds) {
        return wandering(seconds, second -> 2_000_000 - 2_000_000L * 22 * second / (100 * seconds));
    }

    /** Second by second another service. */
    private static Measured wandering(int seconds, IntToLongFunction medianNanos) {
        List<Interval> intervals = new ArrayList<>();
        for (int second = 0; second < seconds; second++) {
            RunResult one = run(
                    SimulatedService.of(new ServiceLaw.LogNormal(medianNanos.applyAsLong(second), 0.1))
                            .servers(8),
                    1,
                    second);
            intervals.add(new Interval(second * 1_000_000_000L, (second + 1) * 1_000_000_000L, one.recording()));
        }
        Recording all = intervals.stream().map(Interval::recording).reduce(Recording.empty(), Recording::plus);
        RunResult like = run(SimulatedService.of(new ServiceLaw.Constant(1_000_000)), seconds, 1);
        return measured(
                new RunResult(like.plan(), "test", like.span(), all, intervals, LaneCounts.NONE, GeneratorHealth.IDEAL),
                HERE);
    }

    private static Measured service(long meanNanos, int seconds, long seed, MachineProfile machine) {
        return measured(run(SimulatedService.of(new ServiceLaw.Exponential(meanNanos)), seconds, seed), machine);
    }

    private static Machine.Observation alone(long meanNanos, int seconds, long seed) {
        return new Machine.Observation(service(meanNanos, seconds, seed), Optional.empty());
    }

    private static RunResult run(SimulatedService service, int seconds, long seed) {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(200), seed)))
                .duration(Duration.ofSeconds(seconds))
                .build();
        return new Simulation(plan, service, RetryPolicy.none(), seed)
                .run(Progress.none())
                .result();
    }

    private static Measured measured(RunResult result, MachineProfile machine) {
        RunVerdict verdict = RunVerdict.of(result, ServiceLevelObjective.defaults());
        return MeasuredFixture.of(
                new RunReport(result, verdict, List.of(), Optional.empty(), "test", machine, Map.of()));
    }

    private Baseline baseline(MachineProfile machine) {
        return new Baseline(folder.resolve("in"), NAME, Host.of(machine));
    }

    @Test
    void a_slower_service_is_reported_with_percentile_and_change() throws IOException {
        assertThat(baseline(HERE).missingReason()).startsWith("there is none in ");
        assertThat(baseline(HERE).update(service(1_000_000, 40, 1))).contains("orders-1.hlog: commit it");
        assertThat(baseline(HERE).missingReason()).isEmpty();
        ComparisonResult finding = baseline(HERE).against(alone(2_000_000, 40, 2), 0.1);
        assertThat(finding.failsTest()).isTrue();
        assertThat(finding.sentence())
                .startsWith("SLOWER than the baseline ")
                .contains("orders-1.hlog by more than 10 %: p")
                .matches(".* -> .* \\(95 % CI \\+[\\d.]+ % to \\+[\\d.]+ %\\)");
    }

    @Test
    void the_same_service_is_not_slower() throws IOException {
        baseline(HERE).update(service(1_000_000, 40, 1));
        ComparisonResult finding = baseline(HERE).against(alone(1_000_000, 40, 2), 0.5);
        assertThat(finding.failsTest()).isFalse();
        assertThat(finding.isCompared()).isTrue();
        assertThat(finding.sentence())
                .matches("(the same as the baseline .* within \\d+ %|not slower than the baseline .* by more than 50 %)"
                        + " \\(95 %\\)");
    }

    @Test
    void a_faster_and_an_overloaded_service_are_named_as_that() throws IOException {
        baseline(HERE).update(service(2_000_000, 40, 1));
        ComparisonResult faster = baseline(HERE).against(alone(1_000_000, 40, 2), 0.1);
        assertThat(faster.failsTest()).isFalse();
        assertThat(faster.isCompared()).isTrue();
        assertThat(faster.sentence())
                .startsWith("faster than the baseline ")
                .matches(".*: p[\\d.]+ .* -> .* \\(95 % CI -[\\d.]+ % to -[\\d.]+ %\\)");
        ComparisonResult overloaded = baseline(HERE).against(alone(10_000_000, 40, 2), 0.1);
        assertThat(overloaded.failsTest()).as(overloaded.sentence()).isTrue();
        assertThat(overloaded.sentence())
                .startsWith("OVERLOADED, unlike the baseline ")
                .containsPattern(": \\d+/s of [\\d.]+/s answered");
    }

    /** Hosted runners differ from job to job, most often in the model of their processors. */
    @ParameterizedTest
    @CsvSource({
        "8, 25.0.1, Some CPU, 'cores 2, not 8, jdk 17, not 25'",
        "2, 17.0.9, Other CPU, 'cpu Some_CPU, not Other_CPU'",
    })
    void on_another_host_nothing_is_compared_and_differences_are_named(
            int cores, String jdk, String processor, String difference) throws IOException {
        baseline(HERE).update(service(1_000_000, 40, 1));
        ComparisonResult finding = baseline(machine(cores, jdk, processor)).against(alone(9_000_000, 40, 2), 0.1);
        assertThat(finding.failsTest()).isFalse();
        assertThat(finding.sentence()).contains("not compared").endsWith("on another host (" + difference + ")");
    }

    @Test
    void a_run_too_short_to_be_set_against_another_is_not_compared() throws IOException {
        baseline(HERE).update(service(1_000_000, 40, 1));
        ComparisonResult finding = baseline(HERE).against(alone(9_000_000, 3, 2), 0.1);
        assertThat(finding.failsTest()).isFalse();
        assertThat(finding.sentence()).contains("not compared").contains("too short");
        keep(service(1_000_000, 3, 1));
        assertThat(baseline(HERE).against(alone(1_000_000, 40, 2), 0.1).sentence())
                .isEqualTo("not compared: baseline " + folder.resolve("in/orders-1.hlog")
                        + " is too short for intervals: 3 s of at least 10; measure longer, or use several runs");
    }

    @Test
    void what_is_a_third_slower_is_seen_in_twenty_seconds_and_what_is_not_is_told_how_far_it_may_be()
            throws IOException {
        baseline(HERE).update(service(1_000_000, 20, 1));
        ComparisonResult slower = baseline(HERE).against(alone(1_320_000, 20, 2), 0.1);
        assertThat(slower.failsTest()).isTrue();
        assertThat(slower.sentence()).startsWith("SLOWER than the baseline ");
        ComparisonResult same = baseline(HERE).against(alone(1_000_000, 20, 3), 0.01);
        assertThat(same.failsTest()).isFalse();
        assertThat(same.sentence())
                .startsWith("undecided whether it is slower than the baseline ")
                .containsPattern("p50 changed by -\\d+ % to \\+\\d+ %")
                .containsPattern("a slowdown of up to \\+[\\d.]+ % at p[\\d.]+ cannot be ruled out")
                .endsWith("; single runs do not show how runs vary: add runs to the baseline");
        assertThat(baseline(HERE).against(alone(1_000_000, 20, 3), 0.3).sentence())
                .containsPattern("; measure each for [\\d,]+ s to decide$");
    }

    @Test
    void several_baselines_say_how_much_runs_differ_and_those_of_other_hosts_are_left_out() throws IOException {
        MachineProfile there = machine(8, "17.0.1", "Some CPU");
        baseline(there).update(service(2_000_000, 12, 9, there));
        for (int run = 1; run <= 3; run++) {
            assertThat(baseline(HERE).add(service(1_000_000, 12, run))).contains("orders-1." + (run + 1) + ".hlog");
        }
        ComparisonResult finding = baseline(HERE).against(alone(2_000_000, 12, 5), 0.1);
        assertThat(finding.failsTest()).isTrue();
        assertThat(finding.sentence()).contains("orders-1.2.hlog and 2 more");
        baseline(HERE).update(service(1_000_000, 12, 6));
        assertThat(folder.resolve("in").toFile().list()).containsExactly("orders-1.hlog");
    }

    @Test
    void one_that_somebody_deleted_does_not_hide_those_after_it() throws IOException {
        baseline(HERE).update(service(1_000_000, 12, 1));
        baseline(HERE).add(service(1_000_000, 12, 2));
        Files.delete(folder.resolve("in/orders-1.hlog"));
        assertThat(baseline(HERE).against(alone(2_000_000, 12, 3), 0.1).sentence())
                .startsWith("SLOWER than the baseline ")
                .contains("orders-1.2.hlog");
    }

    @Test
    void a_write_that_fails_leaves_the_earlier_baselines() throws IOException {
        baseline(HERE).update(service(1_000_000, 12, 1));
        baseline(HERE).add(service(1_000_000, 12, 2));
        Files.createDirectory(folder.resolve("in/orders-1.tmp")); // no file can be written there
        Files.createFile(folder.resolve("in/orders-1.tmp/full"));
        assertThatThrownBy(() -> baseline(HERE).update(service(1_000_000, 12, 3)))
                .isInstanceOf(IOException.class);
        assertThat(folder.resolve("in").toFile().list())
                .containsExactlyInAnyOrder("orders-1.hlog", "orders-1.2.hlog", "orders-1.tmp");
    }

    @Test
    void an_unreadable_one_is_replaced_as_its_refusal_advises() throws IOException {
        baseline(HERE).update(service(1_000_000, 12, 1));
        Files.writeString(folder.resolve("in/orders-1.hlog"), "corrupt");
        assertThatThrownBy(() -> baseline(HERE)).hasMessageEndingWith("; -Ddownbeat.baseline=update writes one");
        Baseline.toReplace(folder.resolve("in"), NAME, Host.of(HERE)).update(service(1_000_000, 12, 1));
        assertThat(baseline(HERE).missingReason()).isEmpty();
    }

    @Test
    void one_too_short_to_be_compared_with_is_not_written_and_the_old_one_stays() throws IOException {
        baseline(HERE).update(service(1_000_000, 12, 1));
        String before = Files.readString(folder.resolve("in/orders-1.hlog"));
        for (String said : List.of(
                baseline(HERE).update(service(1_000_000, 9, 1)), baseline(HERE).add(service(1_000_000, 9, 1)))) {
            assertThat(said)
                    .startsWith("not written as a baseline, since nothing could be compared with it: ")
                    .contains("9 s of at least 10")
                    .endsWith(" (a duration of at least 10 s)");
        }
        assertThat(folder.resolve("in/orders-1.hlog")).content().isEqualTo(before);
        assertThat(folder.resolve("in").toFile().list()).hasSize(1);
        assertThat(baseline(HERE).update(service(1_000_000, 10, 1))).endsWith(": commit it");
    }

    /** A fresh JVM compiles: the median falls to 0.78 in 20 s. Each later build said that the baseline was not steady, and passed. */
    @Test
    void a_run_that_got_faster_while_its_JVM_compiled_is_not_written() throws IOException {
        Measured measured = compiling(20);
        assertThat(baseline(HERE).update(measured))
                .startsWith(
                        "not written as a baseline, since nothing could be compared with it: this run is not steady: ")
                .endsWith(" (a longer duration, or warmUp = \"auto\", which waits until the median is steady)");
        assertThat(baseline(HERE).missingReason()).startsWith("there is none in ");
    }

    /** As a Spring Boot service on a fresh JVM: slow waves of a sixth, after a warm-up that its median passed. */
    @Test
    void a_run_whose_level_wanders_slowly_is_not_written_and_says_what_would_help() throws IOException {
        assertThat(baseline(HERE).update(wave(10)))
                .isEqualTo("not written as a baseline, since nothing could be compared with it: a build 3 times"
                        + " as slow could pass a comparison with it, because its times drift or it is too short (use a longer warm-up"
                        + " and duration, or alternate both builds: @Against and -Ddownbeat.against=git:main)");
        assertThat(baseline(HERE).missingReason()).startsWith("there is none in ");
        assertThat(baseline(HERE).update(wave(4))).startsWith("written as baseline ");
    }

    private static Measured wave(int periodSeconds) {
        return wandering(
                20, second -> Math.round(6_000_000 * (1 + 0.15 * Math.sin(2 * Math.PI * second / periodSeconds))));
    }

    @Test
    void a_service_at_its_level_is_written_whatever_the_seed() throws IOException {
        for (int seed = 1; seed <= Replications.of(20, 7); seed++) {
            assertThat(baseline(HERE).update(service(1_000_000, 20, seed))).startsWith("written as baseline ");
        }
    }

    @Test
    void the_last_twenty_runs_are_kept() throws IOException {
        baseline(HERE).add(service(1_000_000, 12, 1));
        baseline(HERE).add(service(1_000_000, 12, 2));
        Measured other = service(1_000_000, 12, 3);
        for (int run = 3; run <= 21; run++) {
            baseline(HERE).add(other);
        }
        assertThat(folder.resolve("in").toFile().list()).hasSize(20).contains("orders-1.hlog", "orders-1.20.hlog");
        Path second = folder.resolve("second");
        new Baseline(second, NAME, Host.of(HERE)).add(service(1_000_000, 12, 2));
        assertThat(times(folder.resolve("in/orders-1.hlog")))
                .as("the first went")
                .isEqualTo(times(second.resolve("orders-1.hlog")));
    }

    private static List<String> times(Path log) throws IOException {
        return Files.readAllLines(log).stream()
                .filter(line -> line.startsWith("Tag="))
                .map(line -> line.replaceAll("^(Tag=[^,]+),[^,]+", "$1"))
                .toList();
    }

    /** As somebody wrote it who did not look. */
    private void keep(Measured measured) throws IOException {
        Files.createDirectories(folder.resolve("in"));
        try (Writer out = Files.newBufferedWriter(folder.resolve("in/orders-1.hlog"))) {
            new HistogramLogFile().write(ReportAccess.of(measured), out);
        }
    }

    @Test
    void the_own_host_is_the_own_host() {
        Host own = Host.of(MachineProfile.measure());
        assertThat(own.differenceTo(Host.of(MachineProfile.measure()))).isEmpty();
        assertThat(own.text()).matches("cores=\\d+ (cpu=\\S+ )?(cpu_limit=\\d+m )?jdk=\\d+ os=\\S+");
    }
}
