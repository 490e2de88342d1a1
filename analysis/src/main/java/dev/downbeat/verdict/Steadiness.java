package dev.downbeat.verdict;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.Stationarity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether a run was the same from begin to end, while its load lasted and was the same. What comes in the drain is left
 * out: the last answers of all are slow ones.
 */
final class Steadiness {
    private static final long LEAST_STRETCH_NANOS = 950_000_000;

    private final List<Distribution> medians = new ArrayList<>();
    private final List<Long> starts = new ArrayList<>();

    private Steadiness(List<Interval> intervals) {
        Distribution open = Distribution.empty();
        long startNanos = 0;
        for (Interval interval : intervals) {
            open = open.plus(interval.recording().responseAtLeast());
            if (interval.endNanos() - startNanos >= LEAST_STRETCH_NANOS) {
                if (!open.isEmpty()) {
                    medians.add(open);
                    starts.add(startNanos);
                }
                open = Distribution.empty();
                startNanos = interval.endNanos();
            }
        }
    }

    /** What there is to say about it: nothing, if the run was steady, or too short to tell. */
    static Optional<Caveat> caveat(RunResult result) {
        if (!result.plan().workload().isSteady()) {
            return Optional.empty();
        }
        Steadiness seen = new Steadiness(whileLoaded(result));
        return Stationarity.ofMedians(seen.medians).flatMap(seen::caveat);
    }

    /** The same, if it leaves no percentile that is one of the service. */
    static Optional<Unsteady.NotSteady> notSteady(RunResult result) {
        return caveat(result).filter(Unsteady.NotSteady.class::isInstance).map(Unsteady.NotSteady.class::cast);
    }

    private Optional<Caveat> caveat(Stationarity found) {
        if (found.shape() != Stationarity.Shape.STEADY) {
            return Optional.of(new Unsteady.NotSteady(found, found.at() == 0 ? 0 : starts.get(found.at())));
        }
        return found.start() == 0 ? Optional.empty() : Optional.of(new Unsteady.WarmUp(starts.get(found.start())));
    }

    private static List<Interval> whileLoaded(RunResult result) {
        List<Interval> all = result.intervals();
        int end = all.size();
        while (end > 0
                && (all.get(end - 1).recording().ledger().planned() == 0
                        || all.get(end - 1).startNanos() >= result.plan().durationNanos())) {
            end--;
        }
        return all.subList(0, end);
    }
}
