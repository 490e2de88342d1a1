package dev.downbeat.junit;

import static dev.downbeat.junit.SampleRun.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.EntryPoint;
import dev.downbeat.report.file.RunPage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.platform.commons.JUnitException;
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
        private Runnable end = Thread.currentThread()::interrupt;

        @LoadTest(rate = "100/s", duration = "1m", warmUp = "0ms", budget = "1m")
        @Slo("p50<5s")
        @Slo("errors<50%")
        void answers() {
            if (calls.incrementAndGet() == 30) {
                end.run();
            }
        }
    }

    @Test
    void an_interrupted_run_overwrites_no_baseline() throws IOException {
        SampleRun.of(Shop.class, folder);
        String name = folder.resolve("reports").toFile().list((in, file) -> file.endsWith(".hlog"))[0];
        Path baseline = Files.createDirectory(folder.resolve("baselines")).resolve(name);
        Files.writeString(baseline, "a good one");
        System.setProperty("downbeat.baseline", "update");
        try {
            assertThat(message(SampleRun.of(Shop.class, folder), TestExecutionResult.Status.FAILED))
                    .containsOnlyOnce("INTERRUPTED after ")
                    .contains("; not compared with the baseline: it was not written: a baseline must be complete, met"
                            + " and sound; report: ");
        } finally {
            System.clearProperty("downbeat.baseline");
        }
        assertThat(baseline).hasContent("a good one");
        RunReport saved = RunPage.read(folder.resolve("reports").resolve(name.replace(".hlog", ".html")));
        assertThat(saved.command())
                .contains(
                        "mvn",
                        "test",
                        "-Dtest=dev.downbeat.junit.CutShortTest$Shop#answers",
                        "-Ddownbeat.baseline=update");
        assertThat(EntryPoint.text(saved.measurement()))
                .contains("the load test dev.downbeat.junit.CutShortTest$Shop#answers");
    }

    @Test
    void JVM_shutdown_waits_until_the_measurement_is_printed_and_saved() throws Exception {
        ShutdownGuard words = new ShutdownGuard(Thread.currentThread());
        PrintStream before = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        AtomicReference<String> saidAtTheEnd = new AtomicReference<>("nothing");
        AtomicReference<String[]> savedAtTheEnd = new AtomicReference<>(new String[0]);
        Thread ending = new Thread(() -> {
            words.awaitReport();
            saidAtTheEnd.set(out.toString(StandardCharsets.UTF_8));
            savedAtTheEnd.set(folder.toFile().list());
        });
        Shop shop = new Shop();
        shop.end = ending::start;
        System.setProperty("downbeat.reports", folder.toString());
        System.setProperty("downbeat.baselines", folder.resolve("none").toString());
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            LoadTestRun trial = trial(shop, Shop.class.getDeclaredMethod("answers"));
            assertThatThrownBy(() -> words.guard(trial::decide))
                    .hasMessageStartingWith("Shop.answers: INTERRUPTED after ")
                    .hasMessageContaining(" of 60 s: partial; ");
        } finally {
            System.setOut(before);
            System.clearProperty("downbeat.reports");
            System.clearProperty("downbeat.baselines");
        }
        assertThat(Thread.interrupted())
                .as("still interrupted, though it failed")
                .isTrue();
        ending.join();
        assertThat(saidAtTheEnd.get()).startsWith("[downbeat] INTERRUPTED (100/s for 60 s) Shop.answers: ");
        assertThat(savedAtTheEnd.get()).containsExactlyInAnyOrder("shop.txt", "shop.json", "shop.hlog", "shop.html");
    }

    private static LoadTestRun trial(Shop shop, Method method) {
        LoadTest test = method.getAnnotation(LoadTest.class);
        return new LoadTestRun(
                new LoadTestSettings(test, BuildOverrides.of(Shop.class), "Shop.answers", "p50<5s"),
                new TestName("Shop.answers", List.of("Shop"), "answers", "shop"),
                new RepeatedCall(new Call(shop, method)),
                Optional.empty(),
                new WatchSettings(false, List.of()),
                (ExtensionContext) Proxy.newProxyInstance(
                        CutShortTest.class.getClassLoader(),
                        new Class<?>[] {ExtensionContext.class},
                        (proxy, called, given) -> {
                            throw new JUnitException("nobody takes attachments here");
                        }),
                Machine.real());
    }

    /** One of a method without parameters. */
    private record Call(Shop shop, Method method) implements ReflectiveInvocationContext<Method> {
        @Override
        public Class<?> getTargetClass() {
            return Shop.class;
        }

        @Override
        public Method getExecutable() {
            return method;
        }

        @Override
        public List<Object> getArguments() {
            return List.of();
        }

        @Override
        public Optional<Object> getTarget() {
            return Optional.of(shop);
        }
    }
}
