package dev.downbeat.load;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.load.live.ArrivalCorrection;
import dev.downbeat.load.live.GeneratorPauses;
import dev.downbeat.load.live.LiveIntervals;
import dev.downbeat.load.live.LiveIntervals.OpenRequests;
import dev.downbeat.load.live.LiveResponses;
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
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Measures requests that something else sends: those of a live service, or of your own load generator.
 *
 * <pre>{@code
 * LiveRecorder orders = LiveRecorder.ofService("orders");
 * ...
 * try (Request request = orders.request()) {               // at the edge, before any queue of the service's own
 *     handle(order);
 *     request.answered();
 * }
 * ...
 * System.out.println(orders.take("p99<50ms").sentence());  // e.g. each minute
 * }</pre>
 *
 * <p>A paused process cannot stamp requests, so those that arrive during a pause seem to have arrived after it. Pauses
 * of 10 ms or longer are detected. Requests in a burst after one are spread evenly over it, at the previous rate. That
 * is an estimate: the kernel's buffers, refused callers and events outside this process are invisible.
 *
 * <p>Instants are those of {@link System#nanoTime}, in nanoseconds, compared by subtraction. Thread-safe. Recording
 * takes no lock, except one per name ({@link Request#named}), and allocates at most the {@link Request} that it
 * returns. Each recorder has a thread that wakes a thousand times per second. It needs about 1 MB, and for a service
 * 0.7 MB more for each of up to eight processors. A null argument is refused with a {@link NullPointerException}.
 */
public final class LiveRecorder implements AutoCloseable {
    private static final long RATE_NANOS = 100_000_000;

    /** The weight of the latest tenth of a second in the rate. */
    private static final double NEWEST = 0.1;

    private final NanoClock clock;
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
    private long ratedAt;
    private long ratedArrivals;
    private double perNano = -1;

    private LiveRecorder(String name, Workload.External workload) {
        this(name, workload, NanoClock.system(), HealthMonitor::start);
    }

    /**
     * Takes the time, and what wakes up to see whether this process runs, from its caller.
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
        recorder = isService ? new SharedRecorder() : SharedRecorder.ofGenerator();
        names = new NamedCounts(!isService);
        arrivalCorrection = new ArrivalCorrection(startAt);
        generatorPauses = new GeneratorPauses(startAt);
        open = new OpenRequests(startAt);
        responses = new LiveResponses(startAt);
        intervals = new LiveIntervals(recorder, names, open, startAt);
        ratedAt = startAt;
        monitor = monitors.apply(this::woke);
    }

    /**
     * For a service that records each request on arrival. Its own pauses are part of the response times.
     *
     * @param name for the report's first line
     */
    public static LiveRecorder ofService(String name) {
        return new LiveRecorder(name, Workload.External.ofCallers());
    }

    /**
     * For a queue consumer whose messages carry their write time ({@link #message}). The wait in the queue and pauses
     * of this process are part of the response time.
     *
     * @param name for the report's first line
     */
    public static LiveRecorder ofConsumer(String name) {
        return new LiveRecorder(name, Workload.External.ofQueue());
    }

    /**
     * For a load generator that knows the intended start of each request. Pauses of this process cast doubt on the
     * result. Delays that they and the following bunch may have caused are excluded from the lower bounds.
     *
     * @param name for the report's first line
     */
    public static LiveRecorder ofGenerator(String name) {
        return new LiveRecorder(name, Workload.External.ofGenerator());
    }

    /**
     * A request to a service arrives now.
     *
     * @return the request, which must be ended or closed
     * @throws LoadException if this recorder belongs to a generator, whose requests have an intended start, or to a
     *     consumer, whose messages have waited already
     */
    public Request request() {
        if (!isService) {
            throw new LoadException(
                    "a generator's request counts from when it was meant to start: request(intendedAt)");
        }
        long noticedAt = now();
        return new Request(this, arrived(noticedAt), noticedAt);
    }

    /**
     * A request of a generator is sent now, or a service starts work on a request noticed earlier, such as by a
     * connector that stamps its input.
     *
     * @param at the intended start, or when this process noticed the request
     * @return the request, which must be ended or closed
     * @throws LoadException if this recorder belongs to a consumer, whose messages have waited already
     */
    public Request request(long at) {
        if (isService) {
            return new Request(this, arrived(at), at);
        }
        Request request = new Request(this, at, now());
        open.arrived(request.openSince());
        return request;
    }

    /**
     * Starts work on a message.
     *
     * @param writtenEpochMillis wall-clock write time, such as Kafka's {@code record.timestamp()}; a time in the
     *     future, from a clock that is ahead, counts as now
     * @return the request, which must be ended or closed
     * @throws LoadException if this recorder belongs to a generator, whose requests have an intended start
     */
    public Request message(long writtenEpochMillis) {
        if (!isService) {
            throw new LoadException("a generator receives no messages: use ofConsumer");
        }
        long noticedAt = now();
        long ageMillis = Math.max(0, System.currentTimeMillis() - writtenEpochMillis);
        long writtenAt = noticedAt - TimeUnit.MILLISECONDS.toNanos(ageMillis);
        recorder.arrived();
        open.arrived(writtenAt);
        return new Request(this, writtenAt, noticedAt);
    }

    /**
     * Performs the work of a request that arrives now and counts it, as {@link #measure(Callable)} does. What it only
     * starts is not measured: return its {@link CompletionStage} instead.
     *
     * @param work done once, on this thread
     * @throws LoadException as {@link #request()} does
     */
    @SuppressWarnings("IllegalCatch") // languages without checked exceptions throw any of them
    public void measure(Runnable work) {
        Request request = request();
        try {
            work.run();
            request.answered();
        } catch (Throwable thrown) {
            request.failed(thrown);
            throw thrown;
        }
    }

    /**
     * Performs the work of a request that arrives now and counts it as answered, or as failed with the name of the
     * exception. If the work returns a {@link CompletionStage}, the request ends when that completes.
     *
     * @param work done once, on this thread
     * @return the result of {@code work}
     * @throws LoadException as {@link #request()} does
     * @throws Exception what {@code work} throws
     */
    @SuppressWarnings("IllegalCatch") // any exception ends the request and is rethrown
    public <T extends @Nullable Object> T measure(Callable<T> work) throws Exception {
        Request request = request();
        try {
            T result = work.call();
            if (result instanceof CompletionStage<?> later) {
                later.whenComplete((value, thrown) -> ended(request, thrown));
            } else {
                request.answered();
            }
            return result;
        } catch (Throwable thrown) {
            request.failed(thrown);
            throw thrown;
        }
    }

    /**
     * A request arrives now and is processed later, such as by an executor: its wait in the queue counts.
     *
     * <pre>{@code
     * executor.execute(orders.wrap(() -> handle(order)));
     * }</pre>
     *
     * @param work performed once, on the thread that runs the result; if none does, the request stays in flight
     * @return a task to run once
     * @throws LoadException as {@link #request()} does
     */
    @SuppressWarnings("IllegalCatch") // as above
    public Runnable wrap(Runnable work) {
        Objects.requireNonNull(work, "work");
        long cameAt = request().intendedAt();
        return () -> {
            Request request = new Request(this, cameAt, now());
            try {
                work.run();
                request.answered();
            } catch (Throwable thrown) {
                request.failed(thrown);
                throw thrown;
            }
        };
    }

    private static void ended(Request request, @Nullable Throwable thrown) {
        if (thrown == null) {
            request.answered();
        } else {
            request.failed(thrown);
        }
    }

    long now() {
        return clock.nanoTime();
    }

    /**
     * A request arrives now. Returns its arrival time, which is earlier if the process was paused meanwhile.
     *
     * @throws LoadException if this recorder belongs to a consumer, whose messages have waited already
     */
    public long arrived() {
        return arrived(clock.nanoTime());
    }

    /**
     * A request arrives.
     *
     * @param noticedAt when this process noticed it: just now
     * @return the arrival time: {@code noticedAt}, or earlier if the process was paused before
     * @throws LoadException if this recorder belongs to a consumer, whose messages have waited already
     */
    public long arrived(long noticedAt) {
        if (workload.isOfQueue()) {
            throw new LoadException("a message counts from when it was written: message(record.timestamp())");
        }
        recorder.arrived();
        long cameAt = arrivalCorrection.cameAt(noticedAt);
        if (cameAt != noticedAt) {
            recorder.waited(noticedAt - cameAt);
        }
        open.arrived(cameAt);
        return cameAt;
    }

    /** A request of this recorder's ends now. One that its caller reports by instants was never open for a generator. */
    void ends(Request request) {
        open.ended(request.openSince());
    }

    /** A request is answered now; its service time also starts at the arrival. */
    public void answered(long arrivedAt) {
        answered(arrivedAt, arrivedAt, clock.nanoTime());
    }

    /**
     * A request is answered.
     *
     * @param intendedAt intended start, or arrival
     * @param startedAt when it was sent or work on it began: the start of a conventional stopwatch
     * @param completedAt when it ended
     */
    public void answered(long intendedAt, long startedAt, long completedAt) {
        endedByCaller(intendedAt);
        answered(null, intendedAt, startedAt, completedAt);
    }

    void answered(@Nullable String request, long intendedAt, long startedAt, long completedAt) {
        long oursNanos = isService ? 0 : ownDelayNanos(intendedAt, startedAt, completedAt);
        if (request == null) {
            recorder.answered(completedAt - intendedAt, completedAt - startedAt, oursNanos);
        } else {
            names.answered(request, completedAt - intendedAt, completedAt - startedAt, oursNanos);
        }
        responses.answered(intendedAt, completedAt);
    }

    /**
     * A request failed now.
     *
     * @param arrivedAt intended start, or arrival
     * @param reason one of a few short texts, which are counted and retained
     */
    public void failed(long arrivedAt, String reason) {
        Objects.requireNonNull(reason, "reason");
        endedByCaller(arrivedAt);
        failed(null, arrivedAt, reason);
    }

    void failed(@Nullable String request, long arrivedAt, String reason) {
        long now = clock.nanoTime();
        if (request == null) {
            recorder.failed(now - arrivedAt, reason);
        } else {
            names.failed(request, now - arrivedAt, reason);
        }
        responses.answered(arrivedAt, now);
    }

    private void endedByCaller(long arrivedAt) {
        if (isService) {
            open.ended(arrivedAt);
        }
    }

    /** The first thread to run after a pause reports it, which need not be the monitor. */
    private long ownDelayNanos(long intendedAt, long startedAt, long completedAt) {
        findPause(completedAt);
        return generatorPauses.ownDelayNanos(intendedAt, startedAt, completedAt);
    }

    private void findPause(long at) {
        if (generatorPauses.mayHaveStopped(at)) {
            generatorPauses.alive(clock.nanoTime());
        }
    }

    /** The end of a generator's request will not be observed; it was last observed at {@code lastSeenAt}. */
    public void unfinished(long intendedAt, long lastSeenAt) {
        long oursNanos = 0;
        if (!isService) {
            findPause(lastSeenAt);
            oursNanos = generatorPauses.ownDelayNanosSoFar(intendedAt, lastSeenAt);
        }
        recorder.unfinished(lastSeenAt - intendedAt, oursNanos);
    }

    /** Runs on the monitor thread. */
    private void woke(long nowAt) {
        arrivalCorrection.alive(nowAt);
        generatorPauses.alive(nowAt);
        if (nowAt - ratedAt >= RATE_NANOS) {
            rate(nowAt);
            intervals.cutIfDue(nowAt);
            arrivalCorrection.alive(clock.nanoTime()); // Downbeat's own work is not a pause
        }
    }

    private void rate(long nowAt) {
        long arrivals = recorder.arrivals();
        double newest = (double) (arrivals - ratedArrivals) / (nowAt - ratedAt);
        perNano = perNano < 0 ? newest : perNano + NEWEST * (newest - perNano);
        arrivalCorrection.rate(perNano);
        ratedAt = nowAt;
        ratedArrivals = arrivals;
    }

    /**
     * Returns what was recorded since the last call, or since the start. Requests that have not ended count as in
     * flight. Their age so far, to a tenth of a second, is a lower bound on their response time. A generator's are known
     * from {@link #request(long)}, or reported by {@link #unfinished}.
     *
     * @param objectives such as {@code p99<50ms}, as in {@link Load#objectives}
     * @throws IllegalArgumentException with one line that names the accepted forms
     * @throws LoadException if the recorder is closed
     */
    public synchronized Measured take(String... objectives) {
        if (closed) {
            throw new LoadException("the recorder of " + name + " was closed");
        }
        List<ServiceLevelObjective> slos = Load.slos(objectives);
        GeneratorHealth health = monitor.stop();
        List<Pause> pauses = isService ? List.of() : monitor.pauses(intervals.startAt());
        monitor = monitors.apply(this::woke);
        LiveIntervals.Taken taken = intervals.take(clock, this::unfinished);
        Ledger ledger = taken.total().ledger();
        Interruptions seen = responses.take(
                taken.startAt(), taken.endAt(), taken.oldestAt(), ledger.answered() + ledger.failed(), pauses);
        RunResult result = result(taken, health).with(seen);
        RunReport report = LoadSettings.report(
                Analysis.of(result, Criteria.of(slos)), Optional.empty(), machine, details(), List.of());
        return new Measured.OfRun(report, Optional.empty());
    }

    private RunResult result(LiveIntervals.Taken taken, GeneratorHealth health) {
        long lengthNanos = Math.max(1, taken.endAt() - taken.startAt());
        return new RunResult(
                RunPlan.builder(workload)
                        .duration(Duration.ofNanos(lengthNanos))
                        .build(),
                name,
                RunSpan.of(
                        Instant.now().minusNanos(lengthNanos), taken.startAt(), lengthNanos, RunResult.Ending.COMPLETE),
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
