package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.testing.FreePort;
import dev.downbeat.testing.MeasuredFirst;
import dev.downbeat.testing.NeverExcused;
import dev.downbeat.testing.Timing;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds the project of docs/maven.md with Maven, as its users would: once with a healthy service and once with a stall. Both
 * at the same time, since they mostly sleep.
 */
@Timing
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(300)
class ExampleProjectTest {
    /** C2 does not pay off in builds of a few seconds. */
    private static final String ONE_COMPILER = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1";

    @TempDir
    static Path attempts;

    private Path folder;
    private String version;
    private String healthy;
    private String stalled;

    @MeasuredFirst
    void build() throws IOException, InterruptedException {
        folder = Files.createTempDirectory(attempts, "attempt");
        version = Checkout.version();
        Path repository = repository();
        Build healthyBuild = start("healthy", repository, "-Ddownbeat.undecided=aborts");
        Build stalledBuild =
                start("stalled", repository, "-Dshop.stall=200", "-Dit.test=OrdersIT,RareOrders,Forgotten");
        healthy = healthyBuild.output();
        stalled = stalledBuild.output();
    }

    @Test
    void a_service_that_meets_its_objective_makes_the_build_succeed() {
        assertThat(healthy).contains("BUILD SUCCESS").contains("Tests run: 1, Failures: 0, Errors: 0");
    }

    /** On a busy machine it may be uncertain as well, and the interval may be missing with a reason. */
    @Test
    void a_stall_fails_the_build_with_percentile_limit_value_interval_and_report() {
        assertThat(stalled)
                .contains("BUILD FAILURE")
                .containsPattern(
                        "OrdersIT\\.places_orders: p99 < 100 ms MISSED: measured \\d[\\d.]* m?s"
                                + "(, up to \\d[\\d.]* m?s of it may be Downbeat's)?( \\(95 % CI (above )?\\d| \\(no interval: |, uncertain \\()")
                .containsPattern("report: target/downbeat/example\\.OrdersIT\\.places_orders\\S*\\.html");
    }

    @Test
    void too_few_samples_fail_the_build_as_undecided_and_say_why() {
        assertThat(stalled).contains("UNDECIDED: RareOrders.places_rare_orders: p99.9 < 1 s undecided: ");
    }

    /** Surefire must report it although JUnit runs no test for it. */
    @Test
    @NeverExcused
    void an_objective_where_nothing_is_measured_fails_the_build_with_one_sentence() {
        assertThat(stalled)
                .contains("@Slo on Forgotten.places_orders does nothing without @LoadTest: nothing is measured");
    }

    @Test
    @NeverExcused
    void the_reports_are_where_the_message_says() throws IOException {
        try (Stream<Path> reports = Files.list(folder.resolve("stalled/target/downbeat"))) {
            assertThat(reports.map(report -> report.getFileName().toString()))
                    .anyMatch(name -> name.startsWith("example.OrdersIT") && name.endsWith(".html"))
                    .anyMatch(name -> name.startsWith("example.OrdersIT") && name.endsWith(".json"));
        }
    }

    /** A build that was started. */
    private record Build(Process process, Path log) {
        String output() throws IOException, InterruptedException {
            try {
                boolean ended = process.waitFor(200, TimeUnit.SECONDS);
                assertThat(ended).as(() -> "still running: " + log).isTrue();
                return Files.readString(log);
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
    }

    private Build start(String name, Path repository, String... more) throws IOException {
        Path project = folder.resolve(name);
        copy(Checkout.root().resolve("junit-plugin/example"), project);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("downbeat.maven"), "bin/mvn").toString(),
                "-B",
                "--no-transfer-progress",
                "-Dmaven.repo.local=" + repository,
                "-Ddownbeat.version=" + version,
                "-Dshop.port=" + FreePort.find(),
                "-DargLine=" + ONE_COMPILER,
                "verify"));
        command.addAll(List.of(more));
        Path log = folder.resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().keySet().removeIf(variable -> variable.startsWith("MAVEN_"));
        builder.environment().put("MAVEN_OPTS", ONE_COMPILER);
        return new Build(builder.start(), log);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path relative = from.relativize(file);
                if (!relative.startsWith("target")) {
                    Files.createDirectories(to.resolve(relative).getParent());
                    Files.copy(file, to.resolve(relative));
                }
            }
        }
    }

    /** A repository of links to the user's local one, with Downbeat's modules from this checkout. */
    private Path repository() throws IOException {
        Path own = Path.of(System.getProperty("downbeat.repository"));
        Path repository = Files.createDirectories(folder.resolve("repository"));
        link(own, repository, "dev");
        link(own.resolve("dev"), Files.createDirectories(repository.resolve("dev")), "downbeat");
        module(repository, "core", "downbeat-core");
        module(repository, "analysis", "downbeat-analysis");
        module(repository, "report", "downbeat-report");
        module(repository, "load", "downbeat");
        module(repository, "integrations/watch", "downbeat-watch");
        module(repository, "junit-plugin", "downbeat-junit");
        return repository;
    }

    private static void link(Path from, Path to, String except) throws IOException {
        File[] entries = from.toFile().listFiles();
        for (File entry : entries == null ? new File[0] : entries) {
            if (!entry.getName().equals(except)) {
                Files.createSymbolicLink(to.resolve(entry.getName()), entry.toPath());
            }
        }
    }

    private void module(Path repository, String module, String artifact) throws IOException {
        Path built = Checkout.root().resolve(module).resolve("target");
        Path to = Files.createDirectories(repository.resolve("dev/downbeat/" + artifact + "/" + version));
        String name = artifact + "-" + version;
        Files.copy(built.resolve(name + ".jar"), to.resolve(name + ".jar"));
        Files.copy(built.resolve(".flattened-pom.xml"), to.resolve(name + ".pom"));
    }
}
