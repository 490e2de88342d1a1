package dev.downbeat.stats.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.session.RecordedTimeline.SessionReplay;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RecordedTimelineTest {
    private static final long MS = 1_000_000;
    private static final long S = 1_000 * MS;
    private static final int SECONDS = 60;
    private static final int REQUESTS = 5;

    private static final int PER_SECOND = 800;

    /** M/M/1 at 80 % load with its waiting time at each moment: what a further caller would have met. */
    private static final class Queue {
        final double[] intended = new double[PER_SECOND * SECONDS];
        final double[] response = new double[intended.length];
        final SplittableRandom random;

        Queue(long seed) {
            random = new SplittableRandom(seed);
            double at = 0;
            double free = 0;
            for (int i = 0; i < intended.length; i++) {
                at += random.nextExponential() * S / PER_SECOND;
                free = Math.max(at, free) + random.nextExponential() * MS;
                intended[i] = at;
                response[i] = free - at;
            }
        }

        double responseAt(double nanos) {
            int next = Arrays.binarySearch(intended, nanos);
            int before = (next < 0 ? -next - 1 : next) - 1;
            double waits = before < 0 ? 0 : Math.max(0, intended[before] + response[before] - nanos);
            return waits + random.nextExponential() * MS;
        }

        RecordedTimeline recorded() {
            List<Histogram> seconds = new ArrayList<>();
            for (int i = 0; i < intended.length; i++) {
                int second = (int) ((intended[i] + response[i]) / S);
                while (seconds.size() <= second) {
                    seconds.add(Distribution.newHistogram());
                }
                seconds.get(second).recordValue(Math.round(response[i]));
            }
            RecordedTimeline timeline = new RecordedTimeline();
            for (int second = 0; second < seconds.size(); second++) {
                timeline.add(second * S, (second + 1) * S, Distribution.of(seconds.get(second)));
            }
            return timeline;
        }
    }

    @ParameterizedTest(name = "{1} ms apart, seed {0}")
    @CsvSource({"1, 1000", "2, 1037", "3, 70", "4, 1000", "5, 1037", "6, 70", "7, 500", "8, 3000"})
    void sessions_replayed_from_seconds_meet_what_sessions_of_the_run_met(long seed, long pauseMillis) {
        Queue queue = new Queue(seed);
        RecordedTimeline timeline = queue.recorded();
        long limit = timeline.whole().valueAtPercentile(91.7);
        Distribution slowest = timeline.replay().slowest(REQUESTS, pauseMillis * MS);
        double replayed = (double) slowest.countAbove(limit) / slowest.count();
        assertThat(replayed).isCloseTo(truth(queue, pauseMillis * MS, limit), within(0.03));
    }

    private static double truth(Queue queue, long pauseNanos, long limitNanos) {
        int sessions = 20_000;
        int slow = 0;
        double begins = (double) SECONDS * S - (REQUESTS - 1) * pauseNanos;
        for (int i = 0; i < sessions; i++) {
            double at = begins * i / sessions;
            boolean isSlow = false;
            for (int request = 0; request < REQUESTS; request++) {
                isSlow |= queue.responseAt(at + request * pauseNanos) > limitNanos;
            }
            slow += isSlow ? 1 : 0;
        }
        return (double) slow / sessions;
    }

    @Test
    void the_same_seconds_give_the_same_timeline() {
        SessionReplay one = new Queue(1).recorded().replay();
        SessionReplay other = new Queue(1).recorded().replay();
        assertThat(one.slowest(REQUESTS, 70 * MS)).isEqualTo(other.slowest(REQUESTS, 70 * MS));
    }
}
