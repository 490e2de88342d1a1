package dev.downbeat.stats.position;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds periodically slow requests in series of consecutive requests.
 *
 * <p>For each period and place, the ranks at that place are tested against chance. Four rules exclude false periods.
 * Ranks are local ({@link LocalRanks}), so drifts do not count. The first request of a series is excluded, since it is
 * slow for other reasons. The place must be slow every time, so a stall across many series does not count. And the
 * effect must be relevant.
 *
 * <p>This is the epoch folding of astronomy on ranks, with the maximum over single phases instead of the sum over all:
 * Leahy et al., On searches for pulsed emission, Astrophys. J. 266, 1983.
 */
public final class PeriodFinder {
    /** The longest period looked for. */
    public static final int LONGEST = 200;

    /** The probability of a false alarm, well below the promised 1 %. */
    static final double FALSE_ALARM = 0.003;

    /** The least excess over one half of the probability that a slow request takes longer than another. */
    private static final double LEAST_EFFECT = 0.15;

    private static final int LEAST_REPEATS = 3;
    private static final int MOST_PLACES = 12;

    /** The least mean rank of a slow place. */
    private static final double SLOW_RANK = 0.7;

    /** Requests are equally slow if their mean rank reaches this share of the others', significantly. */
    private static final double EQUALLY_SLOW_SHARE = 0.8;

    /** A place belongs to a period only with at least this share of the additional time of the slowest place. */
    private static final double LEAST_SHARE_OF_SLOWEST = 0.5;

    private static final double LOG_LIMIT_OF_REST = Math.log(0.05);

    private static final double CELLS = LONGEST * (LONGEST + 1) / 2.0 - 1;
    private static final double LOG_LIMIT = Math.log(FALSE_ALARM / CELLS);

    /** Without its slowest repeat, a place must still be suspicious at this weaker limit. */
    private static final double LOG_LIMIT_WITHOUT_SLOWEST = LOG_LIMIT / 1.5;

    private final List<long[]> series;
    private final int longestSeries;

    /** The sum and number of ranks at each place over all series. */
    private final double[] sums;

    private final long[] counts;

    private record Cell(int length, int place, int repeats, double logChance) {}

    private PeriodFinder(List<long[]> series) {
        this.series = series;
        longestSeries = series.stream().mapToInt(values -> values.length).max().orElse(0);
        sums = new double[longestSeries];
        counts = new long[longestSeries];
        for (double[] ranks : LocalRanks.of(series)) {
            for (int i = 0; i < ranks.length; i++) {
                if (!Double.isNaN(ranks[i])) {
                    sums[i] += ranks[i];
                    counts[i]++;
                }
            }
        }
    }

    /**
     * Finds all periods.
     *
     * @param series durations in nanoseconds in request order; negative if unknown, such as those of failed requests
     * @return most certain first; empty if there is none
     */
    public static List<Period> find(List<long[]> series) {
        return new PeriodFinder(List.copyOf(series)).search();
    }

    private List<Period> search() {
        List<Cell> found = new ArrayList<>();
        Optional<Cell> next = mostCertain();
        while (next.isPresent() && found.size() < MOST_PLACES) {
            found.add(next.get());
            exclude(next.get());
            next = mostCertain();
        }
        return found.stream()
                .mapToInt(Cell::length)
                .distinct()
                .mapToObj(length -> period(
                        found.stream().filter(cell -> cell.length == length).toList()))
                .toList();
    }

    /** The harmonics of a period are nearly always less certain than the period itself; others are reduced. */
    private Optional<Cell> mostCertain() {
        @Nullable Cell mostCertain = null;
        double total = 0;
        long all = 0;
        for (int i = 1; i < longestSeries; i++) {
            total += sums[i];
            all += counts[i];
        }
        for (int length = 2; length <= Math.min(LONGEST, longestSeries - 1); length++) {
            for (int place = 0; place < length; place++) {
                Cell cell = cell(length, place, total, all);
                if (cell != null && (mostCertain == null || cell.logChance < mostCertain.logChance)) {
                    mostCertain = cell;
                }
            }
        }
        return mostCertain == null ? Optional.empty() : Optional.of(folded(mostCertain, total, all));
    }

    /** The shortest divisor of this period, if the requests that only it includes are equally slow. */
    private Cell folded(Cell cell, double total, long all) {
        for (int length = 2; length <= cell.length / 2; length++) {
            Cell shorter = cell.length % length == 0 ? cell(length, cell.place % length, total, all) : null;
            if (shorter != null && restIsAsSlow(shorter, cell)) {
                return shorter;
            }
        }
        return cell;
    }

    private boolean restIsAsSlow(Cell shorter, Cell cell) {
        double sum = 0;
        double restSum = 0;
        long count = 0;
        long restCount = 0;
        for (int i = shorter.place; i < longestSeries; i += shorter.length) {
            boolean rest = i % cell.length != cell.place;
            sum += rest || i == 0 ? 0 : sums[i];
            count += rest || i == 0 ? 0 : counts[i];
            restSum += rest && i > 0 ? sums[i] : 0;
            restCount += rest && i > 0 ? counts[i] : 0;
        }
        return restCount > 0
                && restSum / restCount >= EQUALLY_SLOW_SHARE * sum / count
                && MeanOfUniforms.logTail(restCount, restSum / restCount) <= LOG_LIMIT_OF_REST;
    }

    /** The cell if its place is certainly slow; otherwise null. */
    private @Nullable Cell cell(int length, int place, double total, long all) {
        double sum = 0;
        long count = 0;
        int slowest = -1;
        int repeats = place == 0 && isSlow(0) ? 1 : 0;
        for (int i = place == 0 ? length : place; i < longestSeries; i += length) {
            sum += sums[i];
            count += counts[i];
            repeats += isSlow(i) ? 1 : 0;
            slowest = slowest < 0 || excess(i) > excess(slowest) ? i : slowest;
        }
        if (repeats < LEAST_REPEATS || all == count || sum / count - (total - sum) / (all - count) < LEAST_EFFECT) {
            return null;
        }
        double logChance = MeanOfUniforms.logTail(count, sum / count);
        long fewer = count - counts[slowest];
        double logWithoutSlowest = fewer == 0 ? 0 : MeanOfUniforms.logTail(fewer, (sum - sums[slowest]) / fewer);
        return logChance <= LOG_LIMIT && logWithoutSlowest <= LOG_LIMIT_WITHOUT_SLOWEST
                ? new Cell(length, place, repeats, logChance)
                : null;
    }

    private boolean isSlow(int i) {
        return counts[i] > 0 && sums[i] >= SLOW_RANK * counts[i];
    }

    private double excess(int i) {
        return sums[i] - 0.5 * counts[i];
    }

    private void exclude(Cell cell) {
        for (int i = cell.place; i < longestSeries; i += cell.length) {
            if (i > 0) {
                sums[i] = 0;
                counts[i] = 0;
            }
        }
    }

    /** A period with the places that are about as slow as its slowest; others may be echoes. */
    private Period period(List<Cell> cells) {
        int length = cells.get(0).length();
        long otherwise = median(length, places(cells), false);
        long[] extra = cells.stream()
                .mapToLong(cell -> median(length, places(List.of(cell)), true) - otherwise)
                .toArray();
        long most = Arrays.stream(extra).max().orElse(0);
        List<Cell> slow = IntStream.range(0, extra.length)
                .filter(i -> extra[i] == most || extra[i] >= LEAST_SHARE_OF_SLOWEST * most)
                .mapToObj(cells::get)
                .toList();
        TreeSet<Integer> places = places(slow);
        return new Period(
                length,
                List.copyOf(places),
                slow.stream().mapToInt(Cell::repeats).sum(),
                median(length, places, true),
                median(length, places, false),
                Math.min(1, Math.exp(slow.get(0).logChance) * CELLS));
    }

    private static TreeSet<Integer> places(List<Cell> cells) {
        return cells.stream().map(cell -> cell.place + 1).collect(Collectors.toCollection(TreeSet::new));
    }

    private long median(int length, Set<Integer> places, boolean slow) {
        long[] values = series.stream()
                .flatMapToLong(one -> IntStream.range(1, one.length)
                        .filter(i -> one[i] >= 0 && places.contains(i % length + 1) == slow)
                        .mapToLong(i -> one[i]))
                .sorted()
                .toArray();
        return values.length == 0 ? 0 : values[(values.length - 1) / 2];
    }

    /**
     * The rank of each value among its neighbours' deviations, from 0 to 1. Drifts, warm-ups and slower series leave no
     * trace.
     */
    private static final class LocalRanks {
        /** The number of neighbours compared on either side. */
        private static final int REACH = 8;

        private LocalRanks() {}

        /** The ranks in the shape of the series; NaN where there is no value or no neighbour. */
        static List<double[]> of(List<long[]> series) {
            List<double[]> ranks = new ArrayList<>();
            int count = 0;
            for (long[] values : series) {
                double[] above = aboveNeighbours(values);
                ranks.add(above);
                count += (int) Arrays.stream(above).filter(Double::isFinite).count();
            }
            double[] sorted = ranks.stream()
                    .flatMapToDouble(Arrays::stream)
                    .filter(Double::isFinite)
                    .sorted()
                    .toArray();
            for (double[] above : ranks) {
                for (int i = 0; i < above.length; i++) {
                    above[i] = Double.isNaN(above[i]) ? Double.NaN : middleRank(sorted, above[i]) / count;
                }
            }
            return ranks;
        }

        private static double[] aboveNeighbours(long[] values) {
            double[] logs = new double[values.length];
            for (int i = 0; i < values.length; i++) {
                logs[i] = values[i] < 0 ? Double.NaN : Math.log((double) Math.max(1, values[i]));
            }
            double[] above = new double[values.length];
            double[] around = new double[2 * REACH];
            for (int i = 0; i < values.length; i++) {
                int size = 0;
                for (int j = Math.max(0, i - REACH); j <= Math.min(values.length - 1, i + REACH); j++) {
                    if (j != i && !Double.isNaN(logs[j])) {
                        around[size++] = logs[j];
                    }
                }
                above[i] = size == 0 ? Double.NaN : logs[i] - median(around, size);
            }
            return above;
        }

        private static double median(double[] values, int size) {
            Arrays.sort(values, 0, size);
            return (values[(size - 1) / 2] + values[size / 2]) / 2;
        }

        /** Equal values share their mean rank. */
        private static double middleRank(double[] sorted, double value) {
            return (firstNotBelow(sorted, value) + firstNotBelow(sorted, Math.nextUp(value))) / 2.0;
        }

        private static int firstNotBelow(double[] sorted, double value) {
            int low = 0;
            int high = sorted.length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (sorted[middle] < value) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }
    }

    /**
     * The probability of a high mean of ranks, for uniform ranks from 0 to 1.
     *
     * @see <a href="https://doi.org/10.1214/aoms/1177705674">Bahadur, Rao: On deviations of the sample mean, Ann. Math.
     *     Stat. 31, 1960</a>
     */
    public static final class MeanOfUniforms {
        private MeanOfUniforms() {}

        /**
         * The natural logarithm of the probability that {@code count} independent uniform values have a mean of at least
         * {@code mean}: Chernoff's bound with its correction factor.
         */
        public static double logTail(long count, double mean) {
            if (mean <= 0.5) {
                return 0;
            }
            double x = Math.min(mean, 1 - 1e-9);
            double t = tilt(x);
            double factor = t * Math.sqrt(2 * Math.PI * count * tiltedVariance(t));
            return -count * (t * x - logMoment(t)) - Math.log(Math.max(1, factor));
        }

        /** The t for which the uniform distribution, weighted by exp(t x), has this mean. */
        private static double tilt(double mean) {
            double low = 0;
            double high = 2 / (1 - mean);
            for (int i = 0; i < 50; i++) {
                double t = (low + high) / 2;
                double tilted = t < 1e-4 ? 0.5 + t / 12 : -1 / Math.expm1(-t) - 1 / t;
                if (tilted < mean) {
                    low = t;
                } else {
                    high = t;
                }
            }
            return (low + high) / 2;
        }

        private static double tiltedVariance(double t) {
            double half = Math.sinh(Math.min(t, 300) / 2);
            return t < 1e-3 ? 1 / 12.0 : 1 / (t * t) - 1 / (4 * half * half);
        }

        /** The logarithm of (exp(t) - 1) / t. */
        private static double logMoment(double t) {
            return t < 1e-4 ? t / 2 : t + Math.log(-Math.expm1(-t) / t);
        }
    }
}
