package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The types of the stable API. A public type that is added must be added here, since it is a promise to users. japicmp
 * compares the same packages with the last release (profile {@code api}).
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PublicFaceTest {
    /** The library and its integrations. */
    private static final Set<String> LIBRARY = Set.of(
            "dev.downbeat.load.ArrivalLaw",
            "dev.downbeat.load.Arrivals",
            "dev.downbeat.load.AsyncCode",
            "dev.downbeat.load.Beat",
            "dev.downbeat.load.BlockingCode",
            "dev.downbeat.load.IntendedTimeScheduler",
            "dev.downbeat.load.IntendedTimeScheduler$Callback",
            "dev.downbeat.load.ConsumerRecorder",
            "dev.downbeat.load.GeneratorRecorder",
            "dev.downbeat.load.LiveRecorder",
            "dev.downbeat.load.Load",
            "dev.downbeat.load.LoadException",
            "dev.downbeat.load.LoadSweep",
            "dev.downbeat.load.Measured",
            "dev.downbeat.load.Objective",
            "dev.downbeat.load.Objective$Limited",
            "dev.downbeat.load.Objective$Percent",
            "dev.downbeat.load.Request",
            "dev.downbeat.load.ServiceRecorder",
            "dev.downbeat.load.ServiceRecorder$Work",
            "dev.downbeat.load.SustainedRate",
            "dev.downbeat.load.SustainedRate$Step",
            "dev.downbeat.load.Times",
            "dev.downbeat.load.Verdict",
            "dev.downbeat.assertj.MeasuredAssert",
            "dev.downbeat.junit.Against",
            "dev.downbeat.junit.Answer",
            "dev.downbeat.junit.LoadTest",
            "dev.downbeat.junit.LoadTest$Baselines",
            "dev.downbeat.junit.LoadTest$Undecided",
            "dev.downbeat.junit.MisuseEngine",
            "dev.downbeat.junit.Slo",
            "dev.downbeat.junit.Slo$List",
            "dev.downbeat.junit.Watch",
            "dev.downbeat.micrometer.MeasuredMetrics",
            "dev.downbeat.opentelemetry.MeasuredInstruments",
            "dev.downbeat.netty.RecorderHandler",
            "dev.downbeat.spring.DownbeatAutoConfiguration",
            "dev.downbeat.spring.DownbeatEndpoint",
            "dev.downbeat.spring.MeasuredListener",
            "dev.downbeat.spring.RecorderFilter",
            "dev.downbeat.spring.RecorderValve",
            "dev.downbeat.spring.RecorderWebFilter");

    /** The API for Gatling simulations and JMH benchmarks. */
    private static final Set<String> PLUGINS = Set.of(
            "dev.downbeat.gatling.Corrected",
            "dev.downbeat.gatling.Downbeat",
            "dev.downbeat.gatling.DownbeatProtocolBuilder",
            "dev.downbeat.gatling.DownbeatScalaSimulation",
            "dev.downbeat.gatling.DownbeatSimulation",
            "dev.downbeat.gatling.DownbeatSqs",
            "dev.downbeat.gatling.DownbeatSqsDelete",
            "dev.downbeat.gatling.DownbeatSqsMessage",
            "dev.downbeat.gatling.DownbeatSqsReceive",
            "dev.downbeat.jmh.IntendedStart",
            "dev.downbeat.jmh.DownbeatProfiler",
            "dev.downbeat.jmh.BenchmarkResults",
            "dev.downbeat.jmh.PacedSchedule");

    /** Stable types in internal packages: targets and watchers. */
    private static final Set<String> SINGLE_TYPES = Set.of(
            "dev.downbeat.exchange.SystemUnderTest",
            "dev.downbeat.http.Http",
            "dev.downbeat.sqs.Sqs",
            "dev.downbeat.jdbc.Jdbc",
            "dev.downbeat.why.ServiceWatch",
            "dev.downbeat.watch.Watchers");

    private static Stream<String> promised() {
        return Stream.of(LIBRARY, PLUGINS, SINGLE_TYPES).flatMap(Set::stream);
    }

    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(PublicFaceTest::isPublic).orElse(true);
    }

    private static Set<String> publicTypesInPackagesOf(Set<String> promised) {
        Set<String> packages = promised.stream()
                .map(name -> name.substring(0, name.lastIndexOf('.')))
                .collect(Collectors.toSet());
        return OwnClasses.ALL.stream()
                .filter(type -> packages.contains(type.getPackageName()))
                .filter(PublicFaceTest::isPublic)
                .map(JavaClass::getName)
                .collect(Collectors.toSet());
    }

    @Test
    void the_public_types_of_the_promised_packages_are_these_and_no_others() {
        assertThat(publicTypesInPackagesOf(LIBRARY)).containsExactlyInAnyOrderElementsOf(LIBRARY);
        assertThat(publicTypesInPackagesOf(PLUGINS)).containsExactlyInAnyOrderElementsOf(PLUGINS);
    }

    @Test
    void the_page_of_public_types_lists_them() throws IOException {
        List<String> listed = new ArrayList<>();
        for (String row : Files.readAllLines(Path.of("../../docs/public-types.md"))) {
            String[] cells = row.split("\\|", -1);
            if (row.startsWith("| `")) {
                Pattern.compile("`([^`]+)`")
                        .matcher(cells[2])
                        .results()
                        .forEach(type -> listed.add(cells[1].strip().replace("`", "") + "."
                                + type.group(1).replace('.', '$')));
            }
        }
        assertThat(listed).containsExactlyInAnyOrderElementsOf(promised().toList());
    }

    /** Signatures of promised types use promised types only, so that users depend on no other. */
    @Test
    void the_promised_types_use_promised_types_only() {
        assertThat(promised()
                        .flatMap(name -> OwnClasses.ALL.get(name).getCodeUnits().stream())
                        .filter(unit -> unit.getModifiers().contains(JavaModifier.PUBLIC)
                                || unit.getModifiers().contains(JavaModifier.PROTECTED))
                        .filter(unit -> !unit.getModifiers().contains(JavaModifier.SYNTHETIC))
                        .filter(unit -> types(unit).anyMatch(PublicFaceTest::isInternal))
                        .map(JavaCodeUnit::getFullName))
                .isEmpty();
        assertThat(promised()
                        .flatMap(name -> OwnClasses.ALL.get(name).getFields().stream())
                        .filter(field -> field.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(field -> field.getType().getAllInvolvedRawTypes().stream()
                                .anyMatch(PublicFaceTest::isInternal))
                        .map(JavaField::getFullName))
                .isEmpty();
    }

    private static Stream<JavaClass> types(JavaCodeUnit unit) {
        return Stream.concat(
                unit.getReturnType().getAllInvolvedRawTypes().stream(),
                Stream.concat(
                        unit.getParameterTypes().stream().flatMap(type -> type.getAllInvolvedRawTypes().stream()),
                        unit.getExceptionTypes().stream()));
    }

    private static boolean isInternal(JavaClass type) {
        String name = type.getBaseComponentType().getName();
        return name.startsWith("dev.downbeat.") && promised().noneMatch(name::equals);
    }

    @Test
    void no_public_type_is_a_record_so_that_all_can_grow() {
        assertThat(promised()).noneMatch(name -> OwnClasses.ALL.get(name).isRecord());
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"core", "analysis", "report"})
    void every_other_package_of_the_library_is_documented_as_internal(String module) throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("..", "..", module, "src/main/java"))) {
            List<Path> packages =
                    files.filter(file -> file.endsWith("package-info.java")).toList();
            assertThat(packages)
                    .isNotEmpty()
                    .allSatisfy(file ->
                            assertThat(file).content().containsPattern("<p>(Internal to Downbeat|Not promised: for)"));
        }
    }
}
