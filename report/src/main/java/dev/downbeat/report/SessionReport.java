package dev.downbeat.report;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.RecordedTimeline;
import dev.downbeat.stats.Sessions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;

/**
 * What sessions meet that make several requests, from a saved run. Immutable.
 *
 * @param requests in a session
 * @param thinkNanos from one request of a session to the next
 * @param limitNanos a response time that is asked for; 0 if none is
 * @param times the response times of the run; of requests whose end was not seen, their ages
 * @param slowest the slowest request of each session that could have begun during the run; empty if a session takes longer
 *     than the run did
 */
public record SessionReport(int requests, long thinkNanos, long limitNanos, Distribution times, Distribution slowest) {
    private static final double NANOS_PER_MILLI = 1e6;

    /**
     * Reads a histogram log with times in nanoseconds. Lines without a tag and those tagged {@code censored} count.
     *
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException if there are no requests in it, or too many
     */
    public static SessionReport of(Path file, int requests, long thinkNanos, long limitNanos) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return of(in, requests, thinkNanos, limitNanos);
        }
    }

    /** The same from all of a saved run. */
    public static SessionReport of(RunReport run, int requests, long thinkNanos, long limitNanos) throws IOException {
        StringBuilder log = new StringBuilder();
        new HistogramLog().write(run, log);
        byte[] bytes = log.toString().getBytes(StandardCharsets.UTF_8);
        return of(new ByteArrayInputStream(bytes), requests, thinkNanos, limitNanos);
    }

    private static SessionReport of(InputStream in, int requests, long thinkNanos, long limitNanos) {
        RecordedTimeline timeline = new RecordedTimeline();
        read(in, timeline);
        if (timeline.whole().isEmpty()) {
            throw new IllegalArgumentException("no response times in it: is it a histogram log?");
        }
        return new SessionReport(
                requests,
                thinkNanos,
                limitNanos,
                timeline.whole(),
                timeline.replay().slowest(requests, thinkNanos));
    }

    private static void read(InputStream in, RecordedTimeline timeline) {
        HistogramLogReader reader = new HistogramLogReader(in);
        double zero = -1;
        while (reader.hasNext()) {
            EncodableHistogram next = reader.nextIntervalHistogram();
            if (next == null) {
                return;
            }
            zero = zero < 0 ? next.getStartTimeStamp() : zero;
            boolean counts = next.getTag() == null || next.getTag().equals("censored");
            if (counts && next instanceof AbstractHistogram histogram) {
                timeline.add(
                        (long) ((next.getStartTimeStamp() - zero) * NANOS_PER_MILLI),
                        (long) ((next.getEndTimeStamp() - zero) * NANOS_PER_MILLI),
                        Distribution.of(histogram));
            }
        }
    }

    /** The share of sessions that meet a request slower than this, if slow requests did not come together. */
    double independentlySlowerThan(long nanos) {
        double percentile = 100.0 * (times.count() - times.countAbove(nanos)) / times.count();
        return Sessions.shareThatMeets(percentile, requests);
    }

    /** The share of the sessions of the replay that met a request slower than this. */
    Optional<Double> replayedSlowerThan(long nanos) {
        return slowest.isEmpty() ? Optional.empty() : Optional.of((double) slowest.countAbove(nanos) / slowest.count());
    }

    /** What this share of the sessions stays below with all their requests, if slow requests did not come together. */
    long independentlyBelow(double share) {
        return times.valueAtPercentile(Sessions.percentileThatAllStayBelow(share, requests));
    }
}
