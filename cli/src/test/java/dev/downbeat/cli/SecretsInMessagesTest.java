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

import dev.downbeat.cli.job.Job;
import dev.downbeat.cli.job.LiveTotals;
import dev.downbeat.cli.job.RunCounts;
import dev.downbeat.cli.job.Screen;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.cli.shard.ShardPart;
import dev.downbeat.cli.terminal.Terminal;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.run.RunSnapshot;
import dev.downbeat.testing.FreePort;
import dev.downbeat.testing.Replications;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 200 names of headers and parameters, in what is said while a run goes on or cannot: their values are nowhere. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SecretsInMessagesTest {
    /** Of the wrong command lines, one in so many; with 23 for each name, each has its turn with many names. */
    private static final int SHARE = Replications.areWhole() ? 1 : 7;

    @TempDir
    Path folder;

    @Test
    void nothing_that_can_be_seen_while_it_runs_shows_one() throws Exception {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            List<String> names = names().subList(0, AT_ONCE);
            int port = FreePort.find();
            Path saved = folder.resolve("watched.downbeat");
            List<String> run = new ArrayList<>(List.of("run", server.uri() + query(names), "--data", HUSH));
            run.addAll(headers(names));
            run.addAll(List.of("-R", "50", "-d", "3s", "--prometheus", "127.0.0.1:" + port));
            CompletableFuture<Shell> running =
                    CompletableFuture.supplyAsync(() -> call(run, List.of("-o", saved.toString())));
            Path journal = folder.resolve("watched.downbeat.part");
            String metrics = "";
            while (!running.isDone() && (!metrics.contains("\"answered\"} ") || metrics.contains("\"answered\"} 0"))) {
                metrics = scraped(port);
                assertThat(metrics).doesNotContain(HUSH);
            }
            if (!running.isDone()) {
                assertThat(metrics).contains("downbeat_");
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
            Job job = Job.of(value.resolved(), target, ShardPart.WHOLE, null);
            for (boolean unicode : new boolean[] {true, false}) {
                Screen screen = new Screen(job, new Terminal(true, true, 20_000, 24, unicode));
                RunSnapshot live = new RunSnapshot(10, 1, 0, 1_000, 1_000);
                LiveTotals now = new LiveTotals(new RunCounts().snapshot(), live, 1_000_000, List.of());
                assertThat(String.join("\n", screen.lines(now)))
                        .contains("page=2")
                        .doesNotContain(HUSH);
                assertThat(screen.line(now)).doesNotContain(HUSH);
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
    void without_a_measurement_no_result_is_printed() throws IOException {
        String nowhere = "http://127.0.0.1:" + FreePort.find() + "/" + query(names());
        for (String command : List.of("run", "sweep", "position")) {
            Shell nothing = call(List.of(command, nowhere), headers(names()));
            assertThat(nothing.exitCode()).as(command).isBetween(1, 2);
            assertNothing(nothing);
        }
        assertNothing(call(List.of("run", "http://nobody.invalid/" + query(names()), "-n", "1"), List.of()));
    }
}
