package dev.downbeat.load;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.load.live.ArrivalCorrection;
import dev.downbeat.load.live.GeneratorPauses;
import dev.downbeat.load.live.LiveIntervals;
import dev.downbeat.load.live.LiveIntervals.OpenRequests;
import dev.downbeat.load.live.LiveResponses;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.recorder.NamedCounts;
import dev.downbeat.record.recorder.SharedRecorder;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.selfcheck.HealthMonitor;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.time.DurationText;
import dev.downbeat.time.NanoClock;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Measures requests that something else sends: those of a live service ({@link ServiceRecorder}), the messages of a queue's
 * consumer ({@link ConsumerRecorder}), or the requests of your own load generator ({@link GeneratorRecorder}).
 *
 * <p>Instants are those of {@link System#nanoTime}, in nanoseconds, compared by subtraction.
 * Readings of another clock are refused as far as they differ: {@link System#currentTimeMillis} equals, as nanoseconds, the
 * uptime of a machine that has been up for half an hour, and a JVM that ran at that moment accepts it for an hour. Thread-safe. Recording
 * takes no lock, except one per name ({@link Request#named}), and allocates at most the {@link Request} that it
 * returns. Each recorder has a thread that wakes a thousand times per second. It needs about 1 MB, and for a service
 * 0.7 MB more for each of up to eight processors. A null argument throws a {@link NullPointerException}.
 */
public abstract sealed class LiveRecorder implements AutoCloseable
        permits ConsumerRecorder, GeneratorRecorder, ServiceRecorder {
    private static final long FARTHEST_NANOS = Duration.ofHours(1).toNanos();
    /** Both clocks of the JVM's start are rounded. */
    private static final long START_SLACK_NANOS = 1_000_000_000;

    private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();
    private static final long RATE_NANOS = 100_000_000;

    /** The weight of the latest tenth of a second in the rate. */
    private static final double LATEST_WEIGHT = 0.1;

    private final NanoClock clock;

    /** No reading of this JVM is earlier. */
    private final long jvmStartAt;

    private final Function<LongConsumer, HealthMonitor> monitors;
    private final String name;
    private final Workload.External workload;
    private final boolean isService;
    private final SharedRecorder recorder;
    private final NamedCounts names;
    private final ArrivalCorrection arrivalCorrection;
    private final GeneratorPauses generatorPauses;
    private final LiveIntervals intervals;
    private final OpenRequests open;
    private final LiveResponses responses;
    private final MachineProfile machine = MachineProfile.measure();
    private HealthMonitor monitor;
    private boolean closed;
    private long rateUpdatedAt;
    private long arrivalsAtRate;
    private double perNano = -1;

    /**
     * A recorder with this clock and these monitors.
     *
     * @param workload the source of the requests
     * @param monitors starts a monitor that calls its argument with the clock's time at each wake-up
     */
    LiveRecorder(
            String name, Workload.External workload, NanoClock clock, Function<LongConsumer, HealthMonitor> monitors) {
        this.name = Objects.requireNonNull(name, "name");
        this.workload = workload;
        isService = workload.isIncoming();
        this.clock = clock;
        this.monitors = monitors;
        long startAt = clock.nanoTime();
        jvmStartAt = startAt - MachineProfile.jvmUptimeNanos() - START_SLACK_NANOS;
        recorder = isService ? new SharedRecorder() : SharedRecorder.ofGenerator();
        names = new NamedCounts(!isService);
        arrivalCorrection = new ArrivalCorrection(startAt);
        generatorPauses = new GeneratorPauses(startAt);
        open = new OpenRequests(startAt);
        responses = new LiveResponses(startAt);
        intervals = new LiveIntervals(recorder, names, open, startAt);
        rateUpdatedAt = startAt;
        monitor = monitors.apply(this::onWakeUp);
    }

    long now() {
        return clock.nanoTime();
    }

    /** Refuses the reading of another clock, such as milliseconds since 1970. */
    long checkReading(String parameter, long at) {
        long now = now();
        long distanceNanos = at - now;
        if (distanceNanos > FARTHEST_NANOS
                || distanceNanos < -FARTHEST_NANOS
                || at - jvmStartAt < 0
                || isWallClock(at, now)) {
            throw new IllegalArgumentException(parameter
                    + " must be a reading of System.nanoTime() in this JVM, within an hour of now, but was " + at
                    + ": is it of another clock?");
        }
        return at;
    }

    /**
     * Refuses instants of a request that ended by now if they cannot be of it. A request may take more than an hour.
     *
     * @param parameter the name of {@code at}, an instant of the request
     */
    void checkEnded(String parameter, long at, long completedAt, long now) {
        if (at - jvmStartAt < 0 || completedAt - at < 0) {
            throw new IllegalArgumentException(parameter
                    + " must be a reading of System.nanoTime() in this JVM, not after the end of the request, "
                    + completedAt + ", but was " + at);
        }
        if (completedAt - now > FARTHEST_NANOS || isWallClock(completedAt, now)) {
            throw new IllegalArgumentException("completedAtNanos must be a reading of System.nanoTime(), but was "
                    + completedAt + ": is it of another clock?");
        }
    }

    /** Refuses readings of two clocks, whatever the time is now. */
    void checkOneClock(long firstAt, long secondAt) {
        long distanceNanos = secondAt - firstAt;
        long now = now();
        if (distanceNanos > FARTHEST_NANOS
                || distanceNanos < -FARTHEST_NANOS
                || isWallClock(firstAt, now)
                || isWallClock(secondAt, now)) {
            throw new IllegalArgumentException(
                    "the instants of a request must be within an hour of each other, but were " + firstAt + " and "
                            + secondAt + ": is one of another clock?");
        }
    }

    /**
     * Whether an instant is milliseconds or microseconds since 1970. As nanoseconds they are near the uptime of a machine
     * that was up for half an hour or for three weeks. A reading since this JVM's start is never taken for one.
     */
    private boolean isWallClock(long at, long now) {
        if (at - jvmStartAt >= 0 && now - at >= 0) {
            return false;
        }
        long millis = System.currentTimeMillis();
        return Math.abs(at - millis) <= HOUR_MILLIS || Math.abs(at - millis * 1_000) <= HOUR_MILLIS * 1_000;
    }

    /** A caller's request was noticed. Returns when it came: earlier if this process was paused meanwhile. */
    long recordArrival(long noticedAt) {
        recorder.arrived();
        long arrivedAt = arrivalCorrection.arrivedAt(noticedAt);
        if (arrivedAt != noticedAt) {
            recorder.waited(noticedAt - arrivedAt);
        }
        trackOpen(arrivedAt);
        return arrivedAt;
    }

    /** A message was taken, which is as old as it says. */
    void recordMessage(long writtenAt) {
        recorder.arrived();
        trackOpen(writtenAt);
    }

    void trackOpen(long since) {
        open.arrived(since);
    }

    void trackEnd(long openSince) {
        open.ended(openSince);
    }

    void answered(@Nullable String request, long intendedAt, long startedAt, long completedAt) {
        long ownNanos = isService ? 0 : ownDelayNanos(intendedAt, startedAt, completedAt);
        if (request == null) {
            recorder.answered(completedAt - intendedAt, completedAt - startedAt, ownNanos);
        } else {
            names.answered(request, completedAt - intendedAt, completedAt - startedAt, ownNanos);
        }
        responses.answered(intendedAt, completedAt);
    }

    void failed(@Nullable String request, long arrivedAt, String reason) {
        long now = now();
        if (request == null) {
            recorder.failed(now - arrivedAt, reason);
        } else {
            names.failed(request, now - arrivedAt, reason);
        }
        responses.answered(arrivedAt, now);
    }

    /** The first thread to run after a pause reports it, which need not be the monitor. */
    private long ownDelayNanos(long intendedAt, long startedAt, long completedAt) {
        detectPause(completedAt);
        return generatorPauses.ownDelayNanos(intendedAt, startedAt, completedAt);
    }

    private void detectPause(long at) {
        if (generatorPauses.mayHaveStopped(at)) {
            generatorPauses.alive(now());
        }
    }

    /** The end of a request will not be observed; it was last observed at {@code lastSeenAt}. */
    void recordUnfinished(long intendedAt, long lastSeenAt) {
        long ownNanos = 0;
        if (!isService) {
            detectPause(lastSeenAt);
            ownNanos = generatorPauses.ownDelayNanosSoFar(intendedAt, lastSeenAt);
        }
        recorder.unfinished(lastSeenAt - intendedAt, ownNanos);
    }

    /** Runs on the monitor thread. */
    private void onWakeUp(long nowAt) {
        arrivalCorrection.alive(nowAt);
        generatorPauses.alive(nowAt);
        if (nowAt - rateUpdatedAt >= RATE_NANOS) {
            updateRate(nowAt);
            intervals.closeIfDue(nowAt);
            arrivalCorrection.alive(now()); // Downbeat's own work is not a pause
        }
    }

    private void updateRate(long nowAt) {
        long arrivals = recorder.arrivals();
        double latest = (double) (arrivals - arrivalsAtRate) / (nowAt - rateUpdatedAt);
        perNano = perNano < 0 ? latest : perNano + LATEST_WEIGHT * (latest - perNano);
        arrivalCorrection.rate(perNano);
        rateUpdatedAt = nowAt;
        arrivalsAtRate = arrivals;
    }

    /**
     * Returns what was recorded since the last call, or since the start. Call this from one place only: each
     * call returns only what no earlier one did. Requests that have not ended count as in flight. Their age so far, to a tenth of a second, is a lower bound on
     * their response time. A generator's are known from {@link GeneratorRecorder#request}, or reported by {@link
     * GeneratorRecorder#unfinished}.
     *
     * @param objectives such as {@code p99<50ms}, as in {@link Load#objectives(String...)}
     * @throws IllegalArgumentException with one line that names the accepted forms
     * @throws IllegalStateException if the recorder is closed
     */
    public Measured take(String... objectives) {
        return take(Objective.slos(objectives));
    }

    /**
     * {@link #take(String...)} with objectives as values.
     *
     * @throws IllegalStateException if the recorder is closed
     */
    public Measured take(Objective first, Objective... more) {
        return take(Objective.slos(first, more));
    }

    private synchronized Measured take(List<ServiceLevelObjective> objectives) {
        if (closed) {
            throw new IllegalStateException("the recorder of " + name + " was closed");
        }
        for (ServiceLevelObjective slo : objectives) {
            if (slo instanceof ServiceLevelObjective.Named named) {
                names.reserve(named.name());
            }
        }
        GeneratorHealth health = monitor.stop();
        List<Pause> pauses = isService ? List.of() : monitor.pauses(intervals.startAt());
        monitor = monitors.apply(this::onWakeUp);
        LongStream.Builder stillOpen = LongStream.builder();
        LiveIntervals.Taken taken = intervals.take(clock, (intendedAt, seenAt) -> {
            recordUnfinished(intendedAt, seenAt);
            stillOpen.add(seenAt - intendedAt);
        });
        RunResult result = result(taken, health);
        Ledger ledger = result.ledger();
        Interruptions seen = responses.take(
                taken.startAt(), taken.endAt(), taken.oldestAt(), ledger.answered() + ledger.failed(), pauses);
        RunReport report = LoadSettings.report(
                Analysis.of(result.with(seen), Criteria.of(ServiceLevelObjective.withDefaults(objectives))),
                Optional.empty(),
                machine,
                details(),
                List.of());
        return new Measured.OfRun(report, Optional.empty(), Distribution.of(stillOpen.build()));
    }

    private RunResult result(LiveIntervals.Taken taken, GeneratorHealth health) {
        long lengthNanos = Math.max(1, taken.endAt() - taken.startAt());
        return new RunResult(
                RunPlan.builder(workload)
                        .duration(Duration.ofNanos(lengthNanos))
                        .build(),
                name,
                RunSpan.of(
                        Instant.now().minusNanos(lengthNanos), taken.startAt(), lengthNanos, RunSpan.Ending.COMPLETE),
                taken.total(),
                taken.intervals(),
                LaneCounts.NONE,
                isService ? health.withoutHiccups() : health);
    }

    private Map<String, Object> details() {
        Map<String, Object> details = new TreeMap<>();
        long corrected = arrivalCorrection.takeCorrected();
        long longestNanos = arrivalCorrection.takeLongestNanos();
        long count = arrivalCorrection.takeCount();
        if (isService && count > 0) {
            details.put("pauses", count);
            details.put("longest_pause", DurationText.rounded(longestNanos));
            if (!workload.isOfQueue()) { // messages wait in the queue meanwhile
                details.put("requests_that_came_meanwhile", corrected);
            }
        }
        return details;
    }

    /** Stops the thread. Results not taken, and later recordings, are lost. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            monitor.stop();
        }
    }
}
