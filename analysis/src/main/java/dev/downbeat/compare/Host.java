package dev.downbeat.compare;

import dev.downbeat.selfcheck.MachineProfile;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Properties that hosts must share for their times to be comparable. Unknown properties count as equal. Immutable.
 *
 * @param facts by name, without blanks or patch versions
 */
public record Host(Map<String, String> facts) {
    /** A host with no known properties. */
    public static final Host UNKNOWN = new Host(Map.of());

    public Host {
        facts = Map.copyOf(facts);
    }

    public static Host of(MachineProfile machine) {
        if (machine.os().equals("unknown")) {
            return UNKNOWN;
        }
        Map<String, String> facts = new TreeMap<>();
        facts.put("cores", Integer.toString(machine.cores()));
        facts.put("os", word(machine.os() + " " + machine.arch()));
        if (!machine.processor().isBlank()) {
            facts.put("cpu", word(machine.processor()));
        }
        if (machine.cpuLimitMillicores() > 0) {
            facts.put("cpu_limit", machine.cpuLimitMillicores() + "m");
        }
        if (!machine.javaRelease().isEmpty()) {
            facts.put("jdk", machine.javaRelease());
        }
        return new Host(facts);
    }

    private static String word(String text) {
        return text.strip().replaceAll("[\\s=]+", "_");
    }

    /** In one line: {@code cores=2 cpu=... jdk=17 os=Linux_amd64}; empty if nothing is known. */
    public String text() {
        return text(facts);
    }

    static String text(Map<String, String> facts) {
        return new TreeMap<>(facts)
                .entrySet().stream()
                        .map(fact -> fact.getKey() + "=" + fact.getValue())
                        .collect(Collectors.joining(" "));
    }

    /** "cores 8, not 2"; empty if all properties known of both are equal. */
    public String differenceTo(Host other) {
        return difference(facts, other.facts);
    }

    static String difference(Map<String, String> facts, Map<String, String> others) {
        return new TreeMap<>(facts)
                .entrySet().stream()
                        .filter(fact -> !others.getOrDefault(fact.getKey(), fact.getValue())
                                .equals(fact.getValue()))
                        .map(fact -> fact.getKey() + " " + fact.getValue() + ", not " + others.get(fact.getKey()))
                        .collect(Collectors.joining(", "));
    }
}
