package dev.downbeat.loopback.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.loopback.socket.DueTime.ThreadTimerSlack;
import dev.downbeat.testing.NotShown;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DueTimeTest {
    @Test
    void it_never_returns_before_the_instant() throws Exception {
        DueTime dueTime = new DueTime();
        for (long wait : new long[] {-1_000_000, 0, 1, 20_000, 200_000, 2_000_000}) {
            long dueAt = System.nanoTime() + wait;
            dueTime.await(dueAt);

            assertThat(System.nanoTime() - dueAt).isNotNegative();
        }
    }

    @Test
    void an_interrupt_ends_the_wait() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> new DueTime().await(System.nanoTime() + 3_600_000_000_000L))
                .isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void the_timer_slack_of_the_calling_thread_becomes_the_least() {
        // A thread of its own: slack is inherited, and that of the test runner should stay as it is.
        String slack = CompletableFuture.supplyAsync(
                        () -> {
                            String before = slackAfterSetting("50000");
                            ThreadTimerSlack.reduce();
                            return before + " then " + slack();
                        },
                        task -> new Thread(task).start())
                .join();

        if (slack.equals("none then none")) { // and nothing has failed
            throw NotShown.because("no timer slack", "that a thread reduces its own");
        }
        assertThat(slack).isEqualTo("50000 then 1");
    }

    private static String slackAfterSetting(String nanos) {
        try {
            Files.writeString(file(), nanos);
            return slack();
        } catch (IOException e) {
            return "none";
        }
    }

    private static String slack() {
        try {
            return Files.readString(file()).strip();
        } catch (IOException e) {
            return "none";
        }
    }

    private static Path file() throws IOException {
        String thread = Files.readSymbolicLink(Path.of("/proc/thread-self"))
                .getFileName()
                .toString();
        return Path.of("/proc", thread, "timerslack_ns");
    }
}
