package dev.downbeat.report.data;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.stats.session.RecordedTimeline;
import dev.downbeat.stats.session.Sessions;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Optional;

/**
 * What sessions meet that make several requests, from a saved run. Immutable.
 *
 * @param requests in a session
 * @param thinkNanos from one request of a session to the next
 * @param limitNanos a response time that is asked for; 0 if none is
 * @param times the response times of the run; of requests whose end was not seen, their ages
 * @param slowest the slowest request of each session that could have begun during the run; empty if a session takes longer
 *     than the run did
 * @param command the command line, one word each, without secrets
 * @param version of Downbeat
 */
public record SessionReport(
        int requests,
        long thinkNanos,
        long limitNanos,
        Distribution times,
        Distribution slowest,
        List<String> command,
        String version) {
    public SessionReport {
        command = List.copyOf(command);
    }

    /** The same, made by a command. */
    public SessionReport by(List<String> words, String downbeat) {
        return new SessionReport(requests, thinkNanos, limitNanos, times, slowest, words, downbeat);
    }

    /**
     * Replays all of a run.
     *
     * @throws IllegalArgumentException if there are no requests in it, or too many
     */
    public static SessionReport of(RunReport run, int requests, long thinkNanos, long limitNanos) {
        RecordedTimeline timeline = new RecordedTimeline();
        for (Interval interval : run.result().intervals()) {
            timeline.add(
                    interval.startNanos(),
                    interval.endNanos(),
                    interval.recording().response());
            timeline.add(
                    interval.startNanos(),
                    interval.endNanos(),
                    interval.recording().censored());
        }
        return of(timeline, requests, thinkNanos, limitNanos);
    }

    /**
     * Replays what was read.
     *
     * @throws IllegalArgumentException if nothing was
     */
    public static SessionReport of(RecordedTimeline timeline, int requests, long thinkNanos, long limitNanos) {
        if (timeline.whole().isEmpty()) {
            throw new IllegalArgumentException("no response times in it: is it a histogram log?");
        }
        return new SessionReport(
                requests,
                thinkNanos,
                limitNanos,
                timeline.whole(),
                timeline.replay().slowest(requests, thinkNanos),
                List.of(),
                "");
    }

    /** The share of sessions that meet a request slower than this, if slow requests did not come together. */
    public double independentlySlowerThan(long nanos) {
        double percentile = 100.0 * (times.count() - times.countAbove(nanos)) / times.count();
        return Sessions.shareThatMeets(percentile, requests);
    }

    /** The share of the sessions of the replay that met a request slower than this. */
    public Optional<Double> replayedSlowerThan(long nanos) {
        return slowest.isEmpty() ? Optional.empty() : Optional.of((double) slowest.countAbove(nanos) / slowest.count());
    }

    /**
     * The percentile of the requests that this share of the sessions stays below with all of theirs, if slow requests did not
     * come together. What lies beyond it is rounded to two digits: no run is long enough for a third.
     */
    public double percentileBelow(double share) {
        BigDecimal beyond = BigDecimal.valueOf(100 - Sessions.percentileThatAllStayBelow(share, requests));
        return BigDecimal.valueOf(100)
                .subtract(beyond.round(new MathContext(2)))
                .doubleValue();
    }

    /** What this share of the sessions stays below; empty if the run has too few requests for that percentile. */
    public Optional<Long> independentlyBelow(double share) {
        return ResponseBounds.carries(percentileBelow(share), times.count())
                ? Optional.of(times.valueAtPercentile(percentileBelow(share)))
                : Optional.empty();
    }
}
