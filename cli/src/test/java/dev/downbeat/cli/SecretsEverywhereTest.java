package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.cli.job.Job;
import dev.downbeat.cli.job.Screen;
import dev.downbeat.cli.job.Watched;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.Values;
import dev.downbeat.cli.shard.Part;
import dev.downbeat.cli.terminal.Terminal;
import dev.downbeat.http.HttpEndpoint;
import dev.downbeat.http.HttpOptions;
import dev.downbeat.http.HttpRequest;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.load.Load;
import dev.downbeat.load.Measured;
import dev.downbeat.loopback.LoopbackOptions;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.run.Live;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.SecretNames;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 200 names of headers and parameters, in everything that comes out: their values are nowhere. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SecretsEverywhereTest {
    private static final String HUSH = SecretNames.VALUE;
    private static final List<String> ENDINGS = List.of("downbeat", "json", "html", "md", "csv", "xml", "hlog", "hgrm");
    private static final int NAMES = SecretNames.COUNT;

    /** So many at a time: the head of a request has a limit. */
    private static final int AT_ONCE = 50;

    /** Of the wrong command lines, one in so many; with 23 for each name, each has its turn with many names. */
    private static final int SHARE = Replications.areWhole() ? 1 : 7;

    @TempDir
    Path folder;

    private static List<String> names() {
        return SecretNames.all();
    }

    private static String query(List<String> names) {
        return SecretNames.query(names);
    }

    /** Each in one of the ways in which a header can be written. */
    private static List<String> headers(List<String> names) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String header = names.get(i) + ": " + HUSH;
            words.addAll(
                    switch (i % 5) {
                        case 0 -> List.of("-H", header);
                        case 1 -> List.of("-H" + header);
                        case 2 -> List.of("--header=" + header);
                        case 3 -> List.of("--header", header.replace(": ", ":"));
                        default -> List.of("-H=" + header);
                    });
        }
        return words;
    }

    private static void assertNothing(Shell said, Path... files) throws IOException {
        assertThat(said.out()).as("stdout").doesNotContain(HUSH);
        assertThat(said.err()).as("stderr").doesNotContain(HUSH);
        for (Path file : files) {
            assertThat(Files.size(file)).isPositive();
            assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                    .as(file.toString())
                    .doesNotContain(HUSH);
            if (file.toString().endsWith(".downbeat")) {
                assertNothingIn(file);
            }
        }
    }

    private static void assertNothingIn(Path zip) throws IOException {
        try (InputStream in = Files.newInputStream(zip);
                ZipInputStream entries = new ZipInputStream(in)) {
            for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                assertThat(new String(entries.readAllBytes(), StandardCharsets.UTF_8))
                        .as(entry.getName())
                        .doesNotContain(HUSH);
            }
        }
    }

    private Path[] files(String name) {
        return ENDINGS.stream()
                .map(ending -> folder.resolve(name + "." + ending))
                .toArray(Path[]::new);
    }

    private static List<String> outputs(Path... files) {
        return Arrays.stream(files)
                .flatMap(file -> Stream.of("-o", file.toString()))
                .toList();
    }

    private static Shell call(List<String> words, List<String> more) {
        return Shell.call(Stream.concat(words.stream(), more.stream()).toArray(String[]::new));
    }

    @Test
    void no_format_of_a_run_its_report_and_its_comparison_shows_one() throws IOException {
        assertThat(names()).hasSize(NAMES);
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            for (int from = 0; from < NAMES; from += AT_ONCE) {
                List<String> names = names().subList(from, from + AT_ONCE);
                Path[] files = files("a" + from);
                List<String> run = new ArrayList<>(List.of("run", server.uri() + query(names), "-qHX-First: " + HUSH));
                run.addAll(headers(names));
                run.addAll(List.of("--data", HUSH, "-n", "20", "-R", "500", "--accept-unsound", "--seed", "1"));
                Shell said = call(run, outputs(files));
                assertThat(said.exitCode()).as(said.err()).isZero();
                assertNothing(said, files);
                Path[] again = files("b" + from);
                assertNothing(call(List.of("report", files[0].toString()), outputs(again)), again);
                for (String json : List.of("--json", "-q")) {
                    assertNothing(call(run, List.of(json)));
                }
                String saved = files[0].toString();
                for (List<String> door : List.of(
                        List.of("report", saved),
                        List.of("report", saved, "--json"),
                        List.of("report", saved, saved),
                        List.of("rerun", saved),
                        List.of("rerun", files[1].toString()),
                        List.of("compare", saved, saved),
                        List.of("compare", "--json", saved, saved),
                        List.of("merge", saved, saved))) {
                    Shell shown = call(door, List.of());
                    assertThat(shown.out() + shown.err()).as(door.toString()).isNotBlank();
                    assertNothing(shown);
                }
            }
        }
    }

    /** What a plan hands to its shards, in the one place that an engine keeps for it: there it must be. */
    private static String withoutItsPlace(String manifest) {
        return manifest.replaceAll("(?s)<<'END_OF_PLAN'\n.*?\nEND_OF_PLAN\n", "")
                .replaceAll("(?s)\nkind: Secret\n.*?\n---\n", "\n");
    }

    @Test
    void no_job_of_an_engine_shows_one_but_where_it_keeps_secrets() throws IOException {
        for (int from = 0; from < NAMES; from += AT_ONCE) {
            List<String> names = names().subList(from, from + AT_ONCE);
            List<String> plan = new ArrayList<>(List.of("plan", "http://h/" + query(names), "--shards", "2"));
            plan.addAll(headers(names));
            plan.addAll(List.of("--data", HUSH, "-R", "100", "-d", "1s", "--seed", "1"));
            for (List<String> engine : List.of(
                    List.of("--kubernetes", "--volume", "results"),
                    List.of("--kubernetes", "--store", "s3://results/", "--role", "load"),
                    List.of("--slurm"),
                    List.of(
                            "--aws-batch",
                            "--volume",
                            "v",
                            "--queue",
                            "q",
                            "--execution-role",
                            "arn:aws:iam::1:role/r"),
                    List.of(
                            "--aws-batch",
                            "--store",
                            "s3://results/nightly",
                            "--queue",
                            "q",
                            "--execution-role",
                            "arn:aws:iam::1:role/r"))) {
                Shell shell = call(plan, engine);
                assertThat(shell.exitCode()).as(shell.err()).isZero();
                assertThat(shell.out()).as("what the shards need").contains(HUSH);
                assertNothing(new Shell(0, withoutItsPlace(shell.out()), shell.err()));
            }
        }
    }

    @Test
    void no_shard_and_no_sum_of_shards_shows_one() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            List<String> names = names().subList(0, AT_ONCE);
            List<String> asked = new ArrayList<>(List.of(server.uri() + query(names), "--data", HUSH));
            asked.addAll(headers(names));
            asked.addAll(List.of("-R", "100", "-d", "500ms", "--seed", "1", "--slo", "p50<1ns"));
            Path plan = folder.resolve("plan.json");
            List<String> planned = new ArrayList<>(List.of("plan"));
            planned.addAll(asked);
            assertNothing(call(planned, List.of("--shards", "2", "-o", plan.toString())));
            Path[] shards = {folder.resolve("0.downbeat"), folder.resolve("1.downbeat")};
            for (int i = 0; i < shards.length; i++) {
                assertNothing(
                        call(List.of("run", "--plan", plan.toString(), "--shard", i + "/2"), outputs(shards[i])),
                        shards[i]);
            }
            Path[] sum = files("sum");
            List<String> merge = List.of("merge", shards[0].toString(), shards[1].toString(), "--max-skew", "1m");
            assertNothing(call(merge, outputs(sum)), sum);
            Path[] processes = files("processes");
            List<String> run = new ArrayList<>(List.of("run"));
            run.addAll(asked);
            run.addAll(List.of("--processes", "2"));
            assertNothing(call(run, outputs(processes)), processes);
        }
    }

    @Test
    void nothing_that_can_be_seen_while_it_runs_shows_one() throws Exception {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            List<String> names = names().subList(0, AT_ONCE);
            int port = LoopbackServer.freePort();
            Path saved = folder.resolve("watched.downbeat");
            List<String> run = new ArrayList<>(List.of("run", server.uri() + query(names), "--data", HUSH));
            run.addAll(headers(names));
            run.addAll(List.of("-R", "50", "-d", "3s", "--prometheus", "127.0.0.1:" + port));
            CompletableFuture<Shell> running = CompletableFuture.supplyAsync(() -> call(run, outputs(saved)));
            Path journal = folder.resolve("watched.downbeat.part");
            String metrics = "";
            while (!running.isDone() && (!metrics.contains("\"answered\"} ") || metrics.contains("\"answered\"} 0"))) {
                metrics = scraped(port);
            }
            if (!running.isDone()) {
                assertThat(metrics).contains("downbeat_").doesNotContain(HUSH);
                assertThat(Files.readString(journal, StandardCharsets.ISO_8859_1))
                        .contains("page=2")
                        .doesNotContain(HUSH);
            }
            assertThat(running.join().exitCode()).as(running.join().err()).isIn(0, 98);
            assertNothing(running.join(), saved);
            assertThat(metrics).isNotEmpty();
        }
    }

    private static String scraped(int port) throws InterruptedException {
        try {
            java.net.http.HttpRequest request = java.net.http.HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + port + "/metrics"))
                    .timeout(Duration.ofSeconds(10))
                    .build();
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException notYet) {
            Thread.sleep(10);
            return "";
        }
    }

    @Test
    void the_live_screen_shows_none() throws IOException {
        for (int from = 0; from < NAMES; from += AT_ONCE) {
            List<String> names = names().subList(from, from + AT_ONCE);
            String target = "http://127.0.0.1:1/" + query(names);
            Measurement value = Values.of(
                    Measurement.class,
                    Map.of(
                            "TARGET",
                            List.of(target),
                            "--header",
                            names.stream().map(name -> name + ": " + HUSH).toList(),
                            "--data",
                            List.of(HUSH),
                            "--rate",
                            List.of("100")));
            Job job = Job.of(value.resolved(), target, Part.WHOLE, null);
            for (boolean unicode : new boolean[] {true, false}) {
                Screen screen = new Screen(job, new Terminal(true, true, 20_000, unicode));
                Live live = new Live(10, 1, 0, 1_000, 1_000);
                Watched.Snapshot seen = new Watched().snapshot();
                assertThat(String.join("\n", screen.lines(1_000_000, live, seen)))
                        .contains("page=2")
                        .doesNotContain(HUSH);
                assertThat(screen.line(1_000_000, live, seen)).doesNotContain(HUSH);
            }
            assertThat(job.toString()).doesNotContain(HUSH);
            assertThat(value.toString()).contains("page=2").doesNotContain(HUSH);
        }
    }

    @Test
    void no_message_about_a_wrong_command_line_repeats_one() throws IOException {
        String hush = HUSH;
        int number = 0;
        for (String name : names()) {
            String query = "?" + name + "=" + hush;
            for (List<String> wrong : List.of(
                    List.of("run", "ftp://h/" + query),
                    List.of("run", "http://h:port/" + query),
                    List.of("run", "http://h/" + query + " " + hush),
                    List.of("run", "http://" + name + ":" + hush + "@h/"),
                    List.of("run", "http://" + hush + "@h/"),
                    List.of("run", "h/" + query),
                    List.of("run", "unix:" + query),
                    List.of("run", "http://h/", "-H", hush),
                    List.of("run", "http://h/", "-H", name + "=" + hush + ": " + hush),
                    List.of("run", "http://h/", "-H", name + ": " + hush + "\r\n" + hush),
                    List.of("run", "http://h/", "--headr", name + ": " + hush),
                    List.of("run", "http://h/", "--headr=" + name + ": " + hush),
                    List.of("run", "http://h/", "-Y" + hush),
                    List.of("run", "http://h/", name + ":" + hush),
                    List.of("run", "http://h/", "--data", hush, "--data", hush),
                    List.of("run", "http://h/" + query, "-R", "x"),
                    List.of("run", "http://h/" + query, "--plan", "none"),
                    List.of("run", "http://h/", "-R", "http://h/" + query),
                    List.of("sweep", "ftp://h/" + query),
                    List.of("compare", "--live", "http://h/" + query, "ftp://h/" + query),
                    List.of("plan", "ftp://h/" + query, "--shards", "2"),
                    List.of(
                            "plan",
                            "http://h/" + query,
                            "--shards",
                            "2",
                            "--aws-batch",
                            "--volume",
                            "v",
                            "--queue",
                            "q"),
                    List.of("report", "http://h/" + query))) {
                if (number++ % SHARE != 0) {
                    continue; // another name's turn, but in a nightly build
                }
                Shell refused = call(wrong, List.of());
                assertThat(refused.exitCode()).as(wrong.toString()).isEqualTo(2);
                assertThat(refused.err()).as(wrong.toString()).isNotBlank();
                assertNothing(refused);
            }
        }
    }

    @Test
    void where_nothing_can_be_measured_none_is_said() throws IOException {
        String nowhere = "http://127.0.0.1:" + LoopbackServer.freePort() + "/" + query(names());
        for (String command : List.of("run", "sweep", "sheet", "position")) {
            Shell nothing = call(List.of(command, nowhere), headers(names()));
            assertThat(nothing.exitCode()).as(command).isBetween(1, 2);
            assertNothing(nothing);
        }
        assertNothing(call(List.of("run", "http://nobody.invalid/" + query(names()), "-n", "1"), List.of()));
    }

    @Test
    void the_library_shows_none() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            List<String> names = names().subList(0, AT_ONCE);
            List<HttpRequest.Header> headers = names.stream()
                    .map(name -> new HttpRequest.Header(name, HUSH))
                    .toList();
            HttpEndpoint endpoint = HttpEndpoint.parse(server.uri() + query(names));
            HttpRequest request = HttpRequest.of("POST", endpoint, headers, HUSH.getBytes(StandardCharsets.UTF_8));
            HttpTarget target = new HttpTarget(request, HttpOptions.defaults());
            Measured measured = Load.perSecond(200)
                    .duration(Duration.ofMillis(200))
                    .named(server.uri() + query(names))
                    .objectives("p50<1ns")
                    .run(target);
            for (Object shown : List.of(
                    headers,
                    endpoint,
                    request,
                    target.describe(),
                    measured,
                    measured.text(),
                    measured.sentence(),
                    measured.report(),
                    measured.report().result().target())) {
                assertThat(shown.toString()).as(shown.getClass().toString()).doesNotContain(HUSH);
            }
            assertThatThrownBy(measured::throwUnlessMet)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageNotContaining(HUSH);
            for (String ending : ENDINGS.subList(0, ENDINGS.size() - 1)) {
                Path file = folder.resolve("library." + ending);
                measured.save(file);
                assertNothing(new Shell(0, "", ""), file);
            }
        }
    }
}
