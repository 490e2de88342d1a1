package dev.downbeat.analysis;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.Counts;
import dev.downbeat.stats.PoissonTail;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * The requests that a finding did not affect. If they miss an objective too, even after Downbeat's own delays are
 * subtracted, the finding did not cause the miss. Immutable.
 */
final class Unaffected {
    /** The probability below which chance does not explain the number of requests beyond a percentile's limit. */
    private static final double CHANCE = 0.01;

    private final Observations observations;
    private final Finding finding;

    Unaffected(Observations observations, Finding finding) {
        this.observations = observations;
        this.finding = finding;
    }

    /** Whether they clearly miss an objective on times; false if there are none. */
    boolean misses(ServiceLevelObjective slo) {
        return slo instanceof ServiceLevelObjective.Named named
                ? misses(named.slo(), Optional.of(named.name()))
                : misses(slo, Optional.empty());
    }

    private boolean misses(ServiceLevelObjective slo, Optional<String> name) {
        if (!(slo instanceof ServiceLevelObjective.OfTime limit)) {
            return false;
        }
        Distribution times = times(name);
        if (times.isEmpty()) {
            return false;
        }
        if (!(limit instanceof ServiceLevelObjective.Percentile percentile)) {
            return !limit.keeps(times.meanNanos());
        }
        double allowed = (1 - percentile.percentile() / 100) * times.count();
        long beyond = beyond(limit, times);
        return beyond > 0 && (allowed <= 0 || PoissonTail.atLeast(beyond, allowed) < CHANCE);
    }

    private static long beyond(ServiceLevelObjective.OfTime limit, Distribution times) {
        LongAdder beyond = new LongAdder();
        times.forEach((nanos, count) -> beyond.add(limit.keeps(nanos) ? 0 : count));
        return beyond.sum();
    }

    private Distribution times(Optional<String> name) {
        RunResult result = observations.result();
        if (finding instanceof Finding.GaveUp) {
            Recording answered = of(result.recording(), name);
            return answered.times().isOwnDelayKnown() ? answered.times().withoutLateness() : answered.response();
        }
        List<Span> spans = spans();
        if (spans.isEmpty()) {
            return Distribution.empty();
        }
        List<Interval> intervals = name.isPresent() ? result.intervalsOfNames() : result.intervals();
        List<Distribution> unaffected = intervals.stream()
                .filter(interval -> spans.stream().noneMatch(span -> span.mayReach(interval)))
                .map(interval -> of(interval.recording(), name).responseWithoutOwnDelay())
                .toList();
        if (!unaffected.isEmpty()) {
            return Distribution.sum(unaffected);
        }
        long plannedMeanwhile = intervals.stream()
                .filter(interval -> spans.stream().anyMatch(span -> span.overlaps(interval)))
                .mapToLong(interval -> of(interval.recording(), name).ledger().planned())
                .sum();
        return withoutSlowest(of(result.recording(), name).responseWithoutOwnDelay(), plannedMeanwhile);
    }

    /** Without an unaffected interval, the requests planned during the events are taken for the slowest. */
    private static Distribution withoutSlowest(Distribution all, long affected) {
        return Counts.ofRanks(all, 0, all.count() - affected);
    }

    private static Recording of(Recording all, Optional<String> name) {
        return name.map(all::named).orElse(all);
    }

    private List<Span> spans() {
        if (finding instanceof Finding.Happened happened) {
            return observations.events().stream()
                    .filter(event -> event.cause() == happened.events().get(0).cause())
                    .map(event -> {
                        long endNanos = event.startNanos() + event.lengthNanos() + event.catchUpNanos();
                        return new Span(event.startNanos(), endNanos, endNanos + event.slowestNanos());
                    })
                    .toList();
        }
        if (finding instanceof Finding.SlowForAWhile slow) {
            return List.of(Span.of(slow.spell().fromNanos(), slow.spell().toNanos()));
        }
        return finding instanceof Finding.Overloaded
                ? observations.overloads().stream()
                        .map(phase -> Span.of(phase.startNanos(), phase.caughtUpNanos()))
                        .toList()
                : List.of();
    }

    /**
     * When requests were affected.
     *
     * @param lastResponseNanos when the last of them may have ended
     */
    private record Span(long fromNanos, long toNanos, long lastResponseNanos) {
        static Span of(long fromNanos, long toNanos) {
            return new Span(fromNanos, toNanos, toNanos);
        }

        boolean overlaps(Interval interval) {
            return interval.endNanos() > fromNanos && interval.startNanos() <= toNanos;
        }

        boolean mayReach(Interval interval) {
            return interval.endNanos() > fromNanos && interval.startNanos() <= lastResponseNanos;
        }
    }
}
