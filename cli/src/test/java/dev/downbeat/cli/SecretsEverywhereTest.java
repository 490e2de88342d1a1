package dev.downbeat.cli;

import static dev.downbeat.cli.Hush.AT_ONCE;
import static dev.downbeat.cli.Hush.HUSH;
import static dev.downbeat.cli.Hush.NAMES;
import static dev.downbeat.cli.Hush.assertNothing;
import static dev.downbeat.cli.Hush.call;
import static dev.downbeat.cli.Hush.headers;
import static dev.downbeat.cli.Hush.names;
import static dev.downbeat.cli.Hush.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.load.Load;
import dev.downbeat.load.Measured;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.report.data.ReportAccess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 200 names of headers and parameters, in every file and page: their values are nowhere. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SecretsEverywhereTest {
    private static final List<String> ENDINGS = List.of("downbeat", "json", "html", "md", "csv", "xml", "hlog");

    @TempDir
    Path folder;

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
                        List.of("explain", saved),
                        List.of("history", saved, saved),
                        List.of("session", saved, "-n", "2"),
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

    @Test
    void no_result_of_variants_shows_one() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            String urls = "url=" + server.uri() + "?key=" + HUSH + "," + server.uri() + "b?key=" + HUSH;
            String[] formats = {"json", "html", "md", "xml"};
            for (List<String> command : List.of(
                    List.of("run", server.uri(), "-d", "1s", "--turns", "2", "--accept-unsound"),
                    List.of("position", server.uri(), "--runs", "3", "--requests", "4", "--accept-unsound"))) {
                List<String> words = new ArrayList<>(command);
                words.addAll(List.of("--vary", urls));
                Path[] files = Arrays.stream(formats)
                        .map(ending -> folder.resolve(command.get(0) + "." + ending))
                        .toArray(Path[]::new);
                Shell said = call(words, outputs(files));
                assertThat(said.exitCode()).as(said.err()).isIn(0, 98);
                assertNothing(said, files);
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
                    List.of("--slurm"))) {
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
            Shell both = call(run, outputs(processes));
            assertThat(both.out()).as(both.err()).contains("2 processes, merged losslessly");
            assertNothing(both, processes);
        }
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
            HttpTarget target = new HttpTarget(request, HttpOptions.of(draft -> {}));
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
                    ReportAccess.of(measured),
                    ReportAccess.of(measured).result().target())) {
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
