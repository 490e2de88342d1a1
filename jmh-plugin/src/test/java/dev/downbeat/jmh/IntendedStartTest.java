package dev.downbeat.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

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
    private final Tempo tempo = new Tempo(clock);

    private IntendedStart join() {
        IntendedStart beat = new IntendedStart(clock, clock);
        beat.join(tempo);
        return beat;
    }

    private void operation(IntendedStart beat, long nanos) throws InterruptedException {
        beat.await();
        clock.advanceNanos(nanos);
        beat.end();
    }

    @Test
    void operations_that_keep_up_wait_for_nothing() throws InterruptedException {
        IntendedStart beat = join();
        tempo.begin();
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
        tempo.begin();
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
        beat.join(tempo);
        tempo.begin();
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
        tempo.rate = random.nextLong(1, 3000);
        tempo.arrivals = random.nextBoolean() ? ArrivalLaw.POISSON : ArrivalLaw.CONSTANT;
        int threads = random.nextInt(1, 5);
        IntendedStart[] beats = new IntendedStart[threads];
        for (int i = 0; i < threads; i++) {
            beats[i] = join();
        }
        for (int iteration = 0; iteration < 2; iteration++) {
            tempo.begin();
            long planned = 0;
            long endAt = tempo.startAt() + SECOND;
            Recording all = Recording.empty();
            for (IntendedStart beat :
                    beats) { // one after another, so the later ones begin behind: the ledger must bear it
                Recording recording = iterate(beat, endAt, random);
                planned += recording.ledger().planned();
                assertThat(recording.ledger().addsUp()).isTrue();
                assertThat(recording.response().plus(recording.censored()).count())
                        .isEqualTo(recording.ledger().planned());
                all = all.plus(recording);
            }
            assertThat(all.ledger().planned()).isEqualTo(planned);
            assertThat(all.ledger().addsUp()).isTrue();
        }
    }

    private Recording iterate(IntendedStart joined, long endAt, SplittableRandom random) throws InterruptedException {
        joined.begin();
        while (clock.nanoTime() - endAt < 0) {
            operation(joined, random.nextLong(20_000, 20 * MILLI));
        }
        return joined.drain(clock.nanoTime());
    }

    @ParameterizedTest
    @ValueSource(strings = {"CONSTANT", "POISSON"})
    void threads_share_one_schedule_each_operation_once(ArrivalLaw arrivals) throws InterruptedException {
        tempo.arrivals = arrivals;
        IntendedStart[] beats = {join(), join(), join()};
        tempo.begin();
        long planned = 0;
        for (IntendedStart beat : beats) {
            beat.begin();
            planned += beat.drain(tempo.startAt() + SECOND).ledger().planned();
        }
        IntendedStart alone = new IntendedStart(clock, clock);
        Tempo same = new Tempo(clock);
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
        beat.join(tempo);
        tempo.begin();
        beat.begin();
        assertThatThrownBy(beat::await)
                .isInstanceOf(InterruptedException.class)
                .hasMessage("interrupted while waiting for the intended time of an operation");
    }

    @Test
    void a_rate_of_nothing_is_refused() {
        tempo.rate = 0;
        assertThatIllegalArgumentException().isThrownBy(tempo::check).withMessage("rate must be at least 1, but was 0");
    }
}
