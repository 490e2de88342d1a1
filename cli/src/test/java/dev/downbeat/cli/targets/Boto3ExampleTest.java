package dev.downbeat.cli.targets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.Shell;
import dev.downbeat.testing.Python;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example in boto3 against the queue on this machine; without boto3 there is nothing to show. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(400)
class Boto3ExampleTest {
    private static final Path EXAMPLE = Path.of("..", "targets", "exec", "examples", "boto3_worker.py");

    @Test
    void after_how_many_messages_a_queue_closes_boto3s_connection_is_found() throws IOException {
        String python = Python.with("boto3", "Boto3ExampleTest");
        try (QueueDemo queue = QueueDemo.start()) {
            String command =
                    "exec:" + python + " " + EXAMPLE + " " + queue.uri().resolve("/000000000000/demo");
            Shell shell = Shell.call(
                    "position",
                    command,
                    "--runs",
                    "4",
                    "--warm-up-runs",
                    "1",
                    "-n",
                    "200",
                    "-c",
                    "2",
                    "--data",
                    "hello",
                    "--accept-unsound",
                    "--json");
            assertThat(shell.exitCode()).as(shell.err()).isZero();
            assertThat(shell.out()).contains("8 of 8 connections ended after exactly 80 requests", "\"answered\": 800");
        }
    }
}
