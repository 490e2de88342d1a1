package dev.downbeat.record;

import java.util.ArrayList;
import java.util.List;

/**
 * The intervals of a run, for its timeline. In a long run adjacent intervals are merged, the oldest most often, so the
 * size stays bounded. With many names, names are merged earlier: they move to the last interval of a group ({@link
 * #ofNames}). Not thread-safe.
 */
public final class IntervalTimeline {
    /** Maximum number of intervals: twenty minutes at one per second. */
    public static final int MOST = 1_200;

    /** Maximum number of names stored, summed over intervals, at about a kilobyte each. */
    static final int MOST_NAMES = 20_000;

    private final List<Interval> all = new ArrayList<>();
    private int names;

    /** Appends an interval, which must start where the last one ended. Data kept only for whole runs is dropped. */
    public void add(Interval interval) {
        all.add(interval.forTimeline());
        names += namesOf(interval);
        if (all.size() > MOST) {
            for (int i = 0; i + 1 < all.size(); i++) {
                all.set(i, all.get(i).then(all.remove(i + 1)));
            }
        }
        if (names > MOST_NAMES) {
            mergeNames();
        }
    }

    private static int namesOf(Interval interval) {
        return interval.recording().byName().size();
    }

    /** Merges the names of adjacent intervals in pairs, into the later one. */
    private void mergeNames() {
        int before = -1;
        for (int i = 0; i < all.size(); i++) {
            if (namesOf(all.get(i)) == 0) {
                continue;
            }
            if (before < 0) {
                before = i;
                continue;
            }
            all.set(i, all.get(i).withNamesOf(all.get(before)));
            all.set(before, all.get(before).withoutNames());
            before = -1;
        }
        names = all.stream().mapToInt(IntervalTimeline::namesOf).sum();
    }

    public List<Interval> intervals() {
        return List.copyOf(all);
    }

    /** Intervals at the resolution of the names: one without names is merged into the next with names and counts only these. */
    public static List<Interval> ofNames(List<Interval> intervals) {
        List<Interval> merged = new ArrayList<>();
        List<Interval> pending = new ArrayList<>();
        for (Interval interval : intervals) {
            pending.add(interval);
            if (namesOf(interval) > 0) {
                merged.add(pending.size() == 1 ? interval : mergedNames(interval, pending));
                pending.clear();
            }
        }
        merged.addAll(pending);
        return merged;
    }

    private static Interval mergedNames(Interval last, List<Interval> all) {
        Interval span = all.stream()
                .map(each -> each.with(Recording.empty()))
                .reduce(Interval::then)
                .orElse(last);
        return span.with(Recording.empty().withNamesOf(last.recording()));
    }
}
