package dev.downbeat.cli.meet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.Shell;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.run.RunResult;
import dev.downbeat.s3.S3Proxy;
import dev.downbeat.testing.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shards that meet, over real places. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RunMeetTest {
    private static final int SHARDS = 3;

    @TempDir
    Path folder;

    /** What shard 0 shows in the end; a shard that fails before says why. */
    private static String lastPage(int port, List<CompletableFuture<Shell>> shards) throws Exception {
        HttpClient browser = HttpClient.newHttpClient();
        HttpRequest look = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                .timeout(Duration.ofSeconds(20))
                .build();
        String page = "";
        while (!page.contains("ENDED")) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            try {
                page = browser.send(look, HttpResponse.BodyHandlers.ofString()).body();
            } catch (IOException notYet) {
                assertThat(page).as("it is gone before its end").isEmpty();
                assertThat(shards).as("no shard shows it").anyMatch(shard -> !shard.isDone());
            }
            for (CompletableFuture<Shell> shard : shards) {
                if (shard.isDone()) {
                    assertThat(shard.get().exitCode()).as(shard.get().err()).isZero();
                }
            }
        }
        return page;
    }

    private String place(String kind) throws IOException {
        if (kind.equals("tcp")) {
            return "tcp:127.0.0.1:" + FreePort.find();
        }
        return kind.equals("file") ? "file:" + folder.resolve("meet") : "s3://results/nightly";
    }

    private Path plan(String uri, String... more) {
        Path plan = folder.resolve("plan.json");
        List<String> words = new ArrayList<>(List.of(
                "plan",
                uri,
                "-R",
                "200",
                "-d",
                "1s",
                "--seed",
                "7f3a",
                "--shards",
                "" + SHARDS,
                "--accept-unsound",
                "-o",
                plan.toString()));
        words.addAll(List.of(more));
        Shell made = Shell.call(words.toArray(String[]::new));
        assertThat(made.exitCode()).as(made.err()).isZero();
        return plan;
    }

    private CompletableFuture<Shell> shard(Path plan, String where, int index, String... more) {
        List<String> words = new ArrayList<>(List.of(
                "run",
                "--plan",
                plan.toString(),
                "--shard",
                index + "/" + SHARDS,
                "--meet",
                where,
                "-q",
                "-o",
                folder.resolve("s-" + index + ".downbeat").toString()));
        words.addAll(List.of(more));
        return CompletableFuture.supplyAsync(
                () -> Shell.call(words.toArray(String[]::new)), work -> new Thread(work).start());
    }

    private static List<Long> intended(RunResult result) {
        return Stream.concat(result.kept().slowest().stream(), result.kept().controls().stream())
                .map(KeptRequest::intendedNanos)
                .distinct()
                .sorted()
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"file", "tcp", "s3"})
    void request_by_request_the_sum_is_the_single_run_and_the_live_sum_is_the_merged_one(String kind) throws Exception {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults());
                S3Proxy store = kind.equals("s3") ? S3Proxy.start(folder) : null) {
            if (store != null) {
                store.settings().forEach(System::setProperty);
            }
            String where = place(kind);
            Path plan = plan(server.uri());
            List<CompletableFuture<Shell>> shards = new ArrayList<>();
            shards.add(shard(plan, where, 2));
            shards.add(shard(plan, where, 1));
            int port = FreePort.find();
            shards.add(shard(plan, where, 0, "--live-page", "127.0.0.1:" + port));
            String page = lastPage(port, shards);
            for (CompletableFuture<Shell> shard : shards) {
                Shell said = shard.get();
                assertThat(said.exitCode()).as(said.err()).isZero();
            }
            Path sum = folder.resolve("sum.downbeat");
            Shell merged = Shell.call(
                    "merge", file(0), file(1), file(2), "--accept-unsound", "--max-skew", "1m", "-o", sum.toString());
            assertThat(merged.exitCode()).as(merged.err()).isZero();
            Path single = folder.resolve("single.downbeat");
            Shell.call(
                    "run",
                    server.uri(),
                    "-R",
                    "200",
                    "-d",
                    "1s",
                    "--seed",
                    "7f3a",
                    "-q",
                    "--accept-unsound",
                    "-o",
                    single.toString());
            RunResult all = RunFile.read(sum).result();
            // a file keeps instants to the microsecond
            assertThat(intended(all))
                    .usingElementComparator(
                            (one, other) -> Math.abs(one - other) < 1_000 ? 0 : Long.compare(one, other))
                    .containsExactlyElementsOf(intended(RunFile.read(single).result()))
                    .hasSizeGreaterThan(100);
            assertThat(page.replace((char) 160, (char) 32))
                    .contains(String.format(
                            "planned %,d = answered %,d +",
                            all.ledger().planned(), all.ledger().answered()))
                    .contains("shard 0/3       ended", "shard 1/3       ended", "shard 2/3       ended")
                    .contains("Poisson 200/s");
            if (!kind.equals("tcp")) { // whose place is gone with shard 0
                Shell watched = Shell.call("watch", where, "--plan", plan.toString());
                assertThat(watched.exitCode()).as(watched.err()).isZero();
                assertThat(watched.out())
                        .contains(String.format("done %,d", all.ledger().answered()), "shard 2/3       ended");
            }
            if (store != null) {
                store.settings().keySet().forEach(System::clearProperty);
            }
        }
    }

    private String file(int index) {
        return folder.resolve("s-" + index + ".downbeat").toString();
    }

    @Test
    void a_missing_shard_is_named_and_nothing_is_sent_or_the_others_take_its_load() throws Exception {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            Path plan = plan(server.uri());
            String where = place("file");
            CompletableFuture<Shell> zero = shard(plan, where, 0, "--meet-timeout", "5s");
            Shell two = shard(plan, where, 2, "--meet-timeout", "5s").get();
            assertThat(two.exitCode()).isEqualTo(1);
            assertThat(two.firstErrorLine()).contains("shard 1/3 did not arrive within --meet-timeout 5s");
            assertThat(zero.get().err()).isEqualTo(two.err());
            assertThat(folder.resolve("s-0.downbeat")).doesNotExist();

            zero = shard(plan, where, 0, "--meet-timeout", "5s", "--without-missing");
            two = shard(plan, where, 2, "--meet-timeout", "5s", "--without-missing")
                    .get();
            assertThat(two.exitCode()).as(two.err()).isZero();
            assertThat(two.err()).contains("missing shards: 1 of 3; the load was redistributed, and this is shard 1/2");
            assertThat(zero.get().exitCode()).isZero();
            Shell merged = Shell.call("merge", file(0), file(2), "--accept-unsound", "--max-skew", "1m");
            assertThat(merged.exitCode()).as(merged.err()).isZero();
            assertThat(merged.out()).contains("2 processes, merged losslessly");
        }
    }

    /** A warm-up of unknown length, after which all are ready. */
    @Test
    void all_shards_are_warm_before_they_agree_on_a_start() throws Exception {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            Path plan = plan(server.uri(), "--warm-up", "auto");
            String where = place("file");
            List<CompletableFuture<Shell>> shards =
                    List.of(shard(plan, where, 0), shard(plan, where, 1), shard(plan, where, 2));
            for (int index = 0; index < SHARDS; index++) {
                Shell said = shards.get(index).get();
                assertThat(said.exitCode()).as(said.err()).isZero();
                RunResult result = RunFile.read(Path.of(file(index))).result();
                Instant start = result.plan().start().orElseThrow();
                assertThat(result.started())
                        .as("on a busy machine it may miss the start, but not by a warm-up")
                        .isBetween(start, start.plusSeconds(1));
                assertThat(result.plan().warmsUpUntilSteady()).isTrue();
            }
        }
    }

    @Test
    void stop_ends_all_with_what_they_have() throws Exception {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            Path plan = plan(server.uri());
            String where = place("file");
            assertThat(Shell.call("stop", where, "--plan", plan.toString()).exitCode())
                    .isEqualTo(1);
            CompletableFuture<Shell> zero = shard(plan, where, 0);
            CompletableFuture<Shell> two = shard(plan, where, 2);
            Shell stopped = Shell.call("stop", where, "--plan", plan.toString());
            while (!stopped.out().startsWith("2 shards were asked")) {
                assertThat(List.of(zero, two)).as(stopped.toString()).noneMatch(CompletableFuture::isDone);
                LockSupport.parkNanos(200_000_000);
                stopped = Shell.call("stop", where, "--plan", plan.toString());
            }
            for (CompletableFuture<Shell> shard : List.of(zero, two)) {
                assertThat(shard.get().exitCode()).isEqualTo(1);
                assertThat(shard.get().err()).contains("stopped before the start by 'downbeat stop'");
            }
        }
    }
}
