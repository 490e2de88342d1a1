package dev.downbeat.run;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.record.Strain;
import java.util.ArrayList;
import java.util.List;

/**
 * Merges the intervals of several shards. Each shard closes its intervals slightly after the planned instant, and
 * merges those of a long run. Two timelines are split where both have a boundary, rounded to the nearest planned
 * instant. After one ends, the other's boundaries apply. Not thread-safe.
 */
final class MergedIntervals {
    private List<Cell> sum = List.of();
    private long intervalNanos = 1;
    private long endNanos;

    /** Counts up to a planned instant, given by its index. */
    private record Cell(long end, Recording recording, ConnectionCounts connections, Strain strain) {
        Cell then(Cell next) {
            return new Cell(
                    next.end,
                    recording.plus(next.recording),
                    connections.then(next.connections),
                    strain.then(next.strain));
        }

        Cell until(long laterEnd) {
            return new Cell(laterEnd, recording, connections, strain);
        }

        Cell beside(Cell other) {
            return new Cell(
                    end,
                    recording.plus(other.recording),
                    connections.plus(other.connections),
                    strain.beside(other.strain));
        }
    }

    /** Adds a shard's intervals; all shards have the same planned length. */
    void add(List<Interval> shard, long plannedNanos) {
        if (shard.isEmpty()) {
            return;
        }
        intervalNanos = plannedNanos;
        addCells(cells(shard), shard.get(shard.size() - 1).endNanos());
    }

    /** Adds the merged intervals of other shards with the same planned length. */
    void add(MergedIntervals others) {
        if (!others.sum.isEmpty()) {
            intervalNanos = others.intervalNanos;
            addCells(others.sum, others.endNanos);
        }
    }

    private void addCells(List<Cell> cells, long untilNanos) {
        endNanos = Math.max(endNanos, untilNanos);
        sum = sum.isEmpty() ? cells : together(sum, cells);
    }

    private List<Cell> cells(List<Interval> shard) {
        List<Cell> cells = new ArrayList<>();
        for (int i = 0; i < shard.size(); i++) {
            Interval interval = shard.get(i);
            boolean last = i == shard.size() - 1;
            long end = last
                    ? Math.floorDiv(interval.endNanos() + intervalNanos - 1, intervalNanos)
                    : Math.floorDiv(interval.endNanos() + intervalNanos / 2, intervalNanos);
            Cell cell = new Cell(end, interval.recording(), interval.connections(), interval.strain());
            int before = cells.size() - 1;
            if (before >= 0 && cells.get(before).end() >= end) {
                cells.set(
                        before,
                        cells.get(before).then(cell.until(cells.get(before).end())));
            } else {
                cells.add(cell);
            }
        }
        return cells;
    }

    private static List<Cell> together(List<Cell> one, List<Cell> other) {
        List<Cell> all = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < one.size() && j < other.size()) {
            Cell a = one.get(i++);
            Cell b = other.get(j++);
            while (a.end() != b.end()) {
                if (a.end() < b.end()) {
                    a = i < one.size() ? a.then(one.get(i++)) : a.until(b.end());
                } else {
                    b = j < other.size() ? b.then(other.get(j++)) : b.until(a.end());
                }
            }
            all.add(a.beside(b));
        }
        all.addAll(one.subList(i, one.size()));
        all.addAll(other.subList(j, other.size()));
        return all;
    }

    List<Interval> all() {
        List<Interval> all = new ArrayList<>();
        long startNanos = 0;
        for (int i = 0; i < sum.size(); i++) {
            Cell cell = sum.get(i);
            long until = i == sum.size() - 1 ? endNanos : cell.end() * intervalNanos;
            all.add(new Interval(
                    startNanos, Math.max(startNanos, until), cell.recording(), cell.connections(), cell.strain()));
            startNanos = Math.max(startNanos, until);
        }
        return all;
    }
}
