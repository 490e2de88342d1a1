package dev.downbeat.run;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interval;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.ProcessDelays;
import dev.downbeat.record.Recording;
import dev.downbeat.run.LaneCounts.Saturation;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.time.DurationText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Merges the results of the shards of one plan. Counts are added, so the result equals that of a single process.
 * Nothing is averaged, and percentiles are never combined. Only the sum is kept, so a thousand shards need no more
 * memory than a few.
 *
 * <p>Each shard's times are relative to its own start. Not thread-safe.
 */
public final class MergedRun {
    private final List<ShardRun> rows = new ArrayList<>();
    private final MergedIntervals intervals = new MergedIntervals();
    private Recording recording = Recording.empty();
    private ConnectionCounts connections = ConnectionCounts.NONE;
    private TargetCounts counts = TargetCounts.NONE;
    private Saturation saturation = Saturation.NONE;
    private Interruptions interruptions = Interruptions.UNKNOWN;
    private KeptRequests kept = KeptRequests.NONE;
    private Optional<GeneratorHealth> health = Optional.empty();
    private Optional<RunResult> first = Optional.empty();
    private Optional<String> failure = Optional.empty();
    private boolean isStopped;
    private RunSpan.Ending ending = RunSpan.Ending.COMPLETE;
    private Instant started = Instant.MAX;
    private long durationNanos;
    private long peakBacklog;
    private long largestPeak = -1;
    private long peakBacklogAtNanos;

    /**
     * Adds a shard.
     *
     * @param result the shard's result; the caller ensures that it belongs to the same plan and is not yet included
     * @param cores processors available to it
     * @param doubts reasons why its result alone would not be sound, one sentence each
     */
    public void add(RunResult result, int cores, List<String> doubts) {
        MergedRun shard = new MergedRun();
        shard.first = Optional.of(result);
        shard.rows.add(row(result, cores, doubts));
        shard.intervals.add(result.intervals(), result.plan().intervalNanos());
        shard.recording = result.recording();
        shard.connections = result.connections();
        shard.counts = result.counts();
        shard.saturation = result.lanes().saturation();
        shard.interruptions = result.interruptions();
        shard.kept = result.kept();
        shard.health = Optional.of(result.health());
        shard.failure =
                result.failure().map(what -> "shard " + result.plan().shard().index() + ": " + what);
        shard.ending = result.ending();
        shard.started = result.started();
        shard.durationNanos = result.durationNanos();
        shard.peakBacklog = result.lanes().peakBacklog();
        shard.largestPeak = result.lanes().peakBacklog();
        shard.peakBacklogAtNanos = result.lanes().peakBacklogAtNanos();
        add(shard);
    }

    private static ShardRun row(RunResult result, int cores, List<String> doubts) {
        return new ShardRun(
                result.plan().shard().index(),
                result.started(),
                Optional.of(result.ending()),
                result.durationNanos(),
                result.ledger().planned(),
                result.ledger().answered(),
                result.recording().lateness().valueAtPercentile(99),
                result.recording().lateness().maxNanos(),
                result.longestPause().lengthNanos(),
                result.health(),
                cores,
                doubts);
    }

    /**
     * Adds a partial merge. Merging partial sums is cheaper than adding every shard to one sum, because a sum has more
     * distinct durations than a shard.
     */
    public void add(MergedRun others) {
        rows.addAll(others.rows);
        if (others.first.isEmpty()) {
            return;
        }
        first = first.isPresent() ? first : others.first;
        intervals.add(others.intervals);
        kept = kept.plus(
                others.kept,
                recording.ledger().accounted(),
                others.recording.ledger().accounted());
        recording = recording.plus(others.recording);
        connections = connections.plus(others.connections);
        counts = counts.plus(others.counts);
        saturation = saturation.plus(others.saturation);
        interruptions = interruptions.beside(others.interruptions);
        health = others.health.map(other -> health.map(own -> own.beside(other)).orElse(other));
        failure = failure.isPresent() ? failure : others.failure;
        ending = ending.compareTo(others.ending) < 0 ? others.ending : ending;
        started = others.started.isBefore(started) ? others.started : started;
        durationNanos = Math.max(durationNanos, others.durationNanos);
        peakBacklog += others.peakBacklog;
        if (others.largestPeak > largestPeak) {
            largestPeak = others.largestPeak;
            peakBacklogAtNanos = others.peakBacklogAtNanos;
        }
    }

    public void missing(int shard) {
        rows.add(ShardRun.missing(shard));
    }

    /** Marks the sum of shards that one command ran, and that the user interrupted. */
    public void stopped() {
        isStopped = true;
    }

    /** The merged result of the whole plan; at least one shard must have been added. */
    public RunResult result() {
        RunResult any = first.orElseThrow(() -> new IllegalStateException("there must be at least one shard"));
        return new RunResult(
                any.plan().whole(),
                any.target(),
                new RunSpan(started, 0, durationNanos, ending, failure, isStopped),
                recording,
                intervals.all(),
                new LaneCounts(connections, counts, peakBacklog, peakBacklogAtNanos, saturation),
                health.orElse(GeneratorHealth.IDEAL),
                rows(any.plan().durationNanos()),
                interruptions,
                kept);
    }

    /** A shard that was stopped before others is sound alone, but the sum lacks its load from then on. */
    private List<ShardRun> rows(long plannedNanos) {
        List<ShardRun> early = ShardRun.stoppedBeforeOthers(rows, plannedNanos);
        boolean hasWhole = rows.stream().anyMatch(ShardRun::isComplete);
        return rows.stream()
                .map(row -> early.contains(row)
                        ? row.withDoubt("it was stopped after " + DurationText.rounded(row.durationNanos())
                                + (hasWhole ? "; others ran to their end" : " while others went on"))
                        : row)
                .toList();
    }

    /**
     * Merges the intervals of several shards. Each shard closes its intervals slightly after the planned instant, and
     * merges those of a long run. Two timelines are split where both have a boundary, rounded to the nearest planned
     * instant. After one ends, the other's boundaries apply. Not thread-safe.
     */
    static final class MergedIntervals {
        private List<Cell> sum = List.of();
        private long intervalNanos = 1;
        private long endNanos;

        /** Counts up to a planned instant, given by its index. */
        private record Cell(long end, Recording recording, ConnectionCounts connections, ProcessDelays strain) {
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
            sum = sum.isEmpty() ? cells : merge(sum, cells);
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

        private static List<Cell> merge(List<Cell> one, List<Cell> other) {
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
}
