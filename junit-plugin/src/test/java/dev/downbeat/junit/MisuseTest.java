package dev.downbeat.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.downbeat.selfcheck.PropertyNames;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Whoever holds it wrong is told so in one sentence that names the test; nothing is passed over in silence. */
@Isolated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MisuseTest {
    @TempDir
    Path folder;

    private List<String> failures(DiscoverySelector... selectors) {
        System.setProperty("downbeat.reports", folder.resolve("reports").toString());
        System.setProperty("downbeat.baselines", folder.toString());
        List<String> failures = new ArrayList<>();
        try {
            for (String engine : List.of("junit-jupiter", "downbeat")) {
                EngineTestKit.engine(engine).selectors(selectors).execute().testEvents().failed().stream()
                        .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                        .map(result ->
                                result.getThrowable().map(Throwable::getMessage).orElse(""))
                        .distinct()
                        .forEach(failures::add);
            }
        } finally {
            System.clearProperty("downbeat.reports");
            System.clearProperty("downbeat.baselines");
        }
        return failures;
    }

    private static Class<?> misuse(String name) {
        try {
            Class<?> all = name.startsWith("Watche") ? WatchMisuses.class : Misuses.class;
            return Class.forName(all.getName() + "$" + name.replace('.', '$'));
        } catch (ClassNotFoundException none) {
            throw new IllegalArgumentException(name, none);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "NoRate               | @LoadTest NoRate.m: the rate is missing: rate = \"200/s\", perSecond = 200 or stages = \"30s:200/s\"",
                "TwoRates             | @LoadTest TwoRates.m: rate, perSecond and stages are mutually exclusive: use one",
                "RateAndStages        | @LoadTest RateAndStages.m: rate, perSecond and stages are mutually exclusive: use one",
                "NegativeRate         | @LoadTest NegativeRate.m: perSecond: perSecond must be at least 1, but was -1",
                "NoNumber             | @LoadTest NoNumber.m: rate: 'fast' is not a rate such as 500, 500/s, 1.5k/s, 30/m or 50/1s",
                "NothingAtAll         | @LoadTest NothingAtAll.m: rate: it must be above 0, but was '0/s'",
                "TooFast              | @LoadTest TooFast.m: rate: a rate must be at most 100M/s, but was '101M/s'",
                "LevelRamp            | @LoadTest LevelRamp.m: rate: a ramp goes from one rate to another, but was '5..5/s'",
                "NoStage              | @LoadTest NoStage.m: stages: '5/s' is not a stage such as 30s:1k/s (how long : rate)",
                "StageOfNoTime        | @LoadTest StageOfNoTime.m: stages: a stage must last longer than 0 and at most 3650d, but was '0s:5/s'",
                "StagesAndDuration    | @LoadTest StagesAndDuration.m: stages set the duration: remove duration = \"2s\"",
                "NoUnit               | @LoadTest NoUnit.m: duration: duration needs a unit: write 20ms or 20s, but was \"20\"",
                "NoTime               | @LoadTest NoTime.m: duration: it must be above 0, but was '0s'",
                "WarmUpInWords        | @LoadTest WarmUpInWords.m: warmUp: duration must look like 300ms, 30s, 5m, 1h30m, 2d or PT30S, but was \"short\"",
                "NoPatience           | @LoadTest NoPatience.m: timeout: it must be above 0, but was '0s'",
                "NoBudget             | @LoadTest NoBudget.m: budget: duration must look like 300ms, 30s, 5m, 1h30m, 2d or PT30S, but was \"much\"",
                "NegativeInFlight     | @LoadTest NegativeInFlight.m: inFlight must be at least 0, but was -1",
                "NegativeTolerance    | @LoadTest NegativeTolerance.m: slowerAtMost must be at least 0, but was -0.1",
                "NotANumber           | @LoadTest NotANumber.m: slowerAtMost must be at least 0, but was NaN",
                "ObjectiveWithoutUnit | p99<50",
                "ObjectiveOfNothing   | speed<50ms",
                "ObjectiveOfNobody    | @LoadTest ObjectiveOfNobody.m: objective 'pay: p99<50ms': no request is called 'pay': all are alike",
                "InnerWithoutNested   | @LoadTest Inner.m: JUnit ignores an inner class without @Nested: add it",
                "PlainTest            | @Slo on PlainTest.m does nothing without @LoadTest: nothing is measured",
                "PlainTestTwice       | @Slo on PlainTestTwice.m does nothing without @LoadTest: nothing is measured",
                "PlainParameters      | @Slo on PlainParameters.m does nothing without @LoadTest: nothing is measured",
                "ClassWithout         | @Slo on the class ClassWithout does nothing: it has no @LoadTest",
                "InnerWithout         | @Slo on the class Inner does nothing: it has no @LoadTest",
                "Future               | @LoadTest Future.m: JUnit ignores a test method that returns a value: add a parameter Answer answer, and call answer.of(...)",
                "Stage                | @LoadTest Stage.m: JUnit ignores a test method that returns a value: add a parameter Answer answer, and call answer.of(...)",
                "Publisher            | @LoadTest Publisher.m: JUnit ignores a test method that returns a value: add a parameter Answer answer, and call answer.ofPublisher(...)",
                "Returned             | @LoadTest Returned.m: JUnit ignores a test method that returns a value:"
                        + " return void",
                "Private              | @LoadTest Private.m: JUnit ignores a private method: remove that modifier",
                "Static               | @LoadTest Static.m: JUnit ignores a static method: remove that modifier",
                "TestAsWell           | @LoadTest TestAsWell.m: it is a @Test as well, which would call it once more: remove that",
                "TwoAnswers           | @LoadTest TwoAnswers.m: it has more than one Answer parameter, but a call has only one answer",
                "WatchedPlainTest     | @Watch on WatchedPlainTest.m does nothing without @LoadTest: nothing is measured",
                "WatchedClassWithout  | @Watch on the class WatchedClassWithout does nothing: it has no @LoadTest",
                "AgainstPlainTest     | @Against on AgainstPlainTest.m does nothing without @LoadTest: nothing is measured",
                "AgainstClassWithout  | @Against on the class AgainstClassWithout does nothing: it has no @LoadTest",
                "AgainstNobody        | @LoadTest AgainstNobody.m: @Against needs a parameter of type java.net.URI: the service to call",
                "InheritsPlainTest    | @Slo on InheritsPlainTest.m does nothing without @LoadTest: nothing is measured",
                "InheritsFuture       | @LoadTest InheritsFuture.m: JUnit ignores a test method that returns a value",
                "OddTag               | @Slo on OddTag.m does nothing without @LoadTest: nothing is measured",
                "WatchesNothing       | @LoadTest WatchesNothing.m: @Watch(\"\"): ",
                "WatchesNobodyKnows   | @LoadTest WatchesNobodyKnows.m: @Watch(\"java:4711\"): ",
                "WatchesNoProperty    | @LoadTest WatchesNoProperty.m: @Watch(\"jvm:${shop.pid}\"): there is no system property 'shop.pid', and no static field of that name",
                "WatchesNull          | @LoadTest WatchesNull.m: @Watch(\"jvm:${shop}\"): the field shop is null when the test begins: set it in @BeforeAll",
                "ForgottenAnswer      | @LoadTest ForgottenAnswer.m: the method did not set its Answer: call answer.of(stage)",
                "NeedsBaseline        | @LoadTest NeedsBaseline.m: a baseline is required: there is none in ",
            })
    void misuse_fails_with_one_sentence(String name, String sentence) {
        assertThat(failures(selectClass(misuse(name))))
                .isNotEmpty()
                .doesNotHaveDuplicates()
                .allSatisfy(said -> assertThat(said).contains(sentence).doesNotContain("\n"));
    }

    @Test
    void one_method_alone_is_refused_as_its_class_is() {
        assertThat(failures(selectMethod(Misuses.PlainTest.class, "m"))).hasSize(1);
    }

    /** Surefire drops the tests of an engine that are in no class: a build with a misuse was green. */
    @Test
    void a_misuse_is_reported_within_its_class() {
        EngineExecutionResults done = EngineTestKit.engine("downbeat")
                .selectors(selectClass(Misuses.InnerWithout.class), selectMethod(Misuses.PlainTest.class, "m"))
                .execute();
        done.testEvents().assertStatistics(all -> all.started(2).finished(2).failed(2));
        done.containerEvents().assertStatistics(all -> all.started(3).succeeded(3)); // the engine and two classes
        List<TestSource> sources = done.testEvents()
                .failed()
                .map(event -> event.getTestDescriptor().getParent().orElseThrow())
                .map(parent -> parent.getSource().orElseThrow())
                .toList();
        assertThat(sources)
                .containsExactlyInAnyOrder(
                        ClassSource.from(Misuses.InnerWithout.Inner.class), ClassSource.from(Misuses.PlainTest.class));
    }

    @Test
    void what_stands_before_another_kind_of_method_is_found_too() {
        assertThat(MisuseEngineSentences.of(Misuses.SetUp.class))
                .containsExactly("@Slo on SetUp.m does nothing without @LoadTest: nothing is measured");
    }

    @Test
    void correct_use_is_left_alone() {
        for (Class<?> right : List.of(
                FineUses.Derived.class,
                FineUses.Disabled.class,
                FineUses.OuterOfStatic.class,
                Samples.Around.class,
                Samples.OfMemory.class,
                Samples.Breaks.class)) {
            assertThat(MisuseEngineSentences.of(right)).isEmpty();
        }
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "rate         | slow     | -Ddownbeat.rate: 'slow' is not a rate",
                "rate         | 0        | -Ddownbeat.rate: it must be above 0, but was '0/s'",
                "duration     | 0s       | -Ddownbeat.duration: it must be above 0, but was '0s'",
                "inFlight     | 9        | -Ddownbeat.inFlight: only a class can set this; a build can set rate,"
                        + " duration, warmUp, timeout, budget, undecided, baseline, slowerAtMost",
                "turns        | 9        | -Ddownbeat.turns: only a class can set this; a build can set rate,",
                "slo          | p99<1s   | -Ddownbeat.slo: only a class can set this; a build can set rate,",
                "against      | ~~       | -Ddownbeat.against: it is empty",
                "duration     | 5        | -Ddownbeat.duration: duration needs a unit",
                "budget       | all      | -Ddownbeat.budget: duration must look like",
                "undecided    | pass     | -Ddownbeat.undecided: it must be fails, passes, fails-unless-machine-busy, aborts or fails-after-3, but was 'pass'",
                "baseline     | maybe    | -Ddownbeat.baseline: it must be one of required, when-comparable, off, update, add, but was 'maybe'",
                "slowerAtMost | ten      | -Ddownbeat.slowerAtMost: it must be a number",
                "profile      | nightly  | downbeat.profile=nightly: downbeat.properties on the class path has no line that begins with nightly.",
                "durations    | 5s       | -Ddownbeat.durations: there is no such property; the nearest is -Ddownbeat.duration",
                "warmup       | 5s       | -Ddownbeat.warmup: there is no such property; the nearest is -Ddownbeat.warmUp",
                "shop         | x        | -Ddownbeat.shop: there is no such property; the names are rate, duration,",
            })
    void an_unknown_property_is_refused(String key, String value, String sentence) {
        System.setProperty("downbeat." + key, value);
        try {
            assertThat(failures(selectClass(FineUses.Fine.class)))
                    .singleElement()
                    .asString()
                    .contains(sentence)
                    .doesNotContain("\n");
        } finally {
            System.clearProperty("downbeat." + key);
        }
    }

    @Test
    void each_setting_of_the_class_is_known_to_builds_as_one_or_as_theirs() {
        for (Method setting : LoadTest.class.getDeclaredMethods()) {
            if (!PropertyNames.ofJUnit().contains(setting.getName())) {
                Properties given = new Properties();
                given.setProperty("downbeat." + setting.getName(), "1");
                assertThatThrownBy(() -> BuildOverrides.of(given, new Properties()))
                        .hasMessageContaining("-Ddownbeat." + setting.getName()
                                + ": only a class can set this; a build can set rate,");
            }
        }
    }

    @Test
    void a_corrupt_baseline_is_refused_before_anything_is_measured() throws IOException {
        failures(selectClass(FineUses.Fine.class)); // makes the report, whose name the baseline has
        Path report;
        try (var files = Files.list(folder.resolve("reports"))) {
            report = files.filter(file -> file.toString().endsWith(".hlog"))
                    .findFirst()
                    .orElseThrow();
        }
        Files.writeString(folder.resolve(report.getFileName()), "#[StartTime: 1]\nnonsense\n");
        Files.delete(report);
        assertThat(failures(selectClass(FineUses.Fine.class)))
                .singleElement()
                .asString()
                .startsWith("@LoadTest Fine.m: baseline ")
                .contains("line 2");
        assertThat(report).doesNotExist();
        Path baseline = folder.resolve(report.getFileName());
        Files.delete(baseline);
        Files.createDirectory(baseline);
        assertThat(failures(selectClass(FineUses.Fine.class)))
                .containsExactly("@LoadTest Fine.m: baseline " + baseline + " is a folder");
    }

    @Test
    void a_file_says_what_holds_for_all_and_for_a_profile() {
        Properties file = new Properties();
        file.putAll(java.util.Map.of("duration", "5s", "nightly.duration", "5m", "nightly.rate", "1k/s"));
        Properties system = new Properties();
        assertThat(BuildOverrides.of(system, file).get("duration"))
                .hasValue(new BuildOverrides.SourcedValue("downbeat.properties: duration", "5s"));
        assertThat(BuildOverrides.of(system, file).get("rate")).isEmpty();
        system.setProperty("downbeat.profile", "nightly");
        assertThat(BuildOverrides.of(system, file).get("duration"))
                .hasValue(new BuildOverrides.SourcedValue("downbeat.properties: nightly.duration", "5m"));
        system.setProperty("downbeat.duration", "1s");
        assertThat(BuildOverrides.of(system, file).get("duration"))
                .hasValue(new BuildOverrides.SourcedValue("-Ddownbeat.duration", "1s"));
        file.setProperty("nightly.rat", "5/s");
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> BuildOverrides.of(system, file))
                .isInstanceOf(ExtensionConfigurationException.class)
                .hasMessageStartingWith("downbeat.properties: unknown key 'nightly.rat': accepted are rate, duration");
    }

    /** What the engine would say of one class, without its nested ones. */
    private static final class MisuseEngineSentences {
        static List<String> of(Class<?> type) {
            return Misuse.inWholeClass(type).stream().map(Misuse::sentence).toList();
        }
    }
}
