package dev.downbeat.run;

import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Plain;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Course;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interval;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Pause;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.AnswerWatch;
import dev.downbeat.selfcheck.GeneratorHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What came of a run. Its times count from the intended times; nothing may correct them a second time.
 *
 * @param plan what was meant to happen
 * @param target what was aimed at, in one line, without what is secret in a URL
 * @param span when it was, and how it came to its end
 * @param recording everything counted
 * @param intervals the same, by time of recording
 * @param lanes what happened between the generators and the target
 * @param health what this process went through meanwhile; the worst of all if several were merged
 * @param shards how each process fared whose results were merged; empty if there was one process
 * @param interruptions when no answers came, and when this process was paused
 * @param kept the slowest requests in full, and a sample of all
 */
public record RunResult(
        RunPlan plan,
        String target,
        RunSpan span,
        Recording recording,
        List<Interval> intervals,
        LaneCounts lanes,
        GeneratorHealth health,
        List<ShardRun> shards,
        Interruptions interruptions,
        KeptRequests kept) {
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
        long endNanos = intervals.get(intervals.size() - 1).endNanos();
        RunSpan span = RunSpan.of(Instant.EPOCH, 0, endNanos, Ending.DECIDED);
        return new RunResult(plan, "", span, recording, intervals, LaneCounts.NONE, GeneratorHealth.IDEAL);
    }

    /**
     * What came of a run that never began, such as when nobody listened: no request was meant to start.
     *
     * @param why in one line
     */
    public static RunResult nothing(RunPlan plan, String target, Instant at, String why) {
        RunSpan span = new RunSpan(at, 0, 0, Ending.BROKEN, Optional.of(why));
        return new RunResult(plan, target, span, Recording.empty(), List.of(), LaneCounts.NONE, GeneratorHealth.IDEAL);
    }

    /** Whether no request was meant to start, since something broke before. */
    public boolean isNothing() {
        return ending() == Ending.BROKEN && ledger().planned() == 0;
    }

    /**
     * How long requests were meant to start. Where their number ends the plan, until the next one would have been meant to: ten
     * requests at 50 per second take 200 ms, however early the last of them is answered.
     */
    public long windowNanos() {
        long wholeNanos = Math.min(plan.durationNanos(), durationNanos());
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

    /** Copies the lists, and hides what is secret in the text. */
    public RunResult {
        target = Plain.line(Redaction.line(target));
        intervals = List.copyOf(intervals);
        shards = List.copyOf(shards);
    }

    /** What came of a run in one process. */
    public RunResult(
            RunPlan plan,
            String target,
            RunSpan span,
            Recording recording,
            List<Interval> intervals,
            LaneCounts lanes,
            GeneratorHealth health) {
        this(
                plan,
                target,
                span,
                recording,
                intervals,
                lanes,
                health,
                List.of(),
                Interruptions.UNKNOWN,
                KeptRequests.NONE);
    }

    /** The same with what was noted of the answers' coming. */
    public RunResult with(Interruptions seen) {
        return new RunResult(plan, target, span, recording, intervals, lanes, health, shards, seen, kept);
    }

    /** The same with something else counted. */
    public RunResult with(Recording counted) {
        return new RunResult(plan, target, span, counted, intervals, lanes, health, shards, interruptions, kept);
    }

    /** The same with requests that were kept in full. */
    public RunResult with(KeptRequests requests) {
        return new RunResult(plan, target, span, recording, intervals, lanes, health, shards, interruptions, requests);
    }

    /** The same with its wall-clock time put right, so much later. */
    public RunResult later(Duration by) {
        RunSpan right = new RunSpan(
                span.started().plus(by), span.startAt(), span.durationNanos(), span.ending(), span.failure());
        return new RunResult(plan, target, right, recording, intervals, lanes, health, shards, interruptions, kept);
    }

    /** {@link Course#ofNames}. */
    public List<Interval> intervalsOfNames() {
        return Course.ofNames(intervals);
    }

    /** The same with its intervals as long as names were kept for. */
    public RunResult ofNames() {
        return new RunResult(
                plan, target, span, recording, intervalsOfNames(), lanes, health, shards, interruptions, kept);
    }

    /** The same of the requests of one name alone; what is not counted by name stays that of all. */
    public RunResult named(String name) {
        List<Interval> own = intervalsOfNames().stream()
                .map(interval -> interval.named(name))
                .toList();
        return new RunResult(
                plan, target, span, recording.named(name), own, lanes, health, shards, interruptions, kept);
    }

    /** Where every request went. */
    public Ledger ledger() {
        return recording.ledger();
    }

    /** {@link RunSpan#started}. */
    public Instant started() {
        return span.started();
    }

    /** {@link RunSpan#durationNanos}. */
    public long durationNanos() {
        return span.durationNanos();
    }

    /** {@link RunSpan#ending}. */
    public Ending ending() {
        return span.ending();
    }

    /** {@link RunSpan#failure}. */
    public Optional<String> failure() {
        return span.failure();
    }

    /** {@link LaneCounts#connections}. */
    public ConnectionCounts connections() {
        return lanes.connections();
    }

    /** {@link LaneCounts#counts}. */
    public TargetCounts counts() {
        return lanes.counts();
    }

    /**
     * The longest time for which this process, or one of its generators, did nothing though it wanted to; of length 0 if none
     * was seen. Where standstills are no fault of the instrument, none are. What generators noted of themselves, from
     * {@link AnswerWatch#PAUSE_NANOS} on, goes before what was seen of the process: on a busy machine the thread that looks for
     * standstills of it waits for a processor while the generators run.
     */
    public Pause longestPause() {
        long endNanos = health.largestHiccupAtNanos();
        Pause ofProcess = new Pause(endNanos - health.largestHiccupNanos(), endNanos);
        if (health.largestHiccupNanos() == 0 || !interruptions.isWatched()) {
            return ofProcess;
        }
        return interruptions.pauses().stream()
                .max(Comparator.comparingLong(Pause::lengthNanos))
                .orElse(ofProcess.lengthNanos() < AnswerWatch.PAUSE_NANOS ? ofProcess : new Pause(0, 0));
    }

    /** Whether all that was planned was given its chance. */
    public boolean isComplete() {
        return ending() == Ending.COMPLETE;
    }

    /**
     * Short runs of one plan, with pauses between them, as one result: the times of its intervals are those of the runs put
     * end to end.
     *
     * @param plan what was meant to happen in all of them together
     * @param slices at least one, in their order
     */
    public static RunResult ofSlices(RunPlan plan, List<RunResult> slices) {
        RunResult first = slices.get(0);
        Recording recording = first.recording;
        List<Interval> all = new ArrayList<>(first.intervals);
        LaneCounts lanes = first.lanes;
        GeneratorHealth health = first.health;
        Interruptions interruptions = first.interruptions;
        KeptRequests kept = first.kept;
        RunSpan last = first.span;
        long atNanos = first.durationNanos();
        for (RunResult slice : slices.subList(1, slices.size())) {
            kept = kept.plus(
                    slice.kept.later(atNanos),
                    recording.ledger().accounted(),
                    slice.ledger().accounted());
            recording = recording.plus(slice.recording);
            for (Interval interval : slice.intervals) {
                all.add(interval.later(atNanos));
            }
            lanes = lanes.then(slice.lanes, atNanos);
            health = health.then(slice.health);
            interruptions = interruptions.then(slice.interruptions, atNanos);
            last = slice.isComplete() ? last : slice.span;
            atNanos += slice.durationNanos();
        }
        RunSpan span = new RunSpan(first.started(), first.span.startAt(), atNanos, last.ending(), last.failure());
        return new RunResult(plan, first.target, span, recording, all, lanes, health)
                .with(interruptions)
                .with(kept);
    }
}
