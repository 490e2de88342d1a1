package dev.downbeat.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.Results;
import dev.downbeat.cli.Shell;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.HistogramLogFile;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.verdict.RunVerdict;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HistoryCommandTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int SECONDS = 12;
    private static final int RATE = 40;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    /** A run of the n-th day; from the sixth on it is slower by a third. */
    private static RunReport report(int day) {
        SplittableRandom random = new SplittableRandom(day);
        double level = 2e6 * Math.exp(0.03 * (random.nextDouble() - 0.5)) * (day < 6 ? 1 : 1.33);
        List<Interval> intervals = new ArrayList<>();
        Recording total = Recording.empty();
        for (int second = 0; second < SECONDS; second++) {
            CorrectedRecorder recorder = new CorrectedRecorder();
            recorder.planned(RATE);
            for (int i = 0; i < RATE; i++) {
                Exchange exchange = new Exchange(0);
                exchange.begin(0, 0, 0);
                exchange.completedAt = (long) (level * (1 + 0.2 * random.nextDouble()));
                exchange.outcome = Outcome.answered();
                recorder.completed(exchange);
            }
            Recording recording = recorder.drain();
            intervals.add(new Interval(second * SECOND, (second + 1) * SECOND, recording));
            total = total.plus(recording);
        }
        RunPlan plan = RunPlan.builder(Results.result(1, 0).plan().workload())
                .duration(Duration.ofSeconds(SECONDS))
                .build();
        RunResult result = new RunResult(
                plan,
                "GET http://localhost:8080/orders",
                RunSpan.of(Instant.EPOCH.plus(Duration.ofDays(day)), 0, SECONDS * SECOND, RunSpan.Ending.COMPLETE),
                total,
                intervals,
                LaneCounts.NONE,
                new GeneratorHealth(SECONDS * SECOND, 1, 0, 0, 0, 0, 0, 0, 0));
        return new RunReport(
                result,
                RunVerdict.of(result, List.of()),
                List.of("downbeat", "run"),
                Optional.empty(),
                "0.1.0",
                Results.MACHINE,
                Map.of());
    }

    private Path saved(String name, int day) throws IOException {
        Path file = folder.resolve(name);
        try (OutputStream out = Files.newOutputStream(file)) {
            RunFile.write(report(day), out);
        }
        return file;
    }

    @Test
    void the_slower_build_is_named_and_can_be_accepted() throws IOException {
        List<String> words = new ArrayList<>(List.of("history"));
        for (int day = 9; day >= 0; day--) { // a shell would sort hashes: the order is that of the times
            words.add(saved("c" + day + ".downbeat", day).toString());
        }
        words.add(saved("c9.2.downbeat", 10).toString());
        List<String> more = new ArrayList<>(words);
        more.addAll(List.of("--tolerance", "5%"));
        Shell shell = Shell.call(more.toArray(String[]::new));
        assertThat(shell.err()).isEmpty();
        assertThat(shell.out()).startsWith("p50 rose ").contains(" at c6, 3 builds ago.");
        assertThat(shell.exitCode()).isEqualTo(99);
        words.addAll(List.of("--since", "c6", "--json"));
        Shell known = Shell.call(words.toArray(String[]::new));
        assertThat(known.exitCode()).isZero();
        assertThat(known.out()).contains("\"at\": \"c6\"").contains("\"exit_code\": 0");
    }

    @Test
    void a_version_is_no_repetition_of_another() throws IOException {
        List<String> words = new ArrayList<>(List.of("history", "--json"));
        for (int day = 0; day < 9; day++) {
            words.add(saved("1.4." + day + ".downbeat", day).toString());
        }
        assertThat(Shell.call(words.toArray(String[]::new)).out()).contains("\"1.4.0\"", "\"1.4.8\"");
    }

    @Test
    void a_later_version_is_no_second_run_of_an_earlier_one_and_a_second_run_is() throws IOException {
        List<String> words = new ArrayList<>(List.of("history", "--json"));
        List<String> names = List.of(
                "1.4",
                "1.4.1",
                "1.4.2",
                "app-1.4",
                "app-1.4.2",
                "app.1.4",
                "app.1.4.2",
                "v2",
                "v2.1",
                "v2.2",
                "7",
                "7.1",
                "7.2");
        for (String name : names) {
            words.add(saved(name + ".downbeat", words.size()).toString());
        }
        List<String> repeated = List.of("1042", "c9", "1.4.0", "app-1.4.0", "app.1.4.0", "v1.4.0", "2026.11.29", "v42");
        for (String name : repeated) {
            words.add(saved(name + ".downbeat", words.size()).toString());
            words.add(saved(name + ".2.downbeat", words.size()).toString());
            words.add(saved(name + ".3.downbeat", words.size()).toString());
        }
        List<String> builds = new ArrayList<>();
        Matcher build = Pattern.compile("\"name\": \"([^\"]+)\"[^}]*?\"runs\": (\\d+)")
                .matcher(Shell.call(words.toArray(String[]::new)).out());
        while (build.find()) {
            builds.add(build.group(1) + " " + build.group(2));
        }
        List<String> expected =
                new ArrayList<>(names.stream().map(name -> name + " 1").toList());
        expected.addAll(repeated.stream().map(name -> name + " 3").toList());
        assertThat(builds).containsExactlyElementsOf(expected);
    }

    @Test
    void versions_of_a_baseline_are_read_from_git() throws Exception {
        git("init", "-q");
        for (int day = 0; day < 9; day++) {
            commit(numbered(1), day);
        }
        Shell shell =
                Shell.call("history", "--git", folder.resolve("orders.hlog").toString());
        assertThat(shell.err()).isEmpty();
        assertThat(shell.out()).startsWith("p50 rose ").containsPattern(" at [0-9a-f]{4,12},\\s2\\sbuilds\\sago\\.");
        assertThat(shell.exitCode()).isEqualTo(99);
        Shell none = Shell.call("history", "--git", folder.resolve("other.hlog").toString());
        assertThat(none.exitCode()).isEqualTo(2);
        assertThat(none.firstErrorLine()).endsWith("no version of it is committed");
    }

    /** The oldest run is deleted, the others move up and the new one is the last: git shows each file as changed. */
    @Test
    void a_run_of_a_baseline_belongs_to_the_commit_that_added_it_however_often_it_is_renamed() throws Exception {
        git("init", "-q");
        int kept = 3;
        for (int day = 0; day < 9; day++) {
            for (int number = 2; day >= kept && number <= kept; number++) {
                Files.move(numbered(number), numbered(number - 1), StandardCopyOption.REPLACE_EXISTING);
            }
            commit(numbered(Math.min(day + 1, kept)), day);
        }
        Shell shell = Shell.call("history", "--json", "--git", numbered(1).toString());
        assertThat(shell.err()).isEmpty();
        assertThat(Pattern.compile("\"runs\": (\\d+)")
                        .matcher(shell.out())
                        .results()
                        .map(found -> found.group(1)))
                .hasSize(9)
                .containsOnly("1");
        assertThat(shell.exitCode()).isEqualTo(99);
    }

    /** A merge that equals one of its sides would hide the commits of the other. */
    @Test
    void builds_of_both_sides_of_a_merge_count_and_a_branch_when_it_was_merged() throws Exception {
        git("init", "-q", "-b", "main");
        commit(numbered(1), 0);
        git("checkout", "-q", "-b", "feature");
        commit(numbered(1), 3);
        git("checkout", "-q", "main");
        commit(numbered(1), 1);
        commit(numbered(1), 2);
        git(
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@example.org",
                "merge",
                "-q",
                "-s",
                "ours",
                "-m",
                "merge",
                "feature");
        commit(numbered(1), 4);
        Shell shell = Shell.call("history", "--json", "--git", numbered(1).toString());
        assertThat(shell.err()).isEmpty();
        assertThat(Pattern.compile("\"runs\": 1").matcher(shell.out()).results())
                .hasSize(5);
    }

    /** The oldest commit of such a clone seems to add every file, of any age. */
    @Test
    void a_shallow_clone_is_no_whole_history() throws Exception {
        git("init", "-q");
        for (int day = 0; day < 9; day++) {
            commit(numbered(1), day);
        }
        for (int depth : new int[] {7, 3, 1}) {
            git("clone", "-q", "--depth", "" + depth, "file://" + folder, "clone" + depth);
        }
        String advice = "older builds: this clone is shallow (git fetch --unshallow; actions/checkout: fetch-depth: 0)";
        Shell enough = ofClone(7);
        assertThat(enough.out().replaceAll("\\s+", " ")).contains(" left out: " + advice);
        assertThat(Shell.call(
                                "history",
                                "--json",
                                "--git",
                                folder.resolve("clone7/orders.hlog").toString())
                        .out()
                        .split("\"runs\": 1,", -1))
                .hasSize(1 + 6);
        Shell few = ofClone(3);
        assertThat(few.exitCode()).isEqualTo(98);
        assertThat(few.out().replaceAll("\\s+", " "))
                .startsWith(
                        "No history yet: 2 comparable builds, but at least 6 are needed. Left out: " + advice + ".");
        Shell none = ofClone(1);
        assertThat(none.exitCode()).isEqualTo(98);
        assertThat(none.firstErrorLine()).endsWith("orders.hlog is in reach: " + advice);
    }

    private Shell ofClone(int depth) {
        return Shell.call(
                "history",
                "--git",
                folder.resolve("clone" + depth + "/orders.hlog").toString());
    }

    /** A pipeline knows the whole hash, and what git abbreviates it to grows with the repository. */
    @Test
    void the_build_to_accept_may_be_a_longer_hash_than_the_shown_one() throws Exception {
        git("init", "-q");
        for (int day = 0; day < 9; day++) {
            commit(numbered(1), day);
        }
        git("tag", "newest");
        String hash = Files.readString(folder.resolve(".git/refs/tags/newest")).strip();
        String baseline = numbered(1).toString();
        for (String since : List.of(hash, hash.substring(0, 12), hash.substring(0, 6))) {
            Shell shell = Shell.call("history", "--git", baseline, "--since", since);
            assertThat(shell.err()).isEmpty();
            assertThat(shell.exitCode()).isZero();
        }
        assertThat(Shell.call("history", "--git", baseline, "--since", hash.substring(1))
                        .exitCode())
                .isEqualTo(2);
    }

    /** A release is acknowledged by its tag, which seems to name a commit without a new baseline. */
    @Test
    void the_build_to_accept_may_be_a_tag_or_a_branch() throws Exception {
        git("init", "-q");
        for (int day = 0; day < 9; day++) {
            commit(numbered(1), day);
            if (day == 7) {
                Files.writeString(folder.resolve("notes.txt"), "released");
                git("add", "--all");
                git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "release");
                git("tag", "v1.0");
            }
        }
        String baseline = numbered(1).toString();
        for (String since : List.of("v1.0", "HEAD~1", "HEAD")) {
            Shell shell = Shell.call("history", "--git", baseline, "--since", since);
            assertThat(shell.err()).as(since).isEmpty();
            assertThat(shell.exitCode()).as(since).isZero();
        }
        for (String unknown : List.of("v2.0", "HEAD~50")) {
            Shell refused = Shell.call("history", "--git", baseline, "--since=" + unknown);
            assertThat(refused.exitCode()).as(unknown).isEqualTo(2);
            assertThat(refused.firstErrorLine()).contains("--since " + unknown + " must name one of the builds");
        }
    }

    private Path numbered(int number) {
        return folder.resolve(number == 1 ? "orders.hlog" : "orders." + number + ".hlog");
    }

    private void commit(Path file, int day) throws Exception {
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            out.append("# downbeat host: cores=2 cpu=x\n");
            new HistogramLogFile().write(report(day), out);
        }
        git("add", "--all");
        git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "day " + day);
    }

    private void git(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(words));
        ProcessBuilder git =
                new ProcessBuilder(command).directory(folder.toFile()).inheritIO();
        // a user may sign each commit
        git.environment().putAll(Map.of("GIT_CONFIG_GLOBAL", "/dev/null", "GIT_CONFIG_NOSYSTEM", "1"));
        assertThat(git.start().waitFor()).isZero();
    }

    @Test
    void files_without_a_history_are_refused_in_one_line() throws IOException {
        String one = saved("c1.downbeat", 1).toString();
        assertThat(Shell.call("history").firstErrorLine())
                .contains("FILE is missing: downbeat history results/*.downbeat");
        assertThat(Shell.call("history", one, one).firstErrorLine()).endsWith("is given twice");
        assertThat(Shell.call("history", one, "--git", "x.hlog").firstErrorLine())
                .contains("mutually exclusive");
        assertThat(Shell.call("history", one, "--since", "c7").firstErrorLine())
                .contains("--since c7 must name one of the builds: they are c1 to c1");
        assertThat(Shell.call("history", one, "-o", folder + "/x.hlog").firstErrorLine())
                .contains("a history is saved as .html, .json, .md, .xml or .txt");
        Shell few = Shell.call("history", one);
        assertThat(few.exitCode()).isEqualTo(98);
        assertThat(few.out().replaceAll("\\s+", " "))
                .contains("at least 6 comparable builds are needed, but there was 1");
    }
}
