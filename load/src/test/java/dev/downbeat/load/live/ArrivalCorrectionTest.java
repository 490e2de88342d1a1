package dev.downbeat.load.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Distribution;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A service on a virtual clock whose process is paused: what its own stamps say, and what its callers waited. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ArrivalCorrectionTest {
    private static final long MILLI = 1_000_000;
    private static final long PERIOD = 5_000 * MILLI;
    private static final long STALL = 200 * MILLI;
    private static final long SERVICE = 2 * MILLI;

    /** From the edge of the process on: the kernel takes requests in also while the process is paused. */
    private static final class Service {
        final Histogram truth = Distribution.newHistogram();
        final Histogram stamped = Distribution.newHistogram();
        final Histogram corrected = Distribution.newHistogram();
        private final ArrivalCorrection standstills;
        private long wokeAt;

        Service(double perNano) {
            standstills = new ArrivalCorrection(0);
            standstills.rate(perNano);
        }

        /** The process runs but in the last part of each period. */
        private static boolean stands(long at) {
            return at % PERIOD >= PERIOD - STALL;
        }

        private static long runsAgainAt(long at) {
            return stands(at) ? (at / PERIOD + 1) * PERIOD : at;
        }

        private void watchUntil(long at) {
            for (; wokeAt + MILLI <= at; wokeAt = runsAgainAt(wokeAt + MILLI)) {
                standstills.alive(wokeAt);
            }
        }

        void request(long arrivedAt, long readNanos) {
            long noticedAt = runsAgainAt(arrivedAt) + readNanos;
            watchUntil(noticedAt);
            long doneAt = runsAgainAt(noticedAt + SERVICE);
            truth.recordValue(doneAt - arrivedAt);
            stamped.recordValue(doneAt - noticedAt);
            corrected.recordValue(doneAt - standstills.arrivedAt(noticedAt));
        }
    }

    static IntStream seeds() {
        return IntStream.range(0, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void arrivals_during_a_pause_are_placed_within_it(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double perNano = 1_000 / 1e9;
        Service service = new Service(perNano);
        long arrivedAt = 0;
        long readNanos = 0;
        for (int i = 0; i < 60_000; i++) {
            arrivedAt += (long) (-Math.log(1 - random.nextDouble()) / perNano);
            readNanos = Service.stands(arrivedAt) ? readNanos + 20_000 : 0; // they are read one after the other
            service.request(arrivedAt, readNanos);
        }
        long truth = service.truth.getValueAtPercentile(99);
        assertThat(truth).isGreaterThan(STALL / 2);
        assertThat(service.corrected.getValueAtPercentile(99)).isCloseTo(truth, Percentage.withPercentage(10));
        assertThat(service.corrected.getMaxValue()).isCloseTo(STALL, Percentage.withPercentage(15));
        assertThat(service.stamped.getValueAtPercentile(99)).isLessThan(STALL / 10);
        assertThat(service.corrected.getMean()).isCloseTo(service.truth.getMean(), Percentage.withPercentage(10));
    }

    @Test
    void callers_who_wait_for_their_answers_did_not_call_meanwhile_and_are_left_as_they_are() {
        double perNano = 100 / 1e9;
        Service service = new Service(perNano);
        long at = 0;
        int stands = 0;
        for (int i = 0; i < 6_000; i++) {
            at += (long) (1 / perNano);
            stands += Service.stands(at) ? 1 : 0;
            at = Service.runsAgainAt(at); // a caller who was answered late asks late
            service.request(at, 0);
        }
        assertThat(stands).isPositive();
        assertThat(service.corrected.getCountBetweenValues(20 * MILLI, 10 * STALL))
                .isLessThanOrEqualTo(2L * stands);
    }

    /** Beside other programs the process runs again in slices, and its first reading waits for one. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void a_resumed_process_on_a_busy_machine_reads_its_backlog_in_slices(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double perNano = 200 / 1e9;
        long stoodFrom = 10_000 * MILLI;
        long stoodUntil = 13_000 * MILLI;
        ArrivalCorrection standstills = new ArrivalCorrection(0);
        standstills.rate(perNano);
        List<Long> slices = slices(random, stoodFrom, stoodUntil); // beginnings, of 4 ms each
        Histogram truth = Distribution.newHistogram();
        Histogram corrected = Distribution.newHistogram();
        long arrivedAt = 0;
        long readAt = 0;
        int slice = 0;
        while (arrivedAt < 20_000 * MILLI) {
            arrivedAt += (long) (-Math.log(1 - random.nextDouble()) / perNano);
            readAt = Math.max(arrivedAt, readAt) + 500_000;
            for (; slice < slices.size() && slices.get(slice) + 4 * MILLI < readAt; slice++) {
                standstills.alive(slices.get(slice));
            }
            readAt = slice < slices.size() ? Math.max(readAt, slices.get(slice) + 100_000) : readAt;
            truth.recordValue(readAt - arrivedAt);
            corrected.recordValue(Math.max(0, readAt - standstills.arrivedAt(readAt)));
        }
        assertThat(truth.getValueAtPercentile(99)).isGreaterThan(2_000 * MILLI);
        assertThat(corrected.getValueAtPercentile(99))
                .isCloseTo(truth.getValueAtPercentile(99), Percentage.withPercentage(10));
        assertThat(corrected.getValueAtPercentile(95))
                .isCloseTo(truth.getValueAtPercentile(95), Percentage.withPercentage(10));
        assertThat(standstills.takeCount()).isBetween(1L, 2L);
    }

    /** Each four milliseconds while nobody else is there; after the standstill with 5 to 25 ms between them. */
    private static List<Long> slices(SplittableRandom random, long stoodFrom, long stoodUntil) {
        List<Long> slices = new ArrayList<>();
        long at = 0;
        while (at < 25_000 * MILLI) {
            slices.add(at);
            boolean busy = at >= stoodUntil && at < stoodUntil + 2_000 * MILLI;
            at += busy ? 5 * MILLI + random.nextLong(20 * MILLI) : 4 * MILLI;
            at = at >= stoodFrom && at < stoodUntil ? stoodUntil + 20 * MILLI : at;
        }
        return slices;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void ticks_that_are_merely_late_on_a_busy_machine_keep_no_standstill_open(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double perNano = 100 / 1e9;
        ArrivalCorrection standstills = new ArrivalCorrection(0);
        standstills.rate(perNano);
        long tickAt = 0;
        Histogram corrected = Distribution.newHistogram();
        for (long at = 10 * MILLI; at < 60_000 * MILLI; at += 10 * MILLI) {
            boolean stands = at > 5_000 * MILLI && at < 8_000 * MILLI; // its callers wait for their answers
            for (; tickAt < at; tickAt += MILLI + random.nextLong(30 * MILLI)) {
                if (tickAt <= 5_000 * MILLI || tickAt >= 8_000 * MILLI) {
                    standstills.alive(tickAt);
                }
            }
            if (!stands) {
                corrected.recordValue(at - standstills.arrivedAt(at));
            }
        }
        assertThat(corrected.getCountBetweenValues(100 * MILLI, 10_000 * MILLI)).isLessThan(30);
        assertThat(corrected.getValueAtPercentile(99)).isLessThan(20 * MILLI);
    }

    @Test
    void without_a_standstill_a_request_came_when_it_was_noticed() {
        ArrivalCorrection standstills = new ArrivalCorrection(0);
        standstills.rate(1e-5);
        for (long at = 0; at < 100 * MILLI; at += MILLI) {
            standstills.alive(at);
            assertThat(standstills.arrivedAt(at + 500_000)).isEqualTo(at + 500_000);
        }
        assertThat(standstills.takeCount()).isZero();
    }

    /** The watching thread looks at the clock, loses its processor, and tells 60 ms later of the time that it saw. */
    @Test
    void an_old_sign_of_life_makes_no_standstill_of_a_time_in_which_requests_were_read() {
        ArrivalCorrection standstills = new ArrivalCorrection(0);
        standstills.rate(1e-6); // one each millisecond
        for (long at = MILLI; at < 65 * MILLI; at += MILLI) {
            standstills.arrivedAt(at);
        }
        standstills.takeLongestNanos();
        standstills.alive(5 * MILLI);
        assertThat(standstills.arrivedAt(65 * MILLI)).isEqualTo(65 * MILLI);
        assertThat(standstills.takeLongestNanos()).isZero();
    }

    @Test
    void requests_show_that_the_process_runs_where_only_the_watching_thread_is_starved() {
        ArrivalCorrection standstills = new ArrivalCorrection(0);
        standstills.rate(1e-6); // one each millisecond
        standstills.alive(0);
        long correctedNanos = 0;
        for (long at = MILLI; at < 500 * MILLI; at += MILLI) {
            correctedNanos += at - standstills.arrivedAt(at);
        }
        // each 10 ms it is looked, and the next request shows that nothing was held up
        assertThat(correctedNanos).isLessThan(2 * 500 * MILLI);
    }

    @Test
    void what_was_noticed_before_it_and_brought_after_it_is_left_as_it_is() {
        ArrivalCorrection standstills = new ArrivalCorrection(0);
        standstills.rate(1e-6);
        LongStream.rangeClosed(0, 100).forEach(milli -> standstills.alive(milli * MILLI));
        assertThat(standstills.arrivedAt(3_100 * MILLI)).isBetween(100 * MILLI, 101 * MILLI);
        assertThat(standstills.arrivedAt(99 * MILLI)).isEqualTo(99 * MILLI);
        assertThat(standstills.arrivedAt(101 * MILLI)).isLessThanOrEqualTo(101 * MILLI);
        assertThat(standstills.arrivedAt(3_100 * MILLI)).isBetween(101 * MILLI, 103 * MILLI);
    }

    @Test
    void a_pause_is_counted_once_whichever_check_finds_it() {
        ArrivalCorrection standstills = new ArrivalCorrection(0);
        standstills.rate(1e-6);
        assertThat(standstills.arrivedAt(150 * MILLI)).isLessThan(MILLI);
        standstills.alive(150 * MILLI + 1000);
        assertThat(standstills.arrivedAt(150 * MILLI + 2000)).isBetween(MILLI, 2 * MILLI);
        assertThat(standstills.takeCount()).isOne();
        assertThat(standstills.takeLongestNanos()).isEqualTo(150 * MILLI);
        assertThat(standstills.takeCorrected()).isEqualTo(2);
        assertThat(standstills.takeCount()).isZero();
    }
}
