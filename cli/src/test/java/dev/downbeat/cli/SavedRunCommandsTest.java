package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.file.RunJournal;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be done with a saved run, from end to end; the runs are in virtual time. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SavedRunCommandsTest {
    @TempDir
    Path folder;

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    private Shell simulate(String seed, String... files) {
        List<String> words = new ArrayList<>(List.of("simulate", "-R", "700", "-n", "5000", "--seed", seed, "-q"));
        for (String file : files) {
            words.addAll(List.of("-o", at(file)));
        }
        return Shell.call(words.toArray(String[]::new));
    }

    private void assertSame(String one, String other) {
        assertThat(folder.resolve(one)).hasSameTextualContentAs(folder.resolve(other));
    }

    @Test
    void a_saved_run_sends_nothing_of_this_environment_unless_that_is_allowed() throws IOException {
        String words = "\"http://127.0.0.1:1/\", \"--requests=1\", \"--data=stolen={{$env.PATH}}\"";
        Files.writeString(
                folder.resolve("evil.json"), "{\"schema\": 2, \"command\": [\"downbeat\", \"run\", " + words + "]}");
        Shell refused = Shell.call("rerun", at("evil.json"));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.firstErrorLine())
                .endsWith("evil.json sends PATH of this environment. If you trust it, add --allow-env. Its arguments:"
                        + " http://127.0.0.1:1/ --requests=1 --data='***{{$env.PATH}}'");
        for (String allowed : List.of("--allow-env", "--allow-exec")) {
            assertThat(Shell.call("rerun", allowed, at("evil.json")).exitCode())
                    .as("nobody listens")
                    .isEqualTo(1);
            Shell behind = Shell.call("rerun", at("evil.json"), "-R", "50", allowed);
            assertThat(behind.exitCode()).as(behind.err()).isEqualTo(1);
        }
    }

    @Test
    void files_that_changed_since_the_run_are_named_when_it_is_repeated() throws IOException {
        Path requests = folder.resolve("shop.http");
        Path rows = folder.resolve("rows.csv");
        Files.writeString(requests, "GET http://127.0.0.1:1/ok?k={{rows.k}}\n");
        Files.writeString(rows, "k\n1\n");
        String saved = at("a.json");
        Shell.call("run", requests.toString(), "--data-file", "rows=" + rows, "-n", "1", "-o", saved);
        assertThat(Files.readString(Path.of(saved))).contains("\"files\"");
        assertThat(Shell.call("rerun", saved).err()).doesNotContain("changed since");
        Files.writeString(rows, "k\n2\n"); // each build may write its own
        assertThat(Shell.call("rerun", saved).err()).doesNotContain("changed since");
        Files.writeString(requests, "POST http://127.0.0.1:1/ok?k={{rows.k}}\n");
        assertThat(Shell.call("rerun", saved).err())
                .contains(
                        "downbeat rerun: " + requests + " changed since " + saved + " was saved: the requests differ");
        assertThat(Shell.call("rerun", saved, "-q").err()).doesNotContain("changed since");
    }

    @Test
    void a_file_that_a_run_needs_again_and_that_is_gone_is_named() throws IOException {
        Files.writeString(folder.resolve("tok"), "secret");
        String saved = at("a.json");
        Shell.call("run", "http://127.0.0.1:1/", "--bearer-file", at("tok"), "-n", "1", "-o", saved);
        Files.delete(folder.resolve("tok"));
        Shell refused = Shell.call("rerun", saved);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.firstErrorLine())
                .isEqualTo("downbeat rerun: " + saved + " needs " + at("tok") + ", which does not exist");
        Files.writeString(folder.resolve("other"), "secret");
        assertThat(Shell.call("rerun", saved, "--bearer-file", at("other")).exitCode())
                .as("nobody listens")
                .isEqualTo(1);
        Files.writeString(
                folder.resolve("elsewhere.json"),
                "{\"schema\": 2, \"command\": [\"downbeat\", \"run\", \"no-such.har\", \"--requests=1\"]}");
        assertThat(Shell.call("rerun", at("elsewhere.json")).firstErrorLine())
                .endsWith("elsewhere.json needs no-such.har, which does not exist here: its paths are relative to the"
                        + " folder of the first run");
    }

    @Test
    void every_view_is_that_of_the_run_itself() {
        Shell run = simulate("7", "a.downbeat", "a.html", "a.json", "a.md", "a.csv", "a.hlog", "a.xml");
        assertThat(run.exitCode()).as(run.err()).isZero();
        List<String> words = new ArrayList<>(List.of("report", at("a.downbeat")));
        List<String> kinds = List.of("html", "json", "md", "csv", "hlog", "xml");
        kinds.forEach(kind -> words.addAll(List.of("-o", at("b." + kind))));
        Shell report = Shell.call(words.toArray(String[]::new));
        assertThat(report.exitCode()).as(report.err()).isZero();
        assertThat(report.out()).isEmpty();
        kinds.forEach(kind -> assertSame("b." + kind, "a." + kind));
        assertThat(Shell.call("report", at("a.downbeat")).out()).isEqualTo(run.out());
    }

    @Test
    void a_saved_run_saved_again_is_the_same_run() {
        simulate("7", "a.downbeat", "a.json");
        assertThat(Shell.call("report", at("a.downbeat"), "-o", at("b.downbeat"))
                        .exitCode())
                .isZero();
        Shell.call("report", at("b.downbeat"), "-o", at("b.json"));
        assertSame("b.json", "a.json");
    }

    @Test
    void a_histogram_log_is_no_report() {
        simulate("7", "a.hlog");
        Shell refused = Shell.call("report", at("a.hlog"));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.firstErrorLine()).contains("a histogram log is for compare, session and history");
    }

    @Test
    void a_run_is_repeated_with_the_same_seed_and_its_files_are_left_alone() throws IOException {
        simulate("7", "a.downbeat", "a.csv");
        FileTime before = Files.getLastModifiedTime(folder.resolve("a.csv"));
        Shell again = Shell.call("rerun", at("a.downbeat"), "--", "-o", at("b.csv"));
        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(again.err()).startsWith("downbeat rerun: downbeat simulate --rate=700/s --seed=7 --requests=5000");
        assertThat(again.err()).doesNotContain("a.csv");
        assertSame("b.csv", "a.csv");
        assertThat(Files.getLastModifiedTime(folder.resolve("a.csv"))).isEqualTo(before);
    }

    @Test
    void the_run_that_is_repeated_is_not_written_over() throws IOException {
        simulate("7", "a.downbeat", "a.json");
        Files.createSymbolicLink(folder.resolve("link.downbeat"), Path.of("a.downbeat"));
        byte[] before = Files.readAllBytes(folder.resolve("a.downbeat"));
        for (String output : List.of("a.downbeat", "link.downbeat")) {
            Shell refused = Shell.call("rerun", at("a.downbeat"), "-o", at("new.json"), "-o", at(output));
            assertThat(refused.exitCode()).as(refused.err()).isEqualTo(2);
            assertThat(refused.firstErrorLine())
                    .isEqualTo("downbeat rerun: -o " + at(output)
                            + " would overwrite the input file: choose another name");
        }
        Files.copy(folder.resolve("a.downbeat"), folder.resolve("b.downbeat.part"));
        assertThat(Shell.call("rerun", at("b.downbeat.part"), "-o", at("b.downbeat"))
                        .exitCode())
                .as("its journal would be there")
                .isEqualTo(2);
        assertThat(Shell.call("rerun", at("b.downbeat"), "-o", at("b.downbeat")).exitCode())
                .as("its journal is what is read")
                .isEqualTo(2);
        assertThat(folder.resolve("a.downbeat")).hasBinaryContent(before);
        assertThat(folder.resolve("b.downbeat.part")).hasBinaryContent(before);
        assertThat(folder.resolve("new.json")).doesNotExist();
    }

    /** Each would read the file first, or send something. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "audit FILE.txt -o FILE.txt",
                "compare FILE.html other.downbeat -o FILE.html",
                "compare a.downbeat --against b.downbeat FILE.html -o FILE.html",
                "compare --live http://127.0.0.1:1/ http://127.0.0.1:2/ --data @FILE.json -o FILE.json",
                "session FILE.html -n 5 -o FILE.html",
                "explain FILE.html -o FILE.html",
                "explain a.downbeat --jfr FILE.html -o FILE.html",
                "explain a.downbeat --gc-log FILE.txt -o FILE.txt",
                "history FILE.html -o FILE.html",
                "report a.downbeat --with FILE.html -o FILE.html",
                "merge FILE.html -o FILE.html",
                "run http://127.0.0.1:1/ --data @FILE.json -o FILE.json",
                "run http://127.0.0.1:1/ --data-file k=FILE.csv -o FILE.csv",
                "run http://127.0.0.1:1/ --replay FILE.txt -o FILE.txt",
                "run http://127.0.0.1:1/ --user me:@FILE.txt -o FILE.txt",
                "run https://127.0.0.1:1/ --cacert FILE.txt -o FILE.txt",
                "run requests.http -o FILE.json",
                "sweep http://127.0.0.1:1/ --data @FILE.json -o FILE.json",
                "position http://127.0.0.1:1/ --data @FILE.json -o FILE.json",
                "idle http://127.0.0.1:1/ --data @FILE.json -o FILE.json",
                "simulate --replay FILE.txt -o FILE.txt",
                "plan http://127.0.0.1:1/ --shards 2 --data @FILE.json -o FILE.json"
            })
    void no_result_replaces_what_its_command_reads(String line) throws IOException {
        String name = line.substring(line.lastIndexOf("FILE"));
        Files.writeString(folder.resolve(name), "1\n2\n");
        Files.writeString(folder.resolve("requests.http"), "POST http://127.0.0.1:1/\n\n< ./FILE.json\n");
        String[] words = Stream.of(line.split(" "))
                .map(word -> word.replace("FILE", at("FILE")).replace("requests", at("requests")))
                .toArray(String[]::new);
        Shell refused = Shell.call(words);
        assertThat(refused.exitCode()).as(refused.err()).isEqualTo(2);
        assertThat(refused.firstErrorLine())
                .isEqualTo("downbeat " + words[0] + ": -o " + at(name)
                        + " would overwrite the input file: choose another name");
        assertThat(folder.resolve(name)).hasContent("1\n2\n");
    }

    @Test
    void the_result_of_a_shard_does_not_replace_its_plan() throws IOException {
        String plan = at("plan.json");
        Shell.call("plan", "http://127.0.0.1:1/", "--shards", "1", "-o", plan);
        String before = Files.readString(Path.of(plan));
        Shell refused = Shell.call("run", "--plan", plan, "-o", plan);
        assertThat(refused.exitCode()).as(refused.err()).isEqualTo(2);
        assertThat(refused.firstErrorLine()).contains("would overwrite the input file");
        assertThat(Path.of(plan)).hasContent(before);
    }

    @Test
    void a_run_is_repeated_from_its_JSON_too() throws IOException {
        simulate("7", "a.json", "a.csv");
        Shell again = Shell.call("rerun", at("a.json"), "--", "-o", at("b.csv"));
        assertThat(again.exitCode()).as(again.err()).isZero();
        assertSame("b.csv", "a.csv");
        Files.writeString(folder.resolve("foreign.json"), "{\"metrics\": []}");
        Files.writeString(folder.resolve("text.json"), "hello");
        for (String name : List.of("foreign.json", "text.json", "none.json")) {
            Shell refused = Shell.call("rerun", at(name));
            assertThat(refused.exitCode()).as(name).isEqualTo(2);
            assertThat(refused.firstErrorLine()).contains(name);
        }
    }

    /** Its measurement alone is another load: that of all shards, or of one variant. */
    @Test
    void a_part_of_a_load_is_repeated_by_its_own_command_only() throws IOException {
        String shard = new ShardResults(folder).shard(0, 2).toString();
        Shell.call("report", shard, "-o", at("shard.json"), "-o", at("shard.html"));
        for (String file : List.of(shard, at("shard.json"), at("shard.html"))) {
            Shell refused = Shell.call("rerun", file);
            assertThat(refused.exitCode()).as(file).isEqualTo(2);
            assertThat(refused.firstErrorLine())
                    .endsWith(file + " is shard 0/2 of a load: repeat it with downbeat run --shard=0/2"
                            + " http://localhost:8080/orders");
        }
        Files.writeString(
                folder.resolve("variants.json"),
                "{\"schema\": 1, \"kind\": \"variants\", \"command\": [\"downbeat\", \"run\", \"http://127.0.0.1:1/\","
                        + " \"--vary=connections=1,2\", \"--turns=2\"]}");
        assertThat(Shell.call("rerun", at("variants.json")).firstErrorLine())
                .endsWith("variants.json compares variants: repeat it with downbeat run http://127.0.0.1:1/"
                        + " --vary=connections=1,2 --turns=2");
    }

    @Test
    void several_runs_are_refused_with_what_shows_them() {
        Shell both = Shell.call("report", at("a.downbeat"), at("b.downbeat"));
        assertThat(both.exitCode()).isEqualTo(2);
        assertThat(both.firstErrorLine()).contains("To compare two: downbeat compare A B");
    }

    @Test
    void comparisons_are_pages_too() {
        simulate("7", "a.downbeat");
        simulate("8", "b.downbeat");
        Shell page = Shell.call("compare", at("a.downbeat"), at("b.downbeat"), "-o", at("change.html"));
        assertThat(page.exitCode()).as(page.err()).isIn(0, 98, 99);
        assertThat(folder.resolve("change.html"))
                .content()
                .contains("id=\"shift\"")
                .contains("id=\"spectra\"");
    }

    @Test
    void files_of_the_same_name_are_told_apart_by_their_folders() throws IOException {
        Files.createDirectories(folder.resolve("old"));
        Files.createDirectories(folder.resolve("new"));
        simulate("7", "old/a.downbeat", "a.downbeat");
        simulate("8", "new/a.downbeat", "b.downbeat");
        assertThat(Shell.call("compare", at("old/a.downbeat"), at("new/a.downbeat"), "--json")
                        .out())
                .contains("\"name\": \"" + at("old/a.downbeat"), "\"name\": \"" + at("new/a.downbeat"));
        assertThat(Shell.call("compare", at("a.downbeat"), at("b.downbeat"), "--json")
                        .out())
                .contains("\"name\": \"a.downbeat\"", "\"name\": \"b.downbeat\"");
    }

    @Test
    void secrets_are_not_saved_and_the_command_is_not_repeated_without_them() throws IOException {
        RunHead head = head(List.of("downbeat", "run", "http://h/", "-H", "Authorization: ***"));
        RunJournal.begin(folder.resolve("a.downbeat.part"), head).close();
        Shell refused = Shell.call("rerun", at("a.downbeat"));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.firstErrorLine()).contains("contains no secrets").contains("Authorization: ***");
    }

    private static RunHead head(List<String> command) {
        return new RunHead(
                Results.PLAN,
                "GET http://h/",
                Instant.EPOCH,
                command,
                Optional.of("7f3a"),
                "0",
                Results.MACHINE,
                Map.of("connections", 64L),
                ServiceLevelObjective.defaults(),
                RequiredCertainty.PLAIN,
                Map.of());
    }

    private void keep(Path part) throws IOException {
        try (RunJournal journal = RunJournal.begin(part, head(List.of("downbeat", "run", "http://h/")))) {
            for (var interval : Results.result(1_000, 0).intervals()) {
                journal.add(interval);
            }
        }
    }

    @Test
    void a_run_that_was_cut_off_is_found_by_the_name_it_would_have_had() throws IOException {
        keep(folder.resolve("a.downbeat.part"));
        Shell report = Shell.call("report", at("a.downbeat"), "--json");
        assertThat(report.exitCode()).isEqualTo(98);
        assertThat(report.out())
                .contains("\"ending\": \"cut_off\"")
                .contains("\"complete\": false")
                .contains("\"adds_up\": true")
                .contains("\"answered\": 1000");
        assertThat(Shell.call("report", at("a.downbeat.part")).out())
                .startsWith("CUT OFF after 1.0 s of 60 s: partial");
    }

    @Test
    void beside_an_older_result_the_later_part_is_mentioned() throws IOException {
        simulate("7", "a.downbeat");
        Files.setLastModifiedTime(folder.resolve("a.downbeat"), FileTime.fromMillis(0));
        keep(folder.resolve("a.downbeat.part"));
        Shell report = Shell.call("report", at("a.downbeat"));
        assertThat(report.exitCode()).isZero();
        assertThat(report.firstErrorLine())
                .contains("was cut short or could not be saved")
                .contains("a.downbeat.part");
        try (FileChannel run = FileChannel.open(folder.resolve("a.downbeat.part"), StandardOpenOption.WRITE);
                FileLock held = run.lock()) {
            assertThat(held.isValid()).isTrue();
            assertThat(Shell.call("report", at("a.downbeat")).firstErrorLine())
                    .contains("is under way")
                    .contains("a.downbeat.part");
        }
    }

    @Test
    void an_unreadable_file_is_a_usage_error() throws IOException {
        Files.writeString(folder.resolve("later.downbeat"), "{\"schema\":99,\"downbeat\":\"9.1\"}\n");
        Files.writeString(folder.resolve("text.downbeat"), "hello");
        for (String name : List.of("none.downbeat", "later.downbeat", "text.downbeat")) {
            for (String command : List.of("report", "rerun")) {
                Shell refused = Shell.call(command, at(name));
                assertThat(refused.exitCode()).as(name).isEqualTo(2);
                assertThat(refused.firstErrorLine()).contains(name);
                assertThat(refused.err().lines()).hasSizeLessThanOrEqualTo(2);
            }
        }
        assertThat(Shell.call("report", at("later.downbeat")).firstErrorLine()).contains("schema 99");
    }

    @Test
    void saved_runs_are_compared_and_asked_for_sessions() {
        simulate("7", "a.downbeat", "a.hlog");
        simulate("8", "b.downbeat", "b.hlog");
        Shell whole = Shell.call("compare", "--json", at("a.downbeat"), at("b.downbeat"));
        Shell logs = Shell.call("compare", "--json", at("a.hlog"), at("b.hlog"));
        assertThat(whole.exitCode()).as(whole.err()).isEqualTo(logs.exitCode());
        assertThat(whole.out().replace(".downbeat", ".hlog")).isEqualTo(logs.out());
        assertThat(Shell.call("session", at("a.downbeat"), "-n", "3", "--think", "100ms")
                        .out())
                .isEqualTo(Shell.call("session", at("a.hlog"), "-n", "3", "--think", "100ms")
                        .out())
                .isNotEmpty();
    }

    @Test
    void sessions_of_an_overload_or_of_one_event_are_told_as_such() {
        Shell.call(("simulate -R 200 -d 30s --service exp:2ms --servers 4 --stall 1s@10s --seed 7 -q -o "
                        + at("stalled.downbeat") + " -o " + at("stalled.hlog"))
                .split(" "));
        String stalled = words("session", at("stalled.downbeat"), "-n", "5");
        assertThat(stalled)
                .containsPattern("hit one slower than [\\d.]+ ms \\(p99, one event: its frequency is unknown\\)[.]")
                .containsPattern("p99 [\\d.]+ ms [\\d.]+ % [\\d.]+ % one event");
        assertThat(words("session", at("stalled.hlog"), "-n", "5")).doesNotContain("one event");
        Shell.call(("simulate -R 150 -d 20s --service exp:10ms --seed 7 -q -o " + at("o.downbeat")).split(" "));
        assertThat(words("session", at("o.downbeat"), "-n", "5"))
                .containsPattern("^OVERLOADED: \\d+/s of \\d+/s answered; in these [\\d.]+ s [\\d.]+ % of sessions");
    }

    private static String words(String... command) {
        return Shell.call(command).out().replaceAll("\\s+", " ");
    }
}
