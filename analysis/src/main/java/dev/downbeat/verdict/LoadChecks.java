package dev.downbeat.verdict;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.run.RunResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Looks whether the load was what the plan says, and whether the service could take it. */
final class LoadChecks {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long LEAST_STRETCH_NANOS = 950_000_000;

    /** Who is so much behind at every moment of a second has not sent 95 % of its plan at any. */
    private static final long BEHIND_NANOS = SECOND_NANOS / 20;

    private static final int QUARTERS = 4;

    /** A service that answers less than this part of the load is stalled, not overloaded. */
    private static final double STALLED_SHARE = 0.05;

    /** A backlog makes response times grow by as long as it takes to work off: below this share of that, there is none. */
    private static final double LEAST_GROWTH = 0.2;

    /** Below this our part of a median hides no backlog. */
    private static final long LEAST_OURS_NANOS = 1_000_000;

    private final RunResult result;

    /** Whether even the median may be ours, so that nobody can tell who was overloaded. */
    private final boolean isMedianOurs;

    LoadChecks(RunResult result, ResponseBounds bounds) {
        this.result = result;
        this.isMedianOurs = bounds.isOurs(50) && bounds.oursNanos(50) > LEAST_OURS_NANOS;
    }

    List<Caveat> caveats() {
        List<Caveat> found = new ArrayList<>();
        boolean follows = result.plan().workload().waitingClients() > 0;
        if (!follows) {
            notOffered().ifPresent(found::add);
            if (!isMedianOurs) {
                overloaded().ifPresent(found::add);
            }
        }
        ownLimit().ifPresent(found::add);
        notSent().ifPresent(found::add);
        if (result.lanes().peakBacklog() >= LoadCaveat.BacklogGrew.NOTEWORTHY) {
            found.add(new LoadCaveat.BacklogGrew(
                    result.lanes().peakBacklog(), result.lanes().peakBacklogAtNanos()));
        }
        long polls = result.counts().count(LoadCaveat.ConsumersFull.POLLS);
        long full = result.counts().count(LoadCaveat.ConsumersFull.FULL);
        if (LoadCaveat.ConsumersFull.isSo(full, polls)) {
            found.add(new LoadCaveat.ConsumersFull(full, polls));
        }
        if (follows) {
            found.add(new LoadCaveat.ClosedWorkload(result.plan().workload().waitingClients()));
        }
        return found;
    }

    private Optional<Caveat> ownLimit() {
        Map<String, Long> limits = result.recording().tallies().ownLimits();
        long count = limits.values().stream().mapToLong(Long::longValue).sum();
        return count == 0
                ? Optional.empty()
                : Optional.of(new LoadCaveat.OwnLimit(
                        String.join(", ", limits.keySet()),
                        count,
                        result.ledger().planned()));
    }

    private Optional<Caveat> notSent() {
        long ours = result.recording().tallies().ownLimits().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        long neverSent = result.ledger().neverSent() - ours;
        return neverSent > 0 && result.isComplete()
                ? Optional.of(new LoadCaveat.NotSent(neverSent, result.ledger().planned()))
                : Optional.empty();
    }

    /**
     * The worst second of which more than a twentieth was sent more than a second late, or nearly nothing within 50 ms:
     * what is caught up sooner has reached the service in its time, if in bursts.
     */
    private Optional<Caveat> notOffered() {
        LoadCaveat.NotOffered worst = null;
        Interval open = null;
        for (Interval interval : result.intervals()) {
            open = open == null ? interval : open.then(interval);
            if (open.lengthNanos() >= LEAST_STRETCH_NANOS) {
                LoadCaveat.NotOffered found = notOffered(open);
                worst = worst == null || found.share() < worst.share() ? found : worst;
                open = null;
            }
        }
        if (open != null && open.lengthNanos() > SECOND_NANOS / 2) {
            LoadCaveat.NotOffered found = notOffered(open);
            worst = worst == null || found.share() < worst.share() ? found : worst;
        }
        return worst != null && worst.share() < LoadCaveat.NotOffered.LEAST_SHARE
                ? Optional.of(worst)
                : Optional.empty();
    }

    private static LoadCaveat.NotOffered notOffered(Interval second) {
        Distribution lateness = second.recording().lateness();
        // a lateness is known when its request ends: in a stall of the service few are, which say little of that second
        long count = Math.max(lateness.count(), second.recording().ledger().planned());
        if (count == 0) {
            return new LoadCaveat.NotOffered(1, second.startNanos(), second.lengthNanos());
        }
        double inTime = 1 - (double) lateness.countAbove(SECOND_NANOS) / count;
        double onTime = 1 - (double) lateness.countAbove(BEHIND_NANOS) / count;
        boolean isBehind = onTime < 1 - LoadCaveat.NotOffered.LEAST_SHARE;
        long latestNanos = Math.min(lateness.maxNanos(), second.endNanos());
        return new LoadCaveat.NotOffered(
                isBehind ? Math.min(onTime, inTime) : inTime,
                Math.max(0, second.startNanos() - latestNanos),
                second.endNanos() - Math.max(0, second.startNanos() - latestNanos));
    }

    /**
     * Too few answers in all and in each of the last two quarters, though some came, and either response times that grew, or
     * too many timeouts beside answers that are not much sooner.
     */
    private Optional<Caveat> overloaded() {
        long windowNanos = Math.min(result.plan().durationNanos(), result.durationNanos());
        List<Interval> inTime = result.intervals().stream()
                .filter(interval -> middle(interval) < windowNanos)
                .toList();
        Ledger[] quarters = new Ledger[QUARTERS];
        Arrays.fill(quarters, Ledger.EMPTY);
        for (Interval interval : inTime) {
            int quarter = (int) Math.min(QUARTERS - 1, middle(interval) * QUARTERS / windowNanos);
            quarters[quarter] = quarters[quarter].plus(interval.recording().ledger());
        }
        Ledger all = Arrays.stream(quarters).reduce(Ledger.EMPTY, Ledger::plus);
        if (!isShort(all) || !isAnsweringTooLittle(quarters[2]) || !isAnsweringTooLittle(quarters[3])) {
            return Optional.empty();
        }
        long untilNanos = inTime.get(inTime.size() - 1).endNanos();
        return gaveUp(inTime, all, untilNanos) || isSlowerAndSlower(inTime, all, untilNanos)
                ? Optional.of(
                        new LoadCaveat.Overloaded(all.answered() * 1e9 / untilNanos, all.planned() * 1e9 / untilNanos))
                : Optional.empty();
    }

    private static long middle(Interval interval) {
        return interval.startNanos() + interval.lengthNanos() / 2;
    }

    private static boolean isShort(Ledger ledger) {
        return ledger.answered() + ledger.failed() < ledger.planned() * LoadCaveat.Overloaded.LEAST_SHARE;
    }

    private static boolean isAnsweringTooLittle(Ledger quarter) {
        return isShort(quarter) && quarter.answered() > quarter.planned() * STALLED_SHARE;
    }

    /**
     * Whoever gives up leaves a backlog that no longer grows, and waits behind it have grown as far as they can. A service that
     * answers at once what it answers has no backlog: it has lost the others.
     */
    private boolean gaveUp(List<Interval> inTime, Ledger all, long untilNanos) {
        long lastNanos = medianNanos(inTime, untilNanos - untilNanos / QUARTERS, untilNanos);
        return all.timedOut() > all.planned() * (1 - LoadCaveat.Overloaded.LEAST_SHARE)
                && lastNanos >= LEAST_GROWTH * result.plan().timeoutNanos();
    }

    /**
     * A service that takes three seconds has answered nothing of the last three, whatever load it could bear. Only if it is
     * overloaded did its last answers take longer than its first.
     */
    private static boolean isSlowerAndSlower(List<Interval> inTime, Ledger all, long untilNanos) {
        long fromNanos = inTime.stream()
                .filter(interval -> interval.recording().ledger().answered() > 0)
                .mapToLong(Interval::startNanos)
                .findFirst()
                .orElse(untilNanos);
        long stretchNanos = untilNanos - fromNanos;
        long firstNanos = medianNanos(inTime, fromNanos, fromNanos + stretchNanos / 2);
        long lastNanos = medianNanos(inTime, untilNanos - stretchNanos / QUARTERS, untilNanos);
        double missing = (double) (all.planned() - all.answered() - all.failed()) / all.planned();
        return lastNanos - firstNanos >= LEAST_GROWTH * missing * untilNanos;
    }

    private static long medianNanos(List<Interval> intervals, long fromNanos, long toNanos) {
        return intervals.stream()
                .filter(interval -> interval.endNanos() > fromNanos && interval.startNanos() < toNanos)
                .map(interval -> interval.recording().response())
                .reduce(Distribution.empty(), Distribution::plus)
                .valueAtPercentile(50);
    }
}
