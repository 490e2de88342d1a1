package dev.downbeat.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.Shell;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.testing.FreePort;
import dev.downbeat.time.ServiceLaw;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SweepCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private static double number(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\": (-?[0-9.]+)").matcher(json);
        assertThat(found.find()).as(name + " in " + json).isTrue();
        return Double.parseDouble(found.group(1));
    }

    /**
     * One request at a time, 50 ms each: 20/s at the most, somewhat less where sleeping takes longer. So slow that a busy
     * machine is not in its way.
     */
    @Test
    void a_server_with_a_known_law_cannot_do_more_than_that() throws IOException {
        Path saved = folder.resolve("sweep.json");
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.of(draft -> {
            draft.concurrency = 1;
            draft.delay = ServiceLaw.parse("50ms");
        }))) {
            Shell shell = Shell.call(
                    "sweep",
                    server.uri(),
                    "-R",
                    "40..60",
                    "--slo",
                    "p90<4s",
                    "--slo",
                    "errors<10%",
                    "--step-duration",
                    "3s",
                    "--budget",
                    "14s",
                    "--drain",
                    "200ms",
                    "--seed",
                    "1",
                    "--accept-unsound",
                    "-o",
                    saved.toString(),
                    "-o",
                    folder.resolve("sweep.downbeat").toString(),
                    "-o",
                    folder.resolve("sweep.html").toString());
            assertThat(shell.exitCode()).as(shell.err()).isIn(0, 99); // by how far the budget went
            assertThat(shell.out()).contains("SUSTAINABLE").contains("overload").contains("saturates");
            assertThat(shell.err()).contains("rate/s");
        }
        shown_again_it_is_the_same();
        String json = Files.readString(saved);
        assertThat(json)
                .contains("\"kind\": \"sweep\"")
                .contains("\"outcome\": \"growing\"")
                .containsPattern("\"seed\": \"0*1\"");
        assertThat(number(json, "too_high_per_s")).isGreaterThan(number(json, "low_per_s"));
        assertThat(number(json, "low_per_s")).isLessThan(20.5);
    }

    private void shown_again_it_is_the_same() {
        Shell again = Shell.call(
                "report",
                folder.resolve("sweep.downbeat").toString(),
                "-o",
                folder.resolve("again.html").toString(),
                "-o",
                folder.resolve("again.json").toString());
        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(folder.resolve("again.html")).hasSameTextualContentAs(folder.resolve("sweep.html"));
        assertThat(folder.resolve("again.json")).hasSameTextualContentAs(folder.resolve("sweep.json"));
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "-R 500..100|lower rate to the higher",
                "--order random|-R 100..5k/s",
                "--step-duration 1s|at least 3s",
                "--budget 1s|at least the --step-duration",
                "--against http://127.0.0.1:1/|--against was removed from sweep: sweep each target",
                "--retries 1|--retries is for SQS targets only",
                "--slo nobody:p99<5ms|no request is called",
                "-o x.csv|a sweep is saved as .downbeat, .html, .json, .md, .xml or .txt"
            })
    void contradictions_are_refused_before_anything_is_sent(String words, String reason) {
        String[] more = words.split(" ", -1);
        String[] all = new String[more.length + 2];
        all[0] = "sweep";
        all[1] = "http://127.0.0.1:1/";
        System.arraycopy(more, 0, all, 2, more.length);
        Shell shell = Shell.call(all);
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.firstErrorLine()).contains(reason);
    }

    @Test
    void an_unreachable_server_is_one_clear_line() throws IOException {
        Shell shell = Shell.call("sweep", "http://127.0.0.1:" + FreePort.find() + "/", "-q");
        assertThat(shell.exitCode()).isEqualTo(1);
        assertThat(shell.firstErrorLine()).contains("nothing could be measured");
    }

    @Test
    void a_server_that_answers_with_errors_only_has_no_capacity() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            String words = "sweep " + server.uri() + "?status=503 -R 20..30 --step-duration 3s --slo p50<2s -q";
            Shell shell = Shell.call(words.split(" "));
            assertThat(shell.exitCode()).isEqualTo(1);
            assertThat(shell.firstErrorLine()).endsWith("no request was answered: HTTP 503");
        }
    }

    /** The server takes no new connection from the first rate on. */
    @Test
    void measurements_before_the_service_died_are_kept() throws Exception {
        Path saved = folder.resolve("sweep.json");
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            Thread end = new Thread(() -> refuseAfterTheFirstRequest(server), "end-of-server");
            end.start();
            String words = "-R 20..30 --arrivals constant --step-duration 3s --slo p50<2s -q -o ";
            Shell shell = Shell.call(("sweep " + server.uri() + " " + words + saved).split(" "));
            end.interrupt(); // if nothing was sent
            end.join();
            assertThat(shell.exitCode()).as(shell.err()).isEqualTo(98);
            assertThat(shell.err()).isEmpty();
            assertThat(shell.out()).containsPattern("^PARTIAL: ended at [23]0/s: ");
            assertThat(shell.out().lines()).anyMatch(line -> line.startsWith("  20 "));
            assertThat(shell.out().replaceAll("\\s+", " ")).contains("open loop, constant arrivals; 3 s per rate, ");
        }
        assertThat(number(Files.readString(saved), "answered_per_s")).isPositive();
    }

    private static void refuseAfterTheFirstRequest(LoopbackServer server) {
        while (server.stats().requestsReceived() == 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(1_000_000);
        }
        server.refuse();
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "--until-decided|needs an objective",
                "--until-decided --slo p99<1s -d 5s|mutually exclusive",
                "--budget 5m|--budget requires --until-decided",
                "--until-decided --slo p99<1s --budget 5s|at least 20s",
                "--until-decided --slo p99<1s --vary connections=5,10|mutually exclusive"
            })
    void a_run_until_decided_needs_something_to_decide_and_time(String words, String reason) {
        String[] more = ("run http://127.0.0.1:1/ " + words).split(" ", -1);
        Shell shell = Shell.call(more);
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.firstErrorLine()).contains(reason);
    }
}
