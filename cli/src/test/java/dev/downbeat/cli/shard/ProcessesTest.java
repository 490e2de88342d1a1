package dev.downbeat.cli.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.file.SavedArguments;
import dev.downbeat.run.Shard;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProcessesTest {
    @Test
    void a_child_runs_its_shard_with_its_share_of_the_processors() {
        Path folder = Path.of("/of/the/plan");
        List<String> command = Processes.Child.command(new Shard(1, 2), folder);
        assertThat(command)
                .startsWith(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString())
                .containsAll(Processes.Child.JVM)
                .contains("-XX:ActiveProcessorCount="
                        + Math.max(1, Runtime.getRuntime().availableProcessors() / 2))
                .endsWith(
                        "run",
                        "--plan=" + folder.resolve("plan.json"),
                        "--shard=1/2",
                        "--start-at=told",
                        "-q",
                        SavedArguments.ALLOW_EXEC,
                        "--output=" + folder.resolve("shard-1.downbeat"));
        assertThat(Processes.Child.command(new Shard(0, 10_000), folder))
                .as("of more processes than processors")
                .contains("-XX:ActiveProcessorCount=1");
    }
}
