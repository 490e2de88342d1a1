package dev.downbeat.cli.shard;

import static dev.downbeat.cli.shard.Planned.plan;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.downbeat.cli.Shell;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.Values;
import dev.downbeat.report.file.PlanFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is printed for Slurm and AWS Batch can be run as it is. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JobScriptTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

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
