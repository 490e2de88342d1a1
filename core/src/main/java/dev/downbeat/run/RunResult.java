package dev.downbeat.run;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.arrival.RecordedTimes;
import dev.downbeat.arrival.Replay;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.SafeText;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.record.Interval;
import dev.downbeat.record.IntervalTimeline;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.ResponseGapDetector;
import dev.downbeat.run.RunSpan.Ending;
import dev.downbeat.selfcheck.GeneratorHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The result of a run. Times start at the intended start and must not be corrected again.
 *
 * @param plan what was planned
 * @param target a one-line description of the target, without secrets from URLs
 * @param span when the run took place and how it ended
 * @param recording all counts
 * @param intervals the same counts by time of recording
 * @param lanes what happened between the generators and the target
 * @param health the condition of this process; the worst of all if results were merged
 * @param shards per-process statistics of a merged result; empty for a single process
 * @param interruptions gaps between responses, and pauses of this process
 * @param kept the slowest complete requests, and a sample of all
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
    /** From this share of late responses on, the service was still answering after the load. */
    private static final double FEW_LATE = 0.05;

    /** Up to this many requests, their times are drawn again; for more, the intervals are exact enough. */
    private static final long MOST_DRAWN = 100_000;

    /** The same for a run of one interval, which shows no period. */
    private static final long MOST_OF_ONE = 10 * MOST_DRAWN;

    /**
     * An intermediate result with only the counts known.
     *
     * @param plan what is planned
     * @param recording all counts so far
     * @param intervals the same counts by time of recording; at least one
     */
    public static RunResult soFar(RunPlan plan, Recording recording, List<Interval> intervals) {
        long endNanos = intervals.get(intervals.size() - 1).endNanos();
        RunSpan span = RunSpan.of(Instant.EPOCH, 0, endNanos, Ending.DECIDED);
        return new RunResult(plan, "", span, recording, intervals, LaneCounts.NONE, GeneratorHealth.IDEAL);
    }

    /**
     * The result of a run that never started, such as when nothing listened: no request was intended.
     *
     * @param why the reason, in one line
     */
    public static RunResult nothing(RunPlan plan, String target, Instant at, String why) {
        RunSpan span = new RunSpan(at, 0, 0, Ending.BROKEN, Optional.of(why));
        return new RunResult(plan, target, span, Recording.empty(), List.of(), LaneCounts.NONE, GeneratorHealth.IDEAL);
    }

    /** Whether no request was intended. A shard of a low rate or a recorder in a service may have none without a fault. */
    public boolean isNothing() {
        boolean isUnexpected = ending() != Ending.CUT_OFF
                && plan.shard().count() == 1
                && !(plan.workload() instanceof Workload.External);
        return ledger().planned() == 0 && (isUnexpected || ending() == Ending.BROKEN);
    }

    /** Whether a signal ended the command that measured it, or a shard of this sum. Gatling ends by itself. */
    public boolean isEndedBySignal() {
        return span.isSumStopped()
                || (ending() == Ending.INTERRUPTED && !(plan.workload() instanceof Workload.External));
    }

    /** Whether it is a sum with a stopped shard, made by a command that no signal ended. */
    public boolean isOfStoppedShard() {
        return isEndedBySignal() && !shards.isEmpty() && !span.isSumStopped();
    }

    /** Whether it ended early: it was interrupted, its target broke or its process died. */
    public boolean isCutShort() {
        return !isComplete() && ending() != Ending.DECIDED;
    }

    /** Whether no request was due by chance, as at a low rate, which is nobody's fault. */
    public boolean wasNothingDue() {
        return isNothing() && isComplete();
    }

    /** Why nothing was measured, in one line. */
    public String whyNothing() {
        boolean isInterrupted = ending() == Ending.INTERRUPTED;
        return failure().orElse(isInterrupted ? "interrupted before the first request" : "no request was due");
    }

    /**
     * The period in which requests were intended to start. If the number of requests ended it, it lasts until the next
     * would be due: ten requests at 50 per second take 200 ms, however early or late the last response arrives. That of
     * sessions, and of many requests, is estimated from the intervals.
     */
    public long windowNanos() {
        long wholeNanos = Math.min(plan.durationNanos(), durationNanos());
        Workload workload = plan.workload();
        boolean isLog = workload instanceof Workload.Open load && load.arrivals() instanceof Replay;
        boolean isLimited = isLog || workload instanceof Workload.External || plan.maxRequests() != Long.MAX_VALUE;
        if (isComplete() && !isLimited && plan.durationNanos() != Long.MAX_VALUE) {
            return plan.durationNanos(); // the time after the last response counts, too
        }
        if (workload instanceof Workload.PartlyOpen) {
            return ledger().planned() == plan.maxRequests() ? Math.min(wholeNanos, lastPlannedNanos()) : wholeNanos;
        }
        if (!(workload instanceof Workload.Open open)) {
            return wholeNanos;
        }
        ArrivalProcess arrivals = open.arrivals();
        long count = plan.maxRequests();
        boolean areTimesKnown = true;
        if (arrivals instanceof Replay replay) {
            count = Math.min(count, replay.count());
            areTimesKnown = replay.recorded() instanceof RecordedTimes.Kept; // a saved result lacks those of long logs
        }
        if (ledger().planned() != count) {
            return wholeNanos;
        }
        boolean areDrawn = areTimesKnown
                && (count <= MOST_DRAWN
                        || (count <= MOST_OF_ONE && dueIntervals().size() == 1));
        long endNanos = areDrawn ? nextNanos(arrivals.times(), count) : lastPlannedNanos();
        return endNanos == IntendedTimes.END ? wholeNanos : Math.min(plan.durationNanos(), endNanos);
    }

    /** The intended start after this many; where there is none, a mean gap after the last. */
    private static long nextNanos(IntendedTimes times, long count) {
        long lastNanos = 0;
        for (long i = 0; i < count; i++) {
            lastNanos = times.nextNanos();
        }
        long nextNanos = times.nextNanos();
        boolean hasGap = count > 1 && lastNanos > 0 && lastNanos < IntendedTimes.END;
        return nextNanos == IntendedTimes.END && hasGap ? lastNanos + lastNanos / (count - 1) : nextNanos;
    }

    private List<Interval> dueIntervals() {
        return intervals.stream()
                .filter(interval -> interval.recording().ledger().planned() > 0)
                .toList();
    }

    /** When the last request was due, if those of its interval were due at the mean rate of all before it. */
    private long lastPlannedNanos() {
        List<Interval> due = dueIntervals();
        if (due.isEmpty()) {
            return IntendedTimes.END;
        }
        Interval last = due.get(due.size() - 1);
        long within = last.recording().ledger().planned();
        long before = ledger().planned() - within;
        double nanos = before == 0 ? last.lengthNanos() : (double) last.startNanos() / before * within;
        return last.startNanos() + Math.min(last.lengthNanos(), Math.round(nanos));
    }

    /**
     * Answered requests, and the time in which they were answered.
     *
     * @param answered number of responses
     * @param overNanos time in nanoseconds
     */
    public record Throughput(long answered, long overNanos) {
        /** Of two runs, one after the other. */
        public Throughput plus(Throughput other) {
            return new Throughput(answered + other.answered, overNanos + other.overNanos);
        }

        public double perSecond() {
            return overNanos == 0 ? 0 : answered * 1e9 / overNanos;
        }
    }

    /** Planned requests per second of {@link #windowNanos}. */
    public double intendedPerSecond() {
        long windowNanos = windowNanos();
        return windowNanos == 0 ? 0 : ledger().planned() * 1e9 / windowNanos;
    }

    /**
     * The throughput while the load lasted. If the service went on answering for long after it, only what it had answered
     * by then counts: an overloaded service may answer everything in the end. A few late responses do not lower it. A load
     * shorter than an interval counts with all that followed.
     */
    public Throughput throughput() {
        List<Interval> underLoad = underLoad();
        long inTime = underLoad.stream()
                .mapToLong(interval -> interval.recording().ledger().answered())
                .sum();
        long answered = ledger().answered();
        if (underLoad.isEmpty()) {
            return new Throughput(answered, Math.max(windowNanos(), durationNanos()));
        }
        return answered - inTime <= FEW_LATE * answered
                ? new Throughput(answered, windowNanos())
                : new Throughput(
                        inTime,
                        underLoad.stream().mapToLong(Interval::lengthNanos).sum());
    }

    /** The intervals that lie mostly in the period in which requests were intended to start. */
    public List<Interval> underLoad() {
        long windowNanos = windowNanos();
        return intervals.stream()
                .filter(interval -> interval.startNanos() + interval.lengthNanos() / 2 < windowNanos)
                .toList();
    }

    public RunResult {
        target = SafeText.line(Redaction.line(target));
        intervals = List.copyOf(intervals);
        shards = List.copyOf(shards);
    }

    /** The result of a single process. */
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

    public RunResult with(Interruptions other) {
        return new RunResult(plan, target, span, recording, intervals, lanes, health, shards, other, kept);
    }

    public RunResult with(Recording counted) {
        return new RunResult(plan, target, span, counted, intervals, lanes, health, shards, interruptions, kept);
    }

    public RunResult with(Recording counted, List<Interval> parts) {
        return new RunResult(plan, target, span, counted, parts, lanes, health, shards, interruptions, kept);
    }

    public RunResult with(KeptRequests requests) {
        return new RunResult(plan, target, span, recording, intervals, lanes, health, shards, interruptions, requests);
    }

    /** A copy whose wall-clock times, the planned one too, are later by this duration. */
    public RunResult later(Duration by) {
        RunPlan planned = plan.start().map(at -> plan.startingAt(at.plus(by))).orElse(plan);
        RunSpan moved = new RunSpan(
                span.started().plus(by),
                span.startAt(),
                span.durationNanos(),
                span.ending(),
                span.failure(),
                span.isSumStopped());
        return new RunResult(planned, target, moved, recording, intervals, lanes, health, shards, interruptions, kept);
    }

    public List<Interval> intervalsOfNames() {
        return IntervalTimeline.ofNames(intervals);
    }

    /** A copy with intervals at the resolution of the names. */
    public RunResult ofNames() {
        return new RunResult(
                plan, target, span, recording, intervalsOfNames(), lanes, health, shards, interruptions, kept);
    }

    /** A copy for the requests of one name; data not counted by name stays that of all. */
    public RunResult named(String name) {
        List<Interval> own = intervalsOfNames().stream()
                .map(interval -> interval.named(name))
                .toList();
        return new RunResult(
                plan, target, span, recording.named(name), own, lanes, health, shards, interruptions, kept);
    }

    public Ledger ledger() {
        return recording.ledger();
    }

    public Instant started() {
        return span.started();
    }

    public long durationNanos() {
        return span.durationNanos();
    }

    public Ending ending() {
        return span.ending();
    }

    public Optional<String> failure() {
        return span.failure();
    }

    public ConnectionCounts connections() {
        return lanes.connections();
    }

    public TargetCounts counts() {
        return lanes.counts();
    }

    /**
     * The longest pause of this process or one of its generators; length 0 if there was none. Always 0 where pauses are
     * not the instrument's fault. Pauses that generators detected themselves ({@link ResponseGapDetector#PAUSE_NANOS} or
     * longer) take precedence over those of the process monitor. On a busy machine the monitor thread itself waits for
     * a processor while the generators run.
     */
    public Pause longestPause() {
        long endNanos = health.largestHiccupAtNanos();
        Pause ofProcess = new Pause(endNanos - health.largestHiccupNanos(), endNanos);
        if (health.largestHiccupNanos() == 0 || !interruptions.isWatched()) {
            return ofProcess;
        }
        return interruptions.pauses().stream()
                .max(Comparator.comparingLong(Pause::lengthNanos))
                .orElse(ofProcess.lengthNanos() < ResponseGapDetector.PAUSE_NANOS ? ofProcess : new Pause(0, 0));
    }

    /** The shards with the same ending as the sum; empty if all have it. */
    public List<ShardRun> shardsWithEnding() {
        List<ShardRun> here =
                shards.stream().filter(shard -> !shard.isMissing()).toList();
        List<ShardRun> so = here.stream()
                .filter(shard -> shard.ending().equals(Optional.of(ending())))
                .toList();
        return so.size() == here.size() ? List.of() : so;
    }

    public boolean isComplete() {
        return ending() == Ending.COMPLETE;
    }

    /**
     * Merges short runs of one plan, with pauses between them, into one result with their intervals placed end to end.
     *
     * @param plan the plan of all slices together
     * @param slices at least one, in order
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
