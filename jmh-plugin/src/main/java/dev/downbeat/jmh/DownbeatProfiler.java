package dev.downbeat.jmh;

import dev.downbeat.arrival.Rate;
import dev.downbeat.jmh.iteration.IterationRecording;
import dev.downbeat.load.ArrivalLaw;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.report.file.FileNames;
import dev.downbeat.report.file.Folders;
import dev.downbeat.report.file.HistogramLogFile;
import dev.downbeat.run.Workload;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.profile.ProfilerException;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.SampleTimeResult;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.runner.IterationType;

/**
 * Publishes the times of paced benchmarks, from their intended start, as secondary results.
 *
 * <pre>
 * java -jar benchmarks.jar MyBenchmark -prof dev.downbeat.jmh.DownbeatProfiler
 * java -jar benchmarks.jar MyBenchmark -prof dev.downbeat.jmh.DownbeatProfiler:hlog=target
 * </pre>
 *
 * <ul>
 *   <li>{@code response}: from the intended start to the end; operations that had not begun when an iteration ended count
 *       with their wait so far
 *   <li>{@code service}: from the actual start to the end
 *   <li>{@code backlog_wait}: from the intended start until the thread, or a connection, was free
 *   <li>{@code lateness}: any further delay of the start, caused by Downbeat
 *   <li>{@code lookup}, {@code connect}, {@code handshake}: the cost of new connections, in whole runs that open some
 *   <li>{@code ledger}: the number of planned operations and their fates, which add up to it
 * </ul>
 *
 * <p>Each has the mean, percentiles and the maximum, merged losslessly over threads, iterations and forks. The option
 * {@code hlog} names a directory for HdrHistogram logs: one file per benchmark, mode and fork, with one interval per
 * measured iteration.
 *
 * <p>Benchmarks that neither use a {@link IntendedStart} nor publish anything are not affected. Not thread-safe: JMH creates one per
 * fork.
 */
public final class DownbeatProfiler implements InternalProfiler {
    private static final String HLOG = "hlog=";

    private final Optional<Path> logDirectory;
    private @Nullable RecordingLog log;
    private long beganAt;

    /** For the service loader. */
    public DownbeatProfiler() {
        logDirectory = Optional.empty();
    }

    /**
     * For JMH.
     *
     * @param options empty, or {@code hlog=DIRECTORY}
     * @throws ProfilerException for any other option, or if the directory cannot be written
     */
    public DownbeatProfiler(String options) throws ProfilerException {
        if (!options.isEmpty() && !(options.startsWith(HLOG) && options.length() > HLOG.length())) {
            throw new ProfilerException("option must be hlog=DIRECTORY, but was " + options);
        }
        logDirectory = options.isEmpty() ? Optional.empty() : Optional.of(Path.of(options.substring(HLOG.length())));
        if (logDirectory.isPresent() && !isWritable(logDirectory.get())) {
            throw new ProfilerException(
                    "option hlog must be a directory that can be written, but was " + logDirectory.get());
        }
    }

    /** Before the benchmarks, whose results would be lost. */
    private static boolean isWritable(Path directory) {
        try {
            Folders.create(directory);
        } catch (IOException impossible) {
            return false;
        }
        return Files.isWritable(directory);
    }

    @Override
    public String getDescription() {
        return "Downbeat: response times of paced benchmarks, from the intended times";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        beganAt = System.nanoTime();
        IterationRecording.open();
    }

    @Override
    @SuppressWarnings("rawtypes") // as declared by JMH
    public Collection<? extends Result> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        Optional<Recording> published = IterationRecording.close();
        if (published.isPresent() && iteration.getType() == IterationType.MEASUREMENT) {
            // After long waits, the cost of Downbeat's own cold code may lift its median above the least.
            medianNanos(result.getPrimaryResult(), benchmark.getTimeUnit()).ifPresent(IntendedStart::requireLongEnough);
            log(benchmark, published.get());
        }
        return published
                .map(recording -> results(recording, benchmark.getTimeUnit()))
                .orElse(List.of());
    }

    /** The median of JMH's own times; empty in modes that keep none. */
    static OptionalLong medianNanos(Result<?> primary, TimeUnit unit) {
        return primary instanceof SampleTimeResult sample && sample.getSampleCount() > 0
                ? OptionalLong.of(Math.round(sample.getStatistics().getPercentile(50) * unit.toNanos(1)))
                : OptionalLong.empty();
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

    /** Different for parameters that differ only in unsafe characters. */
    static String fileName(String benchmark) {
        return FileNames.of(benchmark.replaceAll("[^A-Za-z0-9._-]", "_"), benchmark);
    }

    @SuppressWarnings("rawtypes") // as declared by JMH
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
        if (ledger.accounted() > ledger.answered() + ledger.neverSent()) { // always 0 for operations paced by a Beat
            results.add(count("failed", ledger.failed()));
            results.add(count("timed_out", ledger.timedOut()));
            results.add(count("in_flight", ledger.inFlight()));
        }
        return results;
    }

    @SuppressWarnings("rawtypes") // as declared by JMH
    private static void add(List<Result> results, String name, Distribution durations, TimeUnit unit) {
        if (!durations.isEmpty()) {
            results.add(new DurationResult(name, durations, unit));
        }
    }

    private static ScalarResult count(String fate, long count) {
        return new ScalarResult("ledger." + fate, count, "#", AggregationPolicy.SUM);
    }

    /**
     * The iterations of one benchmark in one fork as an HdrHistogram log: values in nanoseconds, time stamps in seconds
     * from the first measured iteration. Lines without a tag are response times; the others use the tags of Downbeat's own
     * logs.
     *
     * <p>Not thread-safe.
     */
    private static final class RecordingLog {
        private static final double NANOS_PER_MILLI = 1_000_000;
        private static final double NANOS_PER_SECOND = 1_000_000_000;

        private final Path file;
        private final String load;
        private long originAt;
        private boolean begun;

        private RecordingLog(Path file, String load) {
            this.file = file;
            this.load = load;
        }

        /** Creates a separate log per process, so that forks do not overwrite each other's. */
        static RecordingLog create(Path directory, BenchmarkParams benchmark) throws IOException {
            StringBuilder name = new StringBuilder(benchmark.getBenchmark() + "-"
                    + benchmark.getMode().shortLabel()); // without forks, modes share a process
            benchmark
                    .getParamsKeys()
                    .forEach(key -> name.append('-').append(key).append('-').append(benchmark.getParam(key)));
            Folders.create(directory);
            Path file = directory.resolve(
                    fileName(name.toString()) + "-" + ProcessHandle.current().pid() + ".hlog");
            return new RecordingLog(file, load(benchmark));
        }

        /** Empty for a benchmark that is not paced, even if a parameter of its own has the same name. */
        private static String load(BenchmarkParams benchmark) {
            boolean hasLaw = benchmark.getParamsKeys().contains("arrivals");
            return Arrays.stream(ArrivalLaw.values())
                    .filter(law -> hasLaw && law.name().equals(benchmark.getParam("arrivals")))
                    .findFirst()
                    .map(law ->
                            HistogramLogFile.load(new Workload.Open(PacedSchedule.process(law, Rate.perSecond(1), 0))))
                    .orElse("");
        }

        void append(Recording recording, long beganAt, long endedAt) throws IOException {
            try (PrintStream out = new PrintStream(
                    begun ? Files.newOutputStream(file, StandardOpenOption.APPEND) : Files.newOutputStream(file),
                    false,
                    StandardCharsets.UTF_8)) {
                HistogramLogWriter log = new HistogramLogWriter(out);
                if (!begun) {
                    begun = true;
                    originAt = beganAt;
                    log.outputComment(" " + HistogramLogFile.CORRECTED);
                    if (!load.isEmpty()) {
                        log.outputComment(" " + load);
                    }
                    log.outputComment(" Tag=censored: operations not begun when the iteration ended, at least this.");
                    log.outputLogFormatVersion();
                    log.outputLegend();
                }
                double from = (beganAt - originAt) / NANOS_PER_SECOND;
                double to = (endedAt - originAt) / NANOS_PER_SECOND;
                line(log, "", recording.response(), from, to);
                line(log, "service", recording.service(), from, to);
                line(log, "lateness", recording.lateness(), from, to);
                line(log, "backlog_wait", recording.backlogWait(), from, to);
                line(log, "censored", recording.censored(), from, to);
                if (out.checkError()) { // a stream for printing hides its errors
                    throw new IOException(file + " could not be written");
                }
            }
        }

        private static void line(HistogramLogWriter log, String tag, Distribution times, double from, double to) {
            if (!times.isEmpty()) {
                Histogram histogram = times.toHistogram();
                if (!tag.isEmpty()) {
                    histogram.setTag(tag);
                }
                log.outputIntervalHistogram(from, to, histogram, NANOS_PER_MILLI);
            }
        }
    }
}
