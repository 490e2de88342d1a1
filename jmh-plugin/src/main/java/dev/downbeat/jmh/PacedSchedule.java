package dev.downbeat.jmh;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.jmh.iteration.IterationRecording;
import dev.downbeat.load.ArrivalLaw;
import dev.downbeat.run.OfferedRate;
import dev.downbeat.selfcheck.PropertyNames;
import dev.downbeat.time.NanoClock;
import java.time.Duration;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * The schedule shared by all {@link IntendedStart}s of a benchmark, with its parameters: {@code -p rate=2000 -p
 * arrivals=POISSON}. Benchmarks declare a {@link IntendedStart}, which includes this.
 *
 * <p>Each iteration has its own schedule, the same in every fork, so forks differ only in what is measured.
 *
 * <p>Thread-safe as used by JMH.
 */
@State(Scope.Benchmark)
public class PacedSchedule {
    /** Time for all threads to get ready before the first intended start. */
    private static final long LEAD_NANOS = Duration.ofMillis(5).toNanos();

    private static final long SEED = 0x5EED;

    /** The total rate of all threads: {@code 2000}, {@code 2000/s}, {@code 1.5k/s} or {@code 30/m}. */
    @Param("1000/s")
    public String rate = "1000/s";

    /**
     * The arrival process. Unlike elsewhere, evenly spaced arrivals are the default: they give each thread its own phase,
     * so an operation waits for its thread only after a slow one. Random arrivals also happen to wait behind fast operations,
     * depending on the number of threads.
     */
    @Param("CONSTANT")
    public ArrivalLaw arrivals = ArrivalLaw.CONSTANT;

    private final NanoClock clock;
    private int threads;
    private long iteration;
    private boolean isStarted;
    private long startAt;

    /** For JMH. */
    public PacedSchedule() {
        this(NanoClock.system());
    }

    PacedSchedule(NanoClock clock) {
        this.clock = clock;
    }

    /**
     * Validates the parameters.
     *
     * @throws IllegalArgumentException if the rate is malformed or 0, or an iteration or invocation is not a series of single
     *     operations
     */
    @Setup(Level.Trial)
    public void check(BenchmarkParams benchmark) {
        requireOne("batch size", benchmark.getMeasurement().getBatchSize());
        requireOne("operations per invocation", benchmark.getOpsPerInvocation());
        if (benchmark.getMode() == Mode.SingleShotTime) {
            throw new IllegalArgumentException("mode of a paced benchmark must be one that repeats the operation, such"
                    + " as SampleTime, but was SingleShotTime");
        }
        check();
        if (!IterationRecording.isOpen()) {
            System.out.println("downbeat: the benchmark is paced, but only JMH's own numbers are shown; add -prof "
                    + PacedSchedule.class.getPackageName() + ".DownbeatProfiler");
        }
    }

    private static void requireOne(String what, int count) {
        if (count != 1) {
            throw new IllegalArgumentException(what + " of a paced benchmark must be 1, but was " + count);
        }
    }

    void check() {
        PropertyNames.refusal(System.getProperties(), PropertyNames.all()).ifPresent(unknown -> {
            throw new IllegalArgumentException(unknown);
        });
        if (rate().count() == 0) {
            throw new IllegalArgumentException("rate must be above 0, but was '" + rate + "'");
        }
    }

    /** Prepares the next schedule. */
    @Setup(Level.Iteration)
    public synchronized void begin() {
        iteration++;
        isStarted = false;
    }

    /** Registers a thread; all do so before the first iteration. */
    synchronized int join() {
        return threads++;
    }

    /** The start of the iteration's schedule: a few milliseconds after the first thread has asked for it. */
    synchronized long startAt() {
        if (!isStarted) {
            isStarted = true;
            startAt = clock.nanoTime() + LEAD_NANOS;
        }
        return startAt;
    }

    private Rate rate() {
        return OfferedRate.RateText.parse(rate);
    }

    synchronized IntendedTimes times(int share) {
        return process(arrivals, rate(), SEED + iteration).times(share, threads);
    }

    static ArrivalProcess process(ArrivalLaw law, Rate all, long seed) {
        return law == ArrivalLaw.POISSON ? new Poisson(all, seed) : new Constant(all);
    }
}
