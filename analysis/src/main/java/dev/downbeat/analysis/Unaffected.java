package dev.downbeat.analysis;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.PoissonTail;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * The requests that a finding did not affect. A miss is not the finding's if they miss the objective as well, even after
 * Downbeat's own delays are subtracted. Immutable.
 */
final class Unaffected {
    /** A percentile is clearly missed if chance would put so many requests beyond its limit less often than this. */
    private static final double CHANCE = 0.01;

    private final Observations seen;
    private final Finding finding;

    Unaffected(Observations seen, Finding finding) {
        this.seen = seen;
        this.finding = finding;
    }

    /** Whether they clearly miss an objective on times; false if no interval is free of such events. */
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
        RunResult result = seen.result();
        if (finding instanceof Finding.GaveUp) {
            return of(result.recording(), name).times().withoutLateness();
        }
        List<Span> spans = spans();
        List<Interval> intervals = name.isPresent() ? result.intervalsOfNames() : result.intervals();
        List<Distribution> apart = spans.isEmpty()
                ? List.of()
                : intervals.stream()
                        .filter(interval -> spans.stream().noneMatch(span -> span.touches(interval)))
                        .map(interval -> of(interval.recording(), name).responseWithoutOwnDelay())
                        .toList();
        return Distribution.sum(apart);
    }

    private static Recording of(Recording all, Optional<String> name) {
        return name.map(all::named).orElse(all);
    }

    private List<Span> spans() {
        if (finding instanceof Finding.Happened happened) {
            return seen.events().stream()
                    .filter(event -> event.cause() == happened.events().get(0).cause())
                    .map(event -> new Span(
                            event.startNanos(),
                            event.startNanos() + event.lengthNanos() + event.catchUpNanos() + event.slowestNanos()))
                    .toList();
        }
        if (finding instanceof Finding.SlowForAWhile slow) {
            return List.of(new Span(slow.spell().fromNanos(), slow.spell().toNanos()));
        }
        return finding instanceof Finding.Overloaded
                ? seen.overloads().stream()
                        .map(phase -> new Span(phase.startNanos(), phase.caughtUpNanos()))
                        .toList()
                : List.of();
    }

    /** When requests that a finding affected may have ended. */
    private record Span(long fromNanos, long toNanos) {
        boolean touches(Interval interval) {
            return interval.endNanos() > fromNanos && interval.startNanos() <= toNanos;
        }
    }
}
