package dev.downbeat.cli.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Replay;
import dev.downbeat.arrival.Steps;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.cli.targets.WorkloadSource;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Shard;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LoadOptionsTest {
    private static Measurement said(String... args) {
        ParsedOptions<Measurement> said = new ParsedOptions<>(Measurement.class);
        CommandLine line = new CommandLine(said.spec());
        line.setExecutionStrategy(parsed -> 0);
        line.parseArgs(args);
        return said.value();
    }

    private static RunPlan plan(String... args) throws IOException {
        return said(args).resolved().plan(Shard.WHOLE);
    }

    private static Object arrivals(RunPlan plan) {
        return ((Workload.Open) plan.workload()).arrivals();
    }

    /** It was two rows, two annotations and two tests of one name in JUnit's file. */
    @Test
    void an_objective_that_is_given_twice_is_one() {
        Objectives twice = said("--slo", "p99<50ms", "--slo", "p99<50ms", "--slo", "p99<60ms")
                .objectives();
        assertThat(twice.slos())
                .extracting(ServiceLevelObjective::text)
                .containsExactly("p99<50ms", "p99<60ms", "errors<1%");
    }

    @Test
    void the_default_is_a_gentle_poisson_load_for_ten_seconds() throws IOException {
        Measurement value = said().resolved();
        RunPlan plan = value.plan(Shard.WHOLE);
        assertThat(arrivals(plan))
                .isInstanceOfSatisfying(
                        Poisson.class, poisson -> assertThat(poisson.rate()).isEqualTo(Rate.perSecond(100)));
        assertThat(plan.durationNanos()).isEqualTo(10_000_000_000L);
        assertThat(Values.words(value))
                .containsExactly("--rate=100/s", "--seed=" + value.seedText().orElseThrow(), "--duration=10s");
    }

    @Test
    void the_same_words_give_the_same_plan() throws IOException {
        RunPlan plan = plan("-R", "1.5k/s", "-d", "30s", "--seed", "7f3a");
        assertThat(arrivals(plan)).isEqualTo(new Poisson(Rate.perSecond(1_500), 0x7f3a));
        assertThat(plan.durationNanos()).isEqualTo(30_000_000_000L);
    }

    @Test
    void a_repeated_option_keeps_earlier_options() {
        Measurement value =
                said("--slo", "p99<1s", "--accept-unsound", "--slo", "max<2s", "-H", "a: 1", "-X", "PUT", "-H", "b: 2");
        assertThat(value.objectives().given()).hasSize(2);
        assertThat(value.objectives().acceptUnsound()).isTrue();
        assertThat(value.asking().request().headers()).hasSize(2);
        assertThat(value.asking().request().method()).hasValue("PUT");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"--closed", "--session-requests"})
    void virtual_users_and_requests_of_a_session_have_a_limit(String option) {
        List<String> begin = option.equals("--closed") ? List.of() : List.of("--sessions", "5");
        assertThatCode(() -> said(Stream.concat(begin.stream(), Stream.of(option, "100000"))
                        .toArray(String[]::new)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> said(Stream.concat(begin.stream(), Stream.of(option, "100001"))
                        .toArray(String[]::new)))
                .hasMessageContaining(option + " must be from 1 to 100000, but was 100001");
    }

    @Test
    void a_load_asked_twice_stays_the_same() throws IOException {
        Measurement value = said("-R", "5").resolved();
        assertThat(arrivals(value.plan(Shard.WHOLE))).isEqualTo(arrivals(value.plan(Shard.WHOLE)));
    }

    @Test
    void arrivals_may_be_even() throws IOException {
        assertThat(arrivals(plan("-R", "50", "--arrivals", "constant"))).isEqualTo(new Constant(Rate.perSecond(50)));
    }

    @Test
    void a_count_alone_ends_a_run() throws IOException {
        RunPlan plan = plan("-R", "50", "-n", "10k");
        assertThat(plan.maxRequests()).isEqualTo(10_000);
        assertThat(plan.durationNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void a_ramp_goes_on_at_its_last_rate() throws IOException {
        RunPlan plan = plan("-R", "100..5k/s", "--ramp", "2m", "-d", "3m", "--arrivals", "constant");
        assertThat(((Steps) arrivals(plan)).steps()).hasSize(2);
        assertThat(plan.durationNanos()).isEqualTo(180_000_000_000L);
        assertThat(plan("-R", "1..5", "--ramp", "2m").durationNanos()).isEqualTo(120_000_000_000L);
    }

    @Test
    void stages_follow_each_other_with_seeds_of_their_own() throws IOException {
        RunPlan plan = plan("--stage", "3s:10", "--stage", "2s:0", "--stage", "3s:10", "--seed", "5");
        List<Object> steps = List.copyOf(((Steps) arrivals(plan))
                .steps().stream().map(step -> (Object) step.process()).toList());
        assertThat(steps)
                .containsExactly(
                        new Poisson(Rate.perSecond(10), 5),
                        new Poisson(Rate.perSecond(0), 6),
                        new Poisson(Rate.perSecond(10), 7));
        assertThat(plan.durationNanos()).isEqualTo(8_000_000_000L);
    }

    @Test
    void a_number_of_requests_ends_a_load_after_its_ramp() throws IOException {
        RunPlan plan = plan("-R", "10..50/s", "--ramp", "2s", "-n", "1000");
        assertThat(plan.maxRequests()).isEqualTo(1_000);
        assertThat(plan.durationNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(((Steps) arrivals(plan)).steps()).hasSize(2);
        assertThat(plan("-R", "10..50/s", "--ramp", "2s").durationNanos()).isEqualTo(2_000_000_000L);
        RunPlan falling = plan("-R", "50..0/s", "--ramp", "2s", "-n", "1000");
        IntendedTimes times = ((Steps) arrivals(falling)).times();
        long requests = LongStream.generate(times::nextNanos)
                .takeWhile(nanos -> nanos < Long.MAX_VALUE)
                .count();
        assertThat(requests).as("a ramp to nothing ends by itself").isBetween(1L, 200L);
    }

    @Test
    void closed_clients_think() throws IOException {
        RunPlan plan = plan("--closed", "100", "--think", "5ms");
        assertThat(plan.workload()).isEqualTo(new Workload.Closed(100, new ThinkTime.Constant(5_000_000)));
    }

    @Test
    void closed_clients_have_a_connection_each() {
        assertThat(connections(100, Long.MAX_VALUE, 1)).isEqualTo(100);
        assertThat(connections(8, Long.MAX_VALUE, 1)).isEqualTo(8);
        assertThat(connections(100, Long.MAX_VALUE, 1, "-c", "10")).isEqualTo(10);
        assertThat(connections(0, Long.MAX_VALUE, 1)).isEqualTo(64);
    }

    @Test
    void few_requests_open_few_connections() {
        assertThat(connections(0, 3, 1)).isEqualTo(3);
        assertThat(connections(100, 3, 1)).isEqualTo(3);
        assertThat(connections(0, 1, 2)).as("one for each thread").isEqualTo(2);
        assertThat(connections(0, 3, 1, "-c", "10")).as("as asked for").isEqualTo(10);
        assertThat(connections(0, 1_000, 80, "--http", "2"))
                .as("one for each thread")
                .isEqualTo(80);
        WorkloadSource few = source("-n", "3");
        assertThat(few.requests()).isEqualTo(3);
        assertThat(few.connections(10)).isEqualTo(3);
        assertThat(source("-n", "3", "--closed", "2").connections(10)).isEqualTo(2);
        assertThat(source("-n", "3", "--warm-up", "1s").connections(10))
                .as("a warm-up sends more")
                .isEqualTo(10);
    }

    private static int connections(int clients, long requests, int threads, String... words) {
        return said(words).asking().connections().count(clients, requests, threads);
    }

    private static WorkloadSource source(String... words) {
        return WorkloadSource.of(said(words).load(), said(words).asking().waiting());
    }

    @Test
    void sessions_arrive_openly() throws IOException {
        RunPlan plan = plan("--sessions", "5/s", "--session-requests", "4", "--think", "exp:100ms", "--seed", "9");
        assertThat(plan.workload())
                .isEqualTo(new Workload.PartlyOpen(
                        new Poisson(Rate.perSecond(5), 9), 4, new ThinkTime.Exponential(100_000_000, 10)));
    }

    @Test
    void recorded_times_are_repeated_at_another_speed(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("offsets"), "# seconds\n0ms\n1.5s\n\n2s\n");
        RunPlan plan = plan("--replay", file.toString(), "--speed", "2x");
        assertThat(arrivals(plan)).isEqualTo(Replay.of(0, 750_000_000L, 1_000_000_000L));
        assertThat(plan.maxRequests()).isEqualTo(3);
    }

    @Test
    void an_access_log_in_whole_seconds_is_spread_over_each_second(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("log"), """
                1.1.1.1 - - [10/Oct/2025:13:55:36 +0000] "GET / HTTP/1.1" 200 5
                1.1.1.1 - - [10/Oct/2025:13:55:36 +0000] "GET / HTTP/1.1" 200 5
                1.1.1.1 - - [10/Oct/2025:13:55:38 +0000] "GET / HTTP/1.1" 200 5
                """);
        assertThat(arrivals(plan("--replay-log", file.toString(), "--times-only")))
                .isEqualTo(Replay.of(0, 500_000_000L, 2_000_000_000L));
    }

    @Test
    void an_access_log_with_fractions_is_taken_as_it_is(@TempDir Path folder) throws IOException {
        String lines = "2025-10-10T13:55:36.25Z GET /caf\u00e9\n2025-10-10T13:55:36.75Z GET /\n";
        Path file = Files.write(folder.resolve("log"), lines.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(arrivals(plan("--replay-log", file.toString(), "--times-only")))
                .isEqualTo(Replay.of(0, 500_000_000L));
    }

    @Test
    void a_broken_line_of_a_recording_is_named(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("offsets"), "0ms\nsoon\n");
        assertThatThrownBy(() -> plan("--replay", file.toString()))
                .hasMessageContaining("offsets")
                .hasMessageContaining("2");
    }

    @Test
    void the_drain_defaults_to_the_timeout() throws IOException {
        assertThat(plan("--timeout", "2s").drainNanos()).isEqualTo(2_000_000_000L);
        assertThat(plan("--timeout", "2s", "--drain", "0s").drainNanos()).isZero();
        assertThat(plan("--timeout-from", "sent").timeoutFrom()).isEqualTo(RunPlan.TimeoutFrom.SENT);
    }

    @Test
    void runs_of_a_minute_or_less_are_recorded_in_finer_steps() throws IOException {
        assertThat(plan("-R", "5", "-d", "60s").intervalNanos()).isEqualTo(200_000_000);
        assertThat(plan("--stage", "10s:5", "--stage", "10s:9").intervalNanos()).isEqualTo(200_000_000);
        assertThat(plan("-R", "5", "-d", "61s").intervalNanos()).isEqualTo(1_000_000_000);
        assertThat(plan("-R", "5", "-n", "10k").intervalNanos()).isEqualTo(1_000_000_000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-R 5 --closed 3 | mutually exclusive",
                "-R 5 --stage 1s:5 | mutually exclusive",
                "--closed 3 --sessions 5 --session-requests 2 | mutually exclusive",
                "--closed 3 --arrivals poisson | --arrivals requires",
                "-R 5 --speed 2x | --speed requires",
                "-R 5 --think 5ms | --think requires",
                "-R 5 --session-requests 2 | requires --sessions",
                "--sessions 5 | needs --session-requests",
                "-R 5 --ramp 1m | two ends",
                "-R 5..6 | needs --ramp",
                "-R 0 | above 0",
                "--stage 1s:5 -d 5s | stages define the duration",
                "--stage 1s:0 | above 0",
                "-R 5 -d 0s | above zero",
                "-R 1..5 --ramp 20s -d 10s | --ramp must not be longer than -d, 10s, but was 20s",
                "--no-keepalive --max-requests 5 | mutually exclusive",
                "--streams 5 | --streams is for HTTP/2: add --http 2, or --http auto",
                "--receive-window 1MiB | --receive-window is for HTTP/2",
                "--http 2 --streams 10001 | --streams must be from 1 to 10000, but was 10001",
                "--http 3 | is not auto, 1.1 or 2",
                "--closed 100001 | --closed must be from 1 to 100000",
                "--until-decided | needs an objective",
                "--until-decided --slo p99<1s -d 5s | mutually exclusive",
                "--until-decided --slo p99<1s --budget 5s | at least 20s",
                "--timeout 0s | above 0",
                "-t 0 | from 1 to 256",
                "--closed 2 -t 3 | at most the number of clients",
                "-R 1..5 --ramp 11d | a ramp must last from 1 ns to 10d, but was 11d",
            })
    void contradictions_say_what_excludes_what(String line, String why) {
        assertThatThrownBy(() -> plan(line.split(" ")))
                .hasMessageContaining(why)
                .hasMessageNotContaining("\n");
    }
}
