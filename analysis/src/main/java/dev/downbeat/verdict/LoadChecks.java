package dev.downbeat.verdict;

import dev.downbeat.event.Overload;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.Flaw;
import dev.downbeat.verdict.caveat.LoadCaveat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks whether the load was offered as planned and whether the service could sustain it. */
final class LoadChecks {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long LEAST_STRETCH_NANOS = 950_000_000;

    /** A constant lateness above this for a whole second means that less than 95 % of its plan was sent in time. */
    private static final long BEHIND_NANOS = SECOND_NANOS / 20;

    private final RunResult result;
    private final List<Overload> overloads;

    LoadChecks(RunResult result, List<Overload> overloads) {
        this.result = result;
        this.overloads = overloads;
    }

    List<Caveat> caveats() {
        List<Caveat> found = new ArrayList<>();
        boolean follows = result.plan().workload().waitingClients() > 0;
        if (!follows) {
            notOffered().ifPresent(found::add);
        }
        if (!overloads.isEmpty()) {
            found.add(new LoadCaveat.Overloaded(overloads));
        }
        ownLimit().ifPresent(found::add);
        notSent().ifPresent(found::add);
        if (result.lanes().peakBacklog() >= LoadCaveat.BacklogGrew.NOTEWORTHY) {
            found.add(new LoadCaveat.BacklogGrew(
                    result.lanes().peakBacklog(), result.lanes().peakBacklogAtNanos()));
        }
        long polls = result.counts().count(LoadCaveat.ConsumersFull.POLLS);
        long full = result.counts().count(LoadCaveat.ConsumersFull.FULL);
        if (LoadCaveat.ConsumersFull.areMostlyFull(full, polls)) {
            found.add(new LoadCaveat.ConsumersFull(full, polls));
        }
        if (follows) {
            found.add(new LoadCaveat.ClosedWorkload(result.plan().workload().waitingClients()));
        }
        return found;
    }

    private Optional<Caveat> ownLimit() {
        Map<String, Long> limits = result.recording().tallies().ownLimits();
        long ended = result.counts().count(Flaw.MessagesOfOthers.ENDED); // told as a flaw
        long count = limits.values().stream().mapToLong(Long::longValue).sum() - ended;
        return count <= 0
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
     * The worst second in which more than 5 % was sent over a second late, or hardly anything within 50 ms. Shorter
     * delays reach the service in the same second, if in bursts.
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
        // lateness is recorded when a request ends; in a stall few do, and they say little about that second
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
}
