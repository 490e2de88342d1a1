package dev.downbeat.record;

import java.util.ArrayList;
import java.util.List;

/**
 * The intervals of a run, for its timeline. Of a long run, neighbours are joined, the oldest most often: what is kept does
 * not grow with the run. Of many names, those of neighbours are joined earlier: they stand in the last of these intervals, and the
 * others have none ({@link #ofNames}). Not thread-safe.
 */
public final class Course {
    /** Most intervals that are kept: twenty minutes, second by second. */
    public static final int MOST = 1_200;

    /** Most names that are kept, counted in each interval: a kilobyte each. */
    static final int MOST_NAMES = 20_000;

    private final List<Interval> all = new ArrayList<>();
    private int names;

    /** Takes the next one, which must begin where the last one ended; what only whole runs are asked for is not kept. */
    public void add(Interval interval) {
        all.add(interval.forTimeline());
        names += namesOf(interval);
        if (all.size() > MOST) {
            for (int i = 0; i + 1 < all.size(); i++) {
                all.set(i, all.get(i).then(all.remove(i + 1)));
            }
        }
        if (names > MOST_NAMES) {
            joinNames();
        }
    }

    private static int namesOf(Interval interval) {
        return interval.recording().byName().size();
    }

    /** Of each two neighbours that have names, the later one takes those of both. */
    private void joinNames() {
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
        names = all.stream().mapToInt(Course::namesOf).sum();
    }

    /** What is kept, in its order. */
    public List<Interval> intervals() {
        return List.copyOf(all);
    }

    /**
     * Intervals as long as names were kept for: those without names belong to the next that has some. Joined ones count names alone.
     *
     * @param intervals each begins where the one before ended
     * @return the same if no interval, or each, has names
     */
    public static List<Interval> ofNames(List<Interval> intervals) {
        List<Interval> joined = new ArrayList<>();
        List<Interval> open = new ArrayList<>();
        for (Interval interval : intervals) {
            open.add(interval);
            if (namesOf(interval) > 0) {
                joined.add(open.size() == 1 ? interval : ofNamesOf(interval, open));
                open.clear();
            }
        }
        joined.addAll(open);
        return joined;
    }

    private static Interval ofNamesOf(Interval last, List<Interval> all) {
        Interval span = all.stream()
                .map(each -> each.with(Recording.empty()))
                .reduce(Interval::then)
                .orElse(last);
        return span.with(Recording.empty().withNamesOf(last.recording()));
    }
}
