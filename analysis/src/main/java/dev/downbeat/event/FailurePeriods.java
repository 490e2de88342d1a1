package dev.downbeat.event;

import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.record.Interval;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.run.RunResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Finds periods of increased failures. An interval's share of failures is compared with the middle between the best and
 * the worst share. Within the first and last interval of a period, failures are assumed to be contiguous. In a period
 * without a whole interval the share is unknown: it lasts from its first to its last failure, if these were kept.
 * Otherwise all its requests are assumed to have failed.
 */
final class FailurePeriods {
    private static final int LEAST_FAILED = 5;

    /** In a period, requests fail at least this many times as often as outside. */
    private static final double LEAST_TIMES = 3;

    /** The least share of failures within a period. */
    private static final double LEAST_SHARE = 0.1;

    /** Fewer failures may coincide by chance, in standard deviations. */
    private static final double CHANCE_DEVIATIONS = 6;

    /** A period has ended if the later answers would occur within it with at most this probability. */
    private static final double MOST_ERROR_OF_END = 0.01;

    /** Intervals with fewer ended requests do not show their share. */
    private static final int LEAST_ENDED = 3;

    /** Up to this number, expected failures of other causes hardly shift the first and last one of a period. */
    private static final double MOST_OTHERS = 0.1;

    /** If a smaller share of the failures was kept, the first and last kept ones are not the ends of the period. */
    private static final double LEAST_KEPT = 0.9;

    /** The length shown for failures at one instant. */
    private static final long LEAST_NANOS = 1_000_000;

    private final List<Interval> intervals;
    private final double limit;

    /** The ends of the kept failures, in order of time. */
    private final long[] failedAtNanos;

    private FailurePeriods(RunResult result) {
        this.intervals = result.intervals();
        this.failedAtNanos = Stream.concat(result.kept().slowest().stream(), result.kept().controls().stream())
                .distinct()
                .filter(one ->
                        !one.isAnswered() && one.responseNanos() < result.plan().timeoutNanos())
                .mapToLong(KeptRequest::completedNanos)
                .sorted()
                .toArray();
        double least = 1;
        double most = 0;
        for (Interval interval : intervals) {
            if (ended(interval) >= LEAST_ENDED) {
                least = Math.min(least, share(interval));
                most = Math.max(most, share(interval));
            }
        }
        limit = (least + most) / 2;
    }

    /** The periods of a run in order of time; empty if requests failed throughout. */
    static List<Incident> of(RunResult result) {
        return result.recording().failedByService() < LEAST_FAILED ? List.of() : new FailurePeriods(result).all();
    }

    private static long ended(Interval interval) {
        return interval.recording().ledger().answered() + interval.recording().failedByService();
    }

    private static double share(Interval interval) {
        long ended = ended(interval);
        return ended == 0 ? 0 : (double) interval.recording().failedByService() / ended;
    }

    private List<Incident> all() {
        List<int[]> periods = new ArrayList<>();
        boolean isOpen = false;
        for (int i = 0; i < intervals.size(); i++) {
            boolean isHit = share(intervals.get(i)) > limit;
            if (isHit && isOpen) {
                periods.get(periods.size() - 1)[1] = i;
            } else if (isHit) {
                periods.add(new int[] {i, i});
            }
            isOpen = isHit || (isOpen && ended(intervals.get(i)) == 0);
        }
        double usual =
                usualShare(periods, 1).orElseGet(() -> usualShare(periods, 0).orElse(1));
        List<Incident> found = new ArrayList<>();
        for (int[] period : periods) {
            incident(period[0], period[1], usual).ifPresent(found::add);
        }
        return found;
    }

    /** The share of failures outside all periods and adjacent intervals; empty if nothing is left. */
    private OptionalDouble usualShare(List<int[]> periods, int margin) {
        long failed = 0;
        long ended = 0;
        for (int i = 0; i < intervals.size(); i++) {
            int at = i;
            if (periods.stream().noneMatch(period -> at >= period[0] - margin && at <= period[1] + margin)) {
                failed += intervals.get(i).recording().failedByService();
                ended += ended(intervals.get(i));
            }
        }
        return ended == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) failed / ended);
    }

    private Optional<Incident> incident(int from, int to, double usual) {
        long failed = failed(from, to);
        long ended = ended(from, to);
        double share = (double) failed / ended;
        double chanceLimit = ended * usual + CHANCE_DEVIATIONS * Math.sqrt(ended * usual * (1 - usual));
        if (failed < LEAST_FAILED || share < Math.max(LEAST_SHARE, LEAST_TIMES * usual) || failed <= chanceLimit) {
            return Optional.empty();
        }
        double within = inside(from, to, share);
        int first =
                from > 0 && isWhole(from, within, usual) && failedNanos(from - 1, within, usual) > 0 ? from - 1 : from;
        boolean hasNext = to + 1 < intervals.size();
        int last = hasNext && isWhole(to, within, usual) && failedNanos(to + 1, within, usual) > 0 ? to + 1 : to;
        boolean isObservedWhole = first < from || last > to || from + 1 < to;
        Optional<Pause> observed = isObservedWhole ? Optional.empty() : observed(first, last, usual);
        if (observed.isPresent() && isOver(to, share)) {
            return Optional.of(
                    period(observed.get().fromNanos(), observed.get().toNanos(), failed(first, last), false));
        }
        if (first == last) {
            return Optional.of(within(intervals.get(from), failed, failedNanos(from, 1, usual)));
        }
        double failing = isObservedWhole ? within : 1;
        long startNanos = intervals.get(first).endNanos() - failedNanos(first, failing, usual);
        boolean isOpen = !isOver(to, share);
        long endNanos = isOpen ? lastEndNanos() : intervals.get(last).startNanos() + failedNanos(last, failing, usual);
        return Optional.of(period(startNanos, Math.max(startNanos, endNanos), failed(first, last), isOpen));
    }

    private static Incident period(long fromNanos, long toNanos, long failed, boolean isOpen) {
        return new Incident(fromNanos, toNanos - fromNanos, failed, 0, 0, Incident.Cause.ERRORS, 0, isOpen, false, "");
    }

    /** From the first to the last kept failure; empty if some were not kept or others fail outside of the period. */
    private Optional<Pause> observed(int first, int last, double usual) {
        long[] within = Arrays.stream(failedAtNanos)
                .filter(nanos -> nanos >= intervals.get(first).startNanos()
                        && nanos < intervals.get(last).endNanos())
                .toArray();
        return within.length < LEAST_KEPT * failed(first, last) || usual * ended(first, last) > MOST_OTHERS
                ? Optional.empty()
                : Optional.of(new Pause(within[0], Math.max(within[within.length - 1], within[0] + LEAST_NANOS)));
    }

    private long failed(int from, int to) {
        return intervals.subList(from, to + 1).stream()
                .mapToLong(interval -> interval.recording().failedByService())
                .sum();
    }

    private long ended(int from, int to) {
        return intervals.subList(from, to + 1).stream()
                .mapToLong(FailurePeriods::ended)
                .sum();
    }

    /** Whether requests failed throughout the interval, so that the period may extend beyond it. */
    private boolean isWhole(int at, double within, double usual) {
        return failedNanos(at, within, usual) >= 0.95 * intervals.get(at).lengthNanos();
    }

    private long lastEndNanos() {
        return intervals.stream()
                .filter(interval -> ended(interval) > 0)
                .mapToLong(Interval::endNanos)
                .max()
                .orElseThrow();
    }

    /** A period within one interval, at an unknown position. */
    private static Incident within(Interval interval, long failed, long lengthNanos) {
        long startNanos = interval.startNanos() + (interval.lengthNanos() - lengthNanos) / 2;
        return period(startNanos, startNanos + lengthNanos, failed, false);
    }

    /** The share of failures during the period, without its first and last interval if there are others. */
    private double inside(int from, int to, double whole) {
        long ended = from + 1 < to ? ended(from + 1, to - 1) : 0;
        return ended < LEAST_ENDED
                ? Math.max(share(intervals.get(from)), share(intervals.get(to)))
                : Math.max(whole, (double) failed(from + 1, to - 1) / ended);
    }

    /** Whether the period has ended: so many later answers are improbable within it. */
    private boolean isOver(int to, double share) {
        long later = intervals.subList(to + 1, intervals.size()).stream()
                .mapToLong(FailurePeriods::ended)
                .sum();
        return later > 0 && Math.pow(1 - share, later) < MOST_ERROR_OF_END;
    }

    /** The time for which an interval's requests must have failed at the worst interval's share. */
    private long failedNanos(int at, double within, double usual) {
        double part = (share(intervals.get(at)) - usual) / Math.max(1e-9, within - usual);
        return Math.round(Math.max(0, Math.min(1, part)) * intervals.get(at).lengthNanos());
    }
}
