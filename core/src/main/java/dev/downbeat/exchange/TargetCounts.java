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
 * Named counts of one kind of target: duplicate messages, or attempts of a client with retries. Immutable. Counts of
 * several lanes are added, so only additive quantities qualify: no rates or maxima. A value that rises and falls is a
 * course instead, sampled by one lane for all.
 *
 * @param byName counts, at least 0 each, by a name of a few lower-case words
 * @param courses samples over time, in ascending order, by such a name
 * @param unreached failed attempts to connect before the run, by the address and the reason; another address of the host
 *     was used instead
 */
public record TargetCounts(
        SortedMap<String, Long> byName, SortedMap<String, List<Reading>> courses, SortedMap<String, Long> unreached) {
    /**
     * A sampled value.
     *
     * @param atNanos when; on the run's clock during the run, relative to its start in a result
     * @param value at least 0
     */
    public record Reading(long atNanos, long value) {}

    /** Operations started; {@link #amplification} is {@link #ATTEMPTS} divided by this. */
    public static final String OPERATIONS = "operations";

    /** Requests that these operations sent, including retries. */
    public static final String ATTEMPTS = "attempts";

    /** Answers to attempts that their callers no longer waited for: work of the service for nothing. */
    public static final String LATE_ANSWERS = "answers that came too late";
    /** Bytes of all responses, with their heads. */
    public static final String BYTES_RECEIVED = "bytes received";

    /** Connections whose handshake, including TLS, was a login; reports use this word. */
    public static final String LOGINS = "logins";

    /** Tunnels through a proxy, whose opening is part of the handshake time. */
    public static final String TUNNELS = "proxy tunnels";

    /** Open connections on which the server allows no stream, so that no request can be sent; reports name this fact. */
    public static final String WITHOUT_STREAMS = "connections without streams allowed";

    /** Server sessions behind a proxy, over time. */
    public static final String SERVER_SESSIONS = "server sessions";

    /** Connections pinned to a proxy's server session while others share, over time. */
    public static final String PINNED = "pinned connections";

    /** Lines that a worker wrote without a request: any answer before one may belong to another request. */
    public static final String UNSOLICITED_LINES = "lines without a request";

    /** Calls of code watched for work that they leave behind; counted only if most of them certainly did. */
    public static final String LEFT_WORK = "calls watched that left work";

    /** The same if most of them only seem to have left work. */
    public static final String MAY_HAVE_LEFT_WORK = "calls watched that may have left work";

    /** No counts; for targets that count nothing of their own. */
    public static final TargetCounts NONE = new TargetCounts(Map.of());

    public TargetCounts {
        SortedMap<String, List<Reading>> copied = new TreeMap<>();
        courses.forEach((name, readings) -> copied.put(name, List.copyOf(readings)));
        courses = Collections.unmodifiableSortedMap(copied);
        byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
        unreached = Collections.unmodifiableSortedMap(new TreeMap<>(unreached));
        byName.forEach((name, count) -> {
            if (count < 0) {
                throw new IllegalArgumentException(name + " must be at least 0, but was " + count);
            }
        });
    }

    public TargetCounts(SortedMap<String, Long> byName, SortedMap<String, List<Reading>> courses) {
        this(byName, courses, new TreeMap<>());
    }

    public TargetCounts(Map<String, Long> byName) {
        this(new TreeMap<>(byName), new TreeMap<>());
    }

    public static void putIfAny(Map<String, Long> counts, String name, long count) {
        if (count > 0) {
            counts.put(name, count);
        }
    }

    public TargetCounts with(Map<String, List<Reading>> readings) {
        return new TargetCounts(byName, new TreeMap<>(readings), unreached);
    }

    public TargetCounts withUnreached(Map<String, Long> attempts) {
        return new TargetCounts(byName, courses, new TreeMap<>(attempts));
    }

    public TargetCounts later(long nanos) {
        SortedMap<String, List<Reading>> moved = new TreeMap<>();
        courses.forEach((name, readings) -> moved.put(
                name,
                readings.stream()
                        .map(reading -> new Reading(reading.atNanos + nanos, reading.value))
                        .toList()));
        return new TargetCounts(byName, moved, unreached);
    }

    /** The counts, plus the maximum and the last value of each course. */
    public SortedMap<String, Long> all() {
        SortedMap<String, Long> all = new TreeMap<>(byName);
        courses.forEach((name, readings) -> {
            if (!readings.isEmpty()) {
                long max = readings.stream().mapToLong(Reading::value).max().orElseThrow();
                all.put(name + " (most)", max);
                all.put(name + " (at the end)", readings.get(readings.size() - 1).value);
            }
        });
        return all;
    }

    public TargetCounts plus(TargetCounts other) {
        SortedMap<String, Long> sum = new TreeMap<>(byName);
        other.byName.forEach((name, count) -> sum.merge(name, count, Long::sum));
        SortedMap<String, List<Reading>> both = new TreeMap<>(courses);
        other.courses.forEach((name, readings) -> both.merge(name, readings, TargetCounts::inOrder));
        SortedMap<String, Long> failed = new TreeMap<>(unreached);
        other.unreached.forEach((address, attempts) -> failed.merge(address, attempts, Long::sum));
        return new TargetCounts(sum, both, failed);
    }

    private static List<Reading> inOrder(List<Reading> ones, List<Reading> others) {
        return Stream.concat(ones.stream(), others.stream())
                .sorted(Comparator.comparingLong(Reading::atNanos))
                .toList();
    }

    public boolean isEmpty() {
        return byName.isEmpty() && courses.isEmpty() && unreached.isEmpty();
    }

    /** The count under that name; 0 if absent. */
    public long count(String name) {
        return byName.getOrDefault(name, 0L);
    }

    /**
     * The mean number of attempts per operation: the factor by which retries multiplied the load. Empty unless both are
     * counted and at least one operation started.
     */
    public OptionalDouble amplification() {
        long operations = count(OPERATIONS);
        boolean isKnown = byName.containsKey(ATTEMPTS) && operations > 0;
        return isKnown ? OptionalDouble.of((double) count(ATTEMPTS) / operations) : OptionalDouble.empty();
    }
}
