package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

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
        for (int second = 0; second < seconds; second++) {
            double fastest = millis + youngMillis * Math.exp(-second / 3.0);
            all.add(Distribution.of(IntStream.range(0, 40).mapToLong(i -> (long) (MS * (fastest + 0.002 * i)))));
        }
        return all;
    }
}
