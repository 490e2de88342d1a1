package dev.downbeat.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.load.ArrivalLaw;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.time.ManualClock;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IntendedStartTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final ManualClock clock = new ManualClock(Long.MAX_VALUE - SECOND / 2); // wraps during the test
    private final PacedSchedule schedule = new PacedSchedule(clock);

    private IntendedStart join() {
        IntendedStart beat = new IntendedStart(clock, clock);
        beat.join(schedule);
        return beat;
    }

    private void operation(IntendedStart beat, long nanos) throws InterruptedException {
        operation(beat, clock, nanos);
    }

    @Test
    void operations_that_keep_up_wait_for_nothing() throws InterruptedException {
        IntendedStart beat = join();
        schedule.begin();
        beat.begin();
        for (int i = 0; i < 1000; i++) {
            operation(beat, MILLI / 10);
        }
        Recording recording = beat.drain(clock.nanoTime());
        assertThat(recording.ledger().planned()).isEqualTo(1000);
        assertThat(recording.ledger().addsUp()).isTrue();
        assertThat(recording.response()).isEqualTo(recording.service());
        assertThat(recording.backlogWait().maxNanos()).isZero();
        assertThat(recording.lateness().maxNanos()).isZero();
    }

    /** Stall D at rate R, then catching up at rate C: p-th percentile is D - (1 - p) N (1/R - 1/C), as of a frozen server. */
    @Test
    void a_stall_matches_theory_in_response_times_and_appears_once_in_service_times() throws InterruptedException {
        IntendedStart beat = join();
        schedule.begin();
        beat.begin();
        int count = 4000;
        long stall = 300 * MILLI;
        for (int i = 0; i < count; i++) {
            operation(beat, i == 1000 ? stall : MILLI / 10);
        }
        Recording recording = beat.drain(clock.nanoTime());
        assertThat(recording.service().countAbove(MILLI)).isEqualTo(1);
        for (double percentile : new double[] {95, 98, 99, 99.9}) {
            double above = (1 - percentile / 100) * count;
            double expected = stall - above * (MILLI - MILLI / 10.0);
            assertThat((double) recording.response().valueAtPercentile(percentile))
                    .isCloseTo(expected, within(expected * 0.01 + MILLI));
        }
        assertThat(recording.lateness().maxNanos())
                .as("the wait for the thread is no lateness")
                .isZero();
    }

    @Test
    void a_late_waking_is_lateness_and_not_backlog() throws InterruptedException {
        IntendedStart beat = new IntendedStart(clock, at -> {
            clock.moveTo(at + MILLI / 5);
            return clock.nanoTime();
        });
        beat.join(schedule);
        schedule.begin();
        beat.begin();
        for (int i = 0; i < 10; i++) {
            operation(beat, MILLI / 10);
        }
        Recording recording = beat.drain(clock.nanoTime());
        assertThat(recording.lateness().minNanos()).isCloseTo(MILLI / 5, within(MILLI / 1000));
        assertThat(recording.backlogWait().maxNanos()).isZero();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25})
    void every_planned_operation_of_every_thread_has_one_fate(int seed) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        schedule.rate = random.nextLong(1, 3000) + "/s";
        schedule.arrivals = random.nextBoolean() ? ArrivalLaw.POISSON : ArrivalLaw.CONSTANT;
        int threads = random.nextInt(1, 5);
        ManualClock[] clocks = new ManualClock[threads];
        IntendedStart[] beats = new IntendedStart[threads];
        for (int i = 0; i < threads; i++) {
            clocks[i] = new ManualClock(clock.nanoTime()); // threads run at the same time
            beats[i] = new IntendedStart(clocks[i], clocks[i]);
            beats[i].join(schedule);
        }
        for (int iteration = 0; iteration < 2; iteration++) {
            schedule.begin();
            long planned = 0;
            long endAt = schedule.startAt() + SECOND;
            Recording all = Recording.empty();
            for (int i = 0; i < threads; i++) {
                beats[i].begin();
                while (clocks[i].nanoTime() - endAt < 0) {
                    operation(beats[i], clocks[i], random.nextLong(20_000, 20 * MILLI));
                }
                clocks[i].advanceNanos(random.nextLong(SECOND)); // it waits for the slowest thread
                Recording recording = beats[i].drain(clocks[i].nanoTime());
                planned += recording.ledger().planned();
                assertThat(recording.ledger().addsUp()).isTrue();
                assertThat(recording.response().plus(recording.censored()).count())
                        .isEqualTo(recording.ledger().planned());
                all = all.plus(recording);
            }
            assertThat(all.ledger().planned()).isEqualTo(planned);
            assertThat(all.ledger().addsUp()).isTrue();
            clock.moveTo(endAt + 2 * SECOND);
            for (ManualClock own : clocks) {
                own.moveTo(clock.nanoTime());
            }
        }
    }

    private static void operation(IntendedStart beat, ManualClock own, long nanos) throws InterruptedException {
        beat.await();
        own.advanceNanos(nanos);
        beat.end();
    }

    /** The set-up of a benchmark's other states runs between begin and the first operation. */
    @Test
    void a_long_set_up_delays_the_schedule_and_no_operation() throws InterruptedException {
        IntendedStart beat = join();
        schedule.begin();
        beat.begin();
        clock.advanceNanos(SECOND);
        operation(beat, MILLI / 10);
        Recording recording = beat.drain(clock.nanoTime());
        assertThat(recording.ledger().planned()).isEqualTo(1);
        assertThat(recording.response().maxNanos()).isCloseTo(MILLI / 10, within(MILLI / 1000));
    }

    @Test
    void a_thread_that_is_set_up_later_takes_only_what_is_due_from_then_on() throws InterruptedException {
        IntendedStart first = join();
        IntendedStart second = join();
        schedule.begin();
        first.begin();
        second.begin();
        for (int i = 0; i < 500; i++) {
            operation(first, MILLI / 10);
        }
        for (int i = 0; i < 500; i++) {
            operation(second, MILLI / 10);
        }
        Recording late = second.drain(clock.nanoTime());
        assertThat(late.ledger().planned()).isEqualTo(500);
        assertThat(late.response().maxNanos()).isCloseTo(MILLI / 10, within(MILLI / 1000));
    }

    /** JMH publishes when the slowest thread has ended; this one was free, and was asked for nothing more. */
    @Test
    void a_thread_that_waits_for_the_end_of_others_missed_nothing() throws InterruptedException {
        IntendedStart beat = join();
        schedule.begin();
        beat.begin();
        for (int i = 0; i < 100; i++) {
            operation(beat, MILLI / 10);
        }
        clock.advanceNanos(SECOND);
        Recording recording = beat.ended();
        assertThat(recording.ledger().planned()).isEqualTo(100);
        assertThat(recording.censored().count()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CONSTANT", "POISSON"})
    void threads_share_one_schedule_each_operation_once(ArrivalLaw arrivals) throws InterruptedException {
        schedule.arrivals = arrivals;
        IntendedStart[] beats = {join(), join(), join()};
        schedule.begin();
        long planned = 0;
        for (IntendedStart beat : beats) {
            beat.begin();
            planned += beat.drain(schedule.startAt() + SECOND).ledger().planned();
        }
        IntendedStart alone = new IntendedStart(clock, clock);
        PacedSchedule same = new PacedSchedule(clock);
        same.arrivals = arrivals;
        alone.join(same);
        same.begin();
        alone.begin();
        assertThat(planned)
                .isEqualTo(alone.drain(same.startAt() + SECOND).ledger().planned());
    }

    @Test
    void operations_shorter_than_the_pacing_can_bear_are_refused() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        Exchange exchange = new Exchange(0);
        exchange.begin(0, 0, 0);
        exchange.completedAt = 5_000;
        recorder.completed(exchange);
        Recording recording = recorder.drain();
        assertThatIllegalStateException()
                .isThrownBy(() -> IntendedStart.requireLongEnough(recording))
                .withMessageContaining("must take at least 10 us, but the median was 5.00 us");
        exchange.completedAt = 15_000;
        recorder.completed(exchange);
        IntendedStart.requireLongEnough(recorder.drain());
    }

    @Test
    void a_wait_that_ends_too_early_was_interrupted_by_JMH() throws InterruptedException {
        IntendedStart beat = new IntendedStart(clock, at -> at - 1);
        beat.join(schedule);
        schedule.begin();
        beat.begin();
        assertThatThrownBy(beat::await)
                .isInstanceOf(InterruptedException.class)
                .hasMessage("interrupted while waiting for the intended time of an operation");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"120k/m", "2k/s", "2000"})
    void a_rate_is_written_as_everywhere_else_or_as_a_number(String rate) {
        schedule.rate = rate;
        schedule.check();
        join();
        schedule.begin();
        IntendedTimes times = schedule.times(0);
        long firstNanos = times.nextNanos();
        assertThat(times.nextNanos() - firstNanos).isEqualTo(MILLI / 2);
    }

    @Test
    void a_rate_of_nothing_and_a_ramp_are_refused() {
        schedule.rate = "0";
        assertThatIllegalArgumentException()
                .isThrownBy(schedule::check)
                .withMessage("rate must be above 0, but was '0'");
        schedule.rate = "100..200/s";
        assertThatIllegalArgumentException()
                .isThrownBy(schedule::check)
                .withMessageStartingWith("'100..200/s' is not a rate such as ");
    }
}
