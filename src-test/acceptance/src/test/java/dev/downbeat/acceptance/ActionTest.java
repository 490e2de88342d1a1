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

/** The step of the GitHub action, run as GitHub would: inputs by the environment, outputs by a file. */
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
     * A step with a Downbeat that starts no JVM: it appends its words to a file, makes each result that it is told to (none
     * for 1 and 2), has the verdict in DOWNBEAT_VERDICT, and ends with the code in DOWNBEAT_ENDS, or as a comparison with
     * that in DOWNBEAT_COMPARES.
     */
    private Cli.Ending recorded(String... environment) throws IOException {
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

    /** The words of each Downbeat that the last step started. */
    private List<String> words() throws IOException {
        Path words = folder.resolve("words");
        return Files.exists(words) ? Files.readAllLines(words) : List.of();
    }

    /** 'compare --live' has no objectives: each such step ended with an unknown option. */
    @Test
    void objectives_beside_against_are_refused_before_anything_is_measured() throws IOException {
        String[] both = {"INPUT_TARGET=http://b/", "INPUT_AGAINST=http://a/", "INPUT_OBJECTIVES="};
        assertThat(recorded(both).code()).isZero();
        assertThat(words()).hasSize(1).allMatch(line -> line.startsWith("compare --live http://a/ http://b/ "));
        both[2] += "p99<50ms";
        Cli.Ending refused = recorded(both);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.out())
                .isEqualTo("::error::Downbeat takes no 'objectives' with 'against', which 'tolerance' judges\n");
        assertThat(words()).isEmpty();
        assertThat(output()).contains("verdict=broken", "exit-code=2");
    }

    /** A second step in one folder would delete its base, write its own result there, and compare that with itself. */
    @Test
    void a_baseline_that_the_step_itself_would_write_is_refused_and_stays() throws IOException {
        recorded("INPUT_TARGET=http://a/");
        Path result = folder.resolve("results/result.downbeat");
        String before = Files.readString(result);
        Cli.Ending refused = recorded("INPUT_TARGET=http://b/", "INPUT_BASELINE=" + result);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.out()).contains("cannot compare with 'baseline', the file that this step writes");
        assertThat(output()).contains("verdict=broken", "result=");
        assertThat(result).hasContent(before);
    }

    /** Where no load is given the defaults are used; a given one always met a rate that nobody had given, and was refused. */
    @Test
    void the_load_may_be_among_the_arguments() throws IOException {
        recorded("INPUT_TARGET=http://b/", "INPUT_ARGUMENTS=--stage\n30s:1k/s");
        assertThat(words().get(0))
                .endsWith("/report.xml --stage 30s:1k/s by default 100/s for 30s")
                .doesNotContain(" -R ", " -d ");
        recorded("INPUT_TARGET=http://b/", "INPUT_RATE=40/s", "INPUT_DURATION=5s", "DOWNBEAT_RATE=7/s");
        assertThat(words().get(0)).endsWith(" -R 40/s -d 5s by default 7/s for 30s");
        for (String own : List.of("INPUT_RATE=40/s", "INPUT_DURATION=5s", "INPUT_OBJECTIVES=p99<1s")) {
            assertThat(recorded("INPUT_PLAN=plan.json", own).code()).as(own).isEqualTo(2);
            assertThat(words()).isEmpty();
        }
    }

    /** On GitLab and in a kept workspace a pull request's first build became the base that its next were compared with. */
    @Test
    void only_a_build_of_the_branch_itself_that_is_well_becomes_its_base() throws IOException {
        Path base = folder.resolve("results/branch/base.downbeat");
        String[] build = {"INPUT_TARGET=http://b/", "INPUT_BASELINE=branch", "GITHUB_SHA=1", "GITHUB_BASE_REF=main"};
        assertThat(recorded(build).out()).contains("the base branch has no result yet");
        assertThat(base).doesNotExist();
        String[] missed = {build[0], build[1], build[2], "DOWNBEAT_ENDS=99"};
        assertThat(recorded(missed).code()).isEqualTo(99);
        assertThat(base).as("after a missed objective").doesNotExist();
        recorded(build[0], build[1], build[2]);
        assertThat(base).isNotEmptyFile();
        String before = Files.readString(base);
        assertThat(recorded(build).out()).doesNotContain("no result yet");
        assertThat(words().get(2)).startsWith("compare " + base + " ");
        assertThat(base).hasContent(before);
    }

    /** A workflow that measures a guest's code for a comment runs on main, and its result would be main's base. */
    @Test
    void an_event_that_is_not_of_a_branch_stores_no_base() throws IOException {
        String[] build = {"INPUT_TARGET=http://b/", "INPUT_BASELINE=branch", "GITHUB_SHA=1", "GITHUB_EVENT_NAME="};
        for (String event : List.of("issue_comment", "workflow_run", "repository_dispatch")) {
            build[3] = "GITHUB_EVENT_NAME=" + event;
            Cli.Ending refused = recorded(build);
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.out())
                    .startsWith("::error::Downbeat takes 'baseline: branch' on push, ")
                    .contains(event);
            assertThat(words()).isEmpty();
            assertThat(folder.resolve("results/branch")).doesNotExist();
        }
        build[3] = "GITHUB_EVENT_NAME=schedule";
        assertThat(recorded(build).code()).isZero();
        assertThat(folder.resolve("results/branch/base.downbeat")).isNotEmptyFile();
    }

    /** A kept workspace, or a second step in the same folder: what the first has measured is not what this one has. */
    @Test
    void a_step_without_a_result_hands_on_none_of_an_earlier_one() throws IOException {
        String[] step = {"INPUT_TARGET=http://b/", "INPUT_BASELINE=branch", "GITHUB_SHA=1", "DOWNBEAT_ENDS=0"};
        assertThat(recorded(step).code()).isZero();
        assertThat(output()).contains("result=" + folder.resolve("results/result.downbeat"));
        step[2] = "GITHUB_SHA=2";
        step[3] = "DOWNBEAT_ENDS=2";
        assertThat(recorded(step).code()).isEqualTo(2);
        assertThat(output()).contains("result=", "report=");
        assertThat(folder.resolve("results/report.xml")).doesNotExist();
        assertThat(folder.resolve("results/branch/builds/1.downbeat")).isNotEmptyFile();
        assertThat(folder.resolve("results/branch/builds/2.downbeat")).doesNotExist();
    }

    /** The comment of an earlier build, such as "Met", stayed that of the pull request. */
    @Test
    void a_step_that_measured_nothing_says_so_in_the_comment_and_on_the_page_of_the_job() throws IOException {
        Cli.Ending ending = recorded(
                "INPUT_TARGET=http://b/",
                "DOWNBEAT_ENDS=1",
                "INPUT_TOKEN=secret",
                "GITHUB_REF=refs/pull/12/merge",
                "GITHUB_REPOSITORY=a/b",
                "GITHUB_API_URL=http://127.0.0.1:1");
        assertThat(folder.resolve("results/report.txt"))
                .hasContent("There is no result (exit code 1): see the job log.\n");
        assertThat(ending.out()).as("it was tried").contains("the result is not in the pull request");
        Cli.Ending refused = recorded(
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

    /** The comment of a red pull request was the comparison, which had found nothing, and had no word of the objective. */
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
                    int code = recorded(
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

    /** The step was red, and the page of the job had nothing but the run, which had met its objectives. */
    @Test
    void a_regression_is_on_the_page_of_the_job_and_an_annotation() throws IOException {
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

    /** A merge request reads the base under the name that the branch wrote it, and writes it nowhere that a branch reads. */
    @Test
    void on_GitLab_a_merge_request_finds_its_target_branchs_base_and_on_Jenkins_nobody_looks_for_one()
            throws IOException {
        List<String> keys = Files.readAllLines(Checkout.root().resolve("templates/downbeat.yml")).stream()
                .filter(line -> line.contains("- key: downbeat-$CI_JOB"))
                .toList();
        String written = keys.get(0);
        String read = keys.get(1);
        assertThat(Files.readString(Checkout.root().resolve("vars/downbeat.groovy")))
                .as("each pull request has a workspace of its own there")
                .contains("if (inputs.baseline == 'branch') {\n        error(");
        Map<String, String> branch = Map.of("COMMIT_BRANCH", "Main.2");
        Map<String, String> request = Map.of("MERGE_REQUEST_IID", "12", "MERGE_REQUEST_TARGET_BRANCH_NAME", "Main.2");
        Map<String, String> tag = Map.of("COMMIT_TAG", "v1");
        assertThat(expanded(read, request)).isEqualTo(expanded(written, branch));
        assertThat(List.of(expanded(read, branch), expanded(read, tag)))
                .doesNotContain(expanded(written, branch), expanded(written, request), expanded(written, tag));
        assertThat(expanded(written, request)).isNotEqualTo(expanded(written, branch));
    }

    /** With the variables that GitLab sets in a pipeline of this kind; the others are empty. */
    private static String expanded(String key, Map<String, String> variables) {
        return Pattern.compile("\\$CI_([A-Z_]+)")
                .matcher(key)
                .replaceAll(found -> variables.getOrDefault(found.group(1), ""));
    }

    /** A token in the list of processes would be everybody's; a comment for each build would be noise. */
    @Test
    void the_result_is_one_comment_of_each_leg_in_the_pull_request_and_is_replaced() throws IOException {
        assumeJqAndCurl();
        List<String> calls = Collections.synchronizedList(new ArrayList<>());
        // Of others, so that ours are on the second page.
        List<String> comments = Collections.synchronizedList(new ArrayList<>());
        for (int id = 0; id < 100; id++) {
            comments.add("{\"id\": " + id + ", \"user\": {\"id\": 9, \"type\": \"User\"}, \"body\": \""
                    + (id == 5 ? "<!-- downbeat:  load 0  -->" : "else") + "\"}");
        }
        HttpServer forge = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        forge.createContext("/", call -> {
            String body = new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String place = call.getRequestURI().toString();
            calls.add(call.getRequestMethod() + " " + place);
            boolean isAllowed = "Bearer secret".equals(call.getRequestHeaders().getFirst("Authorization"));
            if (place.equals("/user")) { // of a workflow's token, which is no user's
                call.sendResponseHeaders(403, -1);
                call.close();
                return;
            }
            if (call.getRequestMethod().equals("POST")) {
                comments.add("{\"id\": " + comments.size() + ", \"user\": {\"id\": 4, \"type\": \"Bot\"}, "
                        + body.strip().substring(1));
            }
            List<String> page =
                    place.endsWith("page=1") ? comments.subList(0, 100) : comments.subList(100, comments.size());
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
            // On pull_request_target the ref is that of the base.
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

    /** A workspace stays from build to build, and with it stayed the version of the first. */
    @Test
    void Jenkins_takes_the_version_that_is_asked_for_in_each_build() throws IOException {
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
    void an_objective_that_is_met_ends_well_with_its_files() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            assertThat(step(server.uri(), "p50<10s\nerrors<1%").code()).isZero();
            assertThat(output()).contains("verdict=met", "exit-code=0");
            assertThat(folder.resolve("results/report.html")).isNotEmptyFile();
            assertThat(folder.resolve("results/result.downbeat")).isNotEmptyFile();
            assertThat(folder.resolve("summary")).isNotEmptyFile();
        }
    }

    /** Two legs of a matrix with one name of an artifact: the second was refused (409). */
    @Test
    void each_matrix_leg_has_its_own_artifact_cache_and_comment() throws IOException {
        String action = Files.readString(Checkout.root().resolve("action.yml"));
        assertThat(action.lines().filter(line -> line.contains("github.job }}")))
                .singleElement()
                .asString()
                .contains("        name: downbeat-", "${{ strategy.job-index }}");
        assertThat(action.lines().filter("        INPUT_LEG: ${{ strategy.job-index }}"::equals))
                .as("for the keys and for the comment")
                .hasSize(2);
        Map<String, String> first = keys("INPUT_LEG=0", "GITHUB_REF=refs/heads/main", "GITHUB_REF_NAME=main");
        Map<String, String> second = keys("INPUT_LEG=1", "GITHUB_REF=refs/heads/main", "GITHUB_REF_NAME=main");
        assertThat(first.get("branch")).isNotEqualTo(second.get("branch"));
        assertThat(first.get("undecided")).isNotEqualTo(second.get("undecided"));
    }

    /** The cache gives a build the newest entry that begins as its restore-keys: here the one before it of its pull request. */
    @Test
    void a_pull_request_counts_its_own_undecided_builds_and_no_others() throws IOException {
        List<String> keys = Files.readAllLines(Checkout.root().resolve("action.yml")).stream()
                .filter(line -> line.contains("key") && line.contains("outputs.undecided"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .toList();
        String sought = keys.get(1);
        String saved = keys.get(2);
        assertThat(key(saved, "refs/pull/12/merge", "901")).startsWith(key(sought, "refs/pull/12/merge", "902"));
        assertThat(key(saved, "refs/pull/123/merge", "901")).doesNotStartWith(key(sought, "refs/pull/12/merge", "902"));
        assertThat(key(saved, "refs/heads/main", "901")).doesNotStartWith(key(sought, "refs/pull/12/merge", "902"));
        assertThat(key(keys.get(0), "refs/pull/12/merge", "902"))
                .as("never there: what is restored is the newest that begins alike")
                .isNotEqualTo(key(saved, "refs/pull/12/merge", "902"));
        assertThat(keys("GITHUB_REF=refs/heads/main", "INPUT_PULL=12").get("undecided"))
                .as("on pull_request_target the ref is the base's")
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

    /** GitHub refuses such a key, and with it failed the step before anything was measured. */
    @Test
    void a_name_with_a_comma_or_of_any_length_makes_a_key_that_GitHub_takes() throws IOException {
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
        assertThat(keys(build).get("branch")).as("of another branch").isNotEqualTo(keys.get("branch"));
        String[] request = {build[0], build[1], build[2], "GITHUB_REF_NAME=12/merge", "GITHUB_BASE_REF=" + branch};
        assertThat(keys(request).get("branch")).as("of the base").isEqualTo(keys.get("branch"));
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

    /** A default does not replace an input that is given as '': the upload then had no path, and failed a job that was met. */
    @Test
    void empty_results_are_where_the_step_writes_them() throws IOException {
        String script = Files.readString(Checkout.root().resolve("release/action.sh"));
        assertThat(script).contains("results=${INPUT_RESULTS:-downbeat-results}\n");
        String action = Files.readString(Checkout.root().resolve("action.yml"));
        assertThat(action.lines().filter(line -> line.startsWith("        path: ")))
                .hasSize(5)
                .allMatch(line -> line.startsWith("        path: ${{ inputs.results || 'downbeat-results' }}"));
    }

    /** Of an input with a default: its name stands two blanks deep in action.yml, four in GitLab's component. */
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
        ofJenkins.remove("token"); // release/comment.sh knows the requests of GitHub and GitLab
        assertThat(ofJenkins).hasSize(inputs.size() - 1);
        String known = Files.readString(Checkout.root().resolve("vars/downbeat.groovy"));
        assertThat(known)
                .contains("def known = ['" + String.join("', '", ofJenkins) + "']")
                .as("in Turkish objectives became OBJECTİVES, which nobody reads")
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
    void an_objective_that_is_missed_fails_the_step() throws IOException {
        LoopbackOptions slow = LoopbackOptions.of(draft -> draft.delay = new ServiceLaw.Constant(500_000_000));
        try (LoopbackServer server = LoopbackServer.start(slow)) {
            assertThat(step(server.uri(), "p50<10ms").code()).isEqualTo(99);
            assertThat(output()).contains("verdict=missed", "exit-code=99");
        }
    }

    @Test
    void an_objective_that_too_few_requests_can_decide_is_undecided() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            assertThat(step(server.uri(), "p99.99<10s").code()).isEqualTo(98);
            assertThat(output()).contains("verdict=undecided", "exit-code=98");
        }
    }

    @Test
    void a_wrong_input_is_broken_and_no_word_of_it_reaches_a_shell() throws IOException {
        Path trap = folder.resolve("trap");
        Cli.Ending ending = step("http://127.0.0.1:1/", "$(touch " + trap + ")");
        assertThat(ending.code()).isEqualTo(2);
        assertThat(output()).contains("verdict=broken", "exit-code=2");
        assertThat(trap).doesNotExist();
    }
}
