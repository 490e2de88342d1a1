package dev.downbeat.verdict;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.run.RunResult;
import java.util.ArrayList;
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

    private final RunResult result;

    /** Whether even the median may be ours, so that nobody can tell who was overloaded. */
    private final boolean isMedianOurs;

    LoadChecks(RunResult result, ResponseBounds bounds) {
        this.result = result;
        this.isMedianOurs = bounds.isOurs(50);
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
        if (result.peakBacklog() >= LoadCaveat.BacklogGrew.NOTEWORTHY) {
            found.add(new LoadCaveat.BacklogGrew(result.peakBacklog(), result.peakBacklogAtNanos()));
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
        Map<String, Long> limits = result.recording().ownLimits();
        long count = limits.values().stream().mapToLong(Long::longValue).sum();
        return count == 0
                ? Optional.empty()
                : Optional.of(new LoadCaveat.OwnLimit(
                        String.join(", ", limits.keySet()),
                        count,
                        result.ledger().planned()));
    }

    private Optional<Caveat> notSent() {
        long ours = result.recording().ownLimits().values().stream()
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

    /** Counts of a quarter of the time in which requests were meant to start. */
    private static final class Quarter {
        long planned;
        long answered;
        long failed;

        boolean isShort() {
            return answered + failed < planned * LoadCaveat.Overloaded.LEAST_SHARE
                    && answered > planned * STALLED_SHARE;
        }
    }

    /** Too few answers in all, and in each of the last two quarters, so that what waits has grown until the end. */
    private Optional<Caveat> overloaded() {
        long windowNanos = Math.min(result.plan().durationNanos(), result.durationNanos());
        Quarter[] quarters = new Quarter[QUARTERS];
        for (int i = 0; i < QUARTERS; i++) {
            quarters[i] = new Quarter();
        }
        long planned = 0;
        long answered = 0;
        long failed = 0;
        long untilNanos = 0;
        for (Interval interval : result.intervals()) {
            long middle = interval.startNanos() + interval.lengthNanos() / 2;
            if (middle >= windowNanos) {
                continue;
            }
            Quarter quarter = quarters[(int) Math.min(QUARTERS - 1, middle * QUARTERS / windowNanos)];
            quarter.planned += interval.recording().ledger().planned();
            quarter.answered += interval.recording().ledger().answered();
            quarter.failed += interval.recording().ledger().failed();
            planned += interval.recording().ledger().planned();
            answered += interval.recording().ledger().answered();
            failed += interval.recording().ledger().failed();
            untilNanos = interval.endNanos();
        }
        boolean isShort = answered + failed < planned * LoadCaveat.Overloaded.LEAST_SHARE;
        return isShort && quarters[QUARTERS - 1].isShort() && quarters[QUARTERS - 2].isShort()
                ? Optional.of(new LoadCaveat.Overloaded(answered * 1e9 / untilNanos, planned * 1e9 / untilNanos))
                : Optional.empty();
    }
}
