package dev.downbeat.cli.shard;

import static dev.downbeat.cli.shard.Planned.plan;
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
import dev.downbeat.report.file.PlanFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is printed for Kubernetes can be applied as it is. */
@Isolated // sets the locale of the JVM
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KubernetesJobTest {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    private static List<JsonNode> documents(String manifest) throws IOException {
        try (MappingIterator<JsonNode> all =
                YAML.readerFor(JsonNode.class).readValues(YAML.getFactory().createParser(manifest))) {
            return all.readAll();
        }
    }

    private static JsonNode job(String manifest) throws IOException {
        return documents(manifest).stream()
                .filter(each -> each.at("/kind").asText().equals("Job"))
                .findFirst()
                .orElseThrow();
    }

    /** The schemas have no Service, which {@code the_pods_meet_at_pod_0} looks at. */
    private static Set<ValidationMessage> problems(JsonNode document, String version) throws IOException {
        if (document.at("/kind").asText().equals("Service")) {
            return Set.of();
        }
        String name = "kubernetes-" + version + ".json";
        try (InputStream in = Objects.requireNonNull(KubernetesJobTest.class.getResourceAsStream(name), name)) {
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
        assertThat(documents).hasSize(3);
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
        JsonNode job = job(manifest);
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
        JsonNode job = job(manifest.replace(name + ":", name + "s:"));
        assertThat(problems(job, "1.30")).isNotEmpty();
        assertThat(problems(job, "1.37")).isNotEmpty();
    }

    @Test
    void the_manifest_holds_the_plan_and_a_pod_for_each_shard() throws IOException {
        String manifest = plan("--kubernetes --volume results --cpus 4 --memory 2Gi");
        List<JsonNode> documents = documents(manifest);
        PlanFile plan = PlanFile.parse(
                documents.get(0).at("/stringData").get("plan.json").asText());
        assertThat(plan.target()).contains("it's?page=1&size=2");
        JsonNode spec = job(manifest).at("/spec");
        assertThat(spec.at("/completions").asInt()).isEqualTo(8);
        assertThat(spec.at("/parallelism").asInt()).isEqualTo(8);
        JsonNode container = spec.at("/template/spec/containers/0");
        assertThat(container.at("/resources/limits/memory").asText()).isEqualTo("2Gi");
        assertThat(container.at("/args").toString())
                .contains("/plan/plan.json")
                .contains("/results/downbeat-" + plan.id() + "-{shard}.downbeat");
        assertThat(manifest).doesNotContain("START_AT");
    }

    @Test
    void the_pods_meet_at_pod_0() throws IOException {
        List<JsonNode> documents = documents(plan("--kubernetes --volume results --name orders"));
        JsonNode service = documents.get(1);
        JsonNode template = documents.get(2).at("/spec/template");
        assertThat(service.at("/kind").asText()).isEqualTo("Service");
        assertThat(service.at("/metadata/name")).isEqualTo(template.at("/spec/subdomain"));
        assertThat(service.at("/spec/clusterIP").asText()).isEqualTo("None");
        assertThat(service.at("/spec/publishNotReadyAddresses").asBoolean()).isTrue();
        assertThat(service.at("/spec/selector")).isNotEmpty();
        service.at("/spec/selector")
                .fields()
                .forEachRemaining(
                        label -> assertThat(template.at("/metadata/labels").get(label.getKey()))
                                .isEqualTo(label.getValue()));
        assertThat(service.at("/spec/ports/0/port")).isEqualTo(template.at("/spec/containers/0/ports/0/containerPort"));
        assertThat(template.at("/spec/containers/0/args").toString()).contains("\"--meet\",\"kubernetes\"");
        assertThat(service.at("/metadata/name").asText())
                .isEqualTo(documents.get(2).at("/metadata/name").asText());
        assertThat(service.at("/spec/ports/0/port").asInt()).isEqualTo(SchedulerManifest.MEET_PORT);
    }

    /** As the pod security standard "restricted" has it. */
    @Test
    void a_restricted_namespace_admits_the_pods_and_they_may_write_to_a_fresh_volume() throws IOException {
        JsonNode spec = job(plan("--kubernetes --volume results")).at("/spec");
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
        List<JsonNode> documents = documents(plan("--kubernetes --volume results", "--data", "@" + absolute));
        assertThat(documents).hasSize(4);
        for (JsonNode document : documents) {
            assertThat(problems(document, version)).isEmpty();
        }
        JsonNode secret = documents.get(1);
        JsonNode pod = documents.get(3).at("/spec/template/spec");
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
                                .decode(secret.at(
                                                "/data/" + mount.at("/subPath").asText())
                                        .asText()));
            }
        }
        assertThat(mounted).containsOnlyKeys(absolute.toString());
        assertThat(mounted.get(absolute.toString())).isEqualTo(body);
        assertThat(plan("--kubernetes --volume results", "--data", "@pom.xml"))
                .contains("mountPath: \"/files/pom.xml\", subPath: file-0");
    }

    /** With the digits of Egypt a key of the Secret was refused by {@code kubectl apply}. */
    @Test
    void the_manifest_does_not_depend_on_the_locale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG"));
        try {
            assertThat(plan("--kubernetes --volume results", "--data", "@pom.xml"))
                    .contains("\n  file-0: ", ", subPath: file-0, ")
                    .matches("\\A\\p{ASCII}+\\z");
        } finally {
            Locale.setDefault(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop.http", "shop.hurl", "shop.sh"})
    void bodies_of_a_file_of_requests_travel_with_it_and_are_part_of_the_plan(String name) throws IOException {
        Path body = Files.writeString(folder.resolve("order.json"), "{}");
        Path requests = Files.writeString(
                folder.resolve(name),
                switch (name) {
                    case "shop.http" -> "POST http://h/\n\n< ./order.json\n";
                    case "shop.hurl" -> "POST http://h/\nfile,order.json;\n";
                    default -> "curl http://h/ -d @order.json\n";
                });
        String words = name.equals("shop.sh") ? "http://h/ --curl @" + requests : requests.toString();
        assertThat(planOf(words + " --kubernetes --volume results"))
                .containsOnlyOnce("mountPath: \"" + requests + "\"")
                .containsOnlyOnce("mountPath: \"" + body + "\"");
        String before = PlanFile.parse(planOf(words)).id();
        Files.writeString(body, "[]");
        assertThat(PlanFile.parse(planOf(words)).id()).isNotEqualTo(before);
    }

    private static String planOf(String words) {
        Shell shell = Shell.call(("plan " + words + " -d 1s --seed 1 --shards 2").split(" "));
        assertThat(shell.exitCode()).as(shell.err()).isZero();
        return shell.out();
    }

    @Test
    void files_that_are_too_large_to_travel_are_refused() throws IOException {
        Path large = Files.write(folder.resolve("large.bin"), new byte[800_000]);
        Shell refused = Shell.call(
                ("plan http://h/ -d 1s --data @" + large + " --shards 2 --kubernetes --volume results").split(" "));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("the files of the plan have 800000 bytes, and 700000 travel in a Secret");
    }

    @Test
    void a_job_that_hangs_is_ended_an_hour_after_its_time_and_no_other_before() throws IOException {
        JsonNode job = job(plan("--kubernetes --volume results"));
        assertThat(job.at("/spec/activeDeadlineSeconds").asLong())
                .isEqualTo(2 * 3_600); // 60 s and an hour, in whole hours
        assertThat(job.at("/spec/ttlSecondsAfterFinished").asLong()).isEqualTo(86_400);
        assertThat(deadlineHours("-d 60s --warm-up 2h")).isEqualTo(4);
        assertThat(deadlineHours("-d 1h --warm-up 1m --timeout 3h"))
                .as("a hung request in each")
                .isEqualTo(3 + 1 + 3 + 2);
        assertThat(deadlineHours("-d 8d")).isEqualTo(8 * 24 + 2);
        assertThat(deadlineHours("-n 10M")).as("a guess").isEqualTo(7 * 24 + 2);
    }

    private static long deadlineHours(String load) throws IOException {
        Shell shell =
                Shell.call(("plan http://orders/ -R 20k --shards 8 --kubernetes --volume results " + load).split(" "));
        assertThat(shell.exitCode()).as(shell.err()).isZero();
        return job(shell.out()).at("/spec/activeDeadlineSeconds").asLong() / 3_600;
    }
}
