package dev.downbeat.acceptance;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.downbeat.acceptance.LibraryPackages.LIBRARY;
import static dev.downbeat.acceptance.LibraryPackages.and;
import static dev.downbeat.acceptance.LibraryPackages.packagesOf;

import dev.downbeat.selfcheck.ControlGroups;
import dev.downbeat.time.DurationText;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Restricts the use of libraries, the clock, threads, the console and JVM management beans. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OutsideWorldTest {
    @Test
    void arrivals_are_pure_arithmetic_without_a_clock_or_a_thread() {
        classes()
                .that()
                .resideInAPackage("dev.downbeat.arrival..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("dev.downbeat.arrival..", "java..", "org.jspecify..")
                        .or(belongToAnyOf(DurationText.class)))
                .check(OwnClasses.ALL);
        noClasses()
                .that()
                .resideInAPackage("dev.downbeat.arrival..")
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .check(OwnClasses.ALL);
    }

    @Test
    void statistics_are_pure_arithmetic_on_what_was_recorded() {
        classes()
                .that()
                .resideInAPackage("dev.downbeat.stats..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.downbeat.stats..",
                        "dev.downbeat.record..",
                        "dev.downbeat.time..",
                        "java.lang..",
                        "java.math..",
                        "java.util..",
                        "org.HdrHistogram..",
                        "org.jspecify..")
                .check(OwnClasses.ALL);
    }

    @Test
    void the_library_needs_HdrHistogram_and_JSpecify_only() {
        classes()
                .that()
                .resideInAnyPackage(LIBRARY)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        and(LIBRARY, "java..", "com.sun.management..", "org.HdrHistogram..", "org.jspecify.."))
                .check(OwnClasses.ALL);
    }

    @ParameterizedTest(name = "{0} stays in {1}")
    @CsvSource({
        "software.amazon.., dev.downbeat.sqs..|dev.downbeat.s3..|dev.downbeat.cli..",
        "io.netty.., dev.downbeat.sqs..|dev.downbeat.gatling..|dev.downbeat.netty..",
        "io.gatling.., dev.downbeat.gatling..",
        "scala.., dev.downbeat.gatling..",
        "akka.., dev.downbeat.gatling..",
        "ch.qos.logback.., dev.downbeat.gatling..",
        "org.junit.., dev.downbeat.junit..|dev.downbeat.testing..",
        "org.openjdk.jmh.., dev.downbeat.jmh..",
        "org.assertj.., dev.downbeat.assertj..|dev.downbeat.acceptance..",
        "com.zaxxer.., dev.downbeat.jdbc..|dev.downbeat.bench..",
        "org.h2.., dev.downbeat.jdbc..",
        "io.micrometer.., dev.downbeat.micrometer..",
        "io.opentelemetry.., dev.downbeat.opentelemetry..",
        "org.springframework.., dev.downbeat.spring..",
    })
    void a_library_stays_in_the_modules_that_exist_for_it(String library, String homes) {
        noClasses()
                .that()
                .resideOutsideOfPackages(homes.split("\\|"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .check(OwnClasses.ALL);
    }

    @Test
    void watchers_need_no_library_and_depend_only_on_events_and_control_groups() {
        classes()
                .that()
                .resideInAPackage("dev.downbeat.watch..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "dev.downbeat.watch..",
                                "dev.downbeat.why..",
                                "dev.downbeat.time..",
                                "java..",
                                "javax.management..",
                                "jdk.jfr..",
                                "jdk.management.jfr..",
                                "com.sun.tools.attach..",
                                "org.jspecify..")
                        .or(belongToAnyOf(ControlGroups.class)))
                .check(OwnClasses.ALL);
    }

    @Test
    void picocli_stays_in_the_command_line() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.downbeat.cli..", "dev.downbeat.acceptance..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("picocli..")
                .check(OwnClasses.ALL);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"java.lang.management..", "com.sun.management.."})
    void only_the_selfcheck_clocks_and_watchers_ask_a_JVM_about_itself(String beans) {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.downbeat.selfcheck..",
                        "dev.downbeat.time..",
                        "dev.downbeat.watch..",
                        "dev.downbeat.acceptance..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(beans)
                .check(OwnClasses.ALL);
    }

    @Test
    void only_the_clock_reads_the_time_in_packages_tested_in_virtual_time() {
        noClasses()
                .that()
                .resideInAnyPackage(packagesOf(
                        "arrival", "exchange", "record", "run", "simulate", "stats", "verdict", "capacity", "report"))
                .should()
                .callMethod(System.class, "nanoTime")
                .check(OwnClasses.ALL);
        noClasses()
                .that()
                .resideInAPackage("dev.downbeat.http..")
                .should()
                .callMethod(System.class, "nanoTime")
                .check(OwnClasses.ALL);
    }

    @Test
    void the_library_does_not_print_or_exit() {
        noClasses()
                .that()
                .resideInAnyPackage(and(LIBRARY, "dev.downbeat.http.."))
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(System.class, "exit", int.class)
                .check(OwnClasses.ALL);
    }

    @Test
    void verdicts_and_reports_do_no_work_of_their_own_on_threads() {
        noClasses()
                .that()
                .resideInAnyPackage(packagesOf("stats", "verdict", "report", "record"))
                .and()
                .doNotHaveSimpleName("SharedRecorder") // spreads its counts over threads
                .should()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .check(OwnClasses.ALL);
    }
}
