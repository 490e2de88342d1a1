package dev.downbeat.selfcheck;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
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
    /** The common prefix. */
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

    private static final int LETTERS = 5;

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
     * @param lead what users write before the name
     */
    public static Optional<String> refusal(Properties given, Collection<String> expected, String lead) {
        return new TreeSet<>(given.stringPropertyNames())
                .stream()
                        .filter(property -> property.startsWith(PREFIX))
                        .map(property -> property.substring(PREFIX.length()))
                        .filter(name -> !isKnown(name))
                        .findFirst()
                        .map(name -> lead + name + ": there is no such property; the nearest is " + lead
                                + nearest(name, expected));
    }

    private static boolean isKnown(String name) {
        return name.startsWith(OF_SPRING)
                || BUILD_PROPERTIES.contains(name)
                || DEVELOPMENT_PROPERTIES.contains(name)
                || all().contains(name);
    }

    private static String nearest(String name, Collection<String> expected) {
        return expected.stream()
                .min(Comparator.comparingInt(each -> changes(each, name)))
                .orElseThrow();
    }

    /**
     * The known name that was probably meant; empty if none is similar: one letter in {@value #LETTERS} may differ.
     *
     * @param name an unknown name
     */
    public static Optional<String> meant(String name, Collection<String> known) {
        return known.stream()
                .filter(each -> changes(each, name) <= name.length() / LETTERS)
                .min(Comparator.comparingInt(each -> changes(each, name)));
    }

    private static int changes(String one, String other) {
        return typos(one.toLowerCase(Locale.ROOT), other.toLowerCase(Locale.ROOT));
    }

    /** The least number of typing errors between two words: a letter missing, added, wrong, or swapped with the next. */
    public static int typos(String word, String other) {
        int[][] typos = new int[word.length() + 1][other.length() + 1];
        for (int i = 0; i <= word.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                if (i == 0 || j == 0) {
                    typos[i][j] = i + j;
                    continue;
                }
                int same = word.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
                int least = Math.min(typos[i - 1][j - 1] + same, 1 + Math.min(typos[i - 1][j], typos[i][j - 1]));
                boolean isSwapped = i > 1
                        && j > 1
                        && word.charAt(i - 1) == other.charAt(j - 2)
                        && word.charAt(i - 2) == other.charAt(j - 1);
                typos[i][j] = isSwapped ? Math.min(least, 1 + typos[i - 2][j - 2]) : least;
            }
        }
        return typos[word.length()][other.length()];
    }
}
