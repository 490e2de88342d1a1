package dev.downbeat.verdict;

import dev.downbeat.event.Incident;
import dev.downbeat.event.Overloads.Overload;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.OutcomeCounts;
import dev.downbeat.record.ProcessDelays;
import dev.downbeat.record.Recording;
import dev.downbeat.run.LaneCounts.Saturation;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ShardRun;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.bound.ResponseIntervals;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.Caveat.DataLimit;
import dev.downbeat.verdict.caveat.Caveat.OwnDelay;
import dev.downbeat.verdict.caveat.Caveat.ShardCaveat;
import dev.downbeat.verdict.caveat.Caveat.Unsteady;
import dev.downbeat.verdict.caveat.LoadCaveat;
import dev.downbeat.verdict.caveat.RunDefect;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks a run for reasons to doubt it: one method per reason. */
final class Checks {
    private static final double BUSY_SHARE = 0.9;
    private static final long LEAST_FULL_NANOS = 100_000_000;
    private static final int LEAST_FULL_SHARE = 20;
    private static final long LONGEST_ADVICE_SECONDS = 30 * 86_400L;

    private final Observations observations;
    private final RunResult result;
    private final Recording recording;
    private final ResponseBounds bounds;
    private final List<ServiceLevelObjective> slos;

    Checks(Observations observations, List<ServiceLevelObjective> slos) {
        this.observations = observations;
        this.result = observations.result();
        this.recording = result.recording();
        this.bounds = observations.response();
        this.slos = slos;
    }

    /** The reasons found, doubts first, each kind at most once. */
    List<Caveat> caveats() {
        List<Caveat> found = new ArrayList<>();
        ledger(found);
        ending(found);
        start(found);
        shards(found);
        messagesOfOthers(found);
        RunDefect.UnaskedLines.of(result.counts()).ifPresent(found::add);
        workLeftBehind(found);
        nothingAnswered(found);
        lateness(found);
        hiccup(found);
        oftenLate(found);
        busy(found);
        censored(found);
        tooFew(found);
        redirects(found);
        found.addAll(new LoadChecks(result, observations.overloads()).caveats());
        observations.steadiness().flatMap(Steadiness::caveat).ifPresent(found::add);
        observations
                .steadiness()
                .flatMap(Steadiness::slowSpell)
                .filter(spell -> observations.events().stream().noneMatch(event -> overlaps(event, spell)))
                .ifPresent(found::add);
        found.sort(Comparator.comparing(Caveat::severity));
        return found;
    }

    private void ledger(List<Caveat> found) {
        if (!result.ledger().addsUp()) {
            found.add(new RunDefect.LedgerMismatch(result.ledger()));
        }
    }

    private void ending(List<Caveat> found) {
        if (result.isNothing()) {
            found.add(new RunDefect.Broken(result.whyNothing(), 0));
            return;
        }
        switch (result.ending()) {
            case BROKEN ->
                found.add(new RunDefect.Broken(result.failure().orElse("no reason given"), result.durationNanos()));
            case INTERRUPTED -> interrupted(found);
            case CUT_OFF -> cutOff(found);
            case COMPLETE, DECIDED -> {}
        }
    }

    /** Shards that were stopped before others are in doubt, so {@link #shards} reports them by number. */
    private void interrupted(List<Caveat> found) {
        if (ShardRun.stoppedBeforeOthers(result.shards(), result.plan().durationNanos())
                .isEmpty()) {
            found.add(new RunDefect.Interrupted(result.durationNanos()));
        }
    }

    /** For merged runs, {@link #shards} reports it with the shard's number. */
    private void cutOff(List<Caveat> found) {
        if (result.shards().isEmpty()) {
            found.add(
                    new RunDefect.CutOff(result.durationNanos(), result.ledger().inFlight()));
        }
    }

    private void start(List<Caveat> found) {
        result.plan().start().ifPresent(planned -> {
            long lateNanos = Duration.between(planned, result.started()).toNanos();
            if (lateNanos > 0) {
                found.add(new ShardCaveat.StartedLate(lateNanos));
            }
        });
    }

    /** Problems of single shards that the merged result would hide. */
    private void shards(List<Caveat> found) {
        int count = result.shards().size();
        List<ShardRun> present =
                result.shards().stream().filter(shard -> !shard.isMissing()).toList();
        if (present.size() < count) {
            found.add(new ShardCaveat.ShardsMissing(
                    numbers(result.shards().stream().filter(ShardRun::isMissing)), count));
        }
        List<ShardRun> doubtful =
                present.stream().filter(shard -> !shard.doubts().isEmpty()).toList();
        if (!doubtful.isEmpty()) {
            found.add(new ShardCaveat.ShardsDoubtful(
                    numbers(doubtful.stream()), count, doubtful.get(0).doubts().get(0)));
        }
        List<Instant> starts = present.stream().map(ShardRun::started).sorted().toList();
        if (!starts.isEmpty()) {
            long skewNanos = Duration.between(starts.get(0), starts.get(starts.size() - 1))
                    .toNanos();
            if (skewNanos > ShardCaveat.StartSkew.ALLOWED_NANOS) {
                found.add(new ShardCaveat.StartSkew(skewNanos));
            }
        }
    }

    private void messagesOfOthers(List<Caveat> found) {
        RunDefect.MessagesOfOthers.of(result.counts(), result.ledger().planned())
                .ifPresent(found::add);
    }

    private void workLeftBehind(List<Caveat> found) {
        long certain = result.counts().count(TargetCounts.LEFT_WORK);
        long watched = certain + result.counts().count(TargetCounts.MAY_HAVE_LEFT_WORK);
        if (watched > 0) {
            found.add(new RunDefect.WorkLeftBehind(watched, certain > 0));
        }
    }

    private static List<Integer> numbers(Stream<ShardRun> shards) {
        return shards.map(ShardRun::shard).sorted().toList();
    }

    private void nothingAnswered(List<Caveat> found) {
        if (recording.response().isEmpty() && result.ledger().planned() > 0) {
            String reason = recording
                    .usualFailure()
                    .or(() -> recording.tallies().usualOwnLimit())
                    .orElse("");
            Ledger ledger = result.ledger();
            long inFlight = Math.max(0, ledger.inFlight() - ledger.unconnected());
            long reached = ledger.timedOut() + inFlight + recording.tallies().failedResponses();
            found.add(new RunDefect.NothingAnswered(ledger.planned(), reached, reason));
        }
    }

    private void lateness(List<Caveat> found) {
        OwnDelay.GeneratorLate worst = null;
        for (double percentile : Percentiles.belowMax(Percentiles.Place.TABLE)) {
            long ownDelayNanos = bounds.ownDelayNanos(percentile);
            long responseNanos = bounds.atLeastNanos(percentile);
            if (!bounds.hasEnoughFor(percentile) || !bounds.hasNotableOwnDelay(percentile)) {
                continue;
            }
            OwnDelay.GeneratorLate late = new OwnDelay.GeneratorLate(
                    percentile, ownDelayNanos, responseNanos, bounds.withoutOwnDelayNanos(percentile));
            if (worst == null || isWorse(late, worst)) {
                worst = late;
            }
        }
        if (worst != null) {
            found.add(worst);
        }
    }

    private void oftenLate(List<Caveat> found) {
        long delayedNanos = 0;
        for (Interval interval : result.intervals()) {
            ProcessDelays strain = interval.strain();
            delayedNanos +=
                    strain.gcNanos() + (strain.runDelayNanos() < 0 ? strain.hiccupNanos() : strain.runDelayNanos());
        }
        long wallNanos = result.durationNanos(); // in very short runs, delays may extend beyond the run
        OwnDelay.OftenLate often = new OwnDelay.OftenLate(Math.min(delayedNanos, wallNanos), wallNanos);
        if (often.isDoubt()) {
            found.add(often);
        }
    }

    /** Doubts before notes, then the greater share of the response time. */
    private static boolean isWorse(OwnDelay.GeneratorLate one, OwnDelay.GeneratorLate other) {
        if (one.isDoubt() != other.isDoubt()) {
            return one.isDoubt();
        }
        return (double) one.oursNanos() / one.responseNanos() > (double) other.oursNanos() / other.responseNanos();
    }

    /** The longest pause that is part of the tail; if none is, the longest. */
    private void hiccup(List<Caveat> found) {
        OwnDelay.HiccupDuringRun longest = hiccup(result.longestPause());
        if (longest.largestNanos() >= OwnDelay.HiccupDuringRun.NOTEWORTHY_NANOS) {
            found.add(Stream.concat(
                            Stream.of(longest),
                            result.interruptions().pauses().stream()
                                    .sorted(Comparator.comparingLong(Pause::lengthNanos)
                                            .reversed())
                                    .map(this::hiccup))
                    .filter(Caveat::isDoubt)
                    .findFirst()
                    .orElse(longest));
        }
    }

    private OwnDelay.HiccupDuringRun hiccup(Pause pause) {
        return new OwnDelay.HiccupDuringRun(pause.lengthNanos(), pause.toNanos(), bounds.atLeastNanos(100));
    }

    /** Counts only if it could affect the percentiles: at least a twentieth of the run. */
    private void busy(List<Caveat> found) {
        Saturation full = result.lanes().saturation();
        boolean isNotable =
                full.nanos() >= LEAST_FULL_NANOS && full.nanos() >= result.durationNanos() / LEAST_FULL_SHARE;
        if (isNotable && full.busyNanos() >= full.nanos() * BUSY_SHARE) {
            found.add(new OwnDelay.ClientBusy(full.nanos(), (double) full.busyNanos() / full.nanos()));
        }
    }

    private void censored(List<Caveat> found) {
        List<Double> unknown = percentiles()
                .filter(percentile -> bounds.hasEnoughFor(percentile) && !bounds.isKnownAt(percentile))
                .toList();
        if (!unknown.isEmpty()) {
            Ledger ledger = result.ledger();
            found.add(new DataLimit.TailCensored(ledger.timedOut(), ledger.inFlight() + ledger.neverSent(), unknown));
        }
    }

    private void redirects(List<Caveat> found) {
        long answered = result.ledger().answered();
        long redirects = recording.tallies().redirects(answered);
        if (redirects > 0) {
            found.add(new DataLimit.NotFollowed(redirects, answered));
        }
    }

    /** Only percentiles with an objective; others are omitted from the table without a note. */
    private void tooFew(List<Caveat> found) {
        List<Double> hidden = objectivePercentiles()
                .filter(percentile -> !bounds.hasEnoughFor(percentile))
                .distinct()
                .sorted()
                .toList();
        if (bounds.count() > 0 && !hidden.isEmpty()) {
            found.add(new DataLimit.TooFewSamples(hidden, bounds.count(), longerNanos(hidden.get(0))));
        }
    }

    /** A sufficient duration in whole seconds, minutes or hours; 0 if none longer than the plan suffices. */
    private long longerNanos(double percentile) {
        double windowNanos = Math.min(result.plan().durationNanos(), result.durationNanos());
        double seconds = windowNanos / bounds.count() * ResponseBounds.neededFor(percentile) / 1e9;
        long step = seconds <= 120 ? 1 : seconds <= 7_200 ? 60 : 3_600;
        long rounded = (long) Math.ceil(seconds / step) * step;
        boolean sensible = rounded <= LONGEST_ADVICE_SECONDS
                && rounded * 1_000_000_000L > result.plan().durationNanos();
        return sensible ? rounded * 1_000_000_000L : 0;
    }

    /** The percentiles of every report and of the objectives. */
    private Stream<Double> percentiles() {
        return Stream.concat(Percentiles.of(Percentiles.Place.TABLE).stream(), objectivePercentiles())
                .distinct()
                .sorted();
    }

    private Stream<Double> objectivePercentiles() {
        return ServiceLevelObjective.Percentile.among(slos.stream()).stream()
                .map(ServiceLevelObjective.Percentile::percentile);
    }

    private static boolean overlaps(Incident event, Unsteady.SlowSpell spell) {
        return event.startNanos() < spell.toNanos() && event.startNanos() + event.lengthNanos() > spell.fromNanos();
    }

    /** Checks whether the load was offered as planned and whether the service could sustain it. */
    private static final class LoadChecks {
        private static final long SECOND_NANOS = 1_000_000_000;

        /** A constant lateness above this for a whole second means that less than 95 % of its plan was sent in time. */
        private static final long BEHIND_NANOS = SECOND_NANOS / 20;

        /** Of fewer requests, a single late one is more than a twentieth. */
        private static final long LEAST = 20;

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
            Optional<Caveat> consumersFull = LoadCaveat.ConsumersFull.of(result.counts());
            if (!overloads.isEmpty() && consumersFull.isEmpty()) { // otherwise the queue may sustain the load
                found.add(new LoadCaveat.Overloaded(overloads));
            }
            ownLimit().ifPresent(found::add);
            notSent().ifPresent(found::add);
            if (result.lanes().peakBacklog() >= LoadCaveat.BacklogGrew.NOTEWORTHY) {
                found.add(new LoadCaveat.BacklogGrew(
                        result.lanes().peakBacklog(), result.lanes().peakBacklogAtNanos()));
            }
            consumersFull.ifPresent(found::add);
            if (follows) {
                found.add(new LoadCaveat.ClosedWorkload(result.plan().workload().waitingClients()));
            }
            return found;
        }

        private Optional<Caveat> ownLimit() {
            Map<String, Long> limits = result.recording().tallies().ownLimits();
            long ended = result.counts().count(RunDefect.MessagesOfOthers.ENDED); // reported as a defect of the run
            long count = limits.values().stream().mapToLong(Long::longValue).sum() - ended;
            return count <= 0
                    ? Optional.empty()
                    : Optional.of(new LoadCaveat.OwnLimit(
                            String.join(", ", limits.keySet()),
                            count,
                            result.ledger().planned()));
        }

        private Optional<Caveat> notSent() {
            OutcomeCounts counts = result.recording().tallies();
            long byOwnLimit = counts.ownLimits().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            long neverSent = result.ledger().neverSent() - (byOwnLimit - counts.failedByOwnLimit());
            return neverSent > 0 && result.isComplete()
                    ? Optional.of(
                            new LoadCaveat.NotSent(neverSent, result.ledger().planned()))
                    : Optional.empty();
        }

        /**
         * The worst second in which more than 5 % was sent over a second late, or hardly anything within 50 ms. Shorter
         * delays reach the service in the same second, if in bursts. Slow loads are judged by longer periods, since one
         * request may be all of a second.
         */
        private Optional<Caveat> notOffered() {
            LoadCaveat.NotOffered worst = null;
            Interval before = null;
            Interval open = null;
            for (Interval interval : result.intervals()) {
                open = open == null ? interval : open.then(interval);
                if (open.lengthNanos() >= ResponseIntervals.LEAST_STRETCH_NANOS && !isTooFew(open)) {
                    worst = worse(worst, notOffered(open));
                    before = open;
                    open = null;
                }
            }
            if (open != null && open.lengthNanos() > SECOND_NANOS / 2) {
                worst = worse(worst, notOffered(before != null && isTooFew(open) ? before.then(open) : open));
            }
            return worst != null && worst.share() < LoadCaveat.NotOffered.LEAST_SHARE
                    ? Optional.of(worst)
                    : Optional.empty();
        }

        private static boolean isTooFew(Interval period) {
            return count(period) < LEAST;
        }

        /** The requests to judge a period by. In a stall few end with their lateness, so planned ones count. */
        private static long count(Interval period) {
            Recording recording = period.recording();
            return Math.max(recording.lateness().count(), recording.ledger().planned());
        }

        private static LoadCaveat.NotOffered worse(LoadCaveat.@Nullable NotOffered one, LoadCaveat.NotOffered other) {
            return one == null || other.share() < one.share() ? other : one;
        }

        private static LoadCaveat.NotOffered notOffered(Interval second) {
            Distribution lateness = second.recording().lateness();
            long count = count(second);
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
}
