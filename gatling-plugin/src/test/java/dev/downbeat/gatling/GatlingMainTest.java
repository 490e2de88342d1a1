package dev.downbeat.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.downbeat.gatling.version.GatlingLauncher;
import dev.downbeat.loopback.LoopbackProcess;
import dev.downbeat.testing.NeverExcused;
import dev.downbeat.testing.Timing;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gatling in a JVM of its own, as its plugins start it. */
@Timing
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GatlingMainTest {
    private static final String OPENED = "--add-opens=java.base/java.lang=ALL-UNNAMED";
    private static LoopbackProcess server;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws IOException {
        server = LoopbackProcess.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private Process gatling(String... options) throws IOException {
        return gatling(Simulations.Open.class, options);
    }

    /** The class path of who has not added downbeat-sqs. */
    private static String withoutQueues() {
        return without("awssdk", "sqs");
    }

    private static String without(String... parts) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> Arrays.stream(parts).noneMatch(entry::contains))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private Process gatling(Class<?> simulation, String... options) throws IOException {
        return gatling(withoutQueues(), simulation, options);
    }

    private Process gatling(String classPath, Class<?> simulation, String... options) throws IOException {
        return start("io.gatling.app.Gatling", classPath, simulation, options);
    }

    private Process start(String main, String classPath, Class<?> simulation, String... options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"));
        command.addAll(List.of(options));
        command.addAll(List.of("-Dtest.url=" + server.uri(), "-Dtest.rate=100"));
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(List.of(
                "-s", simulation.getName(), "-rf", folder.resolve("results").toString()));
        if (simulation != Simulations.Hooked.class) {
            command.add("-nr");
        }
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start();
    }

    private GatlingRun end(Process process) throws IOException, InterruptedException {
        try {
            assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new GatlingRun(
                process.exitValue(),
                GatlingRun.only(folder.resolve("results")),
                Files.readString(folder.resolve("out"), StandardCharsets.UTF_8));
    }

    @Test
    void a_missed_objective_is_a_failed_assertion_and_hooks_of_others_run() throws Exception {
        GatlingRun run =
                end(gatling(Simulations.Hooked.class, OPENED, "-Dtest.seconds=1", "-Ddownbeat.objectives=max<1ns"));
        assertThat(run.exitCode()).as(run.out()).isEqualTo(2);
        assertThat(run.out())
                .contains("SERVICE      MISSED", "exit code 2: max<1ns was missed", "a hook of somebody else ran");
        assertThat(run.ledger("answered")).isEqualTo(100);
        assertThat(run.page()).contains("downbeat.html");
        assertThat(Files.readString(run.folder().resolve("downbeat.html"))).contains("index.html");
        assertThat(Files.readString(run.folder().resolve("downbeat-junit.xml"))).contains("<failure");
    }

    /** Nothing is bound, as where an older SLF4J wins over Gatling's, or Logback's jar is there and another is bound. */
    @ParameterizedTest(name = "Logback is on the class path: {0}")
    @ValueSource(booleans = {false, true})
    @NeverExcused
    void a_missed_objective_fails_the_build_whatever_Gatling_logs_by(boolean isThere) throws Exception {
        String classPath = isThere ? withoutQueues() : without("awssdk", "sqs", "logback");
        String provider = isThere ? "-Dslf4j.provider=" + OtherLogging.class.getName() : "-Dtest.unused=";
        GatlingRun run = end(gatling(
                classPath,
                Simulations.Hooked.class,
                OPENED,
                provider,
                "-Dtest.seconds=1",
                "-Ddownbeat.objectives=max<1ns",
                "-Ddownbeat.exitCode=downbeat",
                "-Ddownbeat.acceptUnsound=true"));
        assertThat(run.out())
                .contains("exit code 99: max<1ns was missed", "a hook of somebody else ran", "Reports generated");
        assertThat(run.exitCode()).as(run.out()).isEqualTo(99);
        assertThat(run.page()).contains("downbeat.html");
    }

    /** An sbt shell, for one, makes a class loader for each run. */
    @Test
    @NeverExcused
    void a_program_that_lives_on_keeps_nothing_of_a_run() throws Exception {
        String classPath = without("awssdk", "sqs", "logback");
        GatlingRun run = end(start(
                OtherProgram.class.getName(),
                classPath,
                Simulations.Open.class,
                OPENED,
                "-Dtest.seconds=1",
                "-Ddownbeat.objectives=max<1ns"));
        assertThat(run.exitCode()).as(run.out()).isZero();
        assertThat(run.out()).contains("max<1ns was missed", "kept by the JVM: 0");
    }

    @Test
    void a_missed_objective_is_an_exception_for_sbt_after_a_report_with_a_link() throws Exception {
        GatlingRun run = GatlingRun.of(
                Simulations.Open.class,
                folder.resolve("results"),
                Map.of("test.url", server.uri(), "test.seconds", "1"));
        Optional<Path> corrected = Optional.of(run.folder().resolve("downbeat.html"));
        assertThatThrownBy(() -> GatlingLauncher.SBT.endWith(2, "p99<1ms was missed", run.folder(), corrected))
                .hasMessage("Downbeat: p99<1ms was missed");
        assertThat(run.page()).contains("href=\"downbeat.html\"");
    }

    @Test
    void an_uncertain_result_fails_only_on_request() throws Exception {
        // In this JVM, which is quicker. It is not ended, but a run that fails says why.
        GatlingRun run = GatlingRun.of(
                Simulations.Open.class,
                folder.resolve("results"),
                Map.of("test.url", server.uri(), "test.rate", "100", "downbeat.objectives", "p99.99<1h"));
        assertThat(run.json().at("/verdict/service").textValue()).isEqualTo("undecided");
        assertThat(run.out()).contains("MEASUREMENT").doesNotContain("it is undecided whether");
    }

    /** Gatling's own report has nothing to say of them: without a line of ours, the build passed in silence. */
    @ParameterizedTest
    @ValueSource(classes = {Simulations.WithoutUsers.class, Simulations.WithoutRequests.class})
    void a_simulation_that_sends_nothing_measures_nothing_and_meets_no_objective(Class<?> simulation) throws Exception {
        GatlingRun run = end(gatling(simulation, OPENED, "-Ddownbeat.objectives=p99<1h"));
        assertThat(run.exitCode()).as(run.out()).isEqualTo(2);
        assertThat(run.out())
                .contains("Nothing could be measured: the simulation sent no request.")
                .contains("planned 0 = answered 0");
    }

    @Test
    @NeverExcused
    void too_many_consecutive_undecided_runs_are_a_failed_assertion() throws Exception {
        Files.createDirectories(folder.resolve("results"));
        Path count =
                Files.writeString(folder.resolve("results/dev.downbeat.gatling.Simulations$Open.undecided"), "1\n");
        GatlingRun run = end(gatling(OPENED, "-Ddownbeat.objectives=p99.99<1h", "-Ddownbeat.undecided=fails-after-1"));
        assertThat(run.exitCode()).as(run.out()).isEqualTo(2);
        assertThat(run.out())
                .contains("undecided, 2 in a row", "it is undecided whether the objectives are met")
                .doesNotContain("objectives are met, but");
        assertThat(count).hasContent("2\n");
    }

    @Test
    void a_generator_that_is_paused_is_seen_by_us_and_not_by_Gatling() throws Exception {
        long before = server.stats().requestsReceived();
        Process process =
                gatling(OPENED, "-Dtest.seconds=5", "-Ddownbeat.objectives=p90<100ms", "-Ddownbeat.exitCode=downbeat");
        while (server.stats().requestsReceived() < before + 200 && process.isAlive()) {
            Thread.sleep(5);
        }
        signal(process, "STOP");
        Thread.sleep(1_500);
        signal(process, "CONT");
        GatlingRun run = end(process);
        JsonNode json = run.json();
        assertThat(run.addsUp()).isTrue();
        assertThat(run.ledger("planned")).isEqualTo(500);
        long p90 = json.at("/response/p90_ns").longValue();
        assertThat(p90).isGreaterThan(800_000_000L);
        // Gatling sees that the server meets what had gathered all at once, which takes a while on a busy machine.
        assertThat(run.gatlingMillis(90) * 1_000_000).isLessThan(p90 * 3 / 4);
        assertThat(json.at("/verdict/measurement").textValue()).isEqualTo("unsound");
        assertThat(run.exitCode()).isEqualTo(98);
    }

    private static void signal(Process process, String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
    }

    @ParameterizedTest(name = "Logback is on the class path: {0}")
    @ValueSource(booleans = {true, false})
    void a_run_whose_JVM_is_stopped_is_saved_as_partial(boolean isThere) throws Exception {
        long before = server.stats().requestsReceived();
        Process process = gatling(
                isThere ? withoutQueues() : without("awssdk", "sqs", "logback"),
                Simulations.Open.class,
                OPENED,
                "-Dtest.seconds=30",
                "-Ddownbeat.objectives=p90<1ns");
        while (server.stats().requestsReceived() < before + 50 && process.isAlive()) {
            Thread.sleep(5);
        }
        process.destroy();
        GatlingRun run = end(process);
        assertThat(run.exitCode()).as(run.out()).isEqualTo(128 + 15);
        assertThat(run.json().at("/ending").textValue()).isEqualTo("interrupted");
        assertThat(run.addsUp()).isTrue();
        assertThat(run.ledger("planned")).isBetween(50L, 2_900L);
        assertThat(Files.readString(run.folder().resolve("downbeat.html"))).contains("INTERRUPTED after", ": partial");
        assertThat(run.out()).contains("its own report (index.html) is missing").doesNotContain("\tat ");
        assertThat(run.folder().resolve("index.html")).doesNotExist();
    }

    /** Whoever stops it, such as an orchestrator, kills it before long. */
    @Test
    void a_run_whose_JVM_is_stopped_is_saved_though_the_watched_one_hangs() throws Exception {
        long before = server.stats().requestsReceived();
        try (LoopbackProcess watched = LoopbackProcess.start()) {
            Process process = gatling(OPENED, "-Dtest.seconds=60", "-Ddownbeat.watch=jvm:" + watched.pid());
            while (server.stats().requestsReceived() < before + 50 && process.isAlive()) {
                Thread.sleep(5);
            }
            watched.freeze();
            process.destroy();
            GatlingRun run = end(process);
            assertThat(run.exitCode()).as(run.out()).isEqualTo(128 + 15);
            assertThat(run.json().at("/ending").textValue()).isEqualTo("interrupted");
        }
    }

    @Test
    @NeverExcused
    void without_the_opened_package_one_line_says_what_is_missing() throws Exception {
        Process process = gatling("-Dtest.seconds=1");
        assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isNotZero();
        assertThat(Files.readString(folder.resolve("out")))
                .contains("downbeat: Gatling needs --add-opens=java.base/java.lang=ALL-UNNAMED")
                .doesNotContain("\tat ", "Exception");
    }

    @Test
    @NeverExcused
    void without_the_jar_for_queues_one_line_says_what_is_missing() throws Exception {
        Process process = gatling(QueueSimulations.NoQueue.class, OPENED);
        assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isNotZero();
        assertThat(Files.readString(folder.resolve("out")))
                .containsOnlyOnce("downbeat: Downbeat.sqs needs dev.downbeat:downbeat-sqs")
                .doesNotContain("\tat ", "Exception");
    }
}
