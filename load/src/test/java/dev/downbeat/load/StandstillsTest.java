package dev.downbeat.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Distribution;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A service on a virtual clock whose process is paused: what its own stamps say, and what its callers waited. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StandstillsTest {
    private static final long MILLI = 1_000_000;
    private static final long PERIOD = 5_000 * MILLI;
    private static final long STALL = 200 * MILLI;
    private static final long SERVICE = 2 * MILLI;

    /** From the edge of the process on: the kernel takes requests in also while the process is paused. */
    private static final class Service {
        final Histogram truth = Distribution.newHistogram();
        final Histogram stamped = Distribution.newHistogram();
        final Histogram corrected = Distribution.newHistogram();
        private final Standstills standstills;
        private long wokeAt;

        Service(double perNano) {
            standstills = new Standstills(0);
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

        void request(long cameAt, long readNanos) {
            long noticedAt = runsAgainAt(cameAt) + readNanos;
            watchUntil(noticedAt);
            long doneAt = runsAgainAt(noticedAt + SERVICE);
            truth.recordValue(doneAt - cameAt);
            stamped.recordValue(doneAt - noticedAt);
            corrected.recordValue(doneAt - standstills.cameAt(noticedAt));
        }
    }

    static IntStream seeds() {
        return IntStream.range(0, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void what_came_during_a_standstill_is_given_its_time_within_it(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double perNano = 1_000 / 1e9;
        Service service = new Service(perNano);
        long cameAt = 0;
        long readNanos = 0;
        for (int i = 0; i < 60_000; i++) {
            cameAt += (long) (-Math.log(1 - random.nextDouble()) / perNano);
            readNanos = Service.stands(cameAt) ? readNanos + 20_000 : 0; // they are read one after the other
            service.request(cameAt, readNanos);
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

    @Test
    void without_a_standstill_a_request_came_when_it_was_noticed() {
        Standstills standstills = new Standstills(0);
        standstills.rate(1e-5);
        for (long at = 0; at < 100 * MILLI; at += MILLI) {
            standstills.alive(at);
            assertThat(standstills.cameAt(at + 500_000)).isEqualTo(at + 500_000);
        }
        assertThat(standstills.takeCount()).isZero();
    }

    @Test
    void requests_show_that_the_process_runs_where_only_the_watching_thread_is_starved() {
        Standstills standstills = new Standstills(0);
        standstills.rate(1e-6); // one each millisecond
        standstills.alive(0);
        long correctedNanos = 0;
        for (long at = MILLI; at < 500 * MILLI; at += MILLI) {
            correctedNanos += at - standstills.cameAt(at);
        }
        // each 10 ms it is looked, and the next request shows that nothing was held up
        assertThat(correctedNanos).isLessThan(2 * 500 * MILLI);
    }

    @Test
    void a_standstill_is_counted_once_whoever_finds_it() {
        Standstills standstills = new Standstills(0);
        standstills.rate(1e-6);
        assertThat(standstills.cameAt(150 * MILLI)).isLessThan(MILLI);
        standstills.alive(150 * MILLI + 1000);
        assertThat(standstills.cameAt(150 * MILLI + 2000)).isBetween(MILLI, 2 * MILLI);
        assertThat(standstills.takeCount()).isOne();
        assertThat(standstills.takeLongestNanos()).isEqualTo(150 * MILLI);
        assertThat(standstills.takeCorrected()).isEqualTo(2);
        assertThat(standstills.takeCount()).isZero();
    }
}
