package dev.downbeat.gatling.ledger;

import dev.downbeat.record.Interval;
import dev.downbeat.record.IntervalTimeline;
import dev.downbeat.record.Recording;
import dev.downbeat.record.RecordingSum;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Counts by interval: for all requests, for each name with its groups ({@code shop / login}), and for each group
 * ({@code (group) shop}), which includes all of its requests. A long run is stored as an {@link IntervalTimeline}; its
 * totals remain exact. Thread-safe.
 */
public final class RequestTimeline {
    /** The number of names with counts per second; further names only have totals, in the last interval. */
    private static final int MOST_COURSES = 50;

    /** A group precedes its contents. */
    private static final Comparator<String> IN_ORDER = Comparator.comparing(RequestTimeline::withoutGroup)
            .thenComparing(name -> name.startsWith(Recording.GROUP) ? 0 : 1);

    private final Function<String, List<String>> groupsOf;
    private final Set<String> followed = new HashSet<>();
    private final Map<String, RecordingSum> sums = new TreeMap<>();
    private RecordingSum total = new RecordingSum();
    private IntervalTimeline timeline = new IntervalTimeline();

    /** The function returns the paths of the groups that a request is in, by its name. */
    RequestTimeline(Function<String, List<String>> groupsOf) {
        this.groupsOf = groupsOf;
    }

    private static String withoutGroup(String name) {
        return name.startsWith(Recording.GROUP) ? name.substring(Recording.GROUP.length()) : name;
    }

    synchronized void add(Interval interval) {
        Map<String, Recording> names = new TreeMap<>();
        interval.recording().byName().forEach((name, seen) -> {
            if (seen.ledger().planned() > 0) {
                sums.computeIfAbsent(name, first -> new RecordingSum()).add(seen);
                if (followed.contains(name) || (followed.size() < MOST_COURSES && followed.add(name))) {
                    names.put(name, seen);
                }
            }
        });
        Recording own = interval.recording().withNames(Map.of());
        total.add(own);
        timeline.add(interval.with(own.withNames(names)));
    }

    synchronized void clear() {
        followed.clear();
        sums.clear();
        total = new RecordingSum();
        timeline = new IntervalTimeline();
    }

    public synchronized Recording total() {
        Map<String, Recording> names = new TreeMap<>();
        sums.forEach((name, sum) -> names.put(name, sum.total()));
        return total.total().withNames(withGroups(names));
    }

    synchronized long planned() {
        return total.total().ledger().planned();
    }

    public synchronized List<Interval> intervals() {
        List<Interval> all = new ArrayList<>();
        List<Interval> intervals = timeline.intervals();
        for (Interval interval : intervals) {
            Map<String, Recording> names = new TreeMap<>(interval.recording().byName());
            if (all.size() == intervals.size() - 1) {
                sums.forEach((name, sum) -> {
                    if (!followed.contains(name)) {
                        names.put(name, sum.total());
                    }
                });
            }
            all.add(interval.with(interval.recording().withNames(withGroups(names))));
        }
        return all;
    }

    private Map<String, Recording> withGroups(Map<String, Recording> names) {
        Map<String, Recording> all = new TreeMap<>(IN_ORDER);
        all.putAll(names);
        names.forEach((name, seen) ->
                groupsOf.apply(name).forEach(group -> all.merge(Recording.GROUP + group, seen, Recording::plus)));
        return all;
    }
}
