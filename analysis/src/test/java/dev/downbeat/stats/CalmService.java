package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** A service almost without scatter that gets a little faster at first, as a young JVM does: 40 requests a second. */
final class CalmService {
    private static final double MS = 1e6;

    private CalmService() {}

    /**
     * Its response times by second.
     *
     * @param millis what it takes at least
     * @param youngMillis how much more it takes in its first second
     */
    static List<Distribution> seconds(double millis, double youngMillis, int seconds) {
        List<Distribution> all = new ArrayList<>();
        Histogram histogram = Distribution.newHistogram();
        for (int second = 0; second < seconds; second++) {
            histogram.reset();
            for (int i = 0; i < 40; i++) {
                histogram.recordValue((long) (MS * (millis + youngMillis * Math.exp(-second / 3.0) + 0.002 * i)));
            }
            all.add(Distribution.of(histogram));
        }
        return all;
    }
}
