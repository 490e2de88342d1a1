package dev.downbeat.run.engine;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Target;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interval;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.Recording;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.LaneCounts.Saturation;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSnapshot;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.agenda.DueRequests;
import dev.downbeat.run.engine.Generator.StopFlag;
import dev.downbeat.run.engine.GeneratorAccounts.WholeSessions;
import dev.downbeat.run.engine.Intervals.IntervalHandover;
import dev.downbeat.selfcheck.DelayTotals;
import dev.downbeat.selfcheck.DelayTotals.RunDelay;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.selfcheck.HealthMonitor;
import dev.downbeat.selfcheck.OpenFiles;
import dev.downbeat.time.ClockPair;
import dev.downbeat.time.Daemon;
import dev.downbeat.time.NanoClock;
import dev.downbeat.time.TimerSlack;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Executes a plan on a target. Use once: {@link #run} on one thread; {@link #stop} and {@link #live} from any. */
public final class LoadRun {
    /** The time between opening the lanes and the earliest intended start, for threads to get ready. */
    public static final long LEAD_NANOS = Duration.ofMillis(5).toNanos();

    /** The number of indexes reserved for a run with its warm-up. */
    public static final long INDEXES = 2 * Exchange.FIRST_OF_WARM_UP;

    /** How long before a planned start connections are opened: short enough that they are not closed as idle. */
    private static final Duration OPENS_BEFORE = Duration.ofSeconds(2);

    /** How long before a planned start the generators are created: longer than a thread oversleeps. */
    private static final Duration STARTS_BEFORE = Duration.ofMillis(50);

    private static final long LONGEST_NAP_NANOS = Duration.ofMillis(100).toNanos();

    private final RunPlan plan;
    private final Target target;
    private final NanoClock clock;
    private final long firstIndex;
    private final BlockingQueue<IntervalHandover.Closed> closed = new LinkedBlockingQueue<>();
    private final StopFlag stop = new StopFlag();
    private volatile List<Generator> generators = List.of();
    private volatile OptionalLong runStartAt = OptionalLong.empty();
    private volatile boolean isDecided;
    private DelayTotals ownTime = DelayTotals.IDEAL;

    /** The thread that is opening connections, so that a stop need not wait for an unresponsive server. */
    private @Nullable Thread opener;

    private @Nullable LoadRun warmUp;

    private boolean isWarm;

    /** A run on the system clock. */
    public LoadRun(RunPlan plan, Target target) {
        this(plan, target, NanoClock.system());
    }

    /**
     * One of several runs of a target, with indexes of its own, as unique values are made of them.
     *
     * @param earlier number of runs before it
     */
    public LoadRun(RunPlan plan, Target target, int earlier) {
        this(plan, target, NanoClock.system(), earlier * INDEXES);
    }

    /** A run on any clock. */
    public LoadRun(RunPlan plan, Target target, NanoClock clock) {
        this(plan, target, clock, 0);
    }

    private LoadRun(RunPlan plan, Target target, NanoClock clock, long firstIndex) {
        this.firstIndex = firstIndex;
        this.plan = Objects.requireNonNull(plan, "plan");
        this.target = Objects.requireNonNull(target, "target");
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /**
     * The names that a run of this plan counts: those of the target's requests, and {@link Recording#SESSION} if
     * sessions send several of them.
     */
    public static List<String> names(RunPlan plan, Target target) {
        return WholeSessions.names(plan, target);
    }

    /**
     * Executes the run.
     *
     * @param progress notified of each interval, on this thread
     * @throws IOException with one clear line, if no measurement is possible, such as when nothing listens or the run
     *     is stopped before it starts
     */
    public RunResult run(Progress progress) throws IOException {
        warmUp();
        await(OPENS_BEFORE);
        openGenerators();
        try {
            await(STARTS_BEFORE);
            Optional<HealthMonitor> monitor = clock.isVirtual() ? Optional.empty() : Optional.of(HealthMonitor.start());
            ClockPair now = ClockPair.now(clock);
            Instant started = started(now.wall());
            long startAt = now.nanoTime()
                    + (clock.isVirtual()
                            ? LEAD_NANOS
                            : Duration.between(now.wall(), started).toNanos());
            runStartAt = OptionalLong.of(startAt);
            Intervals intervals = new Intervals(plan.generators(), plan.intervalNanos(), progress);
            List<Thread> threads = new ArrayList<>();
            GeneratorHealth health;
            try {
                startThreads(threads, startAt, monitor);
                intervals.collect(closed, clock.isVirtual(), this::stop, () -> handOverForDeadThreads(threads));
            } catch (RuntimeException | Error broken) {
                stop(); // a thread did not start, or the progress threw: no load without an observer
                throw broken;
            } finally {
                threads.forEach(this::join);
                health = monitor.map(HealthMonitor::stop).orElse(GeneratorHealth.IDEAL);
            }
            GeneratorTotals sum = new GeneratorTotals(generators);
            LaneCounts counts = sum.counts(startAt);
            Optional<String> failure = sum.failure(); // of counting, too
            return new RunResult(
                            plan,
                            target.describe(),
                            new RunSpan(
                                    started, startAt, sum.durationNanos(startAt), ending(failure.isPresent()), failure),
                            intervals.total(),
                            intervals.all(),
                            counts,
                            health)
                    .with(sum.interruptions())
                    .with(sum.kept());
        } finally {
            generators.forEach(generator -> generator.lane().close());
        }
    }

    /**
     * Executes the warm-up, unless it has been, and discards its result; it ends before the run opens its first
     * connection. {@link #run} does so itself.
     *
     * @throws IOException with one clear line, as {@link #run} does
     */
    public void warmUp() throws IOException {
        if (isWarm || plan.warmUpNanos() == 0) {
            return;
        }
        LoadRun before = new LoadRun(plan.warmUp(), target, clock, firstIndex + Exchange.FIRST_OF_WARM_UP);
        setWarmUp(before);
        try {
            before.run(plan.warmsUpUntilSteady() ? new UntilSteady(before.stop::raiseGently) : Progress.none());
            isWarm = true;
        } finally {
            setWarmUp(null);
        }
    }

    /** A run after this one's warm-up, for a start that is agreed only when all are warm. Call {@link #warmUp} before. */
    public LoadRun afterWarmUp(RunPlan started, Target same) {
        LoadRun run = new LoadRun(started, same, clock, firstIndex);
        run.isWarm = isWarm;
        return run;
    }

    private synchronized void setWarmUp(@Nullable LoadRun before) {
        warmUp = before;
        if (before != null && stop.isRaised()) {
            before.stop();
        }
    }

    /**
     * The earliest possible intended start on the run's clock. Empty while it is undetermined, during the warm-up or while
     * connections open. Thread-safe.
     */
    public OptionalLong startAt() {
        return runStartAt;
    }

    /** Time since {@link #startAt}, in nanoseconds; negative before it. Thread-safe. */
    public OptionalLong elapsedNanos() {
        OptionalLong from = runStartAt;
        return from.isPresent() ? OptionalLong.of(clock.nanoTime() - from.getAsLong()) : from;
    }

    /** Waits until this long before the planned start, if there is one; returns at once with a virtual clock. */
    private void await(Duration before) throws IOException {
        if (plan.start().isEmpty() || clock.isVirtual()) {
            return;
        }
        Instant until = plan.start().get().minus(before);
        setOpener(Thread.currentThread());
        try {
            for (long nanos = nanosUntil(until); nanos > 0; nanos = nanosUntil(until)) {
                TimeUnit.NANOSECONDS.sleep(Math.min(nanos, LONGEST_NAP_NANOS));
            }
        } catch (InterruptedException interrupted) {
            throw new IOException("stopped before its start", interrupted);
        } finally {
            setOpener(null);
        }
    }

    private static long nanosUntil(Instant instant) {
        return Duration.between(Instant.now(), instant).toNanos();
    }

    /** The planned start, or now if that has passed; the verdict reports the difference. */
    private Instant started(Instant now) {
        return plan.start()
                .filter(planned -> clock.isVirtual() || !planned.isBefore(now))
                .orElse(now.plusNanos(LEAD_NANOS));
    }

    private void openGenerators() throws IOException {
        Optional<String> shortage = OpenFiles.shortage(target.preconnects() * plan.generators() / plan.shares());
        if (shortage.isPresent()) {
            throw new IOException(shortage.get());
        }
        List<Generator> opened = new ArrayList<>();
        setOpener(Thread.currentThread());
        try {
            for (int share = 0; share < plan.generators(); share++) {
                IntervalHandover handover = new IntervalHandover(share, names(plan, target), closed, clock.isVirtual());
                opened.add(new Generator(plan, share, firstIndex, target, clock, handover, stop));
            }
            generators = List.copyOf(opened);
        } catch (IOException | RuntimeException | Error broken) {
            opened.forEach(generator -> generator.lane().close());
            throw broken;
        } finally {
            setOpener(null);
        }
    }

    /** Synchronised with {@link #stop}, so that no interrupt arrives after the connections are open. */
    private synchronized void setOpener(@Nullable Thread thread) {
        opener = thread;
        if (thread != null && stop.isRaised()) {
            thread.interrupt();
        } else if (thread == null && stop.isRaised()) {
            Thread.interrupted(); // the interrupt has served its purpose and must not affect later code
        }
    }

    /** Sets the self-observation of a virtual generator, for tests; call before {@link #run}. */
    public void ownTime(DelayTotals virtual) {
        ownTime = virtual;
    }

    private void startThreads(List<Thread> threads, long startAt, Optional<HealthMonitor> monitor) {
        for (Generator generator : generators) {
            threads.add(Daemon.start("downbeat-generator-" + threads.size(), () -> {
                try (RunDelay delay = RunDelay.ofThisThread()) {
                    TimerSlack.reduceForThisThread();
                    generator.run(
                            startAt,
                            monitor.map(own -> DelayTotals.of(own, delay)).orElse(ownTime));
                } catch (RuntimeException | Error broken) {
                    generator.fail(broken); // before its first request, such as for lack of memory
                }
            }));
        }
    }

    /** The collector would otherwise wait for ever for a thread that died without reporting its end. */
    private void handOverForDeadThreads(List<Thread> threads) {
        for (int i = 0; i < threads.size(); i++) {
            if (!threads.get(i).isAlive()) {
                generators.get(i).handOverRest();
            }
        }
    }

    /** Waits even if this thread is interrupted, which stops the run, since the result must not be lost. */
    private void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException stop) {
                interrupted = true;
                stop();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private RunSpan.Ending ending(boolean isBroken) {
        if (isBroken) {
            return RunSpan.Ending.BROKEN;
        }
        if (!stop.isRaised()) {
            return RunSpan.Ending.COMPLETE;
        }
        return isDecided ? RunSpan.Ending.DECIDED : RunSpan.Ending.INTERRUPTED;
    }

    /**
     * Ends the run early because the objectives are decided. Like {@link #stop}, but the result does not count as
     * partial. Thread-safe.
     */
    public synchronized void callOff() {
        if (!stop.isRaised()) {
            isDecided = true;
        }
        stop();
    }

    /** Ends the run early; {@link #run} returns a partial result within half a second. Thread-safe. */
    public synchronized void stop() {
        stop.raise();
        if (warmUp != null) {
            warmUp.stop();
        }
        if (opener != null) {
            opener.interrupt();
        }
    }

    public RunSnapshot live() {
        return generators.stream()
                .map(generator -> generator.live().read())
                .reduce(RunSnapshot.NONE, RunSnapshot::plus);
    }

    /** Combined data of a run's generators, at least one, after they have ended. */
    private record GeneratorTotals(List<Generator> generators) {
        /** Downbeat's work after the last response, such as merging, is not part of the run. */
        long durationNanos(long startAt) {
            return generators.stream()
                    .mapToLong(generator -> Math.max(0, generator.endedAt() - startAt))
                    .max()
                    .orElseThrow();
        }

        /** The error thrown by the target's code, if any. */
        Optional<String> failure() {
            return generators.stream()
                    .map(Generator::failure)
                    .filter(Objects::nonNull)
                    .map(String::valueOf)
                    .findFirst();
        }

        LaneCounts counts(long startAt) {
            List<LaneCounts> lanes = generators.stream().map(Generator::counts).toList();
            List<DueRequests> schedules =
                    generators.stream().map(Generator::schedule).toList();
            return new LaneCounts(
                    lanes.stream().map(LaneCounts::connections).reduce(ConnectionCounts.NONE, ConnectionCounts::plus),
                    lanes.stream()
                            .map(LaneCounts::counts)
                            .reduce(TargetCounts.NONE, TargetCounts::plus)
                            .later(-startAt),
                    schedules.stream().mapToLong(DueRequests::peakBacklog).sum(),
                    schedules.stream()
                            .max(Comparator.comparingLong(DueRequests::peakBacklog))
                            .orElseThrow()
                            .peakBacklogNanos(),
                    generators.stream().map(Generator::saturation).reduce(Saturation.NONE, Saturation::plus));
        }

        Interruptions interruptions() {
            return generators.stream()
                    .map(generator -> generator.accounts().interruptions())
                    .reduce(Interruptions.UNKNOWN, Interruptions::beside);
        }

        KeptRequests kept() {
            KeptRequests kept = KeptRequests.NONE;
            long considered = 0;
            for (Generator generator : generators) {
                kept = kept.plus(
                        generator.accounts().keeper().kept(),
                        considered,
                        generator.accounts().keeper().considered());
                considered += generator.accounts().keeper().considered();
            }
            return kept;
        }
    }

    /**
     * Ends a warm-up once the service's median is steady: the medians of the three thirds of the latest half agree. A fresh
     * service speeds up while its JVM compiles, and a run that includes this is not comparable to another.
     */
    static final class UntilSteady implements Progress {
        /** A relative change of the median too small to matter in a comparison. */
        private static final double NEGLIGIBLE = 0.03;

        /** Thirds within this many standard errors differ by chance. */
        private static final double STANDARD_ERRORS = 2;

        /**
         * The standard error of the median of a normal distribution, in interquartile ranges divided by the root of the
         * count.
         */
        private static final double ERROR_OF_MEDIAN = 1.2533 / 1.349;

        /** Two intervals per third. */
        private static final int MIN_INTERVALS = 6;

        private final Runnable steady;
        private final List<Distribution> distributions = new ArrayList<>();
        private boolean isOver;

        UntilSteady(Runnable steady) {
            this.steady = steady;
        }

        @Override
        public void interval(Interval interval) {
            distributions.add(interval.recording().responseAtLeast());
            int latest = Math.max(MIN_INTERVALS, distributions.size() / 2);
            if (!isOver
                    && distributions.size() >= latest
                    && agree(distributions.subList(distributions.size() - latest, distributions.size()))) {
                isOver = true;
                steady.run();
            }
        }

        private static boolean agree(List<Distribution> latest) {
            double least = Double.POSITIVE_INFINITY;
            double most = 0;
            double error = 0;
            for (int third = 0; third < 3; third++) {
                Distribution times = latest.subList(third * latest.size() / 3, (third + 1) * latest.size() / 3).stream()
                        .reduce(Distribution.empty(), Distribution::plus);
                if (times.isEmpty()) {
                    return false;
                }
                double median = times.valueAtPercentile(50);
                double range = times.valueAtPercentile(75) - times.valueAtPercentile(25);
                least = Math.min(least, median);
                most = Math.max(most, median);
                error = Math.max(error, ERROR_OF_MEDIAN * range / Math.sqrt(times.count()));
            }
            return most - least <= Math.max(NEGLIGIBLE * least, STANDARD_ERRORS * error);
        }
    }
}
