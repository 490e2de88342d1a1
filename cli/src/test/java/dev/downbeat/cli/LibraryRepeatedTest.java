package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.cli.file.SavedArguments;
import dev.downbeat.cli.file.SavedArguments.Origin;
import dev.downbeat.cli.file.SavedFile;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.http.Http;
import dev.downbeat.load.Arrivals;
import dev.downbeat.load.Load;
import dev.downbeat.load.Measured;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.report.data.ReportAccess;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.EntryPoint;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Shard;
import dev.downbeat.run.Workload;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the library measured is a line of the command line: {@code rerun} sends the same requests at the same times. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LibraryRepeatedTest {
    private static final Duration SHORT = Duration.ofMillis(200);

    @TempDir
    private Path folder;

    private Origin saved(Measured measured) {
        Path file = folder.resolve("library.downbeat");
        measured.save(file);
        return SavedFile.origin(file);
    }

    @Test
    void a_saved_run_of_the_library_is_sent_again_at_the_same_times() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            Measured measured = Load.perSecond(300)
                    .seed(7)
                    .duration(Duration.ofMillis(500))
                    .objectives("p50<20s")
                    .run(Http.get(server.uri()).header("Accept", "text/html").connections(4));
            assertThat(saved(measured).command())
                    .containsExactly(
                            "downbeat",
                            "run",
                            server.uri(),
                            "--header=Accept: text/html",
                            "--connections=4",
                            "--rate=300/s",
                            "--duration=500ms",
                            "--seed=7",
                            "--timeout=30s",
                            "--slo=p50<20s");
            Path again = folder.resolve("again.downbeat");
            Shell shell = Shell.call("rerun", folder.resolve("library.downbeat").toString(), "-o", again.toString());
            assertThat(Files.exists(again)).as(shell.err()).isTrue();
            RunReport first = ReportAccess.of(measured);
            RunReport second = SavedFile.read(again);
            assertThat(second.result().ledger().planned()).isEqualTo(measured.planned());
            assertThat(second.result().plan().workload())
                    .isEqualTo(first.result().plan().workload());
        }
    }

    /** Each user has its own, as on the command line. */
    @Test
    void a_saved_run_without_a_number_of_connections_is_sent_again_over_as_many() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            Load load = Load.closed(2, Duration.ofMillis(20)).duration(SHORT);
            for (Http http :
                    List.of(Http.get(server.uri()), Http.get(server.uri()).withoutKeepAlive())) {
                Measured measured = load.run(http);
                Origin origin = saved(measured);
                assertThat(origin.command()).contains("--connections=2");
                assertThat(read(origin).resolved().plan(Shard.WHOLE).workload())
                        .isEqualTo(ReportAccess.of(measured).result().plan().workload());
            }
        }
    }

    /** Even arrivals, and users: only what is sent is random. */
    @Test
    void a_file_is_drawn_anew_by_each_run_and_as_before_by_a_saved_one() throws IOException {
        List<String> asked = Collections.synchronizedList(new ArrayList<>());
        HttpServer shop = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        shop.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().getPath());
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        shop.start();
        Path requests = Files.writeString(
                folder.resolve("shop.http"),
                "GET http://127.0.0.1:" + shop.getAddress().getPort() + "/{{$uuid}}/{{$random.integer(1, 1000)}}\n");
        try {
            for (Load load : List.of(
                    Load.open(Arrivals.perSecond(100).evenly()).duration(SHORT),
                    Load.open(Arrivals.perSecond(100).evenly()).duration(SHORT).seed(7),
                    Load.perSecond(100).duration(SHORT),
                    Load.closed(1, Duration.ofMillis(10)).duration(SHORT))) {
                asked.clear();
                Measured measured = load.run(Http.file(requests).connections(1));
                List<String> first = List.copyOf(asked);
                assertThat(first).hasSizeGreaterThan(5).doesNotHaveDuplicates();
                assertThat(ReportAccess.of(measured).seed()).isPresent();
                measured.save(folder.resolve("library.downbeat"));
                asked.clear();
                Shell shell =
                        Shell.call("rerun", folder.resolve("library.downbeat").toString());
                int both = Math.min(first.size(), asked.size());
                assertThat(both).as(shell.err()).isPositive();
                assertThat(asked.subList(0, both)).isEqualTo(first.subList(0, both));
                asked.clear();
                load.run(Http.file(requests).connections(1));
                assertThat(asked.get(0).equals(first.get(0)))
                        .as("a seed of its own: " + measured.text())
                        .isEqualTo(ReportAccess.of(measured).seed().equals(Optional.of("7")));
            }
        } finally {
            shop.stop(0);
        }
    }

    /** Each shape, as the command line reads it: the intended times are those of the library. */
    @Test
    void every_shape_that_has_words_is_the_same_load_there() throws IOException {
        Arrivals stages = Arrivals.perSecond(50).during(SHORT).then(Arrivals.ramp(0, 200, SHORT));
        for (Arrivals arrivals : List.of(
                Arrivals.perSecond(80),
                Arrivals.perSecond(80).evenly(),
                Arrivals.every(9, SHORT),
                stages,
                stages.evenly().then(Arrivals.none().during(SHORT)))) {
            try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
                Duration length = arrivals.length().orElse(SHORT);
                Measured measured = Load.open(arrivals).seed(5).duration(length).run(Http.get(server.uri()));
                List<Long> meant = new ArrayList<>();
                arrivals.during(length).times(5).forEachRemaining((long nanos) -> meant.add(nanos));
                assertThat(times(saved(measured))).as(arrivals.toString()).isEqualTo(meant);
            }
        }
    }

    private static Measurement read(Origin origin) throws IOException {
        return SavedArguments.measurement(
                DownbeatMain.commandLine(),
                Map.of(),
                origin.command().subList(1, origin.command().size()));
    }

    private static List<Long> times(Origin origin) throws IOException {
        RunPlan plan = read(origin).resolved().plan(Shard.WHOLE);
        IntendedTimes times = ((Workload.Open) plan.workload()).arrivals().times();
        List<Long> all = new ArrayList<>();
        for (long nanos = times.nextNanos(); nanos < plan.durationNanos(); nanos = times.nextNanos()) {
            all.add(nanos);
        }
        return all;
    }

    /** A file of another entry point names its own command. */
    @Test
    void a_load_test_and_a_simulation_name_what_repeats_them() throws IOException {
        RunReport report = ReportAccess.of(Load.perSecond(50).duration(SHORT).run(beat -> {}));
        List<String> mvn = List.of("mvn", "test", "-Dtest=com.acme.ShopTest$Big#buys");
        Path file = folder.resolve("of-a-test.downbeat");
        try (OutputStream out = Files.newOutputStream(file)) {
            RunFile.write(report.from(mvn, EntryPoint.LOAD_TEST.measurement("com.acme.ShopTest$Big.buys")), out);
        }
        assertThat(Shell.call("rerun", file.toString()).firstErrorLine())
                .endsWith("of-a-test.downbeat is a run of the load test com.acme.ShopTest$Big.buys: repeat it with mvn"
                        + " test"
                        + " '-Dtest=com.acme.ShopTest$Big#buys'");
        try (OutputStream out = Files.newOutputStream(file)) {
            RunFile.write(
                    report.from(List.of("gradle", "gatlingRun"), EntryPoint.SIMULATION.measurement("shop.Buys")), out);
        }
        assertThat(Shell.call("rerun", file.toString()).firstErrorLine())
                .endsWith("of-a-test.downbeat is a run of the simulation shop.Buys: repeat it with gradle gatlingRun");
    }

    @Test
    void files_of_unlike_loads_say_what_differs() {
        Path one = folder.resolve("one.downbeat");
        Path two = folder.resolve("two.hlog");
        Load.closed(2, Duration.ofMillis(5)).duration(SHORT).run(beat -> {}).save(one);
        Load.closed(3, Duration.ofMillis(5)).duration(SHORT).run(beat -> {}).save(two);
        Shell compared = Shell.call("compare", one.toString(), two.toString());
        assertThat(compared.out().replaceAll("\\s+", " ")).contains(" differ (virtual users 3, not 2)");
    }

    @Test
    void a_load_without_a_command_line_has_none_and_none_has_secrets() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            Load load = Load.closed(2, Duration.ofMillis(20)).duration(SHORT);
            Origin secret = saved(load.run(Http.get(server.uri()).header("Authorization", "Bearer of-nobody")));
            assertThat(secret.command()).contains("--header=Authorization: ***", "--closed=2", "--think=20ms");
            assertThat(Files.readString(folder.resolve("library.downbeat"), StandardCharsets.ISO_8859_1))
                    .doesNotContain("of-nobody");
            assertThat(saved(load.run(beat -> {})).command()).isEmpty();
            Shell refused =
                    Shell.call("rerun", folder.resolve("library.downbeat").toString());
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.firstErrorLine())
                    .endsWith("library.downbeat is a run of the code dev.downbeat.cli.LibraryRepeatedTest"
                            + ".a_load_without_a_command_line_has_none_and_none_has_secrets: run it again");
            Measured recorded = Load.open(Arrivals.at(SHORT))
                    .duration(Duration.ofMillis(300))
                    .run(Http.get(server.uri()));
            assertThat(saved(recorded).command()).isEmpty();
        }
    }
}
