package dev.downbeat.record;

import java.util.ArrayList;
import java.util.List;

/**
 * The intervals of a run, for its timeline. Of a long run, neighbours are joined, the oldest most often: what is kept does
 * not grow with the run. Not thread-safe.
 */
public final class Course {
    /** Most intervals that are kept: twenty minutes, second by second. */
    public static final int MOST = 1_200;

    private final List<Interval> all = new ArrayList<>();

    /** Takes the next one, which must begin where the last one ended; what only whole runs are asked for is not kept. */
    public void add(Interval interval) {
        all.add(interval.forTimeline());
        if (all.size() > MOST) {
            for (int i = 0; i + 1 < all.size(); i++) {
                all.set(i, all.get(i).then(all.remove(i + 1)));
            }
        }
    }

    /** What is kept, in its order. */
    public List<Interval> intervals() {
        return List.copyOf(all);
    }
}
