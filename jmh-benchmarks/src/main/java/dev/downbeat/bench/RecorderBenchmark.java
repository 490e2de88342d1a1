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
 * Recording all instants of one answered request, beside what HdrHistogram alone takes for one value.
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar RecorderBenchmark -prof gc
 * </pre>
 *
 * <p>Look at {@code completed}: ns per request, which is six values (response time, service time, lateness, backlog wait,
 * response time without our lateness, service time by position) and the fields they are computed from; {@code
 * gc.alloc.rate.norm} must be about 0. {@code histogram}, {@code singleWriterRecorder} and {@code recorder} record one
 * value, the response time. {@code drain} is what the collecting thread does once per interval; the generator thread
 * itself only exchanges two references for it. {@code instants} reads the fields and counts nothing: 4,096 exchanges of 200
 * bytes come from the second cache, where a run has those of its connections in the first.
 *
 * <p>Goal: {@code completed} at most 30 ns.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class RecorderBenchmark {
    /** Prepared exchanges in a ring and the recorder that counts them. */
    @State(Scope.Thread)
    @SuppressWarnings("NullAway.Init") // JMH sets the parameter and calls prepare() before it measures
    public static class Ours {
        /** After how many requests the server closes a connection: each position has a histogram of its own, up to 256. */
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

    /** Prepared exchanges in a ring and what keeps the slowest of them. */
    @State(Scope.Thread)
    public static class Kept {
        final RequestKeeper keeper = new RequestKeeper(KeptRequests.MOST, 1);
        private final Exchange[] exchanges = Exchanges.answered(100);
        private int next;

        Exchange next() {
            return exchanges[next++ & (Exchanges.COUNT - 1)];
        }
    }

    /** Response times in a ring and what HdrHistogram offers for them. */
    @State(Scope.Thread)
    public static class Theirs {
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

    /** A recorder with 100,000 requests in it, filled anew before each call. */
    @State(Scope.Thread)
    @SuppressWarnings("NullAway.Init") // as above
    public static class Filled {
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

        /** Fills the recorder; takes as long as what is measured, so JMH's time for it does not matter. */
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
    public void completed(Ours ours) {
        ours.recorder.completed(ours.next());
    }

    /** What keeping the slowest requests and a sample adds to {@link #completed}: a comparison and a decrement. */
    @Benchmark
    public void kept(Kept kept) {
        Exchange exchange = kept.next();
        kept.keeper.ended(exchange, exchange.completedAt, true);
    }

    /** What the instants are computed from, read and added up: the part of {@link #completed} that no recorder can save. */
    @Benchmark
    public long instants(Ours ours) {
        Exchange exchange = ours.next();
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

    /** One value in a plain histogram, which only its own thread may read. */
    @Benchmark
    public void histogram(Theirs theirs) {
        theirs.histogram.recordValue(theirs.nextNanos());
    }

    /** One value where another thread may flip. */
    @Benchmark
    public void singleWriterRecorder(Theirs theirs) {
        theirs.singleWriterRecorder.recordValue(theirs.nextNanos());
    }

    /** One value where any thread may record. */
    @Benchmark
    public void recorder(Theirs theirs) {
        theirs.recorder.recordValue(theirs.nextNanos());
    }

    /** An interval's counts taken out, and the recorder made empty. */
    @Benchmark
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public Recording drain(Filled filled) {
        return filled.recorder.drain();
    }
}
