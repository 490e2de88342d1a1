package dev.downbeat.record;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many requests had which end, in the words of the target. Immutable.
 *
 * @param failures how many failed for which reason
 * @param failedResponses how many of these failed by a complete response, such as HTTP 503
 * @param statuses how many responses had which status, such as "200"
 * @param ownLimits how many requests could not be sent for which limit of this process; part of the ledger's
 *     {@code neverSent}
 */
public record Tallies(
        Map<String, Long> failures, long failedResponses, Map<String, Long> statuses, Map<String, Long> ownLimits) {
    /** Nothing counted. */
    public static final Tallies NONE = ofFailures(Map.of());

    /** Takes copies, in the order of the words. */
    public Tallies {
        failures = Collections.unmodifiableMap(new TreeMap<>(failures));
        statuses = Collections.unmodifiableMap(new TreeMap<>(statuses));
        ownLimits = Collections.unmodifiableMap(new TreeMap<>(ownLimits));
    }

    /** Of requests that have no status, and no limit of ours. */
    public static Tallies ofFailures(Map<String, Long> failures) {
        return new Tallies(failures, 0, Map.of(), Map.of());
    }

    /** How many responses lead elsewhere, which counts as an answer and is not followed; "not modified" leads nowhere. */
    public long redirects() {
        return statuses.entrySet().stream()
                .filter(status ->
                        status.getKey().startsWith("3") && !status.getKey().equals("304"))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Whether every response had a status of success. */
    public boolean isAllSuccess() {
        return statuses.keySet().stream().allMatch(status -> status.startsWith("2"));
    }

    /** The sum of both, word by word. */
    public Tallies plus(Tallies other) {
        return new Tallies(
                sum(failures, other.failures),
                failedResponses + other.failedResponses,
                sum(statuses, other.statuses),
                sum(ownLimits, other.ownLimits));
    }

    private static Map<String, Long> sum(Map<String, Long> some, Map<String, Long> others) {
        Map<String, Long> sum = new TreeMap<>(some);
        others.forEach((word, count) -> sum.merge(word, count, Long::sum));
        return sum;
    }
}
