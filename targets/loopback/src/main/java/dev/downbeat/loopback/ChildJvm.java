package dev.downbeat.loopback;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** How another JVM is started: with flags of Downbeat's, as far as those of the user allow. */
public final class ChildJvm {
    /** Whose options every JVM reads. */
    private static final List<String> VARIABLES = List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

    private ChildJvm() {}

    /**
     * The command of this process's Java. A JVM does not start with two collectors, nor with a first heap above its
     * limit, so a flag of the user replaces ours.
     *
     * @param ours flags of Downbeat's
     * @param theirs flags of the user's, which follow
     */
    public static List<String> command(List<String> ours, List<String> theirs, Map<String, String> environment) {
        List<String> given = new ArrayList<>(theirs);
        for (String name : VARIABLES) {
            words(environment, name).forEach(word -> given.add(word.replaceAll("[\"']", "")));
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ours.stream()
                .filter(flag -> !(isCollector(flag) && given.stream().anyMatch(ChildJvm::isCollector)))
                .filter(flag -> !(isHeap(flag) && given.stream().anyMatch(ChildJvm::isHeap)))
                .forEach(command::add);
        command.addAll(theirs);
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
