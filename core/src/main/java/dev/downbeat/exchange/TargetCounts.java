package dev.downbeat.exchange;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What only one kind of target counts, by name: messages that arrived twice, attempts of a client that tries again.
 * Immutable. Counts of lanes are added, so a name must mean something that can be added: no rate, no maximum. What rises and falls
 * has a course instead, which one lane of a run sees for all.
 *
 * @param byName counts, at least 0 each, by a name of a few words in lower case
 * @param courses what was read off over time, in the order of time, by such a name
 */
public record TargetCounts(SortedMap<String, Long> byName, SortedMap<String, List<Reading>> courses) {
    /**
     * A value at a moment.
     *
     * @param atNanos when; on the run's clock as long as the run goes on, and from its start in a result
     * @param value at least 0
     */
    public record Reading(long atNanos, long value) {}

    /** Operations that were started; with {@link #ATTEMPTS} it makes {@link #amplification}. */
    public static final String OPERATIONS = "operations";

    /** Requests that these operations made on the wire, repetitions included. */
    public static final String ATTEMPTS = "attempts";

    /** Connections whose handshake was a login, TLS included: that is what a report calls it. */
    public static final String LOGINS = "logins";

    /** How many sessions of a server a proxy gives connections, over time. */
    public static final String SERVER_SESSIONS = "server sessions";

    /** How many connections have a session of a proxy's for themselves though others share, over time. */
    public static final String PINNED = "pinned connections";

    /** Nothing counted; what a target returns that counts nothing of its own. */
    public static final TargetCounts NONE = new TargetCounts(Map.of());

    /** Takes a copy; refuses a negative count. */
    public TargetCounts {
        SortedMap<String, List<Reading>> copied = new TreeMap<>();
        courses.forEach((name, readings) -> copied.put(name, List.copyOf(readings)));
        courses = Collections.unmodifiableSortedMap(copied);
        byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
        byName.forEach((name, count) -> {
            if (count < 0) {
                throw new IllegalArgumentException(name + " must be at least 0, but was " + count);
            }
        });
    }

    public TargetCounts(Map<String, Long> byName) {
        this(new TreeMap<>(byName), new TreeMap<>());
    }

    /** The same with what was read off over time. */
    public TargetCounts with(Map<String, List<Reading>> readings) {
        return new TargetCounts(byName, new TreeMap<>(readings));
    }

    /** The same, with its times so much later. */
    public TargetCounts later(long nanos) {
        SortedMap<String, List<Reading>> moved = new TreeMap<>();
        courses.forEach((name, readings) -> moved.put(
                name,
                readings.stream()
                        .map(one -> new Reading(one.atNanos + nanos, one.value))
                        .toList()));
        return new TargetCounts(byName, moved);
    }

    /** The counts, and of each course its highest and its last value. */
    public SortedMap<String, Long> all() {
        SortedMap<String, Long> all = new TreeMap<>(byName);
        courses.forEach((name, readings) -> {
            if (!readings.isEmpty()) {
                long most = readings.stream().mapToLong(Reading::value).max().orElseThrow();
                all.put(name + " (most)", most);
                all.put(name + " (at the end)", readings.get(readings.size() - 1).value);
            }
        });
        return all;
    }

    /** The sum of both, name by name. */
    public TargetCounts plus(TargetCounts other) {
        SortedMap<String, Long> sum = new TreeMap<>(byName);
        other.byName.forEach((name, count) -> sum.merge(name, count, Long::sum));
        SortedMap<String, List<Reading>> both = new TreeMap<>(courses);
        other.courses.forEach((name, readings) -> both.merge(name, readings, TargetCounts::inOrder));
        return new TargetCounts(sum, both);
    }

    private static List<Reading> inOrder(List<Reading> ones, List<Reading> others) {
        return Stream.concat(ones.stream(), others.stream())
                .sorted(Comparator.comparingLong(Reading::atNanos))
                .toList();
    }

    /** Whether nothing was counted. */
    public boolean isEmpty() {
        return byName.isEmpty() && courses.isEmpty();
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
