package dev.downbeat.report.data;

import dev.downbeat.compare.Incomparable;
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
 * The sessions that users would have had, replayed from a saved run. Immutable.
 *
 * @param requests requests per session
 * @param thinkNanos from one request of a session to the next
 * @param limitNanos response time in question; 0 if there is none
 * @param times response times of the run; ages of requests whose end was not seen
 * @param slowest slowest request of each possible session; empty if a session takes longer than the run
 * @param doubts why the times should not be believed
 * @param command command line, one word each, without secrets
 * @param version Downbeat's version
 */
public record SessionReport(
        int requests,
        long thinkNanos,
        long limitNanos,
        Distribution times,
        Distribution slowest,
        List<Incomparable> doubts,
        List<String> command,
        String version) {
    public SessionReport {
        doubts = List.copyOf(doubts);
        command = List.copyOf(command);
    }

    /** The same report with the doubts about its run, and the command that made it. */
    public SessionReport by(List<Incomparable> ofRun, List<String> words, String downbeat) {
        return new SessionReport(requests, thinkNanos, limitNanos, times, slowest, ofRun, words, downbeat);
    }

    /**
     * Replays a recorded run.
     *
     * @param intervals all of it, in order
     * @throws IllegalArgumentException if it has no requests, or too many
     */
    public static SessionReport of(List<Interval> intervals, int requests, long thinkNanos, long limitNanos) {
        RecordedTimeline timeline = new RecordedTimeline();
        for (Interval interval : intervals) {
            long start = interval.startNanos() - intervals.get(0).startNanos();
            long end = start + interval.endNanos() - interval.startNanos();
            timeline.add(start, end, interval.recording().response());
            timeline.add(start, end, interval.recording().censored());
        }
        if (timeline.whole().isEmpty()) {
            throw new IllegalArgumentException("no response times in it");
        }
        return new SessionReport(
                requests,
                thinkNanos,
                limitNanos,
                timeline.whole(),
                timeline.replay().slowest(requests, thinkNanos),
                List.of(),
                List.of(),
                "");
    }

    /** The share of sessions with a request slower than this, if slow requests did not cluster. */
    public double independentlySlowerThan(long nanos) {
        double percentile = 100.0 * (times.count() - times.countAbove(nanos)) / times.count();
        return Sessions.shareThatMeets(percentile, requests);
    }

    /** The share of replayed sessions with a request slower than this. */
    public Optional<Double> replayedSlowerThan(long nanos) {
        return slowest.isEmpty() ? Optional.empty() : Optional.of((double) slowest.countAbove(nanos) / slowest.count());
    }

    /**
     * The request percentile that this share of the sessions stays below, if slow requests did not cluster. The
     * remainder is rounded to two digits, since no run supports a third.
     */
    public double percentileBelow(double share) {
        BigDecimal beyond = BigDecimal.valueOf(100 - Sessions.percentileThatAllStayBelow(share, requests));
        return BigDecimal.valueOf(100)
                .subtract(beyond.round(new MathContext(2)))
                .doubleValue();
    }

    /**
     * The time that this share of the sessions stays below; empty if there are too few requests for that percentile.
     */
    public Optional<Long> independentlyBelow(double share) {
        return ResponseBounds.hasEnoughFor(percentileBelow(share), times.count())
                ? Optional.of(times.valueAtPercentile(percentileBelow(share)))
                : Optional.empty();
    }
}
