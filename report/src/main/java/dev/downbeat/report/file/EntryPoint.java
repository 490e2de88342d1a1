package dev.downbeat.report.file;

import dev.downbeat.exchange.Redaction;
import dev.downbeat.selfcheck.PropertyNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How a measurement was started, if not from the command line. A saved result names it, so that it can be repeated.
 */
public enum EntryPoint {
    /** A method with {@code @LoadTest}. */
    LOAD_TEST,
    /** A simulation of Gatling. */
    SIMULATION,
    /** A method that calls the library. */
    CODE;

    private static final String NAME = "name";

    private String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The measurement of a report: {@code {"load_test": {"name": "com.acme.OrdersTest#places_orders"}}}. */
    public Map<String, Object> measurement(String name) {
        return Map.of(key(), Map.of(NAME, name));
    }

    /** "the load test com.acme.OrdersTest#places_orders"; empty for a measurement of the command line. */
    public static Optional<String> text(Map<String, Object> measurement) {
        return Arrays.stream(values())
                .filter(entry -> measurement.containsKey(entry.key()))
                .findFirst()
                .map(entry -> "the " + entry.key().replace('_', ' ') + " "
                        + (measurement.get(entry.key()) instanceof Map<?, ?> known ? known.get(NAME) : ""));
    }

    /** The command of the build tool in this folder, with the Downbeat properties that this JVM was given. */
    public static List<String> command(List<String> ofMaven, List<String> ofGradle) {
        boolean isGradle = Files.exists(Path.of("build.gradle")) || Files.exists(Path.of("build.gradle.kts"));
        Stream<String> given = System.getProperties().stringPropertyNames().stream()
                .sorted()
                .filter(name ->
                        PropertyNames.all().stream().anyMatch(known -> name.equals(PropertyNames.PREFIX + known)))
                .map(name -> "-D" + name + "=" + Redaction.word(System.getProperty(name)));
        return Stream.concat((isGradle ? ofGradle : ofMaven).stream(), given).toList();
    }
}
