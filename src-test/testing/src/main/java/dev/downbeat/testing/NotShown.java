package dev.downbeat.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;
import org.opentest4j.TestAbortedException;

/**
 * Lists the tests that this machine could not run conclusively, one line each. The lines go to a file per module
 * under {@code target/not-shown} of the checkout, in a folder per build, and to standard output after the module's
 * tests; with {@code downbeat.notshown.all}, those of all modules. Created by JUnit through {@code
 * META-INF/services}. Thread-safe.
 */
public final class NotShown implements TestExecutionListener {
    private static final Path FOLDER = Path.of(System.getProperty("downbeat.root", "target"))
            .resolve("target/not-shown")
            .resolve(System.getProperty("downbeat.build", "last"));
    private static final Path FILE =
            FOLDER.resolve(Path.of(System.getProperty("basedir", "."))
                            .toAbsolutePath()
                            .normalize()
                            .getFileName() + ".txt");

    /** Nested plans, since a test may itself run tests. */
    private static final AtomicInteger PLANS = new AtomicInteger();

    private static final Set<String> PRINTED = ConcurrentHashMap.newKeySet();

    private static @Nullable List<String> diverted;

    /** Aborts a test because something such as a browser is missing; names the test and what to install. */
    public static TestAbortedException because(String missing, String what) {
        add(missing, what);
        return new TestAbortedException("NOT SHOWN (" + missing + "): " + what);
    }

    static synchronized void add(String why, String what) {
        String line = "NOT SHOWN (" + why + "): " + what;
        if (diverted != null) {
            diverted.add(line);
            return;
        }
        try {
            Files.createDirectories(FOLDER);
            Files.writeString(FILE, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Captures the lines added while {@code tests} run, for tests of this class's users. */
    static List<String> during(Runnable tests) {
        List<String> lines = new ArrayList<>();
        synchronized (NotShown.class) {
            diverted = lines;
        }
        try {
            tests.run();
        } finally {
            synchronized (NotShown.class) {
                diverted = null;
            }
        }
        return lines;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        PLANS.getAndIncrement();
    }

    /** A JVM may execute several plans of one module; lines already printed are not repeated. */
    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        if (PLANS.decrementAndGet() == 0) {
            lines().stream().filter(PRINTED::add).forEach(System.out::println);
        }
    }

    private static List<String> lines() {
        if (!Files.isDirectory(FOLDER)) {
            return List.of();
        }
        try (Stream<Path> files = Boolean.getBoolean("downbeat.notshown.all")
                ? Files.list(FOLDER)
                : Stream.of(FILE).filter(Files::exists)) {
            List<Path> all = files.sorted().toList();
            List<String> lines = new ArrayList<>();
            for (Path file : all) {
                lines.addAll(Files.readAllLines(file));
            }
            return lines;
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
