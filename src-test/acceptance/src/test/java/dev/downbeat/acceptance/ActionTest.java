package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.testing.NotShown;
import dev.downbeat.time.ServiceLaw;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The step of the GitHub action, run as GitHub does: inputs in the environment, outputs in a file. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ActionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private Cli.Ending step(String target, String objectives) throws IOException {
        Path downbeat = folder.resolve("downbeat");
        Files.writeString(downbeat, "#!/bin/sh\nexec " + String.join(" ", Cli.command()) + " \"$@\"\n");
        assertThat(downbeat.toFile().setExecutable(true)).isTrue();
        List<String> command = new ArrayList<>(List.of(
                "env",
                "DOWNBEAT=" + downbeat,
                "GITHUB_OUTPUT=" + folder.resolve("output"),
                "GITHUB_STEP_SUMMARY=" + folder.resolve("summary"),
                "INPUT_TARGET=" + target,
                "INPUT_RATE=50/s",
                "INPUT_DURATION=2s",
                "INPUT_OBJECTIVES=" + objectives,
                "INPUT_ARGUMENTS=--seed\n7",
                "INPUT_RESULTS=" + folder.resolve("results")));
        command.add(Checkout.root().resolve("release/action.sh").toString());
        try (Cli cli = Cli.startCommand(command, folder)) {
            return cli.end(PATIENCE);
        }
    }

    /**
     * A step with a fake Downbeat, which starts no JVM. It appends its arguments to a file and writes each requested result,
     * except with exit codes 1 and 2. DOWNBEAT_VERDICT is its verdict, DOWNBEAT_ENDS its exit code, and DOWNBEAT_COMPARES the
     * exit code of a comparison.
     */
    private Cli.Ending faked(String... environment) throws IOException {
        Path downbeat = folder.resolve("downbeat");
        Files.writeString(
                downbeat,
                "#!/bin/sh\nfolder=$(dirname \"$0\")\n"
                        + "echo \"$@\" ${DOWNBEAT_RATE:+by default $DOWNBEAT_RATE for $DOWNBEAT_DURATION} >>\"$folder/words\"\n"
                        + "case ${DOWNBEAT_ENDS:-0} in 1 | 2) exit $DOWNBEAT_ENDS ;; esac\n"
                        + "[ \"$1\" != compare ] || DOWNBEAT_ENDS=${DOWNBEAT_COMPARES:-$DOWNBEAT_ENDS}\n"
                        + "[ -z \"$DOWNBEAT_VERDICT\" ] || echo \"verdict=$DOWNBEAT_VERDICT\" >>\"$GITHUB_OUTPUT\"\n"
                        + "said=\"said by $1\"\n"
                        + "while [ $# -gt 0 ]; do [ \"$1\" != -o ] || cp \"$folder/words\" \"$2\"; shift; done\n"
                        + "echo \"$said\"\nexit \"${DOWNBEAT_ENDS:-0}\"\n");
        assertThat(downbeat.toFile().setExecutable(true)).isTrue();
        for (String older : List.of("words", "output")) {
            Files.deleteIfExists(folder.resolve(older));
        }
        List<String> command = new ArrayList<>(List.of(
                "env",
                "DOWNBEAT=" + downbeat,
                "GITHUB_OUTPUT=" + folder.resolve("output"),
                "INPUT_RESULTS=" + folder.resolve("results")));
        command.addAll(List.of(environment));
        command.add(Checkout.root().resolve("release/action.sh").toString());
        try (Cli cli = Cli.startCommand(command, folder)) {
            return cli.end(PATIENCE);
        }
    }

    /** The arguments of each Downbeat that the last step started. */
    private List<String> words() throws IOException {
        Path words = folder.resolve("words");
        return Files.exists(words) ? Files.readAllLines(words) : List.of();
    }

    /** 'compare --live' has no option for objectives. */
    @Test
    void objectives_with_against_are_refused_before_anything_is_measured() throws IOException {
        String[] both = {"INPUT_TARGET=http://b/", "INPUT_AGAINST=http://a/", "INPUT_OBJECTIVES="};
        assertThat(faked(both).code()).isZero();
        assertThat(words()).hasSize(1).allMatch(line -> line.startsWith("compare --live http://a/ http://b/ "));
        both[2] += "p99<50ms";
        Cli.Ending refused = faked(both);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.out())
                .isEqualTo("::error::Downbeat takes no 'objectives' with 'against', which 'tolerance' judges\n");
        assertThat(words()).isEmpty();
        assertThat(output()).contains("verdict=broken", "exit-code=2");
    }

    /** Otherwise a second step in the same folder would overwrite its base and compare the result with itself. */
    @Test
    void a_baseline_that_the_step_itself_would_write_is_refused_and_stays() throws IOException {
        faked("INPUT_TARGET=http://a/");
        Path result = folder.resolve("results/result.downbeat");
        String before = Files.readString(result);
        Cli.Ending refused = faked("INPUT_TARGET=http://b/", "INPUT_BASELINE=" + result);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.out()).contains("cannot compare with 'baseline', the file that this step writes");
        assertThat(output()).contains("verdict=broken", "result=");
        assertThat(result).hasContent(before);
    }

    /** The default rate applies only if the arguments have no load, with which it would conflict. */
    @Test
    void the_load_may_be_among_the_arguments() throws IOException {
        faked("INPUT_TARGET=http://b/", "INPUT_ARGUMENTS=--stage\n30s:1k/s");
        assertThat(words().get(0))
                .endsWith("/report.xml --stage 30s:1k/s by default 100/s for 30s")
                .doesNotContain(" -R ", " -d ");
        faked("INPUT_TARGET=http://b/", "INPUT_RATE=40/s", "INPUT_DURATION=5s", "DOWNBEAT_RATE=7/s");
        assertThat(words().get(0)).endsWith(" -R 40/s -d 5s by default 7/s for 30s");
        for (String own : List.of("INPUT_RATE=40/s", "INPUT_DURATION=5s", "INPUT_OBJECTIVES=p99<1s")) {
            assertThat(faked("INPUT_PLAN=plan.json", own).code()).as(own).isEqualTo(2);
            assertThat(words()).isEmpty();
        }
    }

    /** Otherwise, on GitLab and in a persistent workspace, a pull request would be compared with its own first build. */
    @Test
    void only_a_successful_build_of_the_branch_itself_becomes_its_base() throws IOException {
        Path base = folder.resolve("results/branch/base.downbeat");
        String[] build = {"INPUT_TARGET=http://b/", "INPUT_BASELINE=branch", "GITHUB_SHA=1", "GITHUB_BASE_REF=main"};
        assertThat(faked(build).out()).contains("the base branch has no result yet");
        assertThat(base).doesNotExist();
        String[] missed = {build[0], build[1], build[2], "DOWNBEAT_ENDS=99"};
        assertThat(faked(missed).code()).isEqualTo(99);
        assertThat(base).as("after a missed objective").doesNotExist();
        faked(build[0], build[1], build[2]);
        assertThat(base).isNotEmptyFile();
        String before = Files.readString(base);
        assertThat(faked(build).out()).doesNotContain("no result yet");
        assertThat(words().get(2)).startsWith("compare " + base + " ");
        assertThat(base).hasContent(before);
    }

    /** A workflow that measures a contributor's code on a comment runs on main, but its result must not become main's base. */
    @Test
    void an_event_that_is_not_of_a_branch_stores_no_base() throws IOException {
        String[] build = {"INPUT_TARGET=http://b/", "INPUT_BASELINE=branch", "GITHUB_SHA=1", "GITHUB_EVENT_NAME="};
        for (String event : List.of("issue_comment", "workflow_run", "repository_dispatch")) {
            build[3] = "GITHUB_EVENT_NAME=" + event;
            Cli.Ending refused = faked(build);
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.out())
                    .startsWith("::error::Downbeat takes 'baseline: branch' on push, ")
                    .contains(event);
            assertThat(words()).isEmpty();
            assertThat(folder.resolve("results/branch")).doesNotExist();
        }
        build[3] = "GITHUB_EVENT_NAME=schedule";
        assertThat(faked(build).code()).isZero();
        assertThat(folder.resolve("results/branch/base.downbeat")).isNotEmptyFile();
    }

    /** In a persistent workspace or the same folder, an earlier result must not count as that of this step. */
    @Test
    void a_step_without_a_result_does_not_pass_on_an_earlier_one() throws IOException {
        String[] step = {"INPUT_TARGET=http://b/", "INPUT_BASELINE=branch", "GITHUB_SHA=1", "DOWNBEAT_ENDS=0"};
        assertThat(faked(step).code()).isZero();
        assertThat(output()).contains("result=" + folder.resolve("results/result.downbeat"));
        step[2] = "GITHUB_SHA=2";
        step[3] = "DOWNBEAT_ENDS=2";
        assertThat(faked(step).code()).isEqualTo(2);
        assertThat(output()).contains("result=", "report=");
        assertThat(folder.resolve("results/report.xml")).doesNotExist();
        assertThat(folder.resolve("results/branch/builds/1.downbeat")).isNotEmptyFile();
        assertThat(folder.resolve("results/branch/builds/2.downbeat")).doesNotExist();
    }

    /** Otherwise the pull request would keep the comment of an earlier build, such as "Met". */
    @Test
    void a_step_that_measured_nothing_says_so_in_the_comment_and_the_job_summary() throws IOException {
        Cli.Ending ending = faked(
                "INPUT_TARGET=http://b/",
                "DOWNBEAT_ENDS=1",
                "INPUT_TOKEN=secret",
                "GITHUB_REF=refs/pull/12/merge",
                "GITHUB_REPOSITORY=a/b",
                "GITHUB_API_URL=http://127.0.0.1:1");
        assertThat(folder.resolve("results/report.txt"))
                .hasContent("There is no result (exit code 1): see the job log.\n");
        assertThat(ending.out()).as("it was tried").contains("the result is not in the pull request");
        Cli.Ending refused = faked(
                "INPUT_TOKEN=secret",
                "GITHUB_REF=refs/pull/12/merge",
                "GITHUB_REPOSITORY=a/b",
                "GITHUB_API_URL=http://127.0.0.1:1");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(folder.resolve("results/refused.txt")).content().startsWith("Downbeat has nothing to measure");
        assertThat(refused.out()).as("it was tried").contains("the result is not in the pull request");
        assertThat(step("http://127.0.0.1:1/", "errors<1%").code()).isEqualTo(1);
        assertThat(folder.resolve("results/refused.txt")).doesNotExist();
        assertThat(Files.readString(folder.resolve("summary"))).contains("Nothing could be measured");
    }

    /** Otherwise a failed pull request would show the comparison, which found nothing, and not the objective. */
    @Test
    void of_two_undecided_results_the_comment_shows_the_one_that_fails_the_step() throws IOException {
        assumeJqAndCurl();
        List<String> posted = Collections.synchronizedList(new ArrayList<>());
        HttpServer forge = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        forge.createContext("/", call -> {
            if (call.getRequestMethod().equals("POST")) {
                posted.add(new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            }
            call.sendResponseHeaders(200, 2);
            call.getResponseBody().write("[]".getBytes(StandardCharsets.UTF_8));
            call.close();
        });
        forge.start();
        try {
            Path base = Files.writeString(folder.resolve("base.downbeat"), "x");
            for (String ends : List.of("DOWNBEAT_ENDS=98", "DOWNBEAT_ENDS=0")) {
                for (String compares : List.of("DOWNBEAT_COMPARES=0", "DOWNBEAT_COMPARES=98")) {
                    int code = faked(
                                    ends,
                                    compares,
                                    "DOWNBEAT_VERDICT=undecided",
                                    "INPUT_TARGET=http://b/",
                                    "INPUT_BASELINE=" + base,
                                    "INPUT_TOKEN=secret",
                                    "GITHUB_REF=refs/pull/12/merge",
                                    "GITHUB_REPOSITORY=a/b",
                                    "GITHUB_API_URL=http://127.0.0.1:"
                                            + forge.getAddress().getPort())
                            .code();
                    assertThat(code).isEqualTo(ends.endsWith("0") && compares.endsWith("0") ? 0 : 98);
                    assertThat(output()).contains("verdict=undecided");
                }
            }
        } finally {
            forge.stop(0);
        }
        assertThat(posted).hasSize(4);
        assertThat(posted.subList(0, 2)).allMatch(comment -> comment.contains("said by run"));
        assertThat(posted.subList(2, 4)).allMatch(comment -> comment.contains("said by compare"));
    }

    /** Otherwise the job summary of a failed step would show only the run, which met its objectives. */
    @Test
    void a_regression_is_in_the_job_summary_and_an_annotation() throws IOException {
        for (String service : List.of("2ms", "3ms")) {
            String file = folder.resolve(service + ".downbeat").toString();
            Cli.run(
                    PATIENCE,
                    "simulate",
                    "-R",
                    "100",
                    "-d",
                    "30s",
                    "--seed",
                    "7",
                    "--service",
                    "lognormal:" + service + ",0.3",
                    "-q",
                    "-o",
                    file);
        }
        Path summary = folder.resolve("summary");
        List<String> command = new ArrayList<>(List.of("env", "GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY=" + summary));
        command.addAll(Cli.command("compare", "2ms.downbeat", "3ms.downbeat", "--tolerance", "5%"));
        try (Cli cli = Cli.startCommand(command, folder)) {
            Cli.Ending ending = cli.end(PATIENCE);
            assertThat(ending.code()).as(ending.err()).isEqualTo(99);
            String headline = ending.out().lines().findFirst().orElseThrow();
            assertThat(headline).startsWith("3ms.downbeat is slower");
            assertThat(ending.err()).isEqualTo("::error title=downbeat%3A missed::" + headline + "\n");
            assertThat(Files.readString(summary))
                    .startsWith("## 3ms.downbeat is slower")
                    .contains("regression: **YES**", "| p50 |");
        }
    }

    /** A merge request reads the base under the key that its branch writes, and writes under no key that a branch reads. */
    @Test
    void on_GitLab_a_merge_request_finds_its_target_branchs_base_and_Jenkins_refuses_one() throws IOException {
        List<String> keys = Files.readAllLines(Checkout.root().resolve("templates/downbeat.yml")).stream()
                .filter(line -> line.contains("- key: downbeat-$CI_JOB"))
                .toList();
        String written = keys.get(0);
        String read = keys.get(1);
        assertThat(Files.readString(Checkout.root().resolve("vars/downbeat.groovy")))
                .as("on Jenkins each pull request has its own workspace")
                .contains("if (inputs.baseline == 'branch') {\n        error(");
        Map<String, String> branch = Map.of("COMMIT_BRANCH", "Main.2");
        Map<String, String> request = Map.of("MERGE_REQUEST_IID", "12", "MERGE_REQUEST_TARGET_BRANCH_NAME", "Main.2");
        Map<String, String> tag = Map.of("COMMIT_TAG", "v1");
        assertThat(expanded(read, request)).isEqualTo(expanded(written, branch));
        assertThat(List.of(expanded(read, branch), expanded(read, tag)))
                .doesNotContain(expanded(written, branch), expanded(written, request), expanded(written, tag));
        assertThat(expanded(written, request)).isNotEqualTo(expanded(written, branch));
    }

    /** The key with the variables of a GitLab pipeline; others are empty. */
    private static String expanded(String key, Map<String, String> variables) {
        return Pattern.compile("\\$CI_([A-Z_]+)")
                .matcher(key)
                .replaceAll(found -> variables.getOrDefault(found.group(1), ""));
    }

    /** Each build replaces its comment, since one comment per build would be noise. */
    @Test
    void each_matrix_leg_has_one_comment_in_the_pull_request_which_is_replaced() throws IOException {
        assumeJqAndCurl();
        List<String> calls = Collections.synchronizedList(new ArrayList<>());
        // Comments of others, so that those of Downbeat are on the second page.
        List<String> comments = Collections.synchronizedList(new ArrayList<>());
        for (int id = 0; id < 100; id++) {
            comments.add("{\"id\": " + id + ", \"user\": {\"id\": 9, \"type\": \"User\"}, \"body\": \""
                    + (id == 5 ? "<!-- downbeat:  load 0  -->" : "else") + "\"}");
        }
        HttpServer forge = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        forge.createContext("/", call -> {
            String body = new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String path = call.getRequestURI().toString();
            calls.add(call.getRequestMethod() + " " + path);
            boolean isAllowed = "Bearer secret".equals(call.getRequestHeaders().getFirst("Authorization"));
            if (path.equals("/user")) { // a workflow's token belongs to no user
                call.sendResponseHeaders(403, -1);
                call.close();
                return;
            }
            if (call.getRequestMethod().equals("POST")) {
                comments.add("{\"id\": " + comments.size() + ", \"user\": {\"id\": 4, \"type\": \"Bot\"}, "
                        + body.strip().substring(1));
            }
            List<String> page =
                    path.endsWith("page=1") ? comments.subList(0, 100) : comments.subList(100, comments.size());
            byte[] answer = page.toString().getBytes(StandardCharsets.UTF_8);
            call.sendResponseHeaders(isAllowed ? 200 : 401, answer.length);
            call.getResponseBody().write(answer);
            call.close();
        });
        forge.start();
        try {
            Path text = Files.writeString(folder.resolve("report.txt"), "Met \"p99\" < 1 s.\n");
            String api = "http://127.0.0.1:" + forge.getAddress().getPort();
            for (String leg : List.of("0", "1", "0")) {
                assertThat(comment(api, "refs/pull/12/merge", leg, text).out()).isEmpty();
            }
            assertThat(comment(api, "refs/heads/main", "0", text).out()).isEmpty();
            // On pull_request_target the ref is that of the base branch.
            Path event = folder.resolve("event.json");
            String[] request = {"GITHUB_BASE_REF=main", "GITHUB_EVENT_PATH=" + event};
            Files.writeString(event, "{\"pull_request\": {\"number\": 12}}");
            assertThat(comment(api, "refs/heads/main", "1", text, request).out())
                    .isEmpty();
            Files.writeString(event, "{}");
            assertThat(comment(api, "refs/heads/main", "1", text, request).out())
                    .contains("not in the pull request: its number is unknown");
            String all = "/repos/a/b/issues/12/comments";
            assertThat(calls.stream().filter(call -> !call.startsWith("GET ")))
                    .containsExactly(
                            "POST " + all,
                            "POST " + all,
                            "PATCH /repos/a/b/issues/comments/100",
                            "PATCH /repos/a/b/issues/comments/101");
            assertThat(calls.stream().filter(call -> call.startsWith("GET ")).distinct())
                    .containsExactly(
                            "GET /user", "GET " + all + "?per_page=100&page=1", "GET " + all + "?per_page=100&page=2");
            assertThat(comments.subList(100, 102)).allMatch(comment -> comment.contains("Met \\\"p99\\\" < 1 s."));
        } finally {
            forge.stop(0);
        }
        Cli.Ending gone = comment("http://127.0.0.1:1", "refs/pull/12/merge", "0", folder.resolve("report.txt"));
        assertThat(gone.code()).isZero();
        assertThat(gone.out()).contains("::warning title=Downbeat::the result is not in the pull request");
    }

    private static void assumeJqAndCurl() {
        if (!List.of("jq", "curl").stream().allMatch(name -> Files.isExecutable(Path.of("/usr/bin", name)))) {
            throw NotShown.because("no jq or no curl", "the comment of a pull request");
        }
    }

    private Cli.Ending comment(String api, String ref, String leg, Path text, String... environment)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("env"));
        command.addAll(List.of(environment));
        command.addAll(List.of(
                "INPUT_TOKEN=secret",
                "GITHUB_API_URL=" + api,
                "GITHUB_REPOSITORY=a/b",
                "GITHUB_REF=" + ref,
                "GITHUB_JOB=load",
                "INPUT_LEG=" + leg,
                Checkout.root().resolve("release/comment.sh").toString(),
                text.toString()));
        try (Cli cli = Cli.startCommand(command, folder)) {
            return cli.end(PATIENCE);
        }
    }

    /** A persistent workspace must not keep the version of its first build. */
    @Test
    void Jenkins_uses_the_requested_version_in_each_build() throws IOException {
        String fetch = Files.readAllLines(Checkout.root().resolve("vars/downbeat.groovy")).stream()
                .map(String::strip)
                .filter(line -> line.startsWith("sh \"git "))
                .map(line -> line.substring("sh \"".length(), line.length() - 1))
                .collect(Collectors.joining(" && "))
                .replace(
                        "https://github.com/downbeat-dev/downbeat.git",
                        folder.resolve("origin").toString());
        String commit =
                "git -c user.name=x -c user.email=x@x.example -c commit.gpgsign=false commit -q --allow-empty -m ";
        shell("git init -q origin && cd origin && " + commit + "1 && git tag v1 && " + commit + "2 && git tag v2");
        for (String version : List.of("v1", "v2", "v2", "v1")) {
            shell(fetch.replace("${version}", version));
            assertThat(shell("git -C .downbeat log -1 --format=%s")).isEqualTo(version.substring(1) + "\n");
        }
    }

    private String shell(String line) throws IOException {
        try (Cli cli = Cli.startCommand(List.of("sh", "-c", line), folder)) {
            Cli.Ending ending = cli.end(PATIENCE);
            assertThat(ending.code()).as(line + "\n" + ending.err()).isZero();
            return ending.out();
        }
    }

    private List<String> output() throws IOException {
        return Files.readAllLines(folder.resolve("output"));
    }

    @Test
    void a_met_objective_passes_and_leaves_its_files() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            assertThat(step(server.uri(), "p50<10s\nerrors<1%").code()).isZero();
            assertThat(output()).contains("verdict=met", "exit-code=0");
            assertThat(folder.resolve("results/report.html")).isNotEmptyFile();
            assertThat(folder.resolve("results/result.downbeat")).isNotEmptyFile();
            assertThat(folder.resolve("summary")).isNotEmptyFile();
        }
    }

    /** GitHub refuses a second artifact of the same name (409). */
    @Test
    void each_matrix_leg_has_its_own_artifact_cache_and_comment() throws IOException {
        String action = Files.readString(Checkout.root().resolve("action.yml"));
        assertThat(action.lines().filter(line -> line.contains("github.job }}")))
                .singleElement()
                .asString()
                .contains("        name: downbeat-", "${{ strategy.job-index }}");
        assertThat(action.lines().filter("        INPUT_LEG: ${{ strategy.job-index }}"::equals))
                .as("once for the keys and once for the comment")
                .hasSize(2);
        Map<String, String> first = keys("INPUT_LEG=0", "GITHUB_REF=refs/heads/main", "GITHUB_REF_NAME=main");
        Map<String, String> second = keys("INPUT_LEG=1", "GITHUB_REF=refs/heads/main", "GITHUB_REF_NAME=main");
        assertThat(first.get("branch")).isNotEqualTo(second.get("branch"));
        assertThat(first.get("undecided")).isNotEqualTo(second.get("undecided"));
    }

    /** The cache restores the newest entry whose key starts with the restore key: that of the previous build of the pull request. */
    @Test
    void a_pull_request_counts_its_own_undecided_builds_and_no_others() throws IOException {
        List<String> keys = Files.readAllLines(Checkout.root().resolve("action.yml")).stream()
                .filter(line -> line.contains("key") && line.contains("outputs.undecided"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .toList();
        String restored = keys.get(1);
        String saved = keys.get(2);
        assertThat(key(saved, "refs/pull/12/merge", "901")).startsWith(key(restored, "refs/pull/12/merge", "902"));
        assertThat(key(saved, "refs/pull/123/merge", "901"))
                .doesNotStartWith(key(restored, "refs/pull/12/merge", "902"));
        assertThat(key(saved, "refs/heads/main", "901")).doesNotStartWith(key(restored, "refs/pull/12/merge", "902"));
        assertThat(key(keys.get(0), "refs/pull/12/merge", "902"))
                .as("the exact key never exists, so that the newest one with the prefix is restored")
                .isNotEqualTo(key(saved, "refs/pull/12/merge", "902"));
        assertThat(keys("GITHUB_REF=refs/heads/main", "INPUT_PULL=12").get("undecided"))
                .as("on pull_request_target the ref is that of the base branch")
                .isEqualTo(keys("GITHUB_REF=refs/pull/12/merge").get("undecided"));
        String action = Files.readString(Checkout.root().resolve("action.yml"));
        assertThat(action)
                .contains(
                        "if: startsWith(inputs.undecided, 'fails-after-')\n",
                        "if: always() && startsWith(inputs.undecided, 'fails-after-')\n");
    }

    private String key(String expression, String ref, String run) throws IOException {
        return expression
                .replace(
                        "${{ steps.keys.outputs.undecided }}",
                        keys("GITHUB_REF=" + ref).get("undecided"))
                .replace("${{ github.run_id }}", run)
                .replace("${{ github.run_attempt }}", "1");
    }

    /** GitHub refuses keys with a comma or that are too long. */
    @Test
    void a_name_with_a_comma_or_of_any_length_makes_a_valid_key() throws IOException {
        String branch = "fix,".repeat(60);
        String[] build = {
            "GITHUB_WORKFLOW=Build, test and deploy" + "!".repeat(300),
            "GITHUB_JOB=load",
            "INPUT_LEG=0",
            "GITHUB_REF=refs/heads/" + branch,
            "GITHUB_REF_NAME=" + branch
        };
        Map<String, String> keys = keys(build);
        assertThat(keys.values())
                .hasSize(2)
                .allSatisfy(key -> assertThat(key).doesNotContain(",").hasSizeBetween(1, 480));
        build[4] += "2";
        assertThat(keys(build).get("branch")).as("key of another branch").isNotEqualTo(keys.get("branch"));
        String[] request = {build[0], build[1], build[2], "GITHUB_REF_NAME=12/merge", "GITHUB_BASE_REF=" + branch};
        assertThat(keys(request).get("branch")).as("key of the base").isEqualTo(keys.get("branch"));
        String action = Files.readString(Checkout.root().resolve("action.yml"));
        assertThat(action.lines().filter(line -> line.contains("key: ") || line.contains("restore-keys: ")))
                .hasSize(6)
                .allMatch(line -> line.matches(".*: \\$\\{\\{ steps[.]keys[.]outputs[.](branch|undecided) }}-.*"));
    }

    private Map<String, String> keys(String... environment) throws IOException {
        Path output = folder.resolve("keys");
        Files.deleteIfExists(output);
        List<String> command = new ArrayList<>(List.of("env", "GITHUB_OUTPUT=" + output));
        command.addAll(List.of(environment));
        command.add(Checkout.root().resolve("release/action-keys.sh").toString());
        try (Cli cli = Cli.startCommand(command, folder)) {
            Cli.Ending ending = cli.end(PATIENCE);
            assertThat(ending.code()).as(ending.err()).isZero();
        }
        return Files.readAllLines(output).stream()
                .map(line -> line.split("=", 2))
                .collect(Collectors.toMap(line -> line[0], line -> line[1]));
    }

    /** A default does not replace an input given as '', so the upload would have no path and fail. */
    @Test
    void empty_results_are_where_the_step_writes_them() throws IOException {
        String script = Files.readString(Checkout.root().resolve("release/action.sh"));
        assertThat(script).contains("results=${INPUT_RESULTS:-downbeat-results}\n");
        String action = Files.readString(Checkout.root().resolve("action.yml"));
        assertThat(action.lines().filter(line -> line.startsWith("        path: ")))
                .hasSize(5)
                .allMatch(line -> line.startsWith("        path: ${{ inputs.results || 'downbeat-results' }}"));
    }

    /** Names of inputs are indented by two spaces in action.yml and by four in GitLab's component. */
    @Test
    void GitLabs_component_and_Jenkins_stage_have_the_inputs_of_the_action() throws IOException {
        List<String> inputs = names("action.yml", "(?m)^  (\\w+):\\n    description:");
        List<String> ofGitLab = names("templates/downbeat.yml", "(?m)^    (\\w+):\\n      description:");
        assertThat(inputs).contains("target", "undecided", "results");
        assertThat(ofGitLab.stream().filter(inputs::contains)).containsExactlyElementsOf(inputs);
        assertThat(names("templates/downbeat.yml", "(?m)^    INPUT_(\\w+): "))
                .containsExactlyElementsOf(inputs.stream()
                        .map(name -> name.toUpperCase(Locale.ROOT))
                        .toList());
        List<String> ofJenkins = new ArrayList<>(inputs);
        ofJenkins.remove("token"); // comments are posted to GitHub and GitLab only
        assertThat(ofJenkins).hasSize(inputs.size() - 1);
        String stage = Files.readString(Checkout.root().resolve("vars/downbeat.groovy"));
        assertThat(stage)
                .contains("def known = ['" + String.join("', '", ofJenkins) + "']")
                .as("in a Turkish locale, 'objectives' would become OBJECTİVES")
                .contains("\"INPUT_${name.toUpperCase(Locale.ROOT)}=");
    }

    private static List<String> names(String file, String pattern) throws IOException {
        return Pattern.compile(pattern)
                .matcher(Files.readString(Checkout.root().resolve(file)).split("\noutputs:")[0])
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    @Test
    void a_missed_objective_fails_the_step() throws IOException {
        LoopbackOptions slow = LoopbackOptions.of(draft -> draft.delay = new ServiceLaw.Constant(500_000_000));
        try (LoopbackServer server = LoopbackServer.start(slow)) {
            assertThat(step(server.uri(), "p50<10ms").code()).isEqualTo(99);
            assertThat(output()).contains("verdict=missed", "exit-code=99");
        }
    }

    @Test
    void an_objective_with_too_few_requests_is_undecided() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            assertThat(step(server.uri(), "p99.99<10s").code()).isEqualTo(98);
            assertThat(output()).contains("verdict=undecided", "exit-code=98");
        }
    }

    @Test
    void an_invalid_input_is_broken_and_is_not_evaluated_by_a_shell() throws IOException {
        Path trap = folder.resolve("trap");
        Cli.Ending ending = step("http://127.0.0.1:1/", "$(touch " + trap + ")");
        assertThat(ending.code()).isEqualTo(2);
        assertThat(output()).contains("verdict=broken", "exit-code=2");
        assertThat(trap).doesNotExist();
    }
}
