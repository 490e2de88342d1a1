package dev.downbeat.http.requests.log;

import dev.downbeat.arrival.SplitMix64;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Sorts the records of a log by time, in memory and in parts. Logs are written as requests end, so they are nearly or
 * completely sorted. Use once.
 */
final class LogSorting {
    private static final int AT_ONCE = 1 << 10;

    private final long[] stamps = new long[LogRecords.FEW];
    private final long[] places = new long[LogRecords.FEW];
    private final int[] names = new int[LogRecords.FEW];
    private final LogRecords runs = new LogRecords();
    private final List<Integer> beginnings = new ArrayList<>();
    private int size;
    private long lastOfRuns = Long.MIN_VALUE;

    void add(long stamp, long place, int name) throws IOException {
        if (size == stamps.length) {
            endRun();
        }
        stamps[size] = stamp;
        places[size] = place;
        names[size] = name;
        size++;
    }

    int count() {
        return runs.count() + size;
    }

    private void endRun() throws IOException {
        boolean isSorted = true;
        for (int i = 1; isSorted && i < size; i++) {
            isSorted = stamps[i - 1] <= stamps[i];
        }
        int[] order = isSorted
                ? IntStream.range(0, size).toArray()
                : IntStream.range(0, size)
                        .boxed()
                        .sorted(Comparator.comparingLong(i -> stamps[i]))
                        .mapToInt(i -> i)
                        .toArray();
        if (size > 0 && (beginnings.isEmpty() || stamps[order[0]] < lastOfRuns)) {
            beginnings.add(runs.count()); // otherwise it continues at the end of the previous one
        }
        for (int i : order) {
            runs.append(stamps[i], places[i], names[i]);
        }
        lastOfRuns = size > 0 ? stamps[order[size - 1]] : lastOfRuns;
        size = 0;
    }

    /**
     * All records in time order, as offsets from the first. Requests with equal stamps are spread randomly over the
     * resolution: a Poisson process given their number.
     */
    LogRecords sorted(long resolutionNanos, long seed) throws IOException {
        endRun();
        LogRecords sorted = new LogRecords();
        Merge ahead = new Merge();
        Merge behind = new Merge();
        boolean isAny = ahead.next();
        long origin = isAny ? ahead.first().nanos() : 0;
        long firstOffset = -1;
        for (int from = 0; isAny; ) {
            long stamp = ahead.first().nanos();
            int alike = 0;
            for (; isAny && ahead.first().nanos() == stamp; isAny = ahead.next()) {
                alike++;
            }
            boolean isAlone = alike == 1 && resolutionNanos < LogStamps.SECOND_NANOS;
            double lot = 0;
            for (int left = alike; left > 0; left--) {
                double chance =
                        (SplitMix64.mix(SplitMix64.mix(seed + from) + left * SplitMix64.STEP) >>> 11) * 0x1.0p-53;
                lot = 1 - (1 - lot) * Math.pow(1 - chance, 1.0 / left); // the smallest of the remaining ones
                long offset = stamp - origin + (isAlone ? 0 : (long) (lot * resolutionNanos));
                firstOffset = firstOffset < 0 ? offset : firstOffset;
                behind.next();
                sorted.append(
                        offset - firstOffset,
                        behind.first().place(),
                        behind.first().name());
            }
            from += alike;
        }
        runs.close();
        return sorted;
    }

    /** Merges the runs; for equal stamps, earlier runs come first. */
    private final class Merge {
        private final PriorityQueue<Integer> byStamp;
        private final List<LogRecords.Cursor> cursors = new ArrayList<>();
        private boolean hasBegun;

        Merge() {
            byStamp = new PriorityQueue<>(
                    Comparator.<Integer>comparingLong(run -> cursors.get(run).nanos())
                            .thenComparing(run -> run));
            for (int run = 0; run < beginnings.size(); run++) {
                int until = run + 1 < beginnings.size() ? beginnings.get(run + 1) : runs.count();
                cursors.add(runs.cursor(beginnings.get(run), until, AT_ONCE));
            }
        }

        /** Advances; false if there is no further record. */
        boolean next() {
            if (!hasBegun) {
                hasBegun = true;
                for (int run = 0; run < cursors.size(); run++) {
                    cursors.get(run).next();
                    byStamp.add(run);
                }
                return !byStamp.isEmpty();
            }
            if (cursors.size() == 1) {
                return cursors.get(0).next();
            }
            int run = byStamp.remove();
            if (cursors.get(run).next()) {
                byStamp.add(run);
            }
            return !byStamp.isEmpty();
        }

        LogRecords.Cursor first() {
            return cursors.size() == 1 ? cursors.get(0) : cursors.get(byStamp.element());
        }
    }
}
