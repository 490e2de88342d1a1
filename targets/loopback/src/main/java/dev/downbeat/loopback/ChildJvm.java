package dev.downbeat.loopback;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The command line of another JVM, with Downbeat's flags where the user's do not replace them. */
public final class ChildJvm {
    /** Environment variables with options of every JVM. */
    private static final List<String> VARIABLES = List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

    private ChildJvm() {}

    /**
     * The command of this process's Java. A JVM does not start with two collectors, nor with a first heap above its
     * limit, so a user's flag replaces the default.
     *
     * @param defaults flags of Downbeat's
     * @param userFlags flags of the user's, which follow
     */
    public static List<String> command(List<String> defaults, List<String> userFlags, Map<String, String> environment) {
        List<String> given = new ArrayList<>(userFlags);
        for (String name : VARIABLES) {
            words(environment, name).forEach(word -> given.add(word.replaceAll("[\"']", "")));
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        defaults.stream()
                .filter(flag -> !(isCollector(flag) && given.stream().anyMatch(ChildJvm::isCollector)))
                .filter(flag -> !(isHeap(flag) && given.stream().anyMatch(ChildJvm::isHeap)))
                .forEach(command::add);
        command.addAll(userFlags);
        return command;
    }

    /** The words of an environment variable; none if it is not set. */
    public static List<String> words(Map<String, String> environment, String name) {
        return Stream.of(environment.getOrDefault(name, "").split("\\s+"))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static boolean isCollector(String flag) {
        return flag.matches("-XX:\\+Use\\w+GC");
    }

    private static boolean isHeap(String flag) {
        return flag.matches("-Xm[sx].*|-XX:(Initial|Max)HeapSize=.*");
    }
}
