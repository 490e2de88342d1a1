package dev.downbeat.gatling.ledger;

import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import java.util.ArrayList;
import java.util.List;

/** What was counted, interval by interval. Thread-safe. */
public final class Course {
    private final List<Interval> intervals = new ArrayList<>();
    private Recording total = Recording.empty();

    synchronized void add(Interval interval) {
        intervals.add(interval);
        total = total.plus(interval.recording());
    }

    synchronized void clear() {
        intervals.clear();
        total = Recording.empty();
    }

    public synchronized Recording total() {
        return total;
    }

    public synchronized List<Interval> intervals() {
        return List.copyOf(intervals);
    }
}
