package dev.downbeat.report.data;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Finding;
import dev.downbeat.analysis.PercentileRow;
import dev.downbeat.compare.Incomparable;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.stats.PercentText;
import dev.downbeat.stats.session.RecordedTimeline;
import dev.downbeat.stats.session.Sessions;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.caveat.LoadCaveat;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The sessions that users would have had, replayed from a saved run. Immutable.
 *
 * @param requests requests per session
 * @param thinkNanos from one request of a session to the next
 * @param limitNanos response time in question; 0 if there is none
 * @param atLeast if requests whose end was not seen ended when last seen
 * @param atMost if they last forever; the same if there are none
 * @param unseen number of requests whose end was not seen
 * @param ofRun the saved run's own analysis; empty for a log
 * @param doubts why the times should not be believed
 * @param command command line, one word each, without secrets
 * @param version Downbeat's version
 */
public record SessionReport(
        int requests,
        long thinkNanos,
        long limitNanos,
        SessionTimes atLeast,
        SessionTimes atMost,
        long unseen,
        Optional<Analysis> ofRun,
        List<Incomparable> doubts,
        List<String> command,
        String version) {
    public SessionReport {
        doubts = List.copyOf(doubts);
        command = List.copyOf(command);
    }

    /** The same report with the analysis of its run and the doubts about it, and the command that made it. */
    public SessionReport by(
            Optional<Analysis> saved, List<Incomparable> doubtful, List<String> words, String downbeat) {
        return new SessionReport(
                requests, thinkNanos, limitNanos, atLeast, atMost, unseen, saved, doubtful, words, downbeat);
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
            timeline.addUnseen(start, end, interval.recording().censored());
        }
        if (timeline.whole().isEmpty()) {
            throw new IllegalArgumentException("no response times in it");
        }
        SessionTimes atLeast =
                new SessionTimes(requests, timeline.whole(), timeline.replay().slowest(requests, thinkNanos));
        Recording all = Interval.sum(intervals);
        SessionTimes atMost = all.censored().isEmpty()
                ? atLeast
                : new SessionTimes(
                        requests,
                        ResponseBounds.atMost(all, 0),
                        timeline.replayAtMost().slowest(requests, thinkNanos));
        return new SessionReport(
                requests,
                thinkNanos,
                limitNanos,
                atLeast,
                atMost,
                all.censored().count(),
                Optional.empty(),
                List.of(),
                List.of(),
                "");
    }

    /**
     * What sessions meet.
     *
     * @param requests requests per session
     * @param times response times of the run
     * @param slowest slowest request of each possible session; empty if a session takes longer than the run
     */
    public record SessionTimes(int requests, Distribution times, Distribution slowest) {
        private double percentileOf(long nanos) {
            return 100.0 * (times.count() - times.countAbove(nanos)) / times.count();
        }

        private double independentlySlowerThan(long nanos) {
            return Sessions.shareThatMeets(percentileOf(nanos), requests);
        }

        private double replayedSlowerThan(long nanos) {
            return (double) slowest.countAbove(nanos) / slowest.count();
        }
    }

    /** A share from 0 to 1, of which requests whose end was not seen leave a range. */
    public record ShareRange(double atLeast, double atMost) {
        /** "12 %", "0 % to 26.3 %". */
        public String text() {
            String least = PercentText.of(atLeast);
            String most = PercentText.of(atMost);
            return least.equals(most) ? least : least + " to " + most;
        }
    }

    /** The overload of the run, whose times then say how long it was watched. */
    public Optional<LoadCaveat.Overloaded> overload() {
        return ofRun.stream()
                .flatMap(run -> run.findings().stream())
                .filter(Finding.Overloaded.class::isInstance)
                .map(finding -> ((Finding.Overloaded) finding).load())
                .findFirst();
    }

    /** Whether a single event determined this percentile of the run, so that its frequency is unknown. */
    public boolean isOneEvent(double percentile) {
        return percentile < 100
                && ofRun.flatMap(run -> run.observations().soleEvent(percentile))
                        .isPresent();
    }

    /** The percentile of the run's requests at a time. */
    public double percentileOf(long nanos) {
        return atLeast.percentileOf(nanos);
    }

    /** The share of sessions with a request slower than this, if slow requests did not cluster. */
    public ShareRange independentlySlowerThan(long nanos) {
        return new ShareRange(atLeast.independentlySlowerThan(nanos), atMost.independentlySlowerThan(nanos));
    }

    /** The share of replayed sessions with a request slower than this; empty if none was replayed. */
    public Optional<ShareRange> replayedSlowerThan(long nanos) {
        return isNothingReplayed()
                ? Optional.empty()
                : Optional.of(new ShareRange(atLeast.replayedSlowerThan(nanos), atMost.replayedSlowerThan(nanos)));
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

    /** Response times of the run; ages of requests whose end was not seen. */
    public Distribution times() {
        return atLeast.times();
    }

    /** Whether a session takes longer than the run. */
    public boolean isNothingReplayed() {
        return atLeast.slowest().isEmpty();
    }

    /** The response time at a percentile; empty if there are too few requests for it. */
    public Optional<PercentileRow.Time> time(double percentile) {
        return ResponseBounds.hasEnoughFor(percentile, times().count())
                ? Optional.of(time(SessionTimes::times, percentile))
                : Optional.empty();
    }

    private PercentileRow.Time time(Function<SessionTimes, Distribution> of, double percentile) {
        long nanos = of.apply(atLeast).valueAtPercentile(percentile);
        return new PercentileRow.Time(nanos, of.apply(atMost).valueAtPercentile(percentile) != nanos);
    }

    /**
     * The time that this share of the sessions stays below; empty if there are too few requests for that percentile.
     */
    public Optional<PercentileRow.Time> independentlyBelow(double share) {
        return time(percentileBelow(share));
    }

    /** The time that this share of the replayed sessions stays below; empty if none was replayed. */
    public Optional<PercentileRow.Time> replayedBelow(double share) {
        return isNothingReplayed() ? Optional.empty() : Optional.of(time(SessionTimes::slowest, 100 * share));
    }
}
