package dev.downbeat.load.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.load.live.LiveIntervals.OpenRequests;
import dev.downbeat.load.live.LiveIntervals.Taken;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.recorder.NamedCounts;
import dev.downbeat.record.recorder.SharedRecorder;
import dev.downbeat.time.ManualClock;
import dev.downbeat.time.NanoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LiveIntervalsTest {
    private static final long MS = 1_000_000;

    private final SharedRecorder recorder = new SharedRecorder();
    private final OpenRequests open = new OpenRequests(7 * MS);
    private final ManualClock clock = new ManualClock(7 * MS);
    private final LiveIntervals intervals = new LiveIntervals(recorder, new NamedCounts(false), open, 7 * MS);

    /** Answers a request; then it is so many milliseconds after the start. */
    private void at(long millis) {
        recorder.answered(5, 5, 0);
        clock.moveTo((7 + millis) * MS);
        intervals.closeIfDue(clock.nanoTime());
    }

    private Taken taken() {
        return intervals.take(clock, (intendedAt, seenAt) -> recorder.unfinished(seenAt - intendedAt, 0));
    }

    private static List<Long> ends(Taken taken) {
        return taken.intervals().stream().map(each -> each.endNanos() / MS).toList();
    }

    @Test
    void an_interval_ends_with_each_second_since_the_last_report() {
        at(999);
        at(1_001);
        at(1_999);
        at(3_500);
        at(3_999);
        Taken first = taken();
        assertThat(ends(first)).containsExactly(1_001L, 3_500L, 3_999L);
        assertThat(first.intervals())
                .extracting(each -> each.recording().ledger().answered())
                .containsExactly(2L, 2L, 1L);
        assertThat(first.total().ledger().answered()).isEqualTo(5);
        assertThat(first.startAt()).isEqualTo(7 * MS);
        assertThat(first.endAt()).isEqualTo(4_006 * MS);
        assertThat(intervals.startAt()).isEqualTo(4_006 * MS);
        at(4_998);
        at(4_999);
        at(5_000);
        Taken second = taken();
        assertThat(ends(second)).containsExactly(1_000L, 1_001L);
        assertThat(second.intervals()).extracting(Interval::startNanos).containsExactly(0L, 1_000 * MS);
        assertThat(second.oldestAt()).isEqualTo(second.endAt());
    }

    @Test
    void unfinished_requests_are_in_each_report_with_their_age_then() {
        for (long millis : new long[] {50, 250, 260}) {
            recorder.arrived();
            open.arrived((7 + millis) * MS);
        }
        open.ended((7 + 260) * MS);
        at(800);
        Taken first = taken();
        assertThat(first.total().ledger().inFlight()).isEqualTo(2);
        assertThat(first.total().ledger().answered()).isOne();
        assertThat(first.total().censored()).isEqualTo(Distribution.of(LongStream.of(500 * MS, 700 * MS)));
        assertThat(first.oldestAt()).isEqualTo((7 + 100) * MS);
        clock.moveTo((7 + 900) * MS);
        assertThat(taken().total().censored()).isEqualTo(Distribution.of(LongStream.of(600 * MS, 800 * MS)));
    }

    /** As in a pause between the reading of the clock and that of the open requests. */
    @Test
    void a_request_that_arrives_after_the_end_of_the_report_is_not_taken_for_the_oldest() {
        for (long later : new long[] {0, 100 * MS, 6_300 * MS}) {
            OpenRequests open = new OpenRequests(0);
            LiveIntervals intervals = new LiveIntervals(recorder, new NamedCounts(false), open, 0);
            long endAt = 900 * MS - 1;
            NanoClock late = () -> {
                open.arrived(endAt + 1 + later);
                return endAt;
            };
            List<Long> intended = new ArrayList<>();
            Taken taken = intervals.take(late, (intendedAt, seenAt) -> intended.add(intendedAt));
            assertThat(intended).as("%d ns later", later).containsExactly(endAt);
            assertThat(taken.oldestAt()).isEqualTo(endAt);
        }
    }

    private List<Long> ages(long nowMillis) {
        List<Long> ages = new ArrayList<>();
        open.ages((7 + nowMillis) * MS, nanos -> ages.add(nanos / MS));
        return ages;
    }

    @Test
    void ages_are_known_to_a_tenth_of_a_second_and_never_too_high() throws InterruptedException {
        open.arrived(6 * MS); // just before the start
        open.arrived(7 * MS);
        open.arrived(106 * MS);
        open.arrived(107 * MS);
        assertThat(ages(1_000)).containsExactly(800L, 900L, 900L, 1_000L);
        assertThat(ages(150)).containsExactly(0L, 50L, 50L, 150L);
        open.ended(907 * MS);
        open.ended(907 * MS);
        assertThat(ages(1_000)).as("who ended with another time").containsExactly(800L, 900L);
        open.arrived(907 * MS);
        open.arrived(907 * MS);
        Thread other = new Thread(() -> open.ended(106 * MS));
        other.start();
        other.join();
        assertThat(ages(1_000)).containsExactly(800L, 900L, 1_000L);
        assertThat(ages(95_950))
                .as("of 1,024 tenths the first is the last again")
                .containsExactly(0L, 95_750L, 95_850L);
        assertThat(ages(102_350)).as("older than 96 s").containsExactly(0L, 0L, 0L);
        assertThat(ages(103_000)).as("older than 102.4 s").containsExactly(400L, 500L, 600L);
    }
}
