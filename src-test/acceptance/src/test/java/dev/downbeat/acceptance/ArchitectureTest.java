package dev.downbeat.acceptance;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static dev.downbeat.acceptance.Rooms.LIBRARY_ROOMS;
import static dev.downbeat.acceptance.Rooms.and;
import static dev.downbeat.acceptance.Rooms.packagesOf;
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

/** Who may know whom, held against the bytecode. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ArchitectureTest {
    /** From the ground up: a room knows only those before it. */
    private static final List<String> REPORT_ROOMS = List.of(
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

    private static final List<String> CLI_ROOMS = List.of(
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

    private static final List<String> GATLING_ROOMS =
            List.of("version", "ledger", "settings", "report", "correction", "request");

    /** The room without a name is the target itself, and the door to it. */
    private static final List<String> HTTP_ROOMS = List.of(
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

    /** The room without a name is the target itself. */
    private static final List<String> SQS_ROOMS = List.of("options", "client", "message", "account", "operation", "");

    /** The room without a name is the server of HTTP. */
    private static final List<String> LOOPBACK_ROOMS = List.of("options", "socket", "");

    /** The rooms without a name are a run and its result, what was recorded, and watchers. */
    private static final List<String> RUN_ROOMS = List.of("", "agenda", "engine");

    private static final List<String> RECORD_ROOMS = List.of("", "recorder");

    private static final List<String> WATCH_ROOMS = List.of("sample", "kernel", "database", "");

    private static final List<String> STATS_ROOMS = List.of("", "change", "steady", "level", "position", "session");

    private static final List<String> VERDICT_ROOMS = List.of("bound", "caveat", "");

    private static final List<String> LOAD_ROOMS = List.of("live", "");

    @Test
    void every_room_is_there_and_no_other() {
        Set<String> rooms = OwnClasses.ALL.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> !name.equals("dev.downbeat.acceptance"))
                .map(name -> name.substring("dev.downbeat.".length()))
                .map(name -> name.replaceFirst(
                        "^(report|cli|gatling|http|sqs|loopback|run|record|watch|stats|verdict|load)[.].*", "$1"))
                .collect(Collectors.toSet());
        assertThat(rooms)
                .containsExactlyInAnyOrder(and(
                        LIBRARY_ROOMS,
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

    /** Who lives in core, analysis, report or load and may know a room; the doors of other modules may know them all. */
    @ParameterizedTest(name = "{0} is known by {1}")
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
    void the_rooms_of_the_library_know_only_those_to_their_right(String room, String mayKnow) {
        Set<String> may = Set.of(mayKnow.split(" "));
        String[] mayNot = java.util.Arrays.stream(LIBRARY_ROOMS)
                .filter(other -> !other.equals(room) && !may.contains(other))
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAnyPackage(packagesOf(mayNot))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.downbeat." + room + "..")
                .check(OwnClasses.ALL);
    }

    @Test
    void there_are_no_circles() {
        slices().matching("dev.downbeat.(*)..").should().beFreeOfCycles().check(OwnClasses.ALL);
    }

    @Test
    void a_room_of_the_report_knows_only_those_below_it() {
        knowOnlyThoseBefore("dev.downbeat.report", REPORT_ROOMS);
    }

    @Test
    void a_room_of_the_command_line_knows_only_those_below_it() {
        knowOnlyThoseBefore("dev.downbeat.cli", CLI_ROOMS);
    }

    @Test
    void a_room_of_the_Gatling_plugin_knows_only_those_below_it() {
        knowOnlyThoseBefore("dev.downbeat.gatling", GATLING_ROOMS);
    }

    @Test
    void a_room_of_the_HTTP_target_knows_only_those_below_it() {
        knowOnlyThoseBefore("dev.downbeat.http", HTTP_ROOMS);
    }

    @Test
    void a_room_of_the_SQS_target_knows_only_those_below_it() {
        knowOnlyThoseBefore("dev.downbeat.sqs", SQS_ROOMS);
    }

    @Test
    void a_room_of_the_loopback_server_knows_only_those_below_it() {
        knowOnlyThoseBefore("dev.downbeat.loopback", LOOPBACK_ROOMS);
    }

    @Test
    void a_room_knows_only_those_below_it() {
        knowOnlyThoseBefore("dev.downbeat.run", RUN_ROOMS);
        knowOnlyThoseBefore("dev.downbeat.record", RECORD_ROOMS);
        knowOnlyThoseBefore("dev.downbeat.watch", WATCH_ROOMS);
        knowOnlyThoseBefore("dev.downbeat.stats", STATS_ROOMS);
        knowOnlyThoseBefore("dev.downbeat.verdict", VERDICT_ROOMS);
        knowOnlyThoseBefore("dev.downbeat.load", LOAD_ROOMS);
    }

    /** Rooms from the ground up; the house itself, where everybody may live, is listed as the room without a name. */
    private static void knowOnlyThoseBefore(String house, List<String> rooms) {
        List<String> packages = rooms.stream()
                .map(room -> room.isEmpty() ? house : house + "." + room)
                .toList();
        Set<String> there = OwnClasses.ALL.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> name.startsWith(house + ".") || packages.contains(name))
                .collect(Collectors.toSet());
        assertThat(there).containsExactlyInAnyOrderElementsOf(packages);
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
    void the_loopback_server_depends_only_on_wire_formats_and_the_notation_of_times() {
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
    void the_HTTP_target_knows_of_core_what_a_target_and_a_clock_are() {
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
    void what_is_sent_knows_of_core_also_what_a_pause_and_a_recorded_time_are() {
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
    void the_SQS_target_knows_the_SDK_the_engine_and_what_a_target_and_a_clock_are() {
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
    void the_JDBC_target_knows_what_a_target_and_a_clock_are() {
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
