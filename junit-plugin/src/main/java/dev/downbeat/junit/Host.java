package dev.downbeat.junit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a machine must share with another for times of both to be comparable. Immutable.
 *
 * @param facts by name, without blanks; patch versions are left out
 */
record Host(Map<String, String> facts) {
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    Host {
        facts = Map.copyOf(facts);
    }

    /** The one this runs on. */
    static Host own() {
        return new Host(Map.of(
                "cores", Integer.toString(Runtime.getRuntime().availableProcessors()),
                "cpu", word(processor()),
                "jdk", Integer.toString(Runtime.version().feature()),
                "os", word(System.getProperty("os.name", "unknown") + " " + System.getProperty("os.arch", "unknown"))));
    }

    private static String processor() {
        try {
            return Files.readAllLines(PROCESSORS).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException | RuntimeException nobodyTells) {
            return System.getenv().getOrDefault("PROCESSOR_IDENTIFIER", "unknown");
        }
    }

    private static String word(String text) {
        return text.strip().replaceAll("[\\s=]+", "_");
    }

    /** In one line: {@code cores=2 cpu=... jdk=17 os=Linux_amd64}. */
    String text() {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(facts)
                .forEach((name, value) -> text.append(text.isEmpty() ? "" : " ")
                        .append(name)
                        .append('=')
                        .append(value));
        return text.toString();
    }

    /** What differs, in words; empty if nothing does. */
    String differenceTo(Host other) {
        StringBuilder text = new StringBuilder();
        for (String name : new TreeMap<>(facts).keySet()) {
            String theirs = other.facts.getOrDefault(name, "unknown");
            if (!theirs.equals(facts.get(name))) {
                text.append(text.isEmpty() ? "" : ", ")
                        .append(name)
                        .append(' ')
                        .append(theirs)
                        .append(" there, ")
                        .append(facts.get(name))
                        .append(" here");
            }
        }
        return text.toString();
    }
}
