package dev.downbeat.bench.metrics;

import dev.downbeat.bench.Exchanges;
import dev.downbeat.bench.RecorderBenchmark;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.record.Distribution;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.HdrHistogram.SynchronizedHistogram;
import org.LatencyUtils.LatencyStats;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Records one duration with other libraries: HdrHistogram's variants, Micrometer's timers, LatencyUtils.
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar MetricsLibraries -t 1
 * java -jar jmh-benchmarks/target/benchmarks.jar MetricsLibraries -t 2
 * </pre>
 *
 * <p>The score is ns per value, with one thread and with two. All recorders are shared except {@code histogram}: each thread has
 * its own, like Downbeat's generators. {@link RecorderBenchmark} measures Downbeat's recorder, for six values.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class MetricsLibrariesBenchmark {
    /** Response times in a ring. */
    @State(Scope.Thread)
    public static class Values {
        final Histogram own = Distribution.newHistogram();
        private final long[] nanos = new long[Exchanges.COUNT];
        private int next;

        /** Creates the values. */
        @Setup
        public void prepare() {
            Exchange[] answered = Exchanges.answered(100);
            Arrays.setAll(nanos, i -> answered[i].responseNanos());
        }

        long next() {
            return nanos[next++ & (Exchanges.COUNT - 1)];
        }
    }

    /** Recorders that threads share. */
    @State(Scope.Benchmark)
    public static class Shared {
        final AtomicHistogram atomic = new AtomicHistogram(1, Distribution.MAX_NANOS, Distribution.DIGITS);
        final ConcurrentHistogram concurrent = new ConcurrentHistogram(1, Distribution.MAX_NANOS, Distribution.DIGITS);
        final SynchronizedHistogram locked = new SynchronizedHistogram(1, Distribution.MAX_NANOS, Distribution.DIGITS);
        final Recorder recorder = new Recorder(1, Distribution.MAX_NANOS, Distribution.DIGITS);
        final SimpleMeterRegistry registry = new SimpleMeterRegistry();
        final Timer timer = Timer.builder("plain").register(registry);
        final Timer percentiles =
                Timer.builder("percentiles").publishPercentiles(0.5, 0.99).register(registry);
        final Timer buckets =
                Timer.builder("buckets").publishPercentileHistogram().register(registry);
    }

    /** Separate from the others, since LatencyUtils' pause detector has spinning threads. */
    @State(Scope.Benchmark)
    public static class WithPauseDetector {
        final LatencyStats stats = new LatencyStats();

        /** Stops its threads. */
        @TearDown
        public void stop() {
            stats.stop();
            LatencyStats.getDefaultPauseDetector().shutdown();
        }
    }

    /** For one thread only. */
    @Benchmark
    public void histogram(Values values) {
        values.own.recordValue(values.next());
    }

    /** Lock-free. */
    @Benchmark
    public void atomicHistogram(Values values, Shared shared) {
        shared.atomic.recordValue(values.next());
    }

    /** Lock-free, resizable. */
    @Benchmark
    public void concurrentHistogram(Values values, Shared shared) {
        shared.concurrent.recordValue(values.next());
    }

    /** With a lock. */
    @Benchmark
    public void synchronizedHistogram(Values values, Shared shared) {
        shared.locked.recordValue(values.next());
    }

    /** With interval histograms. */
    @Benchmark
    public void recorder(Values values, Shared shared) {
        shared.recorder.recordValue(values.next());
    }

    /** Micrometer: count, sum, maximum. */
    @Benchmark
    public void micrometerTimer(Values values, Shared shared) {
        shared.timer.record(values.next(), TimeUnit.NANOSECONDS);
    }

    /** Micrometer: percentiles computed in the process. */
    @Benchmark
    public void micrometerPercentiles(Values values, Shared shared) {
        shared.percentiles.record(values.next(), TimeUnit.NANOSECONDS);
    }

    /** Micrometer: buckets for Prometheus. */
    @Benchmark
    public void micrometerBuckets(Values values, Shared shared) {
        shared.buckets.record(values.next(), TimeUnit.NANOSECONDS);
    }

    /** LatencyUtils with its default pause detector. */
    @Benchmark
    public void latencyUtils(Values values, WithPauseDetector detecting) {
        detecting.stats.recordLatency(values.next());
    }
}
