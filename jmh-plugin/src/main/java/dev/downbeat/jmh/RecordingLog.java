package dev.downbeat.jmh;

import dev.downbeat.arrival.Rate;
import dev.downbeat.load.ArrivalLaw;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Recording;
import dev.downbeat.report.file.HistogramLogFile;
import dev.downbeat.run.Workload;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * The iterations of one benchmark in one fork as an HdrHistogram log: values in nanoseconds, time stamps in seconds
 * from the first measured iteration. Lines without a tag are response times; the others use the tags of Downbeat's own
 * logs.
 *
 * <p>Not thread-safe.
 */
final class RecordingLog {
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
        StringBuilder name = new StringBuilder(benchmark.getBenchmark());
        benchmark
                .getParamsKeys()
                .forEach(key -> name.append('-').append(key).append('-').append(benchmark.getParam(key)));
        String safe = name.toString().replaceAll("[^A-Za-z0-9._-]", "_");
        Files.createDirectories(directory);
        Path file = directory.resolve(safe + "-" + ProcessHandle.current().pid() + ".hlog");
        boolean isPaced = benchmark.getParamsKeys().contains("arrivals");
        return new RecordingLog(
                file,
                isPaced
                        ? HistogramLogFile.load(new Workload.Open(Tempo.process(
                                ArrivalLaw.valueOf(benchmark.getParam("arrivals")), Rate.perSecond(1), 0)))
                        : "");
    }

    void append(Recording recording, long beganAt, long endedAt) throws IOException {
        try (PrintStream out = new PrintStream(
                begun
                        ? Files.newOutputStream(file, java.nio.file.StandardOpenOption.APPEND)
                        : Files.newOutputStream(file),
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
