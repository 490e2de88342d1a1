package dev.downbeat.jdbc;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** What requests spent their time on, over all connections. Thread-safe. */
final class PartTimes {
    private static final long LONGEST_NANOS = 3_600_000_000_000L;

    enum Part {
        WAIT("wait for a connection of the pool"),
        LOOKUP("look-up"),
        CONNECT("connect"),
        LOGIN("login"),
        PREPARE("prepare"),
        STATEMENT("statement"),
        ROWS("rows"),
        COMMIT("commit");

        private final String title;

        Part(String title) {
            this.title = title;
        }
    }

    private final Map<Part, Histogram> times = new EnumMap<>(Part.class);

    PartTimes() {
        for (Part part : Part.values()) {
            times.put(part, new ConcurrentHistogram(1, LONGEST_NANOS, 2));
        }
    }

    void add(Part part, long nanos) {
        Histogram of = times.get(part);
        if (of != null) {
            of.recordValue(Math.max(0, Math.min(LONGEST_NANOS, nanos)));
        }
    }

    /** Those that occurred, in the order in which a request has them. */
    List<PartTime> all() {
        List<PartTime> all = new ArrayList<>();
        times.forEach((part, histogram) -> {
            Histogram now = histogram.copy();
            if (now.getTotalCount() > 0) {
                all.add(new PartTime(
                        part.title,
                        now.getTotalCount(),
                        (long) now.getMean(),
                        now.getValueAtPercentile(50),
                        now.getValueAtPercentile(99),
                        now.getMaxValue()));
            }
        });
        return all;
    }
}
