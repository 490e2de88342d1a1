package dev.downbeat.exchange;

import java.util.Collections;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What only one kind of target counts, by name: messages that arrived twice, attempts of a client that tries again.
 * Immutable. Counts of lanes are added, so a name must mean something that can be added: no rate, no maximum.
 *
 * @param byName counts, at least 0 each, by a name of a few words in lower case
 */
public record TargetCounts(SortedMap<String, Long> byName) {
    /** Operations that were started; with {@link #ATTEMPTS} it makes {@link #amplification}. */
    public static final String OPERATIONS = "operations";

    /** Requests that these operations made on the wire, repetitions included. */
    public static final String ATTEMPTS = "attempts";

    /** Nothing counted; what a target returns that counts nothing of its own. */
    public static final TargetCounts NONE = new TargetCounts(Map.of());

    /** Takes a copy; refuses a negative count. */
    public TargetCounts {
        byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
        byName.forEach((name, count) -> {
            if (count < 0) {
                throw new IllegalArgumentException(name + " must be at least 0, but was " + count);
            }
        });
    }

    /** Counts by name. */
    public TargetCounts(Map<String, Long> byName) {
        this(new TreeMap<>(byName));
    }

    /** The sum of both, name by name. */
    public TargetCounts plus(TargetCounts other) {
        SortedMap<String, Long> sum = new TreeMap<>(byName);
        other.byName.forEach((name, count) -> sum.merge(name, count, Long::sum));
        return new TargetCounts(sum);
    }

    /** Whether nothing was counted. */
    public boolean isEmpty() {
        return byName.isEmpty();
    }

    /** The count of that name; 0 if there is none. */
    public long count(String name) {
        return byName.getOrDefault(name, 0L);
    }

    /**
     * How many attempts an operation took on average: by what factor retries multiplied the load. Empty unless operations
     * and attempts were counted, and one operation at least was started.
     */
    public OptionalDouble amplification() {
        long operations = count(OPERATIONS);
        boolean told = byName.containsKey(ATTEMPTS) && operations > 0;
        return told ? OptionalDouble.of((double) count(ATTEMPTS) / operations) : OptionalDouble.empty();
    }
}
