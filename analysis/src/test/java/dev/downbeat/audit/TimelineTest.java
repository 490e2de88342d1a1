package dev.downbeat.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TimelineTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void a_timeline_that_was_widened_has_each_request_in_its_bins(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] nanos = new long[300];
        Timeline timeline = new Timeline();
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = random.nextLong(-(1L << seed + i / 10), 1L << seed + i / 10);
            timeline.add(nanos[i], nanos[i]);
        }
        assertThat(timeline.startsFrom(0, timeline.bins())).isEqualTo(nanos.length);
        int[] counts = new int[timeline.bins()];
        for (long each : nanos) {
            counts[timeline.binOf(each)]++;
        }
        for (int bin = 0; bin < counts.length; bin++) {
            if (counts[bin] != timeline.startsIn(bin) || counts[bin] != timeline.endsIn(bin)) {
                assertThat(timeline.startsIn(bin)).as("bin %d", bin).isEqualTo(counts[bin]);
                assertThat(timeline.endsIn(bin)).as("bin %d", bin).isEqualTo(counts[bin]);
            }
        }
    }
}
