package dev.downbeat.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TimerSlackTest {
    private static final Path SELF = Path.of("/proc/thread-self");

    @Test
    void it_says_whether_the_kernel_now_wakes_this_thread_on_time() throws Exception {
        String before = inAThreadOfItsOwn(TimerSlackTest::slack);
        String after = inAThreadOfItsOwn(() -> TimerSlack.reduceForThisThread() + " " + slack());

        assertThat(after).isIn("true 1", "false " + before);
        assertThat(after.startsWith("true")).isEqualTo(Files.exists(SELF));
    }

    private static String slack() throws Exception {
        return Files.exists(SELF)
                ? Files.readString(Path.of(
                                "/proc",
                                Files.readSymbolicLink(SELF).getFileName().toString(),
                                "timerslack_ns"))
                        .strip()
                : "";
    }

    private static String inAThreadOfItsOwn(Callable<String> question) throws Exception {
        FutureTask<String> answer = new FutureTask<>(question);
        new Thread(answer).start();
        return answer.get();
    }
}
