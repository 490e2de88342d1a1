package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * By how much each percentile differs between two systems, and whether that can be told from chance.
 *
 * <p>Not the requests are drawn again but stretches of time, and whole runs before them: requests that waited in the same
 * queue, or in the same run, are alike. Tests that take requests for independent find a difference between a system and
 * itself in most cases. The differences of the percentiles are the shift function (Doksum: Empirical probability plots and
 * statistical inference for nonlinear models in the two-sample case, Ann. Stat. 2, 1974), runs before intervals is the
 * way of Kalibera and Jones (Rigorous benchmarking in reasonable time, ISMM 2013), and the answers over all percentiles
 * are kept together by Holm's method (A simple sequentially rejective multiple test procedure, Scand. J. Stat. 6, 1979).
 */
public final class ShiftFunction {
    /** The probability to tell any two identical systems apart. */
    private static final double ERROR = 0.05;

    private static final int DRAWS = 1_000;

    private ShiftFunction() {}

    /** What can be said of a percentile. */
    public enum Answer {
        /** The other system is faster. */
        FASTER,
        /** The other system is slower. */
        SLOWER,
        /** The data allow neither conclusion. */
        CANNOT_TELL
    }

    /**
     * The difference at one percentile. Changes are relative: 0.1 is a tenth slower.
     *
     * @param percentile above 0, below 100
     * @param baseNanos of the system that is compared with
     * @param otherNanos of the other one
     * @param lowChange lower end of the 95 % interval of the change, of this percentile alone
     * @param highChange upper end of it
     * @param answer over all percentiles together
     */
    public record Shift(
            double percentile, long baseNanos, long otherNanos, double lowChange, double highChange, Answer answer) {
        /** The change of the other system against the base; above -1. */
        public double change() {
            return (double) otherNanos / Math.max(1, baseNanos) - 1;
        }
    }

    /**
     * One system's runs.
     *
     * @param runs at least one; each of stretches of equal length, a second or more, in their order, at least {@link
     *     RunIntervals#LEAST_BATCHES} of them
     */
    public record Side(List<List<Distribution>> runs) {
        /** Copies the lists. */
        public Side {
            runs = runs.stream().map(List::copyOf).toList();
            if (runs.isEmpty() || runs.stream().anyMatch(run -> run.size() < RunIntervals.LEAST_BATCHES)) {
                throw new IllegalArgumentException("there must be at least one run, and each must have at least "
                        + RunIntervals.LEAST_BATCHES + " intervals");
            }
        }
    }

    /**
     * Compares two systems.
     *
     * @param percentiles each above 0 and below 100
     * @param seed of the draws; the same seed gives the same answer
     * @return in the order of the percentiles
     */
    public static List<Shift> of(Side base, Side other, double[] percentiles, long seed) {
        Arrays.stream(percentiles).forEach(QuantileInterval::requireInside);
        Draws baseDraws = new Draws(base, percentiles);
        Draws otherDraws = new Draws(other, percentiles);
        SplittableRandom random = new SplittableRandom(seed);
        double[][] changes = new double[percentiles.length][DRAWS];
        for (int draw = 0; draw < DRAWS; draw++) {
            long[] before = baseDraws.next(random);
            long[] after = otherDraws.next(random);
            for (int i = 0; i < percentiles.length; i++) {
                changes[i][draw] = Math.log((double) Math.max(1, after[i]) / Math.max(1, before[i]));
            }
        }
        for (double[] change : changes) {
            Arrays.sort(change);
        }
        Answer[] answers = answers(changes);
        List<Shift> shifts = new ArrayList<>();
        for (int i = 0; i < percentiles.length; i++) {
            shifts.add(new Shift(
                    percentiles[i],
                    baseDraws.observed(i),
                    otherDraws.observed(i),
                    Math.expm1(changes[i][(int) (DRAWS * ERROR / 2)]),
                    Math.expm1(changes[i][(int) (DRAWS * (1 - ERROR / 2))]),
                    answers[i]));
        }
        return shifts;
    }

    /** The surest first; each next one must pass a limit that is less strict, until one fails. */
    private static Answer[] answers(double[][] changes) {
        Answer[] answers = new Answer[changes.length];
        Arrays.fill(answers, Answer.CANNOT_TELL);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < changes.length; i++) {
            order.add(i);
        }
        order.sort(Comparator.comparingDouble(i -> chance(changes[i])));
        for (int rank = 0; rank < order.size(); rank++) {
            double[] change = changes[order.get(rank)];
            if (chance(change) > ERROR / (order.size() - rank)) {
                break;
            }
            answers[order.get(rank)] = change[DRAWS / 2] < 0 ? Answer.FASTER : Answer.SLOWER;
        }
        return answers;
    }

    /** Twice the share of the draws on the rarer side of no change. */
    private static double chance(double[] sorted) {
        long below = Arrays.stream(sorted).filter(change -> change <= 0).count();
        long above = Arrays.stream(sorted).filter(change -> change >= 0).count();
        return Math.min(1, 2 * (Math.min(below, above) + 1.0) / (sorted.length + 1.0));
    }

    /** One system, drawn again and again. */
    private static final class Draws {
        private final double[] percentiles;
        private final long[] values;

        /** By run and interval: places among the values, and counts there. */
        private final int[][][] places;

        private final long[][][] counts;
        private final long[] sum;
        private final long[] observed;

        Draws(Side side, double[] percentiles) {
            this.percentiles = percentiles;
            List<Distribution> runs =
                    side.runs().stream().map(RunIntervals::sum).toList();
            Distribution whole = RunIntervals.sum(runs);
            values = Counts.of(whole).values();
            observed = Arrays.stream(percentiles)
                    .mapToLong(whole::valueAtPercentile)
                    .toArray();
            sum = new long[values.length];
            places = new int[side.runs().size()][][];
            counts = new long[side.runs().size()][][];
            for (int run = 0; run < places.length; run++) {
                List<Distribution> intervals = side.runs().get(run);
                places[run] = new int[intervals.size()][];
                counts[run] = new long[intervals.size()][];
                for (int i = 0; i < intervals.size(); i++) {
                    Counts interval = Counts.of(intervals.get(i));
                    counts[run][i] = interval.counts();
                    places[run][i] = Arrays.stream(interval.values())
                            .mapToInt(value -> Arrays.binarySearch(values, value))
                            .toArray();
                }
            }
        }

        long observed(int percentile) {
            return observed[percentile];
        }

        long[] next(SplittableRandom random) {
            Arrays.fill(sum, 0);
            long total = 0;
            for (int i = 0; i < places.length; i++) {
                int run = random.nextInt(places.length);
                for (int j = 0; j < places[run].length; j++) {
                    total += add(run, random.nextInt(places[run].length));
                }
            }
            return quantiles(total);
        }

        private long add(int run, int interval) {
            long added = 0;
            int[] at = places[run][interval];
            long[] count = counts[run][interval];
            for (int i = 0; i < at.length; i++) {
                sum[at[i]] += count[i];
                added += count[i];
            }
            return added;
        }

        private long[] quantiles(long total) {
            long[] quantiles = new long[percentiles.length];
            for (int i = 0; i < quantiles.length; i++) {
                long rank = Math.max(1, (long) Math.ceil(Math.nextDown(percentiles[i]) / 100 * total));
                long seen = 0;
                for (int place = 0; place < sum.length && seen < rank; place++) {
                    seen += sum[place];
                    quantiles[i] = values[place];
                }
            }
            return quantiles;
        }
    }
}
