package dev.downbeat.junit;

import static dev.downbeat.junit.SampleRun.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.testing.Timing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;

/** Its calls take no time but in the waits: where a machine delays one for longer, the slowest says nothing of them. */
@Timing
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WaitingSentenceTest {
    @TempDir
    Path folder;

    @Test
    void the_sentence_of_a_method_that_is_watched_says_what_its_calls_waited_for() throws IOException {
        String message = message(SampleRun.of(Samples.Waits.class, folder), TestExecutionResult.Status.FAILED);
        assertThat(message).contains("Waits.is_kept_waiting: max < 10 ms MISSED: measured ", "; why: ");
        Path text = folder.resolve("reports")
                .resolve(folder.resolve("reports").toFile().list((in, name) -> name.endsWith(".txt"))[0]);
        assertThat(Files.readString(text).replaceAll("\\s+", " "))
                .contains(
                        "this JVM: the service runs in the JVM of the measurement: its pauses are those of the measurement too");
    }
}
