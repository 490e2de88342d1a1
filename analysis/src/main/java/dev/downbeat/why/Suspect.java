package dev.downbeat.why;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Events tested together, whoever saw them: those of one kind. Kinds with unrelated events, such as waits for different
 * locks, are split by detail.
 *
 * @param kind kind of all events
 * @param events the events as reported
 * @param spans when at least one was going on while watched, widened by the clocks' uncertainty
 */
record Suspect(EventKind kind, List<Event> events, Spans spans) {
    /**
     * The most details tested separately: the most frequent ones, preferring those active less than half of the time.
     * Idle workers wait all the time.
     */
    private static final int MOST_DETAILS = 6;

    private static final String OTHERS = "";

    /** The suspects seen in a period, in the order of their kinds. */
    static List<Suspect> of(List<Watched> watched, long start, long end) {
        List<Suspect> all = new ArrayList<>();
        for (EventKind kind : EventKind.values()) {
            List<Seen> seen = new ArrayList<>();
            for (Watched one : watched) {
                for (Event event : one.events()) {
                    long from = Math.max(start, event.startNanos() - one.uncertaintyNanos());
                    long to = Math.min(end, event.endNanos() + one.uncertaintyNanos());
                    if (event.kind() == kind && to > from) {
                        seen.add(new Seen(event, from, to));
                    }
                }
            }
            if (!seen.isEmpty() && kind.isCause()) {
                byDetail(kind, seen, (end - start) / 2).forEach(some -> all.add(of(kind, some)));
            }
        }
        return all;
    }

    /** An event and the time it may have taken place. */
    private record Seen(Event event, long from, long to) {}

    private static Suspect of(EventKind kind, List<Seen> seen) {
        return new Suspect(
                kind,
                seen.stream().map(Seen::event).toList(),
                Spans.of(seen.stream().map(one -> new long[] {one.from, one.to}).toList()));
    }

    private static List<List<Seen>> byDetail(EventKind kind, List<Seen> seen, long halfNanos) {
        if (!isOfThreads(kind)) {
            return List.of(seen);
        }
        Map<String, Long> lengths = new LinkedHashMap<>();
        seen.forEach(one -> lengths.merge(one.event.detail(), one.event.lengthNanos(), Long::sum));
        List<String> longest = lengths.entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<String, Long> one) -> one.getValue() > halfNanos)
                        .thenComparing(Map.Entry.comparingByValue(Comparator.reverseOrder())))
                .limit(MOST_DETAILS)
                .map(Map.Entry::getKey)
                .toList();
        Map<String, List<Seen>> byDetail = new LinkedHashMap<>();
        for (Seen one : seen) {
            String detail = one.event.detail();
            byDetail.computeIfAbsent(longest.contains(detail) ? detail : OTHERS, first -> new ArrayList<>())
                    .add(one);
        }
        return List.copyOf(byDetail.values());
    }

    private static boolean isOfThreads(EventKind kind) {
        return switch (kind) {
            case LOCK_WAIT, DATABASE_LOCK, PARKED, PINNED, WAITED, SOCKET_READ, FILE_WRITE -> true;
            default -> false;
        };
    }

    /** The number of events while requests were in flight. */
    int during(Spans out) {
        return (int) events.stream()
                .filter(event ->
                        out.coveredNanos(event.startNanos(), Math.max(event.endNanos(), event.startNanos() + 1)) > 0)
                .count();
    }
}
