package dev.downbeat.run.engine;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.SafeText;
import dev.downbeat.exchange.Target;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.run.SerialPlan;
import dev.downbeat.run.SerialResult;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.selfcheck.HealthMonitor;
import dev.downbeat.time.Daemon;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Measures requests by position on a connection: runs of sequential requests, several at a time, each on its own new
 * connections.
 *
 * <p>Runs that start together would also open their connections together, and the handshakes would compete for a
 * processor. Unless the plan says otherwise, the first runs start evenly over the duration of a run, and each later one
 * after a random delay.
 *
 * <p>One thread runs it; any may call {@link #stop} or {@link #done}. Use once.
 */
public final class SerialRuns {
    private final SerialPlan plan;
    private final Target target;
    private final NanoClock clock;
    private final List<SerialRun> ended = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();
    private final TreeMap<String, Long> failures = new TreeMap<>();
    private @Nullable Throwable failure;
    private volatile boolean stopped;

    /** Prepares runs on a target, which is opened in {@link SerialPlan#shares} shares of one connection each. */
    public SerialRuns(SerialPlan plan, Target target) {
        this.plan = Objects.requireNonNull(plan, "plan");
        this.target = Objects.requireNonNull(target, "target");
        this.clock = NanoClock.system();
    }

    /** Stops soon: no further request is sent. */
    public void stop() {
        stopped = true;
    }

    /** The number of counted runs finished so far. */
    public synchronized int done() {
        return ended.size();
    }

    /** Executes all runs; fails with one clear line if not a single request could be sent. */
    public SerialResult run() throws IOException {
        long usualNanos = warmUp();
        Instant started = Instant.now();
        long startAt = clock.nanoTime();
        HealthMonitor monitor = HealthMonitor.start();
        GeneratorHealth health;
        try {
            runAll(startAt, usualNanos);
        } finally {
            health = monitor.stop();
        }
        long durationNanos = clock.nanoTime() - startAt;
        throwIfNothingSent();
        return result(started, durationNanos, usualNanos, health);
    }

    private void runAll(long startAt, long usualNanos) throws IOException {
        List<Thread> threads = new ArrayList<>();
        int count = Math.min(plan.concurrency(), plan.runs());
        SplittableRandom random = new SplittableRandom(plan.seed());
        long gapNanos = plan.staggered() ? usualNanos / count : 0;
        for (int i = 0; i < count; i++) {
            long firstAt = startAt + i * gapNanos;
            SplittableRandom threadRandom = random.split();
            threads.add(Daemon.of("downbeat-serial-" + i, () -> takeRuns(firstAt, gapNanos, threadRandom)));
        }
        runToEnd(threads);
    }

    /** The first run is alone, since it may initialise the client; the length of a run is measured on the others. */
    private long warmUp() throws IOException {
        SerialRun first = new SerialRun();
        long beforeAt = clock.nanoTime();
        first.run(0, beforeAt);
        List<SerialRun> others = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int share = 1; share < plan.warmUpRuns(); share++) {
            SerialRun other = new SerialRun();
            int otherShare = share;
            others.add(other);
            threads.add(Daemon.of(
                    "downbeat-serial-warm-up-" + share, () -> runCatching(other, otherShare, clock.nanoTime())));
        }
        runToEnd(threads);
        others.add(0, first);
        return others.stream()
                .mapToLong(SerialRuns::lengthNanos)
                .sorted()
                .skip(others.size() / 2)
                .findFirst()
                .orElse(0);
    }

    private static long lengthNanos(SerialRun run) {
        List<Exchange> requests = run.requests();
        return requests.isEmpty() ? 0 : requests.get(requests.size() - 1).completedAt - requests.get(0).startedAt;
    }

    private void takeRuns(long firstAt, long gapNanos, SplittableRandom random) {
        long startAt = firstAt;
        for (int index = next.getAndIncrement(); index < plan.runs() && !stopped; index = next.getAndIncrement()) {
            SerialRun run = new SerialRun();
            ended(run, runCatching(run, plan.warmUpRuns() + index, startAt));
            startAt = clock.nanoTime() + (gapNanos > 0 ? random.nextLong(gapNanos) : 0);
        }
    }

    private @Nullable Throwable runCatching(SerialRun run, int share, long startAt) {
        try {
            run.run(share, startAt);
            return null;
        } catch (IOException | RuntimeException | Error broken) {
            return broken;
        }
    }

    private synchronized void ended(SerialRun run, @Nullable Throwable broken) {
        ended.add(run);
        if (broken != null) {
            failure = failure == null ? broken : failure;
            failures.merge(reason(broken), 1L, Long::sum);
        }
    }

    /** A target's own message is one clear line; others may quote secrets. */
    private static String reason(Throwable broken) {
        String message = broken instanceof IOException ? broken.getMessage() : null;
        return message == null ? broken.getClass().getName() : SafeText.line(Redaction.line(message));
    }

    private void runToEnd(List<Thread> threads) throws IOException {
        try {
            for (Thread thread : threads) {
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException interrupted) {
            stop();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted during the runs", interrupted);
        } catch (Error notStarted) {
            stop();
            throw notStarted;
        }
    }

    private synchronized void throwIfNothingSent() throws IOException {
        if (failure != null && ended.stream().allMatch(run -> run.requests().isEmpty())) {
            throw new IOException(reason(failure), failure);
        }
    }

    private synchronized SerialResult result(
            Instant started, long durationNanos, long usualNanos, GeneratorHealth health) {
        ConnectionCounts connections = ConnectionCounts.NONE;
        TargetCounts counts = TargetCounts.NONE;
        List<List<Exchange>> runs = new ArrayList<>();
        for (SerialRun run : ended) {
            connections = connections.plus(run.connections());
            counts = counts.plus(run.counts());
            runs.add(run.requests());
            for (Exchange exchange : run.requests()) {
                if (exchange.outcome.fate() != Fate.ANSWERED) {
                    failures.merge(exchange.outcome.reason(), 1L, Long::sum);
                }
            }
        }
        boolean complete = ended.size() == plan.runs() && ended.stream().allMatch(SerialRun::isWhole);
        return new SerialResult(
                plan,
                target.describe(),
                started,
                durationNanos,
                usualNanos,
                runs,
                connections,
                counts,
                failures,
                complete && !stopped,
                health,
                target.names());
    }

    /** A client that sends requests sequentially on its own lane. Not thread-safe; use once. */
    private final class SerialRun {
        /** After this many consecutive failures the service is considered down. */
        private static final int MAX_CONSECUTIVE_FAILURES = 10;

        private static final long NAP_NANOS = 20_000_000;

        private final List<Exchange> done = new ArrayList<>(plan.requests());
        private ConnectionCounts connections = ConnectionCounts.NONE;
        private TargetCounts counts = TargetCounts.NONE;
        private boolean ended;

        void run(int share, long startAt) throws IOException {
            try (Lane lane = target.open(share, plan.shares(), clock, exchange -> ended = true)) {
                await(startAt);
                int consecutiveFailures = 0;
                for (int i = 0;
                        i < plan.requests() && consecutiveFailures < MAX_CONSECUTIVE_FAILURES && !stopped;
                        i++) {
                    Exchange exchange = send(lane, (long) share * plan.requests() + i);
                    done.add(exchange);
                    consecutiveFailures = exchange.outcome.fate() == Fate.ANSWERED ? 0 : consecutiveFailures + 1;
                }
                connections = lane.connections();
                counts = lane.counts();
            }
        }

        private void await(long startAt) {
            for (long left = startAt - clock.nanoTime(); left > 0; left = startAt - clock.nanoTime()) {
                if (stopped) {
                    return;
                }
                LockSupport.parkNanos(this, Math.min(left, NAP_NANOS));
            }
        }

        private Exchange send(Lane lane, long index) {
            Exchange exchange = new Exchange(0);
            exchange.index = index;
            exchange.session = index;
            exchange.name = target.nameOf(exchange);
            lane.poll(clock.nanoTime()); // so that a close that has already arrived is seen
            long now = clock.nanoTime();
            exchange.begin(now, now, now);
            ended = false;
            long timeoutAt = now + plan.timeout().toNanos();
            exchange.deadlineAt = timeoutAt;
            lane.send(exchange);
            while (!ended) {
                long at = clock.nanoTime();
                if (at - timeoutAt >= 0 && lane.abandonUnlessEnded(exchange)) {
                    exchange.completedAt = at;
                    exchange.outcome = Outcome.timedOut();
                    return exchange;
                }
                lane.poll(timeoutAt);
            }
            return exchange;
        }

        List<Exchange> requests() {
            return done;
        }

        TargetCounts counts() {
            return counts;
        }

        ConnectionCounts connections() {
            return connections;
        }

        boolean isWhole() {
            return done.size() == plan.requests();
        }
    }
}
