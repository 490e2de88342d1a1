package dev.downbeat.gatling.correction;

import dev.downbeat.gatling.ledger.ClassPreloading;
import dev.downbeat.gatling.ledger.Journal;
import dev.downbeat.gatling.settings.Settings;
import dev.downbeat.gatling.version.ResultsFolder;
import dev.downbeat.record.Recording;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.LaneCounts.Saturation;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.DelayTotals;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.selfcheck.HealthMonitor;
import dev.downbeat.selfcheck.JvmWarmUpDetector;
import dev.downbeat.stats.Numbers;
import dev.downbeat.time.Daemon;
import dev.downbeat.time.DurationText;
import dev.downbeat.watch.Watchers;
import dev.downbeat.why.WatchResult;
import dev.downbeat.why.WatcherGroup;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Observes a run from the first user to the report. Thread-safe. */
final class RunWatch {
    private static final long INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();
    /** The usual number of entries at a time, which with their requests fit into the processor's cache. */
    private static final long USUAL_ENTRIES = 500;

    private static final long SHORTEST_WAIT_NANOS = Duration.ofMillis(2).toNanos();
    private static final long LONGEST_WAIT_NANOS = Duration.ofMillis(50).toNanos();
    private static final int PATIENCE_SECONDS = 10;
    private static final long LONGEST_WARM_UP_NANOS = Duration.ofSeconds(30).toNanos();

    private final CorrectedRun run;
    private final Thread atExit;
    private final WatcherGroup service;
    private @Nullable Journal journal;
    private @Nullable HealthMonitor monitor;
    private @Nullable RunResult result;
    private Recording overdue = Recording.empty();
    private final long madeAtMillis = System.currentTimeMillis();
    private Path folder = Path.of("");
    private Path results = Path.of("");
    private Instant started = Instant.EPOCH;
    private boolean reported;
    private final CountDownLatch saved = new CountDownLatch(1);
    private OptionalLong leftOut = OptionalLong.empty();
    private volatile long coldNanos;

    RunWatch(CorrectedRun run) {
        ClassPreloading.play();
        this.run = run;
        this.service = WatcherGroup.begin(
                run.settings().watches().stream().map(Watchers::parse).toList());
        this.atExit = new Thread(this::interrupted, "downbeat-at-exit");
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    synchronized void begin(long firstAt) {
        if (journal == null) {
            long warmUpNanos = Math.max(0, run.settings().warmUpNanos());
            long startAt = firstAt + warmUpNanos;
            Journal first = new Journal(startAt, warmUpNanos == 0);
            journal = first;
            results = ResultsFolder.find(run.simulation(), madeAtMillis);
            folder = run.settings().folder().orElse(results);
            started = Instant.now().plusNanos(warmUpNanos);
            recordIntervals(first, startAt + INTERVAL_NANOS);
        }
    }

    /** Ends an interval about every second, on its own thread: on an event loop it would make users late. */
    private void recordIntervals(Journal recorded, long at) {
        Daemon.start("downbeat-intervals", () -> {
            long nextAt = at;
            waitUntil(at - INTERVAL_NANOS, recorded);
            watchHealth();
            JvmWarmUpDetector warmth = new JvmWarmUpDetector(System.nanoTime());
            boolean warmsUp = run.settings().warmUpNanos() == Settings.UNTIL_WARM;
            while (!isOver()) {
                waitUntil(nextAt, recorded);
                boolean warm = warmth.sample(System.nanoTime());
                coldNanos = warmth.coldNanos();
                recorded.endInterval(System.nanoTime());
                if (warmsUp && (warm || System.nanoTime() - at >= LONGEST_WARM_UP_NANOS - INTERVAL_NANOS)) {
                    restart(recorded);
                    warmsUp = false;
                }
                nextAt += INTERVAL_NANOS;
            }
        });
    }

    private void waitUntil(long at, Journal recorded) {
        long waitNanos = LONGEST_WAIT_NANOS;
        for (long left = at - System.nanoTime(); left > 0 && !isOver(); left = at - System.nanoTime()) {
            LockSupport.parkNanos(this, Math.min(left, waitNanos));
            long usualNanos = waitNanos * USUAL_ENTRIES / Math.max(1, recorded.enter());
            waitNanos = Math.max(SHORTEST_WAIT_NANOS, Math.min(usualNanos, LONGEST_WAIT_NANOS));
        }
    }

    private synchronized void watchHealth() {
        if (result == null) {
            HealthMonitor started = HealthMonitor.startSparing();
            monitor = started;
            journal().watchDelays(DelayTotals.ofThisProcess(started));
        }
    }

    /** Discards everything so far as warm-up. */
    private synchronized void restart(Journal recorded) {
        if (result == null) {
            if (monitor != null) {
                monitor.stop();
            }
            leftOut = OptionalLong.of(recorded.restart(System.nanoTime()));
            started = Instant.now();
            watchHealth();
        }
    }

    /**
     * How long the JVM was cold, from the start of the counted part; with automatic warm-up, the length of that
     * warm-up.
     */
    long coldNanos() {
        return coldNanos;
    }

    /** The number of requests excluded by automatic warm-up; empty if the run ended before it did. */
    synchronized OptionalLong leftOut() {
        return leftOut;
    }

    /** Requests that Gatling's own paces would not have sent. */
    synchronized Recording overdue() {
        return overdue;
    }

    private synchronized boolean isOver() {
        return result != null;
    }

    synchronized Journal journal() {
        if (journal == null) {
            throw new IllegalStateException("no user has started yet");
        }
        return journal;
    }

    /** Ends the recording; the first call counts. */
    synchronized void end(RunSpan.Ending ending, Optional<String> reason) {
        if (journal == null && ending == RunSpan.Ending.COMPLETE) { // no user has started: nothing was measured
            begin(System.nanoTime());
        }
        if (result != null || journal == null) {
            return;
        }
        long endAt = System.nanoTime();
        run.populations().forEach(population -> population.end(endAt));
        run.users().all().forEach(user -> user.stopped(endAt));
        journal.end(endAt);
        overdue = journal.overdue();
        HealthMonitor finalMonitor = monitor == null ? HealthMonitor.startSparing() : monitor;
        GeneratorHealth health = finalMonitor.stop();
        long durationNanos = Math.max(0, endAt - journal.startAt());
        Recording total = journal.timeline().total();
        // other recorders may have had nothing to record, but a simulation is run for its requests
        boolean isNothing = ending == RunSpan.Ending.COMPLETE && total.ledger().planned() == 0;
        result = new RunResult(
                        plan(journal, durationNanos),
                        "Gatling simulation " + run.simulation(),
                        new RunSpan(
                                started,
                                journal.startAt(),
                                durationNanos,
                                isNothing ? RunSpan.Ending.BROKEN : ending,
                                isNothing ? Optional.of(whyNothing(journal.isAnySent())) : reason),
                        total,
                        journal.timeline().intervals(),
                        new LaneCounts(
                                run.connections(),
                                run.counts(),
                                journal.peakWaiting(),
                                journal.peakWaitingNanos(),
                                Saturation.NONE),
                        health)
                .with(journal.interruptions().withPauses(finalMonitor.pauses(journal.startAt())))
                .with(journal.kept());
    }

    private String whyNothing(boolean isAnySent) {
        long warmUpNanos = run.settings().warmUpNanos();
        if (!isAnySent) {
            return "the simulation sent no request";
        }
        return "all requests were intended within the warm-up"
                + (warmUpNanos > 0 ? " of " + DurationText.format(warmUpNanos) : "");
    }

    private RunPlan plan(Journal recorded, long durationNanos) {
        // If all users arrive at once, the rate depends on how long they take, not on when they arrived.
        long leastNanos = Math.min(durationNanos, INTERVAL_NANOS);
        long windowNanos = Math.max(1, Math.max(leastNanos, Math.min(durationNanos, recorded.windowNanos())));
        return RunPlan.builder(workload())
                .duration(Duration.ofNanos(windowNanos))
                .timeout(run.timeout())
                .timeoutFrom(run.sendsItself() ? RunPlan.TimeoutFrom.ASKED : RunPlan.TimeoutFrom.SENT)
                .build();
    }

    private Workload workload() {
        List<CorrectedPopulation> all = run.populations();
        long injected = all.stream().mapToLong(CorrectedPopulation::injected).sum();
        long paced = all.stream().mapToLong(CorrectedPopulation::paced).sum();
        long following = all.stream().mapToLong(CorrectedPopulation::following).sum();
        int waiting = all.stream()
                .filter(population -> !population.isOpen())
                .filter(CorrectedPopulation::isUnpaced)
                .mapToInt(CorrectedPopulation::peakUsers)
                .sum();
        boolean open = all.stream().allMatch(CorrectedPopulation::isOpen);
        String kind = waiting > 0 ? "closed" : open && following == 0 ? "open" : "partly-open";
        String text = kind + ", driven by Gatling: " + Numbers.count(injected, "user");
        text += paced == 0 ? "" : "; " + Numbers.count(paced, "paced request");
        text += following == 0 ? "" : "; " + Numbers.count(following, "request") + " sent after a response";
        return new Workload.External(kind, text, waiting);
    }

    private synchronized Path folder() {
        return folder;
    }

    synchronized Path results() {
        return results;
    }

    /** Shows and saves the results at the end of Gatling's run. */
    void report() {
        RunResult finished;
        synchronized (this) {
            end(RunSpan.Ending.BROKEN, Optional.of("Gatling's run crashed"));
            finished = result;
            if (reported) {
                return;
            }
            reported = true;
        }
        Optional<RunReporter> reporting = Optional.empty();
        try {
            run.closeConnections();
            List<WatchResult> watched =
                    finished == null ? List.of() : service.end(finished.span().startAt(), finished.durationNanos());
            service.close();
            if (finished != null) { // a user has started
                reporting = Optional.of(new RunReporter(run, this, folder(), finished, watched));
            }
            reporting.ifPresent(RunReporter::report);
        } finally {
            saved.countDown();
        }
        if (!isExiting() && isUninterrupted()) {
            reporting.ifPresent(RunReporter::end);
        }
    }

    /** Whether the end of the JVM ends the run. */
    boolean isExiting() {
        return Thread.currentThread() == atExit;
    }

    /** Whether the JVM keeps running; otherwise the exit code is that of the signal. */
    private boolean isUninterrupted() {
        try {
            return Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException ending) {
            return false;
        }
    }

    /** The JVM is shutting down during a run, or while its results are saved, which must not be cut off. */
    private void interrupted() {
        service.endSoon();
        end(RunSpan.Ending.INTERRUPTED, Optional.empty());
        report();
        try {
            boolean unused = !isReported() || saved.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException now) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isReported() {
        return reported;
    }
}
