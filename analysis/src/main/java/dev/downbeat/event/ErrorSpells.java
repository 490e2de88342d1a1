package dev.downbeat.event;

import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.run.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Finds the times in which requests failed that do not fail otherwise. The share of failures of an interval is held against the
 * middle between those of the best and the worst; within the first and the last interval, the failures are taken to have come
 * without a break. A spell that fills no interval is taken to have failed all requests, since nothing shows another share.
 */
final class ErrorSpells {
    private static final int LEAST_FAILED = 5;

    /** In a spell a request fails so many times as often as outside. */
    private static final double LEAST_TIMES = 3;

    /** And so much of what ended in it has failed. */
    private static final double LEAST_SHARE = 0.1;

    /** Fewer failures than chance may put together, in standard deviations. */
    private static final double BY_CHANCE = 6;

    /** A spell has ended if what came later came by chance in it as rarely as this. */
    private static final double SURELY_OVER = 0.01;

    /** An interval in which fewer requests ended says little of their share. */
    private static final int LEAST_ENDED = 3;

    private final List<Interval> intervals;
    private final double limit;

    private ErrorSpells(List<Interval> intervals) {
        this.intervals = intervals;
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

    /** Those of a run, in their order; none if requests failed throughout. */
    static List<Incident> of(RunResult result) {
        return result.ledger().failed() < LEAST_FAILED ? List.of() : new ErrorSpells(result.intervals()).all();
    }

    private static long ended(Interval interval) {
        Ledger ledger = interval.recording().ledger();
        return ledger.answered() + ledger.failed();
    }

    private static double share(Interval interval) {
        long ended = ended(interval);
        return ended == 0 ? 0 : (double) interval.recording().ledger().failed() / ended;
    }

    private List<Incident> all() {
        List<int[]> spells = new ArrayList<>();
        boolean isOpen = false;
        for (int i = 0; i < intervals.size(); i++) {
            boolean isHit = share(intervals.get(i)) > limit;
            if (isHit && isOpen) {
                spells.get(spells.size() - 1)[1] = i;
            } else if (isHit) {
                spells.add(new int[] {i, i});
            }
            isOpen = isHit || (isOpen && ended(intervals.get(i)) == 0);
        }
        double usual =
                usualShare(spells, 1).orElseGet(() -> usualShare(spells, 0).orElse(1));
        List<Incident> found = new ArrayList<>();
        for (int[] spell : spells) {
            incident(spell[0], spell[1], usual).ifPresent(found::add);
        }
        return found;
    }

    /** The share of failures outside of all spells and of so many intervals beside them; empty if nothing is. */
    private OptionalDouble usualShare(List<int[]> spells, int beside) {
        long failed = 0;
        long ended = 0;
        for (int i = 0; i < intervals.size(); i++) {
            int at = i;
            if (spells.stream().noneMatch(spell -> at >= spell[0] - beside && at <= spell[1] + beside)) {
                failed += intervals.get(i).recording().ledger().failed();
                ended += ended(intervals.get(i));
            }
        }
        return ended == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) failed / ended);
    }

    private Optional<Incident> incident(int from, int to, double usual) {
        long failed = failed(from, to);
        long ended = ended(from, to);
        double share = (double) failed / ended;
        double byChance = ended * usual + BY_CHANCE * Math.sqrt(ended * usual * (1 - usual));
        if (failed < LEAST_FAILED || share < Math.max(LEAST_SHARE, LEAST_TIMES * usual) || failed <= byChance) {
            return Optional.empty();
        }
        double within = inside(from, to, share);
        int first =
                from > 0 && isWhole(from, within, usual) && failedNanos(from - 1, within, usual) > 0 ? from - 1 : from;
        boolean hasNext = to + 1 < intervals.size();
        int last = hasNext && isWhole(to, within, usual) && failedNanos(to + 1, within, usual) > 0 ? to + 1 : to;
        if (first == last) {
            return Optional.of(within(intervals.get(from), failed, failedNanos(from, 1, usual)));
        }
        boolean isSeenWhole = first < from || last > to || from + 1 < to;
        double failing = isSeenWhole ? within : 1;
        long startNanos = intervals.get(first).endNanos() - failedNanos(first, failing, usual);
        boolean isOpen = !isOver(to, share);
        long endNanos = isOpen ? lastEndNanos() : intervals.get(last).startNanos() + failedNanos(last, failing, usual);
        return Optional.of(new Incident(
                startNanos,
                Math.max(0, endNanos - startNanos),
                failed(first, last),
                0,
                0,
                Incident.Cause.ERRORS,
                0,
                isOpen));
    }

    private long failed(int from, int to) {
        return intervals.subList(from, to + 1).stream()
                .mapToLong(interval -> interval.recording().ledger().failed())
                .sum();
    }

    private long ended(int from, int to) {
        return intervals.subList(from, to + 1).stream()
                .mapToLong(ErrorSpells::ended)
                .sum();
    }

    /** Whether requests failed through all of the interval, so that the spell may reach beyond it. */
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

    /** Nobody knows when in the interval it was. */
    private static Incident within(Interval interval, long failed, long lengthNanos) {
        return new Incident(
                interval.startNanos() + (interval.lengthNanos() - lengthNanos) / 2,
                lengthNanos,
                failed,
                0,
                0,
                Incident.Cause.ERRORS,
                0);
    }

    /** The share of failures while the spell lasted: without the intervals in which it began and ended, if there are others. */
    private double inside(int from, int to, double whole) {
        long ended = from + 1 < to ? ended(from + 1, to - 1) : 0;
        return ended < LEAST_ENDED
                ? Math.max(share(intervals.get(from)), share(intervals.get(to)))
                : Math.max(whole, (double) failed(from + 1, to - 1) / ended);
    }

    /** Whether what ended later would hardly have been answered in the spell. */
    private boolean isOver(int to, double share) {
        long later = intervals.subList(to + 1, intervals.size()).stream()
                .mapToLong(ErrorSpells::ended)
                .sum();
        return later > 0 && Math.pow(1 - share, later) < SURELY_OVER;
    }

    /** For how much of an interval requests must have failed as in the worst. */
    private long failedNanos(int at, double within, double usual) {
        double part = (share(intervals.get(at)) - usual) / Math.max(1e-9, within - usual);
        return Math.round(Math.max(0, Math.min(1, part)) * intervals.get(at).lengthNanos());
    }
}
