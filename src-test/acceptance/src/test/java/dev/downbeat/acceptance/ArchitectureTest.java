package dev.downbeat.acceptance;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static dev.downbeat.acceptance.LibraryPackages.LIBRARY_PACKAGES;
import static dev.downbeat.acceptance.LibraryPackages.and;
import static dev.downbeat.acceptance.LibraryPackages.packagesOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import dev.downbeat.http.Http;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the dependencies between packages in the bytecode. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ArchitectureTest {
    /** In order: a package depends only on those before it. The empty name is the parent package itself. */
    private static final List<String> REPORT_PACKAGES = List.of(
            "data",
            "chart.draw",
            "chart",
            "render",
            "view",
            "view.sweep",
            "view.compare",
            "view.position",
            "file.tree",
            "file");

    private static final List<String> CLI_PACKAGES = List.of(
            "measurement.option",
            "measurement",
            "terminal",
            "file",
            "console",
            "shard",
            "targets",
            "job",
            "meet",
            "turns",
            "help",
            "command");

    private static final List<String> GATLING_PACKAGES =
            List.of("version", "ledger", "settings", "report", "correction", "request");

    private static final List<String> HTTP_PACKAGES = List.of(
            "wait",
            "tls",
            "options",
            "message",
            "wire",
            "one",
            "two",
            "requests.value",
            "requests.check",
            "requests.file",
            "requests",
            "requests.log",
            "");

    private static final List<String> SQS_PACKAGES =
            List.of("options", "client", "message", "account", "operation", "");

    private static final List<String> LOOPBACK_PACKAGES = List.of("options", "socket", "");

    private static final List<String> RUN_PACKAGES = List.of("", "agenda", "engine");

    private static final List<String> RECORD_PACKAGES = List.of("", "recorder");

    private static final List<String> WATCH_PACKAGES = List.of("sample", "kernel", "database", "");

    private static final List<String> STATS_PACKAGES = List.of("", "change", "steady", "level", "position", "session");

    private static final List<String> VERDICT_PACKAGES = List.of("bound", "caveat", "");

    private static final List<String> LOAD_PACKAGES = List.of("live", "");

    @Test
    void the_packages_are_exactly_these() {
        Set<String> packages = OwnClasses.ALL.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> !name.equals("dev.downbeat.acceptance"))
                .map(name -> name.substring("dev.downbeat.".length()))
                .map(name -> name.replaceFirst(
                        "^(report|cli|gatling|http|sqs|loopback|run|record|watch|stats|verdict|load)[.].*", "$1"))
                .collect(Collectors.toSet());
        assertThat(packages)
                .containsExactlyInAnyOrder(and(
                        LIBRARY_PACKAGES,
                        "audit.format",
                        "h2",
                        "http",
                        "sqs",
                        "jdbc",
                        "exec",
                        "loopback",
                        "gatling",
                        "junit",
                        "assertj",
                        "watch",
                        "micrometer",
                        "opentelemetry",
                        "spring",
                        "netty",
                        "jmh",
                        "jmh.iteration",
                        "s3",
                        "testing",
                        "cli"));
    }

    /** Packages of core, analysis, report and load, each with those of them that may depend on it. Other modules may use all. */
    @ParameterizedTest(name = "{0} is used by {1}")
    @CsvSource({
        "load,      ''",
        "report,    load",
        "capacity,  load report",
        "audit,     report",
        "why,       load report",
        "compare,   report",
        "analysis,  load report capacity compare",
        "verdict,   load report capacity compare analysis why",
        "event,     load report capacity verdict compare analysis why",
        "simulate,  report",
        "stats,     load report capacity verdict compare analysis event simulate why audit",
        "run,       load report capacity verdict compare analysis event simulate why",
        "selfcheck, load report capacity verdict compare run",
        "record,    load report capacity verdict compare analysis event stats run selfcheck audit why",
        "exchange,  load report capacity verdict event simulate run record audit why json selfcheck",
        "json,      report audit",
        "arrival,   load report capacity verdict compare event run why record",
    })
    void a_package_of_the_library_is_used_only_by_those_to_its_right(String used, String users) {
        Set<String> allowed = Set.of(users.split(" "));
        String[] forbidden = java.util.Arrays.stream(LIBRARY_PACKAGES)
                .filter(other -> !other.equals(used) && !allowed.contains(other))
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAnyPackage(packagesOf(forbidden))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.downbeat." + used + "..")
                .check(OwnClasses.ALL);
    }

    @Test
    void there_are_no_cycles() {
        slices().matching("dev.downbeat.(*)..").should().beFreeOfCycles().check(OwnClasses.ALL);
    }

    @Test
    void a_package_of_the_report_depends_only_on_those_below_it() {
        checkOrder("dev.downbeat.report", REPORT_PACKAGES);
    }

    @Test
    void a_package_of_the_command_line_depends_only_on_those_below_it() {
        checkOrder("dev.downbeat.cli", CLI_PACKAGES);
    }

    @Test
    void a_package_of_the_Gatling_plugin_depends_only_on_those_below_it() {
        checkOrder("dev.downbeat.gatling", GATLING_PACKAGES);
    }

    @Test
    void a_package_of_the_HTTP_target_depends_only_on_those_below_it() {
        checkOrder("dev.downbeat.http", HTTP_PACKAGES);
    }

    @Test
    void a_package_of_the_SQS_target_depends_only_on_those_below_it() {
        checkOrder("dev.downbeat.sqs", SQS_PACKAGES);
    }

    @Test
    void a_package_of_the_loopback_server_depends_only_on_those_below_it() {
        checkOrder("dev.downbeat.loopback", LOOPBACK_PACKAGES);
    }

    @Test
    void other_packages_depend_only_on_those_below_them() {
        checkOrder("dev.downbeat.run", RUN_PACKAGES);
        checkOrder("dev.downbeat.record", RECORD_PACKAGES);
        checkOrder("dev.downbeat.watch", WATCH_PACKAGES);
        checkOrder("dev.downbeat.stats", STATS_PACKAGES);
        checkOrder("dev.downbeat.verdict", VERDICT_PACKAGES);
        checkOrder("dev.downbeat.load", LOAD_PACKAGES);
    }

    /** Checks that each package depends only on those before it; {@code parent} itself is listed as the empty name. */
    private static void checkOrder(String parent, List<String> names) {
        List<String> packages = names.stream()
                .map(name -> name.isEmpty() ? parent : parent + "." + name)
                .toList();
        Set<String> existing = OwnClasses.ALL.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> name.startsWith(parent + ".") || packages.contains(name))
                .collect(Collectors.toSet());
        assertThat(existing).containsExactlyInAnyOrderElementsOf(packages);
        for (int i = 0; i < packages.size() - 1; i++) {
            String[] above = packages.subList(i + 1, packages.size()).toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage(packages.get(i))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(above)
                    .check(OwnClasses.ALL);
        }
    }

    @Test
    void the_loopback_server_depends_only_on_wire_formats_and_time_formats() {
        classes()
                .that()
                .resideInAPackage("dev.downbeat.loopback..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.downbeat.loopback..",
                        "dev.downbeat.h2..",
                        "dev.downbeat.time..",
                        "java..",
                        "javax.net.ssl..",
                        "org.jspecify..")
                .check(OwnClasses.ALL);
    }

    @Test
    void wire_formats_depend_on_no_other_module() {
        classes()
                .that()
                .resideInAPackage("dev.downbeat.h2..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.downbeat.h2..", "java..", "org.jspecify..")
                .check(OwnClasses.ALL);
    }

    @Test
    void the_HTTP_target_depends_only_on_targets_and_clocks_of_core() {
        classes()
                .that()
                .resideInAPackage("dev.downbeat.http..")
                .and()
                .resideOutsideOfPackage("dev.downbeat.http.requests..")
                .and()
                .doNotBelongToAnyOf(Http.class)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.downbeat.http..",
                        "dev.downbeat.h2..",
                        "dev.downbeat.exchange..",
                        "dev.downbeat.time..",
                        "java..",
                        "javax.crypto..",
                        "javax.net.ssl..",
                        "jdk.net",
                        "org.jspecify..")
                .check(OwnClasses.ALL);
    }

    @Test
    void requests_depend_also_on_arrivals_and_runs_of_core() {
        classes()
                .that()
                .resideInAPackage("dev.downbeat.http.requests..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.downbeat.http.options",
                        "dev.downbeat.http.message",
                        "dev.downbeat.http.tls",
                        "dev.downbeat.http.requests..",
                        "dev.downbeat.exchange..",
                        "dev.downbeat.json..",
                        "dev.downbeat.time..",
                        "dev.downbeat.arrival..",
                        "dev.downbeat.run..",
                        "java..",
                        "javax.crypto..",
                        "org.jspecify..")
                .check(OwnClasses.ALL);
    }

    @Test
    void the_SQS_target_does_not_depend_on_the_engine_or_other_targets() {
        noClasses()
                .that()
                .resideInAPackage("dev.downbeat.sqs..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packagesOf(
                        "arrival",
                        "record",
                        "selfcheck",
                        "run",
                        "stats",
                        "verdict",
                        "report",
                        "loopback",
                        "cli",
                        "gatling"))
                .check(OwnClasses.ALL);
    }

    @Test
    void the_JDBC_target_does_not_depend_on_the_engine_or_other_targets() {
        noClasses()
                .that()
                .resideInAPackage("dev.downbeat.jdbc..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packagesOf(
                        "record",
                        "selfcheck",
                        "run",
                        "stats",
                        "verdict",
                        "report",
                        "http",
                        "sqs",
                        "loopback",
                        "cli",
                        "gatling"))
                .check(OwnClasses.ALL);
    }

    @Test
    void no_module_depends_on_the_command_line() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.downbeat.cli..", "dev.downbeat.acceptance..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.downbeat.cli..")
                .check(OwnClasses.ALL);
    }
}
