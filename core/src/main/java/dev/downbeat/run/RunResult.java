package dev.downbeat.run;

import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Plain;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.selfcheck.GeneratorHealth;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What came of a run. Its times count from the intended times; nothing may correct them a second time.
 *
 * @param plan what was meant to happen
 * @param target what was aimed at, in one line, without what is secret in a URL
 * @param started wall-clock time of the first possible intended time
 * @param startAt the same instant on the run's clock, in nanoseconds: for comparing with what others have stamped
 * @param durationNanos from the start to the end of the last request or of the drain
 * @param ending how the run came to its end
 * @param failure if the target's code broke: what it said
 * @param recording everything counted
 * @param intervals the same, by time of recording
 * @param connections what happened to the connections
 * @param counts what only this kind of target counts
 * @param peakBacklog most requests that waited for a slot at the same time, summed over the generators' own peaks
 * @param peakBacklogAtNanos when that was, from the start of the run
 * @param saturation how long no slot was free, and whether we or the target were the reason
 * @param health what this process went through meanwhile; the worst of all if several were merged
 * @param shards how each process fared whose results were merged; empty if there was one process
 * @param interruptions when no answers came, and when this process was paused
 */
public record RunResult(
        RunPlan plan,
        String target,
        Instant started,
        long startAt,
        long durationNanos,
        Ending ending,
        Optional<String> failure,
        Recording recording,
        List<Interval> intervals,
        ConnectionCounts connections,
        TargetCounts counts,
        long peakBacklog,
        long peakBacklogAtNanos,
        Saturation saturation,
        GeneratorHealth health,
        List<ShardRun> shards,
        Interruptions interruptions) {
    /** Of more requests than this one more does not matter, and to go through them takes time. */
    private static final long MOST_COUNTED = 100_000;

    /** How a run came to its end. */
    public enum Ending {
        /** All that was planned was given its chance. */
        COMPLETE,
        /** Enough was known: what was still to come was called off. */
        DECIDED,
        /** Somebody stopped it: the result is partial. */
        INTERRUPTED,
        /** The target's code broke: the result is partial. */
        BROKEN,
        /** Whoever measured was gone before the end: what had been kept until then is all there is. */
        CUT_OFF
    }

    /**
     * A run as it stands, of which only is known what was counted.
     *
     * @param plan what is meant to happen
     * @param recording everything counted so far
     * @param intervals the same, by time of recording; at least one
     */
    public static RunResult soFar(RunPlan plan, Recording recording, List<Interval> intervals) {
        return new RunResult(
                plan,
                "",
                Instant.EPOCH,
                0,
                intervals.get(intervals.size() - 1).endNanos(),
                Ending.DECIDED,
                Optional.empty(),
                recording,
                intervals,
                ConnectionCounts.NONE,
                TargetCounts.NONE,
                0,
                0,
                Saturation.NONE,
                new GeneratorHealth(0, 0, 0, 0, 0, 0, 0, 0, 0));
    }

    /**
     * What came of a run that never began, such as when nobody listened: no request was meant to start.
     *
     * @param why in one line
     */
    public static RunResult nothing(RunPlan plan, String target, Instant at, String why) {
        return new RunResult(
                plan,
                target,
                at,
                0,
                0,
                Ending.BROKEN,
                Optional.of(why),
                Recording.empty(),
                List.of(),
                ConnectionCounts.NONE,
                TargetCounts.NONE,
                0,
                0,
                Saturation.NONE,
                new GeneratorHealth(0, 0, 0, 0, 0, 0, 0, 0, 0));
    }

    /** Whether no request was meant to start, since something broke before. */
    public boolean isNothing() {
        return ending == Ending.BROKEN && ledger().planned() == 0;
    }

    /**
     * How long requests were meant to start. Where their number ends the plan, until the next one would have been meant to: ten
     * requests at 50 per second take 200 ms, however early the last of them is answered.
     */
    public long windowNanos() {
        long wholeNanos = Math.min(plan.durationNanos(), durationNanos);
        long count = plan.maxRequests();
        boolean isCounted = plan.durationNanos() == Long.MAX_VALUE && ledger().planned() == count;
        if (!isCounted || count > MOST_COUNTED || !(plan.workload() instanceof Workload.Open open)) {
            return wholeNanos;
        }
        IntendedTimes times = open.arrivals().times();
        for (long i = 0; i < count; i++) {
            times.nextNanos();
        }
        long nextNanos = times.nextNanos();
        return nextNanos == IntendedTimes.END ? wholeNanos : nextNanos;
    }

    /** Copies the lists, and hides what is secret in the texts. */
    public RunResult {
        target = Plain.line(Redaction.line(target));
        failure = failure.map(what -> Plain.line(Redaction.line(what)));
        intervals = List.copyOf(intervals);
        shards = List.copyOf(shards);
    }

    /** What came of a run in one process. */
    public RunResult(
            RunPlan plan,
            String target,
            Instant started,
            long startAt,
            long durationNanos,
            Ending ending,
            Optional<String> failure,
            Recording recording,
            List<Interval> intervals,
            ConnectionCounts connections,
            TargetCounts counts,
            long peakBacklog,
            long peakBacklogAtNanos,
            Saturation saturation,
            GeneratorHealth health) {
        this(
                plan,
                target,
                started,
                startAt,
                durationNanos,
                ending,
                failure,
                recording,
                intervals,
                connections,
                counts,
                peakBacklog,
                peakBacklogAtNanos,
                saturation,
                health,
                List.of(),
                Interruptions.UNKNOWN);
    }

    /** The same with what was noted of the answers' coming. */
    public RunResult with(Interruptions seen) {
        return new RunResult(
                plan,
                target,
                started,
                startAt,
                durationNanos,
                ending,
                failure,
                recording,
                intervals,
                connections,
                counts,
                peakBacklog,
                peakBacklogAtNanos,
                saturation,
                health,
                shards,
                seen);
    }

    /** The same of the requests of one name alone; what is not counted by name stays that of all. */
    public RunResult named(String name) {
        List<Interval> own = intervals.stream()
                .map(interval -> new Interval(
                        interval.startNanos(),
                        interval.endNanos(),
                        interval.recording().named(name),
                        interval.connections(),
                        interval.strain()))
                .toList();
        return new RunResult(
                plan,
                target,
                started,
                startAt,
                durationNanos,
                ending,
                failure,
                recording.named(name),
                own,
                connections,
                counts,
                peakBacklog,
                peakBacklogAtNanos,
                saturation,
                health,
                shards,
                interruptions);
    }

    /** Where every request went. */
    public Ledger ledger() {
        return recording.ledger();
    }

    /** Whether all that was planned was given its chance. */
    public boolean isComplete() {
        return ending == Ending.COMPLETE;
    }

    /**
     * Short runs of one plan, with pauses between them, as one result: the times of its intervals are those of the runs put
     * end to end.
     *
     * @param plan what was meant to happen in all of them together
     * @param slices at least one, in their order
     */
    public static RunResult ofSlices(RunPlan plan, List<RunResult> slices) {
        Recording recording = Recording.empty();
        List<Interval> all = new ArrayList<>();
        ConnectionCounts connections = ConnectionCounts.NONE;
        TargetCounts counts = TargetCounts.NONE;
        Saturation saturation = Saturation.NONE;
        RunResult worst = slices.get(0);
        GeneratorHealth health = new GeneratorHealth(0, 0, 0, 0, 0, 0, 0, 0, 0);
        Optional<RunResult> unfinished = Optional.empty();
        Interruptions interruptions = slices.get(0).interruptions;
        long atNanos = 0;
        long worstAtNanos = 0;
        for (RunResult slice : slices) {
            recording = recording.plus(slice.recording);
            for (Interval interval : slice.intervals) {
                all.add(interval.later(atNanos));
            }
            connections = connections.then(slice.connections);
            counts = counts.plus(slice.counts.later(atNanos));
            saturation = saturation.plus(slice.saturation);
            interruptions = atNanos == 0 ? interruptions : interruptions.then(slice.interruptions, atNanos);
            health = health.then(slice.health);
            if (slice.peakBacklog > worst.peakBacklog) {
                worst = slice;
                worstAtNanos = atNanos;
            }
            unfinished = slice.isComplete() ? unfinished : Optional.of(slice);
            atNanos += slice.durationNanos;
        }
        RunResult first = slices.get(0);
        return new RunResult(
                        plan,
                        first.target,
                        first.started,
                        first.startAt,
                        atNanos,
                        unfinished.map(RunResult::ending).orElse(Ending.COMPLETE),
                        unfinished.flatMap(RunResult::failure),
                        recording,
                        all,
                        connections,
                        counts,
                        worst.peakBacklog,
                        worstAtNanos + worst.peakBacklogAtNanos,
                        saturation,
                        health)
                .with(interruptions);
    }
}
