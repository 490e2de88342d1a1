package dev.downbeat.cli.shard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import dev.downbeat.cli.Shell;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.Values;
import dev.downbeat.report.file.PlanFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is printed for an engine can be applied as it is. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EngineJobTest {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    private static String plan(String engine, String... more) {
        List<String> words = new ArrayList<>(Arrays.asList(
                ("plan http://orders.shop.svc:8080/it's?page=1&size=2 -R 20k/s -d 60s --shards 8 --seed 7f3a"
                                + " --start-at 2026-05-01T12:00:00Z " + engine)
                        .split(" ")));
        words.addAll(List.of(more));
        Shell shell = Shell.call(words.toArray(String[]::new));
        assertThat(shell.exitCode()).as(shell.err()).isZero();
        return shell.out();
    }

    private static List<JsonNode> documents(String manifest) throws IOException {
        try (MappingIterator<JsonNode> all =
                YAML.readerFor(JsonNode.class).readValues(YAML.getFactory().createParser(manifest))) {
            return all.readAll();
        }
    }

    private static Set<ValidationMessage> problems(JsonNode document, String version) throws IOException {
        String name = "kubernetes-" + version + ".json";
        try (InputStream in = Objects.requireNonNull(EngineJobTest.class.getResourceAsStream(name), name)) {
            JsonNode schema = JSON.readTree(in);
            String group = document.at("/kind").asText().equals("Job") ? "batch" : "core";
            ((com.fasterxml.jackson.databind.node.ObjectNode) schema)
                    .put(
                            "$ref",
                            "#/$defs/io.k8s.api." + group + ".v1."
                                    + document.at("/kind").asText());
            JsonSchema compiled = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(schema);
            return compiled.validate(document);
        }
    }

    @ParameterizedTest(name = "Kubernetes {0}")
    @ValueSource(strings = {"1.30", "1.33", "1.37"})
    void the_manifest_is_valid(String version) throws IOException {
        List<JsonNode> documents = documents(plan("--kubernetes --volume results"));
        assertThat(documents).hasSize(2);
        for (JsonNode document : documents) {
            assertThat(problems(document, version)).isEmpty();
        }
        List<JsonNode> withSecret =
                documents(plan("--kubernetes --volume results", "-H", "Authorization: Bearer \"x\""));
        for (JsonNode document : withSecret) {
            assertThat(problems(document, version)).isEmpty();
        }
        assertThat(withSecret.get(0).at("/kind").asText()).isEqualTo("Secret");
    }

    @ParameterizedTest(name = "Kubernetes {0}")
    @ValueSource(strings = {"1.30", "1.33", "1.37"})
    void results_go_to_a_store_instead_of_a_volume(String version) throws IOException {
        String manifest = plan("--kubernetes --store s3://results/nightly --role load --name orders");
        assertThat(manifest).contains("downbeat merge s3://results/nightly/orders/");
        JsonNode job = documents(manifest).get(1);
        assertThat(problems(job, version)).isEmpty();
        JsonNode pod = job.at("/spec/template/spec");
        assertThat(pod.at("/serviceAccountName").asText()).isEqualTo("load");
        assertThat(pod.at("/volumes")).hasSize(2);
        assertThat(pod.at("/containers/0/volumeMounts")).hasSize(2);
        assertThat(pod.at("/containers/0/args").toString())
                .contains("\"s3://results/nightly/orders/shard-{shard}.downbeat\"");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"completionMode", "backoffLimitPerIndex", "restartPolicy", "volumeMounts", "claimName"})
    void a_typo_in_the_manifest_is_seen(String name) throws IOException {
        String manifest = plan("--kubernetes --volume results");
        assertThat(manifest).contains(name + ":");
        JsonNode job = documents(manifest.replace(name + ":", name + "s:")).get(1);
        assertThat(problems(job, "1.30")).isNotEmpty();
        assertThat(problems(job, "1.37")).isNotEmpty();
    }

    @Test
    void the_manifest_holds_the_plan_and_a_pod_for_each_shard() throws IOException {
        List<JsonNode> documents = documents(plan("--kubernetes --volume results --cpus 4 --memory 2Gi"));
        PlanFile plan =
                PlanFile.parse(documents.get(0).at("/data").get("plan.json").asText());
        assertThat(plan.target()).contains("it's?page=1&size=2");
        JsonNode spec = documents.get(1).at("/spec");
        assertThat(spec.at("/completions").asInt()).isEqualTo(8);
        assertThat(spec.at("/parallelism").asInt()).isEqualTo(8);
        JsonNode container = spec.at("/template/spec/containers/0");
        assertThat(container.at("/resources/limits/memory").asText()).isEqualTo("2Gi");
        assertThat(container.at("/args").toString())
                .contains("/plan/plan.json")
                .contains("/results/downbeat-" + plan.id() + "-{shard}.downbeat");
        assertThat(container.at("/env/0/value").asText()).isEqualTo("2026-05-01T12:00:00Z");
    }

    /** As the pod security standard "restricted" has it. */
    @Test
    void a_restricted_namespace_admits_the_pods_and_they_may_write_to_a_fresh_volume() throws IOException {
        JsonNode spec = documents(plan("--kubernetes --volume results")).get(1).at("/spec");
        assertThat(spec.at("/ttlSecondsAfterFinished").asInt()).isEqualTo(86_400);
        JsonNode pod = spec.at("/template/spec");
        assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(pod.at("/securityContext/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
        assertThat(pod.at("/securityContext/fsGroup").asInt()).isEqualTo(65_532);
        assertThat(pod.at("/automountServiceAccountToken").asBoolean(true)).isFalse();
        JsonNode own = pod.at("/containers/0/securityContext");
        assertThat(own.at("/allowPrivilegeEscalation").asBoolean(true)).isFalse();
        assertThat(own.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
        assertThat(pod.at("/volumes")).hasSize(3);
    }

    @ParameterizedTest(name = "Kubernetes {0}")
    @ValueSource(strings = {"1.30", "1.33", "1.37"})
    void the_files_of_a_plan_travel_with_it(String version) throws IOException {
        byte[] body = {0, -1, 'x'};
        Path absolute = Files.write(folder.resolve("body.bin"), body);
        List<JsonNode> documents =
                documents(plan("--kubernetes --volume results", "--data", "@" + absolute));
        assertThat(documents).hasSize(3);
        for (JsonNode document : documents) {
            assertThat(problems(document, version)).isEmpty();
        }
        JsonNode secret = documents.get(1);
        JsonNode pod = documents.get(2).at("/spec/template/spec");
        String name = secret.at("/metadata/name").asText();
        assertThat(name).endsWith("-files");
        assertThat(pod.at("/volumes").toString()).contains("{\"name\":\"files\",\"secret\":{\"secretName\":\"" + name);
        assertThat(pod.at("/containers/0/workingDir").asText()).isEqualTo("/files");
        Map<String, byte[]> mounted = new HashMap<>();
        for (JsonNode mount : pod.at("/containers/0/volumeMounts")) {
            if (mount.at("/name").asText().equals("files")) {
                mounted.put(
                        mount.at("/mountPath").asText(),
                        Base64.getDecoder()
                                .decode(secret.at("/data/" + mount.at("/subPath").asText())
                                        .asText()));
            }
        }
        assertThat(mounted).containsOnlyKeys(absolute.toString());
        assertThat(mounted.get(absolute.toString())).isEqualTo(body);
        assertThat(plan("--kubernetes --volume results", "--data", "@pom.xml"))
                .contains("mountPath: \"/files/pom.xml\", subPath: file-0");
    }

    @Test
    void files_that_cannot_travel_are_refused_by_name_or_size() throws IOException {
        Path times = Files.writeString(folder.resolve("times.txt"), "0\n1\n");
        for (String load : List.of("http://h/ --replay " + times, "http://h/ -d 1s --data @" + times)) {
            Shell refused = Shell.call(
                    ("plan " + load + " --shards 2 --aws-batch --volume fs-1 --queue q").split(" "));
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.firstErrorLine()).contains("no container has the file " + times);
        }
        Path large = Files.write(folder.resolve("large.bin"), new byte[800_000]);
        Shell refused = Shell.call(
                ("plan http://h/ -d 1s --data @" + large + " --shards 2 --kubernetes --volume results").split(" "));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err())
                .contains("the files of the plan have 800000 bytes, and 700000 travel in a Secret");
    }

    @Test
    void a_job_that_hangs_is_ended_an_hour_after_its_time() throws IOException {
        JsonNode job = documents(plan("--kubernetes --volume results")).get(1);
        assertThat(job.at("/spec/activeDeadlineSeconds").asLong()).isEqualTo(2 * 3_600); // 60 s and an hour, in whole hours
        assertThat(job.at("/spec/ttlSecondsAfterFinished").asLong()).isEqualTo(86_400);
    }

    @Test
    void the_Slurm_script_is_one_and_gives_the_plan_to_each_shard() throws Exception {
        String script = plan("--slurm --memory 2Gi");
        assertThat(script.lines().filter(line -> line.startsWith("#SBATCH")))
                .contains("#SBATCH --array=0-7", "#SBATCH --mem=2048M", "#SBATCH --cpus-per-task=2");
        assertThat(parses(script)).isZero();
        assertThat(parses(script.replace("\"$results\"", "\"$results"))).isPositive();

        Path stub = Files.writeString(folder.resolve("downbeat"), "#!/bin/sh\necho \"$@\" > args\ncat > stdin\n");
        assertThat(stub.toFile().setExecutable(true)).isTrue();
        Path file = Files.writeString(folder.resolve("job.sh"), script);
        ProcessBuilder builder = new ProcessBuilder("sh", file.toString()).directory(folder.toFile());
        builder.environment().put("DOWNBEAT", stub.toString());
        builder.environment().put("SLURM_SUBMIT_DIR", folder.toString());
        assertThat(builder.start().waitFor()).isZero();
        PlanFile plan = PlanFile.parse(Files.readString(folder.resolve("stdin")));
        assertThat(plan.shards()).isEqualTo(8);
        assertThat(Files.readString(folder.resolve("args")))
                .startsWith(
                        "run --plan - -q -o " + folder.resolve("downbeat-" + plan.id()) + "/shard-{shard}.downbeat");
    }

    @Test
    void the_script_for_AWS_Batch_registers_and_submits() throws Exception {
        String script = plan("--aws-batch --volume fs-12345678 --queue", "on demand");
        assertThat(parses(script)).isZero();
        Path stub = Files.writeString(
                folder.resolve("aws"), "#!/bin/sh\nfor word; do printf '%s\\n' \"$word\"; done > \"$2\"\n");
        assertThat(stub.toFile().setExecutable(true)).isTrue();
        Path file = Files.writeString(folder.resolve("job.sh"), script);
        ProcessBuilder builder = new ProcessBuilder("sh", file.toString()).directory(folder.toFile());
        builder.environment().merge("PATH", folder.toString(), (path, first) -> first + ":" + path);
        assertThat(builder.start().waitFor()).isZero();

        String registered = Files.readString(folder.resolve("register-job-definition"));
        JsonNode definition = JSON.readTree(registered.substring(registered.indexOf('{')));
        String text = definition.at("/containerProperties/environment/0/value").asText();
        assertThat(PlanFile.parse(text).shards()).isEqualTo(8);
        assertThat(Files.readString(folder.resolve("submit-job")).lines())
                .contains("size=8", "on demand", "environment=[{name=DOWNBEAT_START_AT,value=2026-05-01T12:00:00Z}]");
    }

    @Test
    void a_secret_goes_to_Secrets_Manager_and_not_into_the_job_definition_of_AWS_Batch() throws Exception {
        String script = plan(
                "--aws-batch --volume fs-12345678 --queue q --execution-role arn:aws:iam::1:role/read",
                "-H",
                "X-Jwt: it's \"HUSH\"|&\\");
        assertThat(parses(script)).isZero();
        Path stub = Files.writeString(folder.resolve("aws"), """
                #!/bin/sh
                for word; do printf '%s\\n' "$word"; done > "$2"
                [ "$2" = create-secret ] && cat > stdin && echo arn:aws:secretsmanager:eu:1:secret:plan-AbC
                exit 0
                """);
        assertThat(stub.toFile().setExecutable(true)).isTrue();
        Path file = Files.writeString(folder.resolve("job.sh"), script);
        ProcessBuilder builder = new ProcessBuilder("sh", file.toString()).directory(folder.toFile());
        builder.environment().merge("PATH", folder.toString(), (path, first) -> first + ":" + path);
        assertThat(builder.start().waitFor()).isZero();

        String registered = Files.readString(folder.resolve("register-job-definition"));
        JsonNode container =
                JSON.readTree(registered.substring(registered.indexOf('{'))).at("/containerProperties");
        assertThat(container.at("/secrets/0/name").asText()).isEqualTo("DOWNBEAT_PLAN");
        assertThat(container.at("/secrets/0/valueFrom").asText()).startsWith("arn:aws:secretsmanager:");
        assertThat(container.at("/executionRoleArn").asText()).isEqualTo("arn:aws:iam::1:role/read");
        for (String call : List.of("register-job-definition", "submit-job", "create-secret")) {
            assertThat(Files.readString(folder.resolve(call))).doesNotContain("HUSH");
        }
        PlanFile plan = PlanFile.parse(Files.readString(folder.resolve("stdin")));
        assertThat(Values.words(Values.read(Measurement.class, plan.measurement())))
                .contains("--header=X-Jwt: it's \"HUSH\"|&\\");
    }

    @Test
    void a_plan_with_a_secret_is_refused_where_there_is_no_place_for_it_and_else_is_private() throws IOException {
        String load = "plan http://h/?jwt=HUSH -R 10 -d 1s --shards 2 ";
        Shell refused = Shell.call((load + "--aws-batch --volume fs-1 --queue q").split(" "));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.firstErrorLine()).contains("--execution-role is missing");
        assertThat(refused.out() + refused.err()).doesNotContain("HUSH");
        Path file = Files.writeString(folder.resolve("plan.json"), "readable by all");
        assertThat(Shell.call((load + "-o " + file).split(" ")).exitCode()).isZero();
        assertThat(Files.readString(file)).contains("HUSH");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void a_job_of_AWS_Batch_can_upload_to_a_store() throws IOException {
        String script = plan("--aws-batch --store s3://results/ --role arn:aws:iam::123456789012:role/load --queue q");
        JsonNode container = JSON.readTree(script.substring(script.indexOf('{', script.indexOf("END_OF_DEFINITION"))))
                .at("/containerProperties");
        assertThat(container.at("/jobRoleArn").asText()).isEqualTo("arn:aws:iam::123456789012:role/load");
        assertThat(container.has("mountPoints") || container.has("volumes")).isFalse();
        assertThat(container.at("/command").toString()).contains("s3://results/downbeat-");
    }

    private static int parses(String script) throws Exception {
        Process shell = new ProcessBuilder("sh", "-n").redirectErrorStream(true).start();
        shell.getOutputStream().write(script.getBytes(StandardCharsets.UTF_8));
        shell.getOutputStream().close();
        shell.getInputStream().readAllBytes();
        return shell.waitFor();
    }
}
