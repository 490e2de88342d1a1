package dev.downbeat.junit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.platform.engine.OutputDirectoryCreator;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/**
 * What JUnit says of a class of samples, in a build that runs tests beside each other wherever it may. Other processes
 * excuse nothing: {@link BesideBusyNeighboursTest} is about them.
 */
final class SampleRun {
    private SampleRun() {}

    /** All that is written goes below the folder. */
    static EngineExecutionResults of(Class<?> tests, Path folder) {
        return of(tests, folder, (watched, run) -> new Machine.Observation(run.get(), Optional.empty()));
    }

    /** The same on a simulated machine. */
    static EngineExecutionResults of(Class<?> tests, Path folder, Machine machine) {
        System.setProperty("downbeat.reports", folder.resolve("reports").toString());
        System.setProperty("downbeat.baselines", folder.resolve("baselines").toString());
        LoadTestExtension.machine = machine;
        try {
            return EngineTestKit.engine("junit-jupiter")
                    .configurationParameter("junit.jupiter.conditions.deactivate", "*")
                    .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                    .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                    .outputDirectoryCreator(new Attachments(folder.resolve("attached")))
                    .selectors(selectClass(tests))
                    .execute();
        } finally {
            LoadTestExtension.machine = Machine.real();
            System.clearProperty("downbeat.reports");
            System.clearProperty("downbeat.baselines");
        }
    }

    /** What the first test said that ended so. */
    static String message(EngineExecutionResults results, TestExecutionResult.Status status) {
        return results.testEvents().finished().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .filter(result -> result.getStatus() == status)
                .map(result -> result.getThrowable().map(Throwable::getMessage).orElse(""))
                .findFirst()
                .orElse("none");
    }

    /** One folder for all that is attached: each run here has few tests. */
    private record Attachments(Path root) implements OutputDirectoryCreator {
        @Override
        public Path getRootDirectory() {
            return root;
        }

        @Override
        public Path createOutputDirectory(TestDescriptor test) throws IOException {
            return Files.createDirectories(root);
        }
    }
}
