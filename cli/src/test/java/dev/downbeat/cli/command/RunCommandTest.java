package dev.downbeat.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.Shell;
import dev.downbeat.cli.help.ArgFiles;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.testing.FreePort;
import dev.downbeat.time.ServiceLaw;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RunCommandTest {
    @TempDir
    Path folder;

    @Test
    void a_run_puts_its_result_on_stdout_and_into_files() throws IOException {
        Path json = folder.resolve("r.json");
        Path markdown = folder.resolve("r.md");
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            Shell shell = Shell.call(
                    "run",
                    server.uri(),
                    "-R",
                    "200",
                    "-n",
                    "50",
                    "--seed",
                    "7f3a",
                    "-q",
                    "--accept-unsound",
                    "-o",
                    json.toString(),
                    "-o",
                    markdown.toString(),
                    "--json");
            assertThat(shell.exitCode()).isZero();
            assertThat(shell.err()).isEmpty();
            assertThat(shell.out()).startsWith("{").contains("\"planned\": 50").contains("7f3a");
            assertThat(Files.readString(json)).isEqualTo(shell.out());
            assertThat(Files.size(markdown)).isPositive();
        }
    }

    /** 99.99 % of 20 requests cannot be told. */
    private Shell undecided(LoopbackServer server, String objective, String... more) {
        List<String> words = new ArrayList<>(
                List.of("run", server.uri(), "-R", "200", "-n", "20", "--seed", "7", "-q", "--slo", objective));
        words.addAll(List.of(more));
        return Shell.call(words.toArray(String[]::new));
    }

    @Test
    void an_undecided_run_passes_so_often_in_a_row_as_was_asked() throws IOException {
        String result = folder.resolve("result.json").toString();
        String[] twice = {"--undecided", "fails-after-2", "-o", result};
        // so slow that a busy machine's delays are a small part of it
        try (LoopbackServer server =
                LoopbackServer.start(LoopbackOptions.of(draft -> draft.delay = ServiceLaw.parse("200ms")))) {
            assertThat(undecided(server, "p99.99<1h").exitCode()).isEqualTo(98);
            assertThat(undecided(server, "p99.99<1h", "--undecided", "passes").exitCode())
                    .isZero();
            List<Integer> codes = new ArrayList<>();
            for (String objective : List.of("p99.99<1h", "p99.99<1h", "p99.99<1h", "max<1h", "p99.99<1h")) {
                codes.add(undecided(server, objective, twice).exitCode());
            }
            assertThat(codes).containsExactly(0, 0, 98, 0, 0);
            assertThat(folder.resolve("result.undecided")).hasContent("1\n");
            assertThat(undecided(server, "max<1ms", twice).exitCode()).isEqualTo(99);
        }
    }

    /** A build server that reads the XML must not turn a build yellow that the policy lets pass. */
    @Test
    void what_a_policy_lets_pass_is_skipped_in_the_XML_too() throws IOException {
        Path xml = folder.resolve("result.xml");
        List<Integer> codes = new ArrayList<>();
        try (LoopbackServer server =
                LoopbackServer.start(LoopbackOptions.of(draft -> draft.delay = ServiceLaw.parse("200ms")))) {
            for (String policy : List.of("passes", "fails-after-1", "fails-after-1")) {
                Shell shell = undecided(server, "p99.99<1h", "--undecided", policy, "-o", xml.toString());
                assertThat(Files.readString(xml).contains(" failures=\"0\" errors=\"0\""))
                        .as(policy)
                        .isEqualTo(shell.exitCode() == 0);
                codes.add(shell.exitCode());
            }
            assertThat(codes).containsExactly(0, 0, 98);
        }
    }

    @Test
    void an_invalid_policy_is_refused_in_one_line() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            Shell nowhere = undecided(server, "max<1h", "--undecided", "fails-after-2");
            assertThat(nowhere.exitCode()).isEqualTo(2);
            assertThat(nowhere.firstErrorLine()).contains("add -o result.downbeat");
            Shell misspelt = undecided(server, "max<1h", "--undecided", "fail");
            assertThat(misspelt.exitCode()).isEqualTo(2);
            assertThat(misspelt.firstErrorLine())
                    .contains("fails, passes or fails-after-3")
                    .contains("'fail'");
        }
    }

    @Test
    void saved_files_have_no_secrets() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            String url = server.uri() + "?token=hush1&page=2";
            Shell shell = Shell.call(
                    "run", url, "--data", "hush2", "-n", "5", "-R", "200", "-q", "--accept-unsound", "--json");
            assertThat(shell.exitCode()).isZero();
            assertThat(shell.out()).contains("?token=***&page=2").doesNotContain("hush");
        }
    }

    @Test
    void a_default_load_is_announced() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            Shell shell = Shell.call("run", server.uri(), "-n", "5");
            assertThat(shell.firstErrorLine()).contains("no rate given").contains("Poisson 100/s");
        }
    }

    /** Else a build reads the green result of yesterday. */
    @Test
    void where_nothing_is_measured_the_files_say_so() throws IOException {
        List<String> words =
                new ArrayList<>(List.of("run", "http://127.0.0.1:" + FreePort.find() + "/", "-n", "5", "-q"));
        List<Path> files = new ArrayList<>();
        for (String kind : List.of("xml", "json", "html", "md", "txt", "csv", "hlog", "downbeat")) {
            Path file = Files.writeString(folder.resolve("r." + kind), "of yesterday");
            files.add(file);
            words.addAll(List.of("-o", file.toString()));
        }
        Shell shell = Shell.call(words.toArray(String[]::new));
        assertThat(shell.exitCode()).isEqualTo(1);
        assertThat(shell.err().lines()).hasSize(1);
        assertThat(files)
                .allSatisfy(file -> assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                        .doesNotContain("of yesterday"));
        for (Path file : files.subList(0, 5)) {
            assertThat(file).content().contains("connection refused");
        }
        assertThat(files.get(0)).content().contains("<error");
        Shell report = Shell.call("report", files.get(7).toString());
        assertThat(report.out()).startsWith("Nothing could be measured: ").contains("connection refused");
    }

    @Test
    void where_no_process_measures_anything_the_files_say_so() throws IOException {
        Path file = Files.writeString(folder.resolve("r.xml"), "of yesterday");
        Shell shell = Shell.call(
                "run",
                "http://127.0.0.1:" + FreePort.find() + "/",
                "-n",
                "5",
                "-q",
                "--processes",
                "2",
                "-o",
                file.toString());
        assertThat(shell.exitCode()).isEqualTo(1);
        assertThat(shell.err()).contains("nothing could be measured: no process returned a result");
        assertThat(file).content().contains("<error", "no process returned a result: shard 0", "connection refused");
    }

    @Test
    void a_folder_in_place_of_a_file_is_named() {
        String here = folder.toString();
        assertThat(Shell.call("run", "http://localhost/", "--data", "@" + here).firstErrorLine())
                .isEqualTo("downbeat run: cannot read " + here + ": is a folder");
        assertThat(Shell.call("run", "http://localhost/", "--replay-log", here).firstErrorLine())
                .isEqualTo("downbeat run: cannot read " + here + ": is a folder");
    }

    @Test
    void an_unsupported_scheme_is_named() {
        assertThat(Shell.call("run", "ftp://localhost/").firstErrorLine()).contains("scheme 'ftp' is not supported");
    }

    @Test
    void without_a_listening_server_nothing_is_measured() throws IOException {
        Shell shell = Shell.call("run", "http://127.0.0.1:" + FreePort.find() + "/", "-n", "5", "-q");
        assertThat(shell.exitCode()).isEqualTo(1);
        assertThat(shell.out()).isEmpty();
        assertThat(shell.err().lines()).hasSize(1);
        assertThat(shell.firstErrorLine()).startsWith("downbeat run: nothing could be measured: ");
    }

    @Test
    void a_run_of_failures_is_not_green() throws IOException {
        LoopbackOptions broken = LoopbackOptions.of(draft -> draft.status = 500);
        try (LoopbackServer server = LoopbackServer.start(broken)) {
            Shell shell = Shell.call("run", server.uri(), "-R", "200", "-n", "20", "-q", "--accept-unsound");
            assertThat(shell.exitCode()).isEqualTo(99);
            assertThat(shell.out())
                    .contains("errors < 1 %: measured 100 % (20 of 20)")
                    .contains("response times of failed requests: p50 ");
        }
    }

    @Test
    void over_HTTP_2_one_connection_carries_all_clients() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            Shell shell = Shell.call(
                    "run", server.uri(), "--closed", "8", "-n", "50", "--http", "2", "--accept-unsound", "-v");
            assertThat(shell.out()).contains("1 connection,", "http 2", "50 begun");
            assertThat(server.stats().connectionsAccepted()).isEqualTo(1);
            assertThat(server.stats().requestsAnswered()).isEqualTo(50);
        }
    }

    @Test
    void over_HTTP_2_few_streams_a_connection_take_more_connections() throws IOException {
        LoopbackOptions two = LoopbackOptions.of(draft -> draft.http2 = new LoopbackOptions.Http2Conduct(2, 65_535, 0));
        try (LoopbackServer server = LoopbackServer.start(two)) {
            Shell open =
                    Shell.call("run", server.uri(), "-R", "500", "-n", "50", "--http", "2", "--accept-unsound", "-v");
            assertThat(server.stats().connectionsAccepted()).as("for -n").isEqualTo(25);
            assertThat(open.out()).contains("25 connections, http 2");
            Shell.call("run", server.uri(), "--closed", "9", "-n", "50", "--http", "2", "--accept-unsound");
            assertThat(server.stats().connectionsAccepted()).as("for each user").isEqualTo(25 + 5);
        }
    }

    @Test
    void a_missed_objective_is_99() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.of(draft -> draft.status = 500))) {
            Shell shell = Shell.call("run", server.uri(), "-R", "200", "-n", "20", "-q", "--slo", "errors<1%");
            assertThat(shell.exitCode()).isEqualTo(99);
        }
    }

    @Test
    void mistakes_surface_before_the_run() {
        assertThat(Shell.call("run", "http://127.0.0.1:9/", "-o", "x.pdf").firstErrorLine())
                .contains(".json, .hlog, .md, .csv, .xml or .txt");
        assertThat(Shell.call("run", "http://127.0.0.1:9/", "-o", "/nowhere/x.json")
                        .exitCode())
                .isEqualTo(2);
        assertThat(Shell.call("run", "http://127.0.0.1:9/", "-R", "5", "-R", "6")
                        .firstErrorLine())
                .contains("only once");
        assertThat(Shell.call("run", "-H", "a: b").firstErrorLine()).contains("a TARGET is missing");
        assertThat(Shell.call("run", "http://127.0.0.1:9/", "--data", "@/nowhere/b")
                        .firstErrorLine())
                .contains("/nowhere/b: no such file or folder");
        assertThat(Shell.call("run", "http://127.0.0.1:9/", "-c", "2", "-t", "3")
                        .firstErrorLine())
                .contains("at least --threads, 3, but was 2");
        assertThat(Shell.call("prove", "-d", "1500ms").firstErrorLine()).contains("from 2s to 10m, but was 1.5 s");
        assertThat(Shell.call("run", "http://127.0.0.1:9/", "-k").firstErrorLine())
                .contains("--insecure needs an https:// target");
        assertThat(Shell.call("run", "http://127.0.0.1:9/", "--duraton", "3s").err())
                .contains("did you mean --duration");
    }

    @Test
    void a_body_from_a_file_is_no_file_of_options() {
        assertThat(ArgFiles.escapeBodies("run", "--data", "@b.json", "@options"))
                .containsExactly("run", "--data", "@@b.json", "@options");
        assertThat(ArgFiles.escapeBodies("run", "--curl", "@lines.txt"))
                .containsExactly("run", "--curl", "@@lines.txt");
    }

    @Test
    void a_comment_of_sql_is_no_option() {
        assertThat(ArgFiles.escapeBodies("run", "--sql", "-- name look\nselect 1", "-q"))
                .containsExactly("run", "--sql=-- name look\nselect 1", "-q");
        assertThat(ArgFiles.escapeBodies("run", "--sql", "--writes")).containsExactly("run", "--sql", "--writes");
        assertThat(ArgFiles.escapeBodies("run", "--sql", "--")).containsExactly("run", "--sql", "--");
    }

    @Test
    void a_value_that_looks_like_an_option_is_refused_with_the_line_that_would_work() {
        Shell shell = Shell.call("run", "http://127.0.0.1:1/", "--data", "--secret");
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.firstErrorLine())
                .isEqualTo("downbeat run: write a value that begins with '-' after '=': --data=-x");
        assertThat(Shell.call("run", "http://127.0.0.1:1/", "-H", "--secret").firstErrorLine())
                .isEqualTo("downbeat run: write a value that begins with '-' after '=': --header=-x");
    }
}
