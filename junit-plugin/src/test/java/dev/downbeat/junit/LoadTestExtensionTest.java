package dev.downbeat.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LoadTestExtensionTest {
    @TempDir
    Path folder;

    private EngineExecutionResults run(Class<?> tests) {
        System.setProperty("downbeat.reports", folder.toString());
        try {
            return EngineTestKit.engine("junit-jupiter")
                    .configurationParameter("junit.jupiter.conditions.deactivate", "*")
                    .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                    .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                    .selectors(selectClass(tests))
                    .execute();
        } finally {
            System.clearProperty("downbeat.reports");
        }
    }

    private static String message(EngineExecutionResults results, TestExecutionResult.Status status) {
        return results.testEvents().finished().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .filter(result -> result.getStatus() == status)
                .map(result -> result.getThrowable().map(Throwable::getMessage).orElse(""))
                .findFirst()
                .orElse("none");
    }

    @Test
    void a_method_that_keeps_its_objectives_passes_and_was_called_at_each_beat() {
        EngineExecutionResults results = run(Samples.Keeps.class);
        results.testEvents().assertStatistics(events -> events.succeeded(1).failed(0));
        assertThat(Samples.Keeps.BEATS).contains(0L, 49L);
        assertThat(Samples.Keeps.SET_UP).hasValue(1);
        assertThat(Samples.Keeps.TORN_DOWN).hasValue(1);
        assertThat(folder.toFile().list())
                .hasSize(3)
                .anyMatch(name -> name.contains("Keeps.is_quick") && name.endsWith(".json"));
    }

    @Test
    void a_method_that_is_too_slow_fails_with_what_was_asked_and_what_was_seen() {
        assertThat(message(run(Samples.Breaks.class), TestExecutionResult.Status.FAILED))
                .contains("Breaks.is_slow: max < 2 ms MISSED: was ")
                .contains("reports: " + folder);
    }

    @Test
    void a_method_that_throws_fails_with_the_first_exception_as_cause() {
        EngineExecutionResults results = run(Samples.Throws.class);
        assertThat(message(results, TestExecutionResult.Status.FAILED))
                .startsWith("Throws.is_wrong: errors < 1 % MISSED");
        Throwable thrown = results.testEvents().failed().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .flatMap(result -> result.getThrowable().stream())
                .findFirst()
                .orElseThrow();
        assertThat(thrown).hasRootCauseMessage("the order was lost");
    }

    @Test
    void too_few_samples_are_undecided_and_said_so() {
        EngineExecutionResults results = run(Samples.TooFew.class);
        assertThat(message(results, TestExecutionResult.Status.ABORTED))
                .startsWith("UNDECIDED: ")
                .contains("p99.9 < 1 s undecided");
    }

    @Test
    void what_cannot_be_meant_is_refused_with_the_value() {
        assertThat(run(Samples.Malformed.class).testEvents().failed().stream()
                        .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                        .map(result ->
                                result.getThrowable().map(Throwable::getMessage).orElse(""))
                        .toList())
                .hasSize(3)
                .anySatisfy(message -> assertThat(message).contains("perSecond must be at least 1, but was 0"))
                .anySatisfy(message -> assertThat(message).contains("duration: ", "soon"))
                .anySatisfy(message -> assertThat(message).contains("p99<50"));
    }

    @Test
    void load_tests_run_one_after_the_other_also_where_tests_run_in_parallel() {
        EngineExecutionResults results = run(Samples.Others.class);
        results.testEvents().assertStatistics(events -> events.finished(2));
        assertThat(results.testEvents().list().stream().map(Event::getType).map(Object::toString))
                .filteredOn(type -> type.equals("STARTED") || type.equals("FINISHED"))
                .containsExactly("STARTED", "FINISHED", "STARTED", "FINISHED");
    }
}
