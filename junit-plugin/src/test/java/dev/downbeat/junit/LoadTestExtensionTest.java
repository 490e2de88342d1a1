package dev.downbeat.junit;

import static dev.downbeat.junit.SampleRun.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.testing.SecretNames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.Event;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LoadTestExtensionTest {
    @TempDir
    Path folder;

    private EngineExecutionResults run(Class<?> tests) {
        return SampleRun.of(tests, folder);
    }

    @Test
    void a_method_that_keeps_its_objectives_passes_and_was_called_at_each_beat() {
        EngineExecutionResults results = run(Samples.Keeps.class);
        results.testEvents().assertStatistics(events -> events.succeeded(1).failed(0));
        assertThat(Samples.Keeps.BEATS).contains(0L, 49L);
        assertThat(Samples.Keeps.SET_UP).hasValue(1);
        assertThat(Samples.Keeps.TORN_DOWN).hasValue(1);
        assertThat(folder.resolve("reports").toFile().list())
                .hasSize(4)
                .anyMatch(name -> name.contains("Keeps.is_quick") && name.endsWith(".json"));
        assertThat(folder.resolve("attached/downbeat/report.html")).content().contains("Keeps.is_quick");
        assertThat(folder.resolve("baselines")).doesNotExist();
    }

    @Test
    void a_later_measurement_sends_no_index_of_an_earlier_one() {
        Samples.MeasuredAgain.BEATS.clear();
        run(Samples.MeasuredAgain.class).testEvents().assertStatistics(events -> events.aborted(1));
        List<Long> beats = List.copyOf(Samples.MeasuredAgain.BEATS);
        assertThat(beats.stream().map(index -> index >> 41).distinct()).containsExactlyInAnyOrder(0L, 1L);
        assertThat(beats).doesNotHaveDuplicates();
    }

    @Test
    void what_nothing_could_be_compared_with_becomes_no_baseline_though_it_was_well() {
        System.setProperty("downbeat.baseline", "update");
        try {
            EngineExecutionResults results = run(Samples.Healthy.class);
            results.testEvents().assertStatistics(events -> events.succeeded(1));
            assertThat(results.testEvents().reportingEntryPublished().list())
                    .anySatisfy(event -> assertThat(event.toString()).contains(" not written"));
            run(Samples.Throws.class).testEvents().assertStatistics(events -> events.failed(1));
        } finally {
            System.clearProperty("downbeat.baseline");
        }
        assertThat(folder.resolve("baselines")).isEmptyDirectory();
    }

    /** The line began with it, and its comparison with the baseline ended with it again. */
    @Test
    void what_other_processes_did_is_said_once() {
        System.setProperty("downbeat.baseline", "update");
        try {
            said(RepeatedRunsTest.QUICK, 0.02, 5_000_000);
        } finally {
            System.clearProperty("downbeat.baseline");
        }
        assertThat(folder.resolve("baselines")).isNotEmptyDirectory();
        String others = "other processes used 61 % of the CPU; a 5 ms control call took 48 ms at p99";
        assertThat(said(RepeatedRunsTest.STARVED, 0.61, 48_000_000))
                .startsWith("UNDECIDED, " + others + ": ")
                .contains(" baseline ")
                .containsOnlyOnce(others);
        assertThat(said(RepeatedRunsTest.QUICK, 0.61, 48_000_000))
                .contains(" baseline ")
                .containsOnlyOnce("; " + others);
    }

    @Test
    void a_test_that_another_finding_fails_says_what_other_processes_did() throws IOException {
        System.setProperty("downbeat.baseline", "update");
        try {
            said(RepeatedRunsTest.QUICK, 0.02, 5_000_000);
        } finally {
            System.clearProperty("downbeat.baseline");
        }
        try (Stream<Path> reports = Files.list(folder.resolve("reports"))) {
            for (Path report : reports.toList()) {
                Files.delete(report);
                Files.createDirectories(report.resolve("which is a folder"));
            }
        }
        Machine machine = (watched, run) -> RepeatedRunsTest.seen(RepeatedRunsTest.STARVED, 0.61, 48_000_000, 7);
        assertThat(message(SampleRun.of(Samples.Healthy.class, folder, machine), TestExecutionResult.Status.FAILED))
                .contains("the report was not saved")
                .containsOnlyOnce("; other processes used 61 % of the CPU; a 5 ms control call took 48 ms at p99");
    }

    /** What the report of a load test has of such a service, on a machine that others use as well. */
    private String said(SimulatedService service, double othersShare, long controlNanos) {
        Machine machine = (watched, run) -> RepeatedRunsTest.seen(service, othersShare, controlNanos, 7);
        return SampleRun.of(Samples.Healthy.class, folder, machine)
                .testEvents()
                .reportingEntryPublished()
                .map(event -> event.getRequiredPayload(ReportEntry.class)
                        .getKeyValuePairs()
                        .get("downbeat"))
                .filter(Objects::nonNull)
                .collect(Collectors.joining("\n"));
    }

    @Test
    void a_method_that_returns_before_its_work_ends_is_reported() {
        LaterAnswers.StartsWork.CALLS.set(0);
        assertThat(run(LaterAnswers.StartsWork.class).testEvents().failed().list())
                .singleElement()
                .asString()
                .contains("monitored calls returned before their work was done");
        assertThat(LaterAnswers.StartsWork.CALLS).as("not measured again").hasValueLessThan(200);
        for (Class<?> starts : List.of(LaterAnswers.StartsInPool.class, LaterAnswers.StartsInClient.class)) {
            assertThat(run(starts).testEvents().list())
                    .as(starts.getSimpleName())
                    .anySatisfy(event -> assertThat(event.toString())
                            .contains("monitored calls may have returned before their work was done"));
        }
        assertThat(run(LaterAnswers.WaitsForClient.class).testEvents().list())
                .noneSatisfy(event -> assertThat(event.toString()).contains("before their work was done"));
    }

    @Test
    void parameters_and_nested_classes_and_other_extensions_work_as_for_any_test() {
        EngineExecutionResults results = run(Samples.Around.class);
        assertThat(results.testEvents().failed().stream()
                        .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                        .map(result ->
                                result.getThrowable().map(Throwable::getMessage).orElse(""))
                        .toList())
                .hasSize(2)
                .allMatch(message -> message.startsWith("Inner.is_slow_for_each[")
                        && message.contains("]: max < 2 ms MISSED: measured "));
        assertThat(folder.resolve("reports").toFile().list((in, name) -> name.endsWith(".html")))
                .hasSize(2)
                .allMatch(name -> name.contains("Around$Inner.is_slow_for_each"));
    }

    @Test
    void a_nested_class_that_two_classes_inherit_is_a_test_of_each_with_its_objectives_and_its_files() {
        assertThat(message(run(Samples.OfMemory.class), TestExecutionResult.Status.FAILED))
                .startsWith("OfMemory.Orders.place: max < 2 ms MISSED: measured ");
        run(Samples.OfDisk.class).testEvents().assertStatistics(events -> events.succeeded(1));
        assertThat(folder.resolve("reports").toFile().list((in, name) -> name.endsWith(".html")))
                .hasSize(2)
                .anyMatch(name -> name.contains("Samples$OfMemory.dev.downbeat.junit.Samples$OfEachStore$Orders.place"))
                .anyMatch(name -> name.contains("Samples$OfDisk.dev.downbeat.junit.Samples$OfEachStore$Orders.place"));
        assertThat(new TestName("DiskIT.Orders.place", List.of("DiskIT", "Store$Orders"), "place", "x").command())
                .as("the second alone would run nothing")
                .contains("-Dit.test=DiskIT#place,Store$Orders#place");
    }

    @Test
    void an_annotation_made_of_a_load_test_and_of_repetitions_is_repeated_and_each_has_its_files() {
        run(Samples.Sizes.class)
                .testEvents()
                .assertStatistics(events -> events.succeeded(2).failed(0));
        assertThat(folder.resolve("reports").toFile().list((in, name) -> name.endsWith(".html")))
                .hasSize(2)
                .allMatch(name -> name.matches(".*Samples\\$Sizes\\.place\\.[12]-[0-9a-f]{8}\\.html"));
    }

    @Test
    void files_are_called_by_class_and_method_and_number_whatever_is_displayed() {
        run(Samples.Named.class).testEvents().assertStatistics(events -> events.finished(5));
        List<String> pages = List.of(folder.resolve("reports").toFile().list((in, name) -> name.endsWith(".html")));
        assertThat(pages)
                .hasSize(5)
                .allMatch(
                        name -> name.matches(".*Samples\\$Named\\.(is_quick(\\.[123])?|Is_Quick)-[0-9a-f]{8}\\.html"));
        assertThat(pages.stream()
                        .map(name -> name.toLowerCase(java.util.Locale.ROOT))
                        .distinct())
                .hasSize(5);
    }

    @Test
    void a_class_with_parameters_has_files_for_each_of_them() {
        run(Samples.EachOfTwo.class).testEvents().assertStatistics(events -> events.finished(2));
        assertThat(folder.resolve("reports").toFile().list((in, name) -> name.endsWith(".html")))
                .hasSize(2)
                .allMatch(name -> name.matches(".*Samples\\$EachOfTwo\\.is_quick\\.[12]-[0-9a-f]{8}\\.html"));
    }

    @Test
    void objectives_of_a_class_hold_for_those_that_extend_it() {
        assertThat(message(run(Samples.Inherits.class), TestExecutionResult.Status.FAILED))
                .startsWith("Inherits.is_slow: max < 2 ms MISSED: measured ");
    }

    @Test
    void where_no_report_can_be_saved_nothing_is_measured_and_one_line_says_where() throws IOException {
        Files.writeString(folder.resolve("reports"), "no folder");
        assertThat(message(run(FineUses.Fine.class), TestExecutionResult.Status.FAILED))
                .startsWith("@LoadTest Fine.m: no report can be saved in " + folder.resolve("reports"))
                .contains("-Ddownbeat.reports=FOLDER names another")
                .doesNotContain("\n");
    }

    @Test
    void a_baseline_that_cannot_be_written_takes_no_verdict_away() throws IOException {
        Files.writeString(folder.resolve("baselines"), "no folder");
        System.setProperty("downbeat.baseline", "update");
        try {
            assertThat(message(run(Samples.Healthy.class), TestExecutionResult.Status.FAILED))
                    .startsWith("the baseline was not written: ")
                    .contains("; Healthy.answers_in_20_ms: p50 < 1 s met");
        } finally {
            System.clearProperty("downbeat.baseline");
        }
    }

    @Test
    void each_beat_parameter_is_that_of_the_call_and_an_answer_ends_it() {
        run(LaterAnswers.class)
                .testEvents()
                .assertStatistics(events -> events.succeeded(3).failed(1));
        assertThat(LaterAnswers.UNEQUAL).hasValue(0);
        assertThat(LaterAnswers.CANCELLED.get()).isPositive();
    }

    @Test
    void the_time_out_of_a_test_ends_its_run_and_what_was_measured_is_reported() {
        EngineExecutionResults results = run(Samples.TooLong.class);
        assertThat(message(results, TestExecutionResult.Status.FAILED)).contains("timed out after 300 milliseconds");
        Throwable ours = results.testEvents().failed().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .flatMap(result -> result.getThrowable().stream())
                .findFirst()
                .orElseThrow();
        assertThat(ours.getSuppressed())
                .anySatisfy(thrown -> assertThat(thrown)
                        .hasMessageStartingWith("TooLong.lasts: ")
                        .hasMessageFindingMatch(
                                "INTERRUPTED after .* of 8 s: partial; |: interrupted before the first request; "));
        assertThat(folder.resolve("reports").toFile().list()).hasSize(4);
    }

    @Test
    void one_line_on_the_console_says_what_was_measured_passed_or_not() {
        PrintStream before = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            run(Samples.Others.class);
            run(Samples.Breaks.class);
        } finally {
            System.setOut(before);
        }
        assertThat(out.toString(StandardCharsets.UTF_8).lines().filter(line -> line.startsWith("[downbeat] ")))
                .hasSize(3)
                .anySatisfy(line -> assertThat(line)
                        .startsWith("[downbeat] PASSED (50/s for 200 ms) Others.one: errors < 1 % met")
                        .contains("; not compared with the baseline: there is none in " + folder.resolve("baselines")
                                + " (-Ddownbeat.baseline=update writes one); report: "))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("[downbeat] FAILED (100/s for 300 ms) Breaks.is_slow: max < 2 ms MISSED"));
    }

    @Test
    void a_method_that_is_too_slow_fails_with_what_was_asked_and_what_was_seen() {
        assertThat(message(run(Samples.Breaks.class), TestExecutionResult.Status.FAILED))
                .contains("Breaks.is_slow: max < 2 ms MISSED: measured ")
                .contains("report: " + folder.resolve("reports"));
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

    /** What an exception of the code under test says is its own, and so is a name that the test gave itself. */
    @Test
    void no_message_and_no_report_shows_what_stands_in_a_URL() throws IOException {
        List<Event> failed = run(Samples.Tells.class).testEvents().failed().list();
        assertThat(failed)
                .hasSize(2)
                .allSatisfy(event -> assertThat(event.getRequiredPayload(TestExecutionResult.class)
                                .getThrowable())
                        .hasValueSatisfying(thrown -> assertThat(thrown).hasMessageNotContaining(SecretNames.VALUE)));
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> files = all.filter(Files::isRegularFile).toList();
            assertThat(files).hasSizeGreaterThan(8);
            for (Path file : files) {
                assertThat(file.getFileName().toString()).doesNotContain(SecretNames.VALUE);
                assertThat(Files.readString(file)).as(file.toString()).doesNotContain(SecretNames.VALUE);
            }
            assertThat(files).anySatisfy(file -> assertThat(file).content().contains("IllegalStateException"));
        }
    }

    @Test
    void an_assumption_that_does_not_hold_aborts_the_test_and_is_no_failed_request() {
        EngineExecutionResults results = run(Samples.Assumes.class);
        results.testEvents().assertStatistics(events -> events.aborted(3).failed(0));
        assertThat(message(results, TestExecutionResult.Status.ABORTED))
                .isEqualTo("Assumption failed: the shop is not here");
        assertThat(Samples.Assumes.CALLS.get()).isLessThan(1_000);
    }

    @Test
    void side_failures_are_reported_for_a_passed_test() {
        System.setProperty("downbeat.against", "http://127.0.0.1:1/");
        try {
            assertThat(run(FineUses.WatchesNobody.class)
                            .testEvents()
                            .reportingEntryPublished()
                            .list())
                    .anySatisfy(event -> assertThat(event.toString())
                            .contains(
                                    "; not watched: pid:2147483647: there is no process 2147483647",
                                    "; not compared with another build: the test has no @Against"));
        } finally {
            System.clearProperty("downbeat.against");
        }
    }

    @Test
    void own_delays_leave_nothing_undecided_without_time_objectives() {
        EngineExecutionResults results = run(LaterAnswers.AsksForNoTimes.class);
        results.testEvents().assertStatistics(events -> events.succeeded(1).failed(1));
        assertThat(message(results, TestExecutionResult.Status.FAILED)).startsWith("UNDECIDED: ");
        assertThat(results.testEvents().reportingEntryPublished().list())
                .anySatisfy(event -> assertThat(event.toString())
                        .contains("errors < 1 % met", "the measurement is UNSOUND", "; no @Slo limits times"));
    }

    @Test
    void too_few_samples_are_undecided_with_a_reason() {
        EngineExecutionResults results = run(Samples.TooFew.class);
        assertThat(message(results, TestExecutionResult.Status.ABORTED))
                .startsWith("UNDECIDED: ")
                .contains("p99.9 < 1 s undecided")
                .contains("; not measured again: the budget of ");
    }

    @Test
    void undecided_tests_before_and_after_a_failed_one_are_not_consecutive() throws IOException {
        System.setProperty("downbeat.undecided", "fails-after-2");
        try {
            for (boolean fails : new boolean[] {false, true, false, false}) {
                Path report = null;
                if (fails) { // its report cannot be saved
                    try (Stream<Path> reports = Files.list(folder.resolve("reports"))) {
                        report = reports.filter(file -> file.toString().endsWith(".html"))
                                .findFirst()
                                .orElseThrow();
                    }
                    Files.delete(report);
                    Files.createDirectory(report);
                }
                assertThat(run(Samples.TooFew.class).testEvents().failed().count())
                        .isEqualTo(fails ? 1 : 0);
                if (report != null) {
                    Files.delete(report);
                }
            }
        } finally {
            System.clearProperty("downbeat.undecided");
        }
    }

    @Test
    void a_limited_number_of_consecutive_undecided_tests_passes() {
        System.setProperty("downbeat.undecided", "fails-after-2");
        try {
            for (int i = 0; i < 2; i++) {
                assertThat(run(Samples.TooFew.class).testEvents().succeeded().count())
                        .isEqualTo(1);
            }
            assertThat(message(run(Samples.TooFew.class), TestExecutionResult.Status.FAILED))
                    .startsWith("UNDECIDED, 3 in a row");
        } finally {
            System.clearProperty("downbeat.undecided");
        }
    }

    @Test
    void implausible_values_are_refused_with_the_value() {
        assertThat(run(Samples.Malformed.class).testEvents().failed().stream()
                        .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                        .map(result ->
                                result.getThrowable().map(Throwable::getMessage).orElse(""))
                        .toList())
                .hasSize(3)
                .anySatisfy(message -> assertThat(message).contains("never_comes: the rate is missing"))
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
        assertThat(results.testEvents().reportingEntryPublished().stream()
                        .filter(event -> event.toString().contains("downbeat.alone"))
                        .count())
                .isEqualTo(2);
    }
}
