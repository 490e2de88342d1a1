package dev.downbeat.bench;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.record.recorder.RequestKeeper;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.HdrHistogram.SingleWriterRecorder;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Records all instants of one answered request, compared with one value in HdrHistogram alone.
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar RecorderBenchmark -prof gc
 * </pre>
 *
 * <p>{@code completed} is ns per request: six values (response time, service time, lateness, backlog wait, response time without
 * Downbeat's lateness, service time by position) and reading the fields they are computed from; {@code gc.alloc.rate.norm} must
 * be about 0. {@code histogram}, {@code singleWriterRecorder} and {@code recorder} record one value, the response time. {@code
 * drain} is the work of the collecting thread once per interval; the generator thread only exchanges two references. {@code
 * instants} only reads the fields: 4,096 exchanges of 200 bytes come from the L2 cache, while a run has those of its connections
 * in the L1 cache.
 *
 * <p>Goal: {@code completed} at most 30 ns.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class RecorderBenchmark {
    /** Prepared exchanges in a ring, and a recorder. */
    @State(Scope.Thread)
    @SuppressWarnings("NullAway.Init") // JMH sets the parameter and calls prepare() before it measures
    public static class RecorderState {
        /** Requests after which the server closes a connection. Each position up to 256 has its own histogram. */
        @Param({"100", "1000000"})
        public int requestsPerConnection;

        final CorrectedRecorder recorder = new CorrectedRecorder();
        private Exchange[] exchanges;
        private int next;

        /** Makes the exchanges. */
        @Setup
        public void prepare() {
            exchanges = Exchanges.answered(requestsPerConnection);
        }

        Exchange next() {
            return exchanges[next++ & (Exchanges.COUNT - 1)];
        }
    }

    /** Prepared exchanges in a ring, and a keeper of the slowest requests. */
    @State(Scope.Thread)
    public static class KeeperState {
        final RequestKeeper keeper = new RequestKeeper(KeptRequests.MOST, 1);
        private final Exchange[] exchanges = Exchanges.answered(100);
        private int next;

        Exchange next() {
            return exchanges[next++ & (Exchanges.COUNT - 1)];
        }
    }

    /** Response times in a ring, and HdrHistogram's recorders. */
    @State(Scope.Thread)
    public static class HistogramState {
        final Histogram histogram = Distribution.newHistogram();
        final SingleWriterRecorder singleWriterRecorder =
                new SingleWriterRecorder(1, Distribution.MAX_NANOS, Distribution.DIGITS);
        final Recorder recorder = new Recorder(1, Distribution.MAX_NANOS, Distribution.DIGITS);
        private final Exchange[] exchanges = Exchanges.answered(100);
        private int next;

        long nextNanos() {
            return exchanges[next++ & (Exchanges.COUNT - 1)].responseNanos();
        }
    }

    /** A recorder that is filled with 100,000 requests before each call. */
    @State(Scope.Thread)
    @SuppressWarnings("NullAway.Init") // as above
    public static class FilledState {
        private static final int RECORDED = 100_000;

        /** As above. */
        @Param({"100", "1000000"})
        public int requestsPerConnection;

        final CorrectedRecorder recorder = new CorrectedRecorder();
        private Exchange[] exchanges;

        /** Makes the exchanges. */
        @Setup
        public void prepare() {
            exchanges = Exchanges.answered(requestsPerConnection);
        }

        /** Fills the recorder. This takes long enough for JMH's timing per invocation to be exact. */
        @Setup(Level.Invocation)
        public void fill() {
            recorder.planned(RECORDED);
            for (int i = 0; i < RECORDED; i++) {
                recorder.completed(exchanges[i & (Exchanges.COUNT - 1)]);
            }
        }
    }

    /** All instants of one request. */
    @Benchmark
    public void completed(RecorderState state) {
        state.recorder.completed(state.next());
    }

    /** Keeping the slowest requests and a sample, in addition to {@link #completed}: a comparison and a decrement. */
    @Benchmark
    public void kept(KeeperState state) {
        Exchange exchange = state.next();
        state.keeper.ended(exchange, exchange.completedAt, true);
    }

    /** Reads the fields of an exchange and adds them up: the part of {@link #completed} that no recorder can avoid. */
    @Benchmark
    public long instants(RecorderState state) {
        Exchange exchange = state.next();
        return exchange.responseNanos()
                + exchange.serviceNanos()
                + exchange.latenessNanos()
                + exchange.possiblyOwnNanos()
                + exchange.lookupNanos
                + exchange.connectNanos
                + exchange.handshakeNanos
                + exchange.firstByteAt
                + exchange.status
                + exchange.position
                + (exchange.outcome.fate() == Fate.ANSWERED ? 1 : 0);
    }

    /** One value in a plain histogram of one thread. */
    @Benchmark
    public void histogram(HistogramState state) {
        state.histogram.recordValue(state.nextNanos());
    }

    /** One value, with one writer and another thread that takes intervals. */
    @Benchmark
    public void singleWriterRecorder(HistogramState state) {
        state.singleWriterRecorder.recordValue(state.nextNanos());
    }

    /** One value, with any number of writers. */
    @Benchmark
    public void recorder(HistogramState state) {
        state.recorder.recordValue(state.nextNanos());
    }

    /** Takes the counts of an interval and resets the recorder. */
    @Benchmark
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public Recording drain(FilledState state) {
        return state.recorder.drain();
    }
}
