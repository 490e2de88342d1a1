package dev.downbeat.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.downbeat.selfcheck.CpuContentionMonitor;
import dev.downbeat.selfcheck.CpuContentionMonitor.CpuContention;
import dev.downbeat.testing.NotShown;
import dev.downbeat.testing.Replications;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

/** A gate that one leaves on: twice as many busy processes as there are cores change no verdict, neither way. */
@Isolated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BesideBusyNeighboursTest {
    private static final int RUNS = Replications.of(20);

    /** A process of its own that wants all of a core. */
    static final class Busy {
        private Busy() {}

        /** Until it is ended. */
        public static void main(String[] none) {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
        }
    }

    private final List<Process> neighbours = new ArrayList<>();

    @TempDir
    Path folder;

    @BeforeEach
    void be_busy() throws IOException {
        System.setProperty("downbeat.reports", folder.toString());
        for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
            neighbours.add(busy());
        }
    }

    private static Process busy() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = Path.of(URI.create(Busy.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                .toString();
        return new ProcessBuilder(java, "-XX:+UseSerialGC", "-cp", classes, Busy.class.getName()).start();
    }

    @AfterEach
    void leave() {
        boolean allBusy = neighbours.stream().allMatch(Process::isAlive);
        neighbours.forEach(Process::destroyForcibly);
        System.clearProperty("downbeat.reports");
        assertThat(allBusy).as("neighbours that were busy to the end").isTrue();
    }

    /** What each run failed with; "passed" if it did not. */
    private static List<String> endings(Class<?> tests) {
        List<String> endings = new ArrayList<>();
        for (int run = 0; run < RUNS; run++) {
            EngineTestKit.engine("junit-jupiter")
                    .configurationParameter("junit.jupiter.conditions.deactivate", "*")
                    .selectors(selectClass(tests))
                    .execute()
                    .testEvents()
                    .finished()
                    .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                    .map(result ->
                            result.getThrowable().map(Throwable::getMessage).orElse("passed"))
                    .forEach(endings::add);
        }
        return endings;
    }

    @Test
    void a_healthy_service_with_a_lax_objective_is_never_red() {
        assertThat(endings(Samples.Healthy.class)).hasSize(RUNS).containsOnly("passed");
    }

    @Test
    void a_service_that_misses_by_a_factor_of_two_is_always_red_for_that() {
        CpuContentionMonitor watch = CpuContentionMonitor.start(Set.of()); // the neighbours are processes of this build
        List<String> endings = endings(Samples.TwiceTooSlow.class);
        Optional<CpuContention> others = watch.stop().filter(CpuContention::isCrowded);
        assertThat(endings)
                .hasSize(RUNS)
                .allSatisfy(ending -> assertThat(ending).containsAnyOf("MISSED", "passed"));
        if (others.isPresent() && endings.contains("passed")) {
            throw NotShown.because(others.get().text(), "BesideBusyNeighboursTest: a miss by a factor of two is red");
        }
        assertThat(endings)
                .hasSize(RUNS)
                .allSatisfy(
                        ending -> assertThat(ending).contains("p99 < 100 ms").contains("MISSED"));
    }
}
