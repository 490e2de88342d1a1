package dev.downbeat.jmh;

import dev.downbeat.jmh.iteration.Recorded;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.profile.ProfilerException;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.runner.IterationType;

/**
 * Publishes the times of paced benchmarks from their intended times, as secondary results.
 *
 * <pre>
 * java -jar benchmarks.jar MyBenchmark -prof dev.downbeat.jmh.DownbeatProfiler
 * java -jar benchmarks.jar MyBenchmark -prof dev.downbeat.jmh.DownbeatProfiler:hlog=target
 * </pre>
 *
 * <ul>
 *   <li>{@code response}: from the intended beginning to the end; operations that had not begun when an iteration ended
 *       count with the time that they had waited until then
 *   <li>{@code service}: from the beginning to the end
 *   <li>{@code backlog_wait}: from the intended beginning to when the thread, or a connection, was free
 *   <li>{@code lateness}: how much later than that it began: our own fault
 *   <li>{@code lookup}, {@code connect}, {@code handshake}: what new connections cost, in whole runs that open some
 *   <li>{@code ledger}: how many operations were planned, and where they went; the fates add up to the plan
 * </ul>
 *
 * <p>Of each the mean, percentiles and the maximum, all merged losslessly over threads, iterations and forks. The option
 * {@code hlog} names a directory for HdrHistogram's logs, one file for each benchmark and fork with one interval for each
 * iteration that counts.
 *
 * <p>Benchmarks without a {@link Beat}, and that publish nothing, are left as they are. Not thread-safe: JMH makes one for
 * each fork.
 */
public final class DownbeatProfiler implements InternalProfiler {
    private static final String HLOG = "hlog=";

    private final Optional<Path> logDirectory;
    private @Nullable RecordingLog log;
    private long beganAt;

    /** As the service loader makes it. */
    public DownbeatProfiler() {
        logDirectory = Optional.empty();
    }

    /**
     * As JMH makes it.
     *
     * @param options nothing, or {@code hlog=DIRECTORY}
     * @throws ProfilerException if it is something else
     */
    public DownbeatProfiler(String options) throws ProfilerException {
        if (!options.isEmpty() && !(options.startsWith(HLOG) && options.length() > HLOG.length())) {
            throw new ProfilerException("option must be hlog=DIRECTORY, but was " + options);
        }
        logDirectory = options.isEmpty() ? Optional.empty() : Optional.of(Path.of(options.substring(HLOG.length())));
    }

    @Override
    public String getDescription() {
        return "Downbeat: response times of paced benchmarks, from the intended times";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        beganAt = System.nanoTime();
        Recorded.open();
    }

    @Override
    @SuppressWarnings("rawtypes") // as JMH has it
    public Collection<? extends Result> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        Optional<Recording> published = Recorded.close();
        if (published.isPresent() && iteration.getType() == IterationType.MEASUREMENT) {
            log(benchmark, published.get());
        }
        return published
                .map(recording -> results(recording, benchmark.getTimeUnit()))
                .orElse(List.of());
    }

    private void log(BenchmarkParams benchmark, Recording recording) {
        if (logDirectory.isEmpty()) {
            return;
        }
        try {
            if (log == null) {
                log = RecordingLog.create(logDirectory.get(), benchmark);
            }
            log.append(recording, beganAt, System.nanoTime());
        } catch (IOException unwritable) {
            throw new UncheckedIOException("cannot write to " + logDirectory.get() + ": " + unwritable, unwritable);
        }
    }

    @SuppressWarnings("rawtypes") // as JMH has it
    static List<Result> results(Recording recording, TimeUnit unit) {
        List<Result> results = new ArrayList<>();
        add(results, "response", recording.response().plus(recording.censored()), unit);
        add(results, "service", recording.service(), unit);
        add(results, "backlog_wait", recording.backlogWait(), unit);
        add(results, "lateness", recording.lateness(), unit);
        add(results, "lookup", recording.waits().lookup(), unit);
        add(results, "connect", recording.waits().connect(), unit);
        add(results, "handshake", recording.waits().handshake(), unit);
        Ledger ledger = recording.ledger();
        results.add(count("planned", ledger.planned()));
        results.add(count("answered", ledger.answered()));
        results.add(count("never_sent", ledger.neverSent()));
        if (ledger.accounted() > ledger.answered() + ledger.neverSent()) { // none in what a Beat paces
            results.add(count("failed", ledger.failed()));
            results.add(count("timed_out", ledger.timedOut()));
            results.add(count("in_flight", ledger.inFlight()));
        }
        return results;
    }

    @SuppressWarnings("rawtypes") // as JMH has it
    private static void add(List<Result> results, String name, Distribution durations, TimeUnit unit) {
        if (!durations.isEmpty()) {
            results.add(new DurationResult(name, durations, unit));
        }
    }

    private static ScalarResult count(String fate, long count) {
        return new ScalarResult("ledger." + fate, count, "#", AggregationPolicy.SUM);
    }
}
