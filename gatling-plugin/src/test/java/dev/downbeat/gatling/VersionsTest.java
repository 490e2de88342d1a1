package dev.downbeat.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The one artifact with the real jars of other Gatlings: the oldest and the newest in every build, and each line by {@code
 * -Ddownbeat.gatlings=3.11.5,3.12.0,3.13.5,3.14.9,3.15.0,3.16.0}, as the nightly build does it.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class VersionsTest {
    private static LoopbackServer server;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws IOException {
        server = LoopbackServer.start(LoopbackOptions.defaults());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static Stream<String> versions() {
        return Stream.of(
                System.getProperty("downbeat.gatlings", "3.11.5,3.16.0").split(",", -1));
    }

    /** 3.11 has another action for it. */
    static Stream<String> versionsAfterTheOldest() {
        return versions().filter(version -> !version.startsWith("3.11."));
    }

    private GatlingRun run(String version, Class<?> simulation, String... options) throws Exception {
        String[] all = Stream.concat(
                        Stream.of("-Dtest.url=" + server.uri(), "-Dtest.rate=30", "-Dtest.seconds=1"),
                        Stream.of(options))
                .toArray(String[]::new);
        int code = OtherGatling.of(version).run(simulation.getName(), folder, all);
        String out = Files.readString(folder.resolve("out"));
        assertThat(folder.resolve("results")).as(out).exists();
        GatlingRun run = new GatlingRun(code, GatlingRun.only(folder.resolve("results")), out);
        assertThat(run.folder().resolve("downbeat.json")).as(out).exists();
        return run;
    }

    @ParameterizedTest(name = "Gatling {0}")
    @MethodSource("versions")
    void a_simulation_is_corrected_by_the_class_that_it_extends(String version) throws Exception {
        GatlingRun run = run(version, Simulations.Grouped.class);
        assertThat(run.json().at("/plan/gatling").textValue()).isEqualTo(version);
        assertThat(run.addsUp()).isTrue();
        assertThat(run.requests())
                .containsEntry("shop / login", List.of(30L, 30L, 0L))
                .containsEntry("shop / order", List.of(30L, 0L, 30L));
        assertThat(run.exitCode()).as(run.out()).isEqualTo(2);
    }

    @ParameterizedTest(name = "Gatling {0}")
    @MethodSource("versions")
    void an_unknown_version_is_refused_in_one_line(String version) throws Exception {
        int code =
                OtherGatling.of(version).calledItself("3.17.0", folder).run(Simulations.Open.class.getName(), folder);
        assertThat(Files.readAllLines(folder.resolve("out")).stream().filter(line -> line.startsWith("downbeat: ")))
                .containsExactly("downbeat: Downbeat corrects Gatling 3.11 to 3.16, but this is Gatling 3.17.0:"
                        + " use one of these, or a downbeat-gatling that supports it");
        assertThat(Files.readString(folder.resolve("out"))).doesNotContain("\tat ", "Exception");
        assertThat(code).isEqualTo(1);
    }

    @ParameterizedTest(name = "Gatling {0}")
    @MethodSource("versions")
    void the_launcher_corrects_one_as_it_is_and_a_throttle_is_seen(String version) throws Exception {
        GatlingRun run =
                run(version, Corrected.class, "-Ddownbeat.simulation=" + Simulations.ThrottledPlain.class.getName());
        assertThat(run.addsUp()).isTrue();
        assertThat(run.ledger("answered")).isEqualTo(30);
        assertThat(run.json().at("/backlog_wait/max_ns").longValue()).isGreaterThan(300_000_000L);
        assertThat(run.exitCode()).as(run.out()).isZero();
    }

    @ParameterizedTest(name = "Gatling {0}")
    @MethodSource("versions")
    void a_request_whose_name_throws_has_failed_unsent_and_its_user_goes_on(String version) throws Exception {
        GatlingRun run = run(version, Simulations.NamedByAFunctionThatThrows.class);
        assertThat(run.addsUp()).isTrue();
        assertThat(run.requests())
                .containsEntry("(name has no value)", List.of(2L, 0L, 2L))
                .containsEntry("after", List.of(2L, 2L, 0L));
    }

    @ParameterizedTest(name = "Gatling {0}", allowZeroInvocations = true)
    @MethodSource("versionsAfterTheOldest")
    void a_run_that_a_simulation_stops_is_interrupted_with_its_reason(String version) throws Exception {
        GatlingRun run = run(version, Simulations.Stopped.class);
        assertThat(run.addsUp()).isTrue();
        assertThat(run.json().at("/ending").textValue()).isEqualTo("interrupted");
        assertThat(run.json().at("/failure").textValue()).isEqualTo("enough");
    }
}
