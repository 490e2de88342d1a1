package dev.downbeat.record;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Counts of requests per outcome, in the target's terms. Immutable.
 *
 * @param failures failed requests by reason
 * @param failedResponses part of {@code failures}: complete responses, such as HTTP 503
 * @param statuses responses by status, such as "200"
 * @param ownLimits requests not sent, or not sent again, because of a limit of this process, by limit; part of the
 *     ledger's {@code neverSent} and, if {@code failures} has the limit as well, of {@code failed}
 */
public record OutcomeCounts(
        Map<String, Long> failures, long failedResponses, Map<String, Long> statuses, Map<String, Long> ownLimits) {
    public static final OutcomeCounts NONE = ofFailures(Map.of());

    public OutcomeCounts {
        failures = Collections.unmodifiableMap(new TreeMap<>(failures));
        statuses = Collections.unmodifiableMap(new TreeMap<>(statuses));
        ownLimits = Collections.unmodifiableMap(new TreeMap<>(ownLimits));
    }

    /** Counts of requests without a status and without limits of this process. */
    public static OutcomeCounts ofFailures(Map<String, Long> failures) {
        return new OutcomeCounts(failures, 0, Map.of(), Map.of());
    }

    /** The failed requests that the service saw, but a limit of this process kept from being sent again. */
    public long failedByOwnLimit() {
        return ownLimits.keySet().stream()
                .mapToLong(limit -> failures.getOrDefault(limit, 0L))
                .sum();
    }

    /** The limit of this process that most requests met; empty if none did. */
    public Optional<String> usualOwnLimit() {
        return mostFrequent(ownLimits);
    }

    /** The reason of most failures; empty if nothing failed. */
    public Optional<String> usualFailure() {
        return mostFrequent(failures);
    }

    private static Optional<String> mostFrequent(Map<String, Long> counts) {
        return counts.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    }

    /**
     * The redirects among this many answered requests, without "not modified": those that were not to be followed. One that
     * could not be followed has failed.
     */
    public long redirects(long answered) {
        long redirects = 0;
        long others = 0;
        for (Map.Entry<String, Long> status : statuses.entrySet()) {
            boolean isRedirect =
                    status.getKey().startsWith("3") && !status.getKey().equals("304");
            redirects += isRedirect ? status.getValue() : 0;
            others += !isRedirect && status.getKey().compareTo("4") < 0 ? status.getValue() : 0;
        }
        return Math.max(0, Math.min(redirects, answered - others));
    }

    /** Whether every response had a success status. */
    public boolean isAllSuccess() {
        return statuses.keySet().stream().allMatch(status -> status.startsWith("2"));
    }

    public OutcomeCounts plus(OutcomeCounts other) {
        return new OutcomeCounts(
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

    OutcomeCounts since(OutcomeCounts earlier) {
        return new OutcomeCounts(
                rest(failures, earlier.failures),
                failedResponses - earlier.failedResponses,
                rest(statuses, earlier.statuses),
                rest(ownLimits, earlier.ownLimits));
    }

    private static Map<String, Long> rest(Map<String, Long> now, Map<String, Long> earlier) {
        Map<String, Long> rest = new TreeMap<>();
        now.forEach((word, count) -> rest.put(word, count - earlier.getOrDefault(word, 0L)));
        rest.values().removeIf(count -> count == 0);
        return rest;
    }
}
