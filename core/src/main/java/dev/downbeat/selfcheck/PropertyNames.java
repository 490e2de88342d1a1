package dev.downbeat.selfcheck;

import dev.downbeat.exchange.SimilarNames;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The system properties that begin with {@code downbeat.}. A misspelt one would silently have no effect. Several
 * integrations may be active in one JVM, so each accepts the names of all.
 */
public final class PropertyNames {
    public static final String PREFIX = "downbeat.";

    /** Names of the Spring Boot starter, whose binding checks them itself. */
    private static final String OF_SPRING = "recorder.";

    private static final List<String> OF_JUNIT = List.of(
            "rate",
            "duration",
            "warmUp",
            "timeout",
            "budget",
            "undecided",
            "baseline",
            "slowerAtMost",
            "profile",
            "reports",
            "baselines",
            "against");

    private static final List<String> OF_GATLING = List.of(
            "simulation",
            "objectives",
            "gatlingReport",
            "pace",
            "acceptUnsound",
            "undecided",
            "exitCode",
            "sure",
            "strict",
            "warmUp",
            "saveTo",
            "watch");

    private static final List<String> OF_COMMAND_LINE = List.of("selfWarmUp", "compilers", "launcher", "boringssl");

    /** Poms often define a library's version in such a property, and Maven passes it on to the tests. */
    private static final Set<String> BUILD_PROPERTIES = Set.of("version", "repository", "base", "jar", "alone");

    /** Set by Downbeat's own build. */
    private static final Set<String> DEVELOPMENT_PROPERTIES = Set.of(
            "root",
            "build",
            "replications",
            "golden",
            "schemas",
            "pages",
            "frames",
            "fuzz",
            "platform",
            "gatlings",
            "maven",
            "image",
            "registry.insecure",
            "quick.millis",
            "freeze.seconds",
            "notshown.all");

    private PropertyNames() {}

    /** Names, without the prefix, for JUnit builds. */
    public static List<String> ofJUnit() {
        return OF_JUNIT;
    }

    /** Names, without the prefix, for Gatling runs. */
    public static List<String> ofGatling() {
        return OF_GATLING;
    }

    /** All names, without the prefix, that a user may set. */
    public static List<String> all() {
        return Stream.of(OF_JUNIT, OF_GATLING, OF_COMMAND_LINE)
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    /**
     * One line about the first unknown property; empty if all are known.
     *
     * @param expected the most likely names for this caller
     */
    public static Optional<String> refusal(Properties system, Collection<String> expected) {
        return refusal(system, expected, "-D" + PREFIX);
    }

    /**
     * The same for properties of another source.
     *
     * @param given the properties
     * @param expected the most likely names for this caller
     * @param lead the prefix that users write
     */
    public static Optional<String> refusal(Properties given, Collection<String> expected, String lead) {
        return new TreeSet<>(given.stringPropertyNames())
                .stream()
                        .filter(property -> property.startsWith(PREFIX))
                        .map(property -> property.substring(PREFIX.length()))
                        .filter(name -> !isKnown(name))
                        .findFirst()
                        .map(name -> lead + name + ": there is no such property; "
                                + SimilarNames.nearest(name, expected)
                                        .map(meant -> "the nearest is " + lead + meant)
                                        .orElse("the names are " + String.join(", ", expected)));
    }

    private static boolean isKnown(String name) {
        return name.startsWith(OF_SPRING)
                || BUILD_PROPERTIES.contains(name)
                || DEVELOPMENT_PROPERTIES.contains(name)
                || all().contains(name);
    }
}
