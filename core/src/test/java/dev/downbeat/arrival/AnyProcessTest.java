package dev.downbeat.arrival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import dev.downbeat.testing.Replications;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every arrival process. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AnyProcessTest {
    private static final int LIMIT = 3_000;

    static LongStream seeds() {
        return LongStream.range(0, Replications.of(50, 10));
    }

    static List<ArrivalProcess> processes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Rate rate = rate(random);
        Rate other = random.nextBoolean() ? rate(random) : Rate.perSecond(0);
        long aWhile = Math.max(1, 1_000 * rate.periodNanos() / rate.count());
        List<ArrivalProcess> processes = new ArrayList<>(List.of(
                new Constant(rate),
                new Poisson(rate, random.nextLong()),
                new Ramp(rate, other, aWhile, new Spacing.Even()),
                new Ramp(other, rate, aWhile, new Spacing.Even()),
                new Ramp(rate, other, aWhile, new Spacing.Poisson(random.nextLong())),
                Replay.of(random.longs(2_000, 0, 5_000).toArray())));
        List<Step> steps =
                processes.stream().map(process -> new Step(process, aWhile)).toList();
        List<Step> nested = List.of(
                new Step(new Constant(Rate.perSecond(0)), 1 + random.nextLong(aWhile)),
                new Step(new Steps(steps.subList(0, 3)), aWhile * 2 + random.nextLong(aWhile)),
                new Step(new Poisson(rate, random.nextLong()), Step.ENDLESS));
        processes.add(new Steps(steps));
        processes.add(new Steps(nested));
        return processes;
    }

    private static Rate rate(SplittableRandom random) {
        long periodNanos = 1_000 + random.nextLong(10_000_000_000L);
        return new Rate(1 + random.nextLong(Math.min(1_000_000, periodNanos / 10)), periodNanos);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void times_never_go_back_and_are_numbered_from_0(long seed) {
        for (ArrivalProcess process : processes(seed)) {
            IntendedTimes times = process.times();
            assertThat(times.index()).isEqualTo(-1);
            List<Long> offsets = new ArrayList<>();
            List<Long> indexes = new ArrayList<>();
            for (long nanos = times.nextNanos();
                    nanos != IntendedTimes.END && offsets.size() < LIMIT;
                    nanos = times.nextNanos()) {
                offsets.add(nanos);
                indexes.add(times.index());
            }
            String name = process.describe();
            assertThat(offsets).as(name).isSorted().hasSizeGreaterThan(100);
            assertThat(offsets.get(0)).as(name).isNotNegative();
            assertThat(indexes)
                    .as(name)
                    .isEqualTo(LongStream.range(0, offsets.size()).boxed().toList());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void the_same_value_has_the_same_times(long seed) {
        List<ArrivalProcess> again = processes(seed);
        List<ArrivalProcess> processes = processes(seed);
        assertThat(processes).isEqualTo(again);
        for (int i = 0; i < processes.size(); i++) {
            assertThat(whole(processes.get(i))).isEqualTo(whole(again.get(i)));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void all_shares_together_are_the_whole_whatever_their_number(long seed) {
        for (ArrivalProcess process : processes(seed)) {
            long[] whole = whole(process);
            for (int shares = 1; shares <= 7; shares++) {
                long[] union = new long[whole.length];
                Arrays.fill(union, -1);
                for (int share = 0; share < shares; share++) {
                    collect(process.times(share, shares), share, shares, union);
                }
                assertThat(union)
                        .as("%s in %s shares", process.describe(), shares)
                        .isEqualTo(whole);
            }
        }
    }

    private static void collect(IntendedTimes times, int share, int shares, long[] union) {
        for (long nanos = times.nextNanos(); nanos != IntendedTimes.END; nanos = times.nextNanos()) {
            if (times.index() >= union.length) {
                return;
            }
            int index = (int) times.index();
            if (union[index] != -1 || times.owner(shares) != share) {
                fail("index %d belongs to one share, but %d of %d has it as well", index, share, shares);
            }
            union[index] = nanos;
        }
        assertThat(times.nextNanos()).isEqualTo(IntendedTimes.END);
    }

    private static long[] whole(ArrivalProcess process) {
        IntendedTimes times = process.times();
        return LongStream.generate(times::nextNanos)
                .limit(LIMIT)
                .takeWhile(nanos -> nanos != IntendedTimes.END)
                .toArray();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void a_time_costs_no_memory(long seed) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (ArrivalProcess process : processes(seed)) {
            IntendedTimes times = process.times(0, 2);
            times.nextNanos();
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < LIMIT; i++) {
                times.nextNanos();
            }
            long bytes = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(bytes).as(process.describe()).isLessThan(LIMIT);
        }
    }
}
