package dev.downbeat.junit;

import static dev.downbeat.junit.SampleRun.message;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.platform.engine.TestExecutionResult;

/** Load tests that do not come to their end: what they measured is said and saved, and becomes nothing to compare with. */
@Isolated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CutShortTest {
    @TempDir
    Path folder;

    /** Met, and sound where nobody disturbs it, though it is over soon: the call that ends it may be the one that is lost. */
    static class Shop {
        private final AtomicInteger calls = new AtomicInteger();
        private final Thread measuring = Thread.currentThread();

        @LoadTest(rate = "100/s", duration = "1m", warmUp = "0ms", budget = "1m")
        @Slo("p50<5s")
        @Slo("errors<50%")
        void answers() {
            if (calls.incrementAndGet() == 30) {
                measuring.interrupt();
            }
        }
    }

    @Test
    void what_was_cut_short_overwrites_no_baseline() throws IOException {
        SampleRun.of(Shop.class, folder);
        String name = folder.resolve("reports").toFile().list((in, file) -> file.endsWith(".hlog"))[0];
        Path baseline = Files.createDirectory(folder.resolve("baselines")).resolve(name);
        Files.writeString(baseline, "a good one");
        System.setProperty("downbeat.baseline", "update");
        try {
            assertThat(message(SampleRun.of(Shop.class, folder), TestExecutionResult.Status.FAILED))
                    .startsWith("INTERRUPTED after ")
                    .contains("; not compared with the baseline: it was not written: only a load test that came to its end,"
                            + " is met, and whose times are sound, becomes one; report: ");
        } finally {
            System.clearProperty("downbeat.baseline");
        }
        assertThat(baseline).hasContent("a good one");
    }
}
