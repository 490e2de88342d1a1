package dev.downbeat.run.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.record.Interval;
import dev.downbeat.record.IntervalTimeline;
import dev.downbeat.record.ProcessDelays;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.run.Progress;
import dev.downbeat.run.engine.Intervals.IntervalHandover;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IntervalsTest {
    private static final long SECOND = 1_000_000_000;

    /** Each second one more connection was opened, and as many are open as seconds have passed. */
    private static Intervals ofSeconds(int seconds) {
        CorrectedRecorder recorder = new CorrectedRecorder();
        BlockingQueue<IntervalHandover.Closed> closed = new LinkedBlockingQueue<>();
        for (int i = 1; i <= seconds; i++) {
            ConnectionCounts counts = new ConnectionCounts(i, 0, 0, 0, 0, 0, i, 0);
            closed.add(new IntervalHandover.Closed(
                    0, i * SECOND, i == seconds, counts, ProcessDelays.NONE, recorder, new AtomicReference<>()));
        }
        Intervals intervals = new Intervals(1, SECOND, Progress.none());
        intervals.collect(closed, true, () -> {}, () -> {});
        return intervals;
    }

    @Test
    void a_run_of_hours_keeps_a_bounded_number_of_intervals_and_loses_nothing() {
        int seconds = 10 * IntervalTimeline.MOST + 7;
        List<Interval> all = ofSeconds(seconds).all();

        assertThat(all.size()).isBetween(IntervalTimeline.MOST / 2, IntervalTimeline.MOST);
        long sinceNanos = 0;
        long opened = 0;
        for (Interval interval : all) {
            assertThat(interval.startNanos()).isEqualTo(sinceNanos);
            sinceNanos = interval.endNanos();
            opened += interval.connections().opened();
            assertThat(opened).isEqualTo(sinceNanos / SECOND);
            assertThat(interval.connections().openAtEnd()).isEqualTo(opened);
        }
        assertThat(sinceNanos).isEqualTo(seconds * SECOND);
        assertThat(all.get(0).lengthNanos()).isGreaterThan(4 * SECOND);
        assertThat(all.get(all.size() - 1).lengthNanos()).isLessThan(3 * SECOND);
    }

    private static IntervalHandover.Closed part(int generator, long seconds, boolean last, int opened) {
        CorrectedRecorder recorder = new CorrectedRecorder();
        recorder.planned(opened);
        return new IntervalHandover.Closed(
                generator,
                seconds * SECOND,
                last,
                new ConnectionCounts(opened, 0, 0, 0, 0, 0, opened, 0),
                new ProcessDelays(opened, 0, 0, 0, 0, 0),
                recorder,
                new AtomicReference<>());
    }

    @Test
    void an_interval_ends_when_every_generator_has_passed_its_end() {
        List<Interval> reported = new ArrayList<>();
        Intervals intervals = new Intervals(2, SECOND, reported::add);
        intervals.collect(
                new LinkedBlockingQueue<>(List.of(
                        part(0, 1, false, 1),
                        part(0, 2, false, 2),
                        part(1, 1, false, 10),
                        part(1, 2, true, 30),
                        part(0, 3, true, 5))),
                true,
                () -> {},
                () -> {});
        assertThat(reported).isEqualTo(intervals.all());
        assertThat(reported).extracting(Interval::startNanos).containsExactly(0L, SECOND, 2 * SECOND);
        assertThat(reported).extracting(Interval::endNanos).containsExactly(SECOND, 2 * SECOND, 3 * SECOND);
        assertThat(reported)
                .extracting(interval -> interval.recording().ledger().planned())
                .containsExactly(13L, 30L, 5L);
        assertThat(reported)
                .extracting(interval -> interval.connections().opened())
                .containsExactly(12L, 20L, 3L);
        assertThat(reported)
                .extracting(interval -> interval.connections().openAtEnd())
                .containsExactly(12L, 32L, 35L);
        assertThat(reported)
                .extracting(interval -> interval.strain().runDelayNanos())
                .containsExactly(10L, 30L, 5L);
        assertThat(intervals.total().ledger().planned()).isEqualTo(48);
    }

    /** Such as a generator's thread that ended for lack of memory. */
    @ParameterizedTest(name = "in virtual time: {0}")
    @ValueSource(booleans = {true, false})
    @Timeout(20)
    void a_last_interval_that_does_not_come_is_asked_for(boolean patient) {
        BlockingQueue<IntervalHandover.Closed> closed = new LinkedBlockingQueue<>(List.of(part(0, 1, false, 1)));
        IntervalHandover handover = new IntervalHandover(1, List.of(), closed, true);
        handover.active().planned(4);
        Intervals intervals = new Intervals(2, SECOND, Progress.none());
        intervals.collect(closed, patient, () -> {}, () -> {
            if (!handover.isOver()) {
                closed.add(part(0, 2, true, 2));
                handover.flip(SECOND, true, ConnectionCounts.NONE, ProcessDelays.NONE);
            }
        });
        assertThat(intervals.total().ledger().planned()).isEqualTo(7);
        assertThat(intervals.all())
                .last()
                .satisfies(last -> assertThat(last.endNanos()).isEqualTo(2 * SECOND));
    }

    @Test
    void delays_of_a_generator_that_is_ahead_add_up() {
        Intervals intervals = new Intervals(2, SECOND, Progress.none());
        intervals.collect(
                new LinkedBlockingQueue<>(List.of(
                        part(0, 1, false, 4),
                        part(0, 2, false, 5),
                        part(0, 3, false, 6),
                        part(1, 1, false, 10),
                        part(1, 3, true, 1),
                        part(0, 4, true, 2))),
                true,
                () -> {},
                () -> {});
        assertThat(intervals.all())
                .extracting(interval -> interval.strain().runDelayNanos())
                .containsExactly(15L, 1L, 2L);
    }

    @Test
    void an_interval_goes_on_with_its_delays_until_its_recorder_is_back() {
        BlockingQueue<IntervalHandover.Closed> closed = new LinkedBlockingQueue<>();
        IntervalHandover handover = new IntervalHandover(0, List.of(), closed, false);
        CorrectedRecorder first = handover.active();
        ProcessDelays delays = new ProcessDelays(1, 0, 0, 0, 0, 0);
        assertThat(handover.flip(1, false, ConnectionCounts.NONE, delays)).isTrue();
        CorrectedRecorder second = handover.active();
        assertThat(second).isNotSameAs(first);
        assertThat(handover.flip(2, false, ConnectionCounts.NONE, delays)).isFalse();
        assertThat(handover.active()).isSameAs(second);
        assertThat(closed).hasSize(1);
        assertThat(closed.remove().read().ledger().planned()).isZero();
        assertThat(handover.flip(3, false, ConnectionCounts.NONE, delays)).isTrue();
        assertThat(handover.active()).isSameAs(first);
        assertThat(closed.remove().strain()).isEqualTo(delays.then(delays));
        assertThat(handover.flip(4, true, ConnectionCounts.NONE, delays))
                .as("the last")
                .isTrue();
        assertThat(closed.remove().strain()).isEqualTo(delays);
    }

    @Test
    void a_short_run_keeps_every_second() {
        assertThat(ofSeconds(IntervalTimeline.MOST).all())
                .hasSize(IntervalTimeline.MOST)
                .allSatisfy(interval -> assertThat(interval.lengthNanos()).isEqualTo(SECOND));
    }
}
