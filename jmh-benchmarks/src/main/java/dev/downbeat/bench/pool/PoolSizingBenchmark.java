package dev.downbeat.bench.pool;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.Target;
import dev.downbeat.jmh.iteration.IterationRecording;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.time.ManualClock;
import dev.downbeat.time.ServiceLaw;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How many connections a client needs. Poisson arrivals at 500/s meet a service that works on 8 requests at a time, with
 * exponential service times of 10 ms, so that 5 of its 8 servers are busy on average.
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar PoolSizingBenchmark.run -prof dev.downbeat.jmh.DownbeatProfiler
 * java -jar jmh-benchmarks/target/benchmarks.jar PoolSizingBenchmark.virtual -prof dev.downbeat.jmh.DownbeatProfiler
 * java -jar jmh-benchmarks/target/benchmarks.jar PoolSizingBenchmark.run -p busy=50 -p connections=52,58 -prof dev.downbeat.jmh.DownbeatProfiler
 * java -cp jmh-benchmarks/target/benchmarks.jar dev.downbeat.bench.pool.MmcQueue 500 10 4 5 6 7 8 10 16 64
 * </pre>
 *
 * <p>Each invocation is a whole run, whose percentiles are the secondary results; JMH's own score, its length, is meaningless.
 * {@code backlog_wait.mean} is the wait for a connection; see also {@code response.mean} and {@code response.p99}. A pool of up
 * to 8 connections is an M/M/c queue: {@code backlog_wait.mean} is near the theoretical mean wait, and the knee is at 5, the busy
 * connections. With 8 or more, requests queue at the service: its wait (that of M/M/8) is in {@code service}, and more
 * connections do not shorten the response time; they only hide the queue from the client. {@code virtual} is the same in
 * virtual time, with as many requests as precision needs.
 *
 * <p>{@code start=COLD} opens a new pool for each run and fills it on demand, as after a deployment or an idle period: see {@code
 * response.p99} and max.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 1)
@Measurement(iterations = 3)
@Fork(1)
public class PoolSizingBenchmark {
    private static final int SERVERS = 8;
    private static final int PER_SECOND = 500;
    private static final Rate RATE = Rate.perSecond(PER_SECOND);

    /** The size of the pool and the service. */
    @State(Scope.Benchmark)
    public static class Case {
        /** The maximum number of connections. */
        @Param({"4", "5", "6", "7", "8", "10", "16", "64"})
        public int connections;

        /**
         * The mean number of busy connections, at least 5, which determines the service time. With 5 the service works on 8
         * requests at a time, with more it is never the bottleneck.
         */
        @Param("5")
        public int busy;

        private long seed = 42;

        long meanServiceNanos() {
            return TimeUnit.SECONDS.toNanos(busy) / PER_SECOND;
        }

        int servers() {
            return busy <= SERVERS ? SERVERS : 100 * busy;
        }

        RunPlan plan(long millis) {
            seed++; // another schedule for each run, the same for all clients and sizes
            return RunPlan.builder(new Workload.Open(new Poisson(RATE, seed)))
                    .duration(Duration.ofMillis(millis))
                    .build();
        }
    }

    /** A server on loopback and a client with a pool. */
    @State(Scope.Benchmark)
    @SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls startServer() before it measures
    public static class Real {
        /** The client whose pool is measured. */
        @Param({"OURS", "APACHE5", "SDK_NETTY"})
        public PooledClient.Kind client;

        /** The state of the pool when a run starts. */
        @Param("WARM")
        public Start start;

        /** Length of a run in ms. */
        @Param("5000")
        public long runMillis;

        private LoopbackServer server;
        private @Nullable PooledClient pool;

        /** States of a pool when a run starts. */
        public enum Start {
            /** Kept from run to run, all connections open. */
            WARM,
            /** New for each run, with connections on demand. */
            COLD
        }

        /** Starts the server. */
        @Setup
        public void startServer(Case size) throws IOException {
            server = LoopbackServer.start(LoopbackOptions.of(draft -> {
                draft.delay = new ServiceLaw.Exponential(size.meanServiceNanos());
                draft.concurrency = size.servers();
            }));
        }

        /** Opens the pool, for the first run or for each cold one. */
        @Setup(Level.Iteration)
        public void open(Case size) {
            if (pool == null || start == Start.COLD) {
                close();
                pool = client.open(URI.create(server.uri()), size.connections, start == Start.WARM);
            }
        }

        Target target() {
            return java.util.Objects.requireNonNull(pool).target();
        }

        /** Closes the pool and the server. */
        @TearDown
        public void stop() {
            close();
            server.close();
        }

        private void close() {
            if (pool != null) {
                pool.close();
            }
        }
    }

    /** A simulated service. */
    @State(Scope.Benchmark)
    public static class Simulated {
        /** Length of a run in ms of virtual time. */
        @Param("1000000")
        public long virtualMillis;

        private long seed = 4711;
    }

    /** A run against a loopback server. */
    @Benchmark
    public RunResult run(Case size, Real real) throws IOException {
        return published(new LoadRun(size.plan(real.runMillis), real.target()));
    }

    /** The same in virtual time. */
    @Benchmark
    public RunResult virtual(Case size, Simulated simulated) throws IOException {
        ManualClock clock = new ManualClock(0);
        VirtualService service =
                new VirtualService(clock, size.connections, size.servers(), size.meanServiceNanos(), simulated.seed++);
        return published(new LoadRun(size.plan(simulated.virtualMillis), service, clock));
    }

    private static RunResult published(LoadRun run) throws IOException {
        RunResult result = run.run(Progress.none());
        if (!result.ledger().addsUp() || result.ledger().failed() > 0) {
            throw new IllegalStateException("the run broke: " + result.ledger() + " "
                    + result.recording().failures());
        }
        IterationRecording.publish(result.recording());
        return result;
    }
}
