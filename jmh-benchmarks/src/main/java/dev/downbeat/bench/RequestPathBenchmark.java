package dev.downbeat.bench;

import com.sun.management.ThreadMXBean;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.time.NanoClock;
import dev.downbeat.time.ParkThenSpin;
import dev.downbeat.time.Waiter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The whole path of a request through core, from its intended time to the histograms: a real run against a target that costs
 * nothing, at a constant rate that is too high to be kept.
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar RequestPathBenchmark -prof gc
 * </pre>
 *
 * <p>{@code steady} observes a run in a thread of its own. Its figures are the score (ns per request), {@code
 * gc.alloc.rate.norm} (bytes per request, over all threads) and {@code generatorBytes}, the total that the generator's thread
 * allocated in all iterations. With 64 in flight, 64 requests share a pass of the generator's loop; with 1, each request pays
 * for a whole pass, as at a rate that is easily kept. Each request needs two readings of the clock, with 1 in flight four;
 * {@code clock} is the cost of one.
 *
 * <p>{@code wholeRun} is a run from set-up to result. The difference between the two sizes, in ms and in {@code
 * gc.alloc.rate.norm}, divided by the difference in requests, is the cost per request; the rest is the fixed cost of a run.
 *
 * <p>Goal: after warm-up the generator's thread allocates 0 bytes per request, except two small objects per second for handing
 * over the interval. The other threads allocate the results of the intervals once per second, at any rate; that is the rest of
 * {@code gc.alloc.rate.norm}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class RequestPathBenchmark {
    private static final int BATCH = 10_000;

    /** A run in progress. */
    @State(Scope.Benchmark)
    @SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls start() before it measures
    public static class Steady {
        private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

        /** Requests in flight at the same time. */
        @Param({"1", "64"})
        public int inFlight;

        /** Requests per second: too many to be kept, but not by much, since every due request is counted as well. */
        @Param("10000000")
        public long rate;

        private NullTarget target;
        private LoadRun run;
        private FutureTask<RunResult> result;
        private long next;

        /** Starts the run. */
        @Setup
        public void start() {
            RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(rate))))
                    .duration(Duration.ofHours(1))
                    .timeoutFrom(RunPlan.TimeoutFrom.SENT)
                    .build();
            target = new NullTarget(NullTarget.Answers.IN_POLL, inFlight);
            run = new LoadRun(plan, target);
            result = new FutureTask<>(() -> run.run(Progress.none()));
            Thread thread = new Thread(result, "run");
            thread.setDaemon(true);
            thread.start();
        }

        /** Skips what was answered between iterations. Before the first one, waits for the first answer. */
        @Setup(Level.Iteration)
        public void beginHere() {
            next = 0;
            awaitBatch();
            next = target.answered();
        }

        void awaitBatch() {
            next += BATCH;
            long beganAt = System.nanoTime();
            while (target.answered() < next) {
                LockSupport.parkNanos(50_000);
                if (System.nanoTime() - beganAt > PATIENCE_NANOS) {
                    throw new IllegalStateException("the run makes no progress");
                }
            }
        }

        /** Ends the run; fails if its ledger does not add up or if it kept the rate. */
        @TearDown
        public void stop() throws InterruptedException, ExecutionException {
            run.stop();
            requireSound(result.get());
            if (result.get().ledger().neverSent() == 0) {
                throw new IllegalStateException("rate must be too high to be kept, but was " + rate);
            }
        }
    }

    /** The bytes that the generator's thread allocated in the iterations; JMH adds them up. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Allocated {
        private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        /** Read by JMH at the end of each iteration. */
        public long generatorBytes;

        private long before;

        /** Starts to count. */
        @Setup(Level.Iteration)
        public void begin(Steady steady) {
            before = allocatedBytes(steady);
        }

        void read(Steady steady) {
            generatorBytes = allocatedBytes(steady) - before;
        }

        private static long allocatedBytes(Steady steady) {
            return THREADS.getThreadAllocatedBytes(steady.target.threadId());
        }
    }

    private static void requireSound(RunResult result) {
        if (result.failure().isPresent() || !result.ledger().addsUp()) {
            throw new IllegalStateException("the run broke: " + result.failure() + ", " + result.ledger());
        }
    }

    /** One request of a run in progress. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void steady(Steady steady, Allocated allocated) {
        steady.awaitBatch();
        allocated.read(steady);
    }

    /** The size of a whole run. */
    @State(Scope.Thread)
    public static class Whole {
        @Param({"2000000", "4000000"})
        public long requests;
    }

    /** A run from set-up to result. All its requests are due almost at once and answered within the send. */
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    @Warmup(iterations = 5)
    @Measurement(iterations = 5)
    public RunResult wholeRun(Whole whole) throws IOException {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(1_000_000_000))))
                .maxRequests(whole.requests)
                .timeoutFrom(RunPlan.TimeoutFrom.SENT)
                .build();
        RunResult result = new LoadRun(plan, new NullTarget(NullTarget.Answers.IN_SEND, 64)).run(Progress.none());
        requireSound(result);
        return result;
    }

    /** One reading of the clock. */
    @Benchmark
    public long clock() {
        return System.nanoTime();
    }

    /** A target that costs nothing and answers every request at once. */
    private static final class NullTarget implements Target {
        private static final int PUBLISHED_EVERY = 256;

        private final Answers answers;
        private final int capacity;
        private final AtomicLong answered = new AtomicLong();
        private final AtomicLong threadId = new AtomicLong();

        /** When the lane completes a request. */
        enum Answers {
            /** From within the send, like a target that is a method call. */
            IN_SEND,
            /** From the next poll, like a target behind a network. */
            IN_POLL
        }

        NullTarget(Answers answers, int capacity) {
            this.answers = answers;
            this.capacity = capacity;
        }

        /** The number of answered requests, updated every {@value #PUBLISHED_EVERY}. Thread-safe. */
        long answered() {
            return answered.getAcquire();
        }

        /** The generator's thread, once {@link #answered} is above 0; 0 before. Thread-safe. */
        long threadId() {
            return threadId.getAcquire();
        }

        @Override
        public String describe() {
            return "nothing";
        }

        @Override
        public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) {
            return new NullLane(clock, listener);
        }

        private final class NullLane implements Lane {
            private final NanoClock clock;
            private final Waiter waiter;
            private final Exchange.Listener listener;
            private Exchange[] inFlight = new Exchange[capacity];
            private Exchange[] beingAnswered = new Exchange[capacity];
            private int count;
            private long completed;

            NullLane(NanoClock clock, Exchange.Listener listener) {
                this.clock = clock;
                this.waiter = new ParkThenSpin(clock, 0);
                this.listener = listener;
            }

            @Override
            public int capacity() {
                return capacity;
            }

            @Override
            public void send(Exchange exchange) {
                if (answers == Answers.IN_SEND) {
                    answer(exchange);
                } else {
                    inFlight[count++] = exchange;
                }
            }

            private void answer(Exchange exchange) {
                exchange.completedAt = clock.nanoTime();
                exchange.position = 1;
                if (++completed % PUBLISHED_EVERY == 0) {
                    threadId.setRelease(Thread.currentThread().getId());
                    answered.setRelease(completed);
                }
                listener.completed(exchange);
            }

            @Override
            public void abandon(Exchange exchange) {
                throw new IllegalStateException("no request takes long enough to time out");
            }

            @Override
            public void poll(long untilAt) {
                if (count == 0) {
                    waiter.awaitUntil(untilAt);
                    return;
                }
                Exchange[] batch = inFlight; // while these are completed, others are sent
                inFlight = beingAnswered;
                beingAnswered = batch;
                int size = count;
                count = 0;
                for (int i = 0; i < size; i++) {
                    answer(batch[i]);
                }
            }

            @Override
            public ConnectionCounts connections() {
                return ConnectionCounts.NONE;
            }

            @Override
            public void close() {}
        }
    }
}
