package dev.downbeat.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.Shell;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.testing.FreePort;
import dev.downbeat.testing.NeverExcused;
import dev.downbeat.testing.Timing;
import dev.downbeat.time.ServiceLaw;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From end to end. A noisy machine makes measurements unsound: whether they are is not what these tests are about. */
@Timing
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CompareCommandTest {
    private static final long MILLI = 1_000_000;

    private static final String WARM_UP = "downbeat.selfWarmUp";

    @TempDir
    Path folder;

    @BeforeAll
    static void without_a_warm_up() {
        System.setProperty(WARM_UP, "false");
    }

    @AfterAll
    static void with_a_warm_up() {
        System.clearProperty(WARM_UP);
    }

    @Test
    void a_slower_server_is_called_slower_from_saved_runs_and_the_same_one_is_not() throws IOException {
        List<String> quick = new ArrayList<>();
        List<String> again = new ArrayList<>();
        List<String> slow = new ArrayList<>();
        try (LoopbackServer fast = server(2 * MILLI);
                LoopbackServer other = server(20 * MILLI)) {
            for (int run = 0; run < 3; run++) {
                quick.add(save(fast, "quick" + run));
                slow.add(save(other, "slow" + run));
                again.add(save(fast, "again" + run));
            }
        }
        Path json = folder.resolve("result.json");
        Path markdown = folder.resolve("result.md");
        Shell slower = compare(quick, slow, "-o", json.toString(), "-o", markdown.toString());
        assertThat(slower.exitCode()).isEqualTo(99);
        assertThat(slower.out()).startsWith("slow0.hlog (+2 more) is slower at p50");
        assertThat(Files.readString(json)).contains("\"outcome\": \"slower\"").contains("\"exit_code\": 99");
        assertThat(Files.readString(markdown))
                .startsWith("## slow0.hlog (+2 more) is slower at p50")
                .contains("SLOWER");
        assertThat(compare(slow, quick).out()).startsWith("quick0.hlog (+2 more) is faster at p50");
        // by chance a difference may be found, but hardly one of 100 %
        Shell same = compare(quick, again, "--tolerance", "100%", "--json");
        assertThat(same.exitCode()).isNotEqualTo(99);
        assertThat(same.out()).contains("\"tolerance\": 1.0");
    }

    @Test
    void a_slower_target_is_called_slower_in_turns() throws IOException {
        try (LoopbackServer fast = server(2 * MILLI);
                LoopbackServer slow = server(20 * MILLI)) {
            Shell shell = Shell.call(
                    "compare",
                    "--live",
                    fast.uri(),
                    slow.uri(),
                    "-R",
                    "100",
                    "-d",
                    "1800ms",
                    "--turns",
                    "6",
                    "-q",
                    "--accept-unsound");
            assertThat(shell.exitCode()).isEqualTo(99);
            assertThat(shell.out()).contains("is slower at p50").contains("6 alternating slices of 300 ms, seed ");
        }
    }

    @Test
    void more_connections_take_the_wait_for_the_pool_away() throws IOException {
        try (LoopbackServer server = server(10 * MILLI)) {
            Shell shell = Shell.call(
                    "run",
                    server.uri(),
                    "-R",
                    "150",
                    "-d",
                    "2400ms",
                    "--turns",
                    "6",
                    "--vary",
                    "connections=1,16",
                    "-q",
                    "--accept-unsound",
                    "--json");
            assertThat(shell.exitCode()).isZero();
            assertThat(shell.out()).contains("\"name\": \"connections=1\"").contains("\"outcome\": \"faster\"");
            List<Double> waits = numbers("pool_wait_share", shell.out());
            assertThat(waits.get(0)).isGreaterThan(0.5);
            assertThat(waits.get(1)).isLessThan(0.3);
            List<Double> planned = numbers("planned", shell.out());
            assertThat(planned.get(0)).isEqualTo(planned.get(1)).isPositive();
            assertThat(shell.out()).contains("\"adds_up\": true").doesNotContain("\"adds_up\": false");
        }
    }

    @Test
    @NeverExcused
    void combinations_keep_their_order_and_switches_their_meaning() throws IOException {
        try (LoopbackServer server = server(MILLI)) {
            Shell shell = Shell.call(
                    "run",
                    server.uri(),
                    "-R",
                    "50",
                    "-d",
                    "600ms",
                    "--turns",
                    "2",
                    "--vary",
                    "keep-alive=on,off",
                    "--vary",
                    "pacing=block,hybrid",
                    "-q",
                    "--accept-unsound");
            assertThat(shell.out())
                    .contains("4 variants alternately, each in 2 slices of 300 ms")
                    .containsSubsequence(
                            "keep-alive=on pacing=block    response",
                            "keep-alive=on pacing=hybrid   response",
                            "keep-alive=off pacing=block   response",
                            "keep-alive=off pacing=hybrid  response")
                    .contains("only 2 turns were measured");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            run http://127.0.0.1:9/ --vary rate=1,2                     | --vary cannot vary 'rate'
            run http://127.0.0.1:9/ --vary connections=1,0              | --vary connections=0:
            run http://127.0.0.1:9/ --vary connections=1                | --vary needs at least two values
            run http://127.0.0.1:9/ --vary connections=1,1              | names '1' twice
            run http://127.0.0.1:9/ --vary keep-alive=on,maybe          | keep-alive takes on and off, but was 'maybe'
            run http://127.0.0.1:9/ --vary connections=1,2 -c 3         | --vary connections and --connections are
            run http://127.0.0.1:9/ --vary transport=netty,apache       | --transport is for SQS targets only
            run http://127.0.0.1:9/ --vary connections=1,2 -o a.hlog    | what --vary measures is saved as .html, .json, .md, .xml or .txt
            run http://127.0.0.1:9/ --vary pacing=spin,block -R 1..9 --ramp 1s | slices must be identical
            run http://127.0.0.1:9/ --vary pacing=spin,block -d 500ms   | a slice must last at least 100 ms
            run http://127.0.0.1:9/ --turns 5                           | --turns requires --vary
            run --vary pacing=spin,block                                | a TARGET is missing
            compare a.hlog                                              | two files are needed, but there was 1
            compare a.hlog a.hlog                                       | a.hlog is given twice
            compare a.json b.hlog                                       | a.json has no per-second counts
            compare nowhere.hlog b.hlog                                 | cannot read nowhere.hlog: no such file or folder
            compare a.hlog b.hlog -R 5                                  | --rate requires --live
            compare a.hlog b.hlog --tolerance 5                         | is not a tolerance such as 5%
            compare --live http://127.0.0.1:9/                          | --live needs two targets
            """)
    @NeverExcused
    void mistakes_get_one_clear_line(String line, String message) {
        Shell shell = Shell.call(line.split(" "));
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.firstErrorLine()).contains(message);
        assertThat(shell.out()).isEmpty();
    }

    @Test
    @NeverExcused
    void without_a_listening_server_nothing_is_compared() throws IOException {
        String nobody = "http://127.0.0.1:" + FreePort.find() + "/";
        Path json = Files.writeString(folder.resolve("old.json"), "of yesterday");
        Shell shell = Shell.call(
                "run", nobody, "-n", "20", "--turns", "2", "--vary", "connections=1,2", "-q", "-o", json.toString());
        assertThat(shell.exitCode()).isEqualTo(1);
        assertThat(json).doesNotExist();
        assertThat(shell.firstErrorLine()).contains("nothing could be measured: connections=1: ");
    }

    @Test
    @NeverExcused
    void an_interrupted_comparison_in_turns_names_its_cause() throws IOException {
        String nobody = "http://127.0.0.1:" + FreePort.find() + "/";
        try (LoopbackServer server = server(MILLI)) {
            Path json = Files.writeString(folder.resolve("old.json"), "of yesterday");
            Shell shell = Shell.call(
                    ("compare --live " + server.uri() + " " + nobody + " -R 50 -d 400ms --turns 2 -q -o " + json)
                            .split(" "));
            assertThat(shell.exitCode()).isEqualTo(98);
            assertThat(json).doesNotExist();
            assertThat(shell.firstErrorLine()).startsWith("downbeat compare: ended in turn 1 of 2: b (");
        }
    }

    @Test
    @NeverExcused
    void the_json_of_a_comparison_whose_target_died_has_the_code_of_the_process() throws Exception {
        Path json = folder.resolve("died.json");
        try (LoopbackServer stays = server(MILLI);
                LoopbackServer dies = server(MILLI)) {
            Thread death = new Thread(() -> {
                while (dies.stats().requestsReceived() < 300
                        && !Thread.currentThread().isInterrupted()) {
                    LockSupport.parkNanos(1_000_000);
                }
                dies.refuse();
            });
            death.start();
            Shell shell = Shell.call(
                    "compare",
                    "--live",
                    stays.uri(),
                    dies.uri(),
                    "--closed",
                    "1",
                    "-n",
                    "1200", // far more than it answers
                    "--turns",
                    "6",
                    "-q",
                    "-o",
                    json.toString());
            death.interrupt(); // if fewer were sent
            death.join();
            assertThat(shell.exitCode()).isEqualTo(98);
            assertThat(shell.out()).startsWith("Not comparable: ended in turn ");
        }
        assertThat(json)
                .content()
                .contains("\"exit_code\": 98", "\"gate\": \"not_comparable\"", "\"code\": \"partial\"");
    }

    /** Half a second has no intervals to compare, whatever the machine does. */
    @Test
    @NeverExcused
    void a_comparison_that_cannot_tell_passes_so_often_in_a_row_as_was_asked() throws IOException {
        String json = folder.resolve("gate.main.json").toString();
        try (LoopbackServer server = server(MILLI)) {
            String base = save(server, "base");
            String other = save(server, "other");
            List<Integer> codes = new ArrayList<>();
            for (String policy : List.of("passes", "fails", "fails-after-1", "fails-after-1")) {
                codes.add(Shell.call("compare", base, other, "--tolerance", "5%", "--undecided", policy, "-o", json)
                        .exitCode());
            }
            assertThat(codes).containsExactly(0, 98, 0, 98);
            assertThat(folder.resolve("gate.main.undecided")).hasContent("2\n");
        }
    }

    private static LoopbackServer server(long delayNanos) throws IOException {
        return LoopbackServer.start(
                LoopbackOptions.of(draft -> draft.delay = new ServiceLaw.LogNormal(delayNanos, 0.2)));
    }

    private static List<Double> numbers(String name, String json) {
        return Pattern.compile("\"" + name + "\": ([0-9.]+)")
                .matcher(json)
                .results()
                .map(found -> Double.valueOf(found.group(1)))
                .toList();
    }

    private String save(LoopbackServer server, String name) {
        String file = folder.resolve(name + ".hlog").toString();
        Shell shell = Shell.call("run", server.uri(), "-R", "100", "-d", "500ms", "-q", "--accept-unsound", "-o", file);
        assertThat(shell.exitCode()).isZero();
        return file;
    }

    private static Shell compare(List<String> base, List<String> other, String... more) {
        List<String> words = new ArrayList<>(List.of("compare"));
        words.addAll(base);
        words.add("--against");
        words.addAll(other);
        words.add("--accept-unsound");
        words.addAll(List.of(more));
        return Shell.call(words.toArray(new String[0]));
    }
}
