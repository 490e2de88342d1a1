package dev.downbeat.verdict;

import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ObservedJudgement.BoundedTime;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.bound.ResponseIntervals;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.Caveat.DataLimit;
import dev.downbeat.verdict.caveat.Caveat.ShardCaveat;
import dev.downbeat.verdict.caveat.Caveat.Unsteady;
import dev.downbeat.verdict.caveat.LoadCaveat;
import dev.downbeat.verdict.caveat.RunDefect;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The conclusions from a run. Downbeat's own delays make an objective undecided only if they could change the answer,
 * and each percentile states how much of it may be Downbeat's. Immutable.
 *
 * @param measurement how far the numbers can be trusted
 * @param rows the sound percentiles; all of them if the run is unsound for a reason other than Downbeat's delays
 * @param service whether the service met its objectives
 * @param objectives judgement of each objective, in the order given
 * @param caveats doubts first, then notes
 * @param rigour the certainty required
 */
public record RunVerdict(
        Soundness measurement,
        SoundRows rows,
        Service service,
        List<JudgedObjective> objectives,
        List<Caveat> caveats,
        RequiredCertainty rigour) {
    /** How far the numbers can be trusted. */
    public enum Soundness {
        /** No displayed percentile contains a considerable delay of Downbeat. */
        SOUND,
        /** Some percentiles do, and the table shows how much; no conclusion depends on them. */
        PARTLY_SOUND,
        /** The load was not offered, the recording is incomplete, or all times may be Downbeat's delays. */
        UNSOUND;

        /** The answer in lower case, as it stands in results. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether the service met its objectives. */
    public enum Service {
        /** All objectives were met. */
        MET,
        /** At least one was missed. */
        MISSED,
        /** None was missed, and at least one is undecided. */
        UNDECIDED,
        /** No objective was set. */
        NONE;

        /** The answer in lower case, as it stands in results. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public RunVerdict {
        Objects.requireNonNull(measurement, "measurement");
        Objects.requireNonNull(rows, "rows");
        Objects.requireNonNull(service, "service");
        Objects.requireNonNull(rigour, "rigour");
        objectives = List.copyOf(objectives);
        caveats = List.copyOf(caveats);
    }

    /**
     * Judges a run by its point estimates.
     *
     * @param result the run
     * @param slos the objectives; {@link ServiceLevelObjective#defaults()} are not added
     */
    public static RunVerdict of(RunResult result, List<ServiceLevelObjective> slos) {
        return of(Observations.of(result), slos, RequiredCertainty.PLAIN);
    }

    /**
     * Judges a run whose observations are known.
     *
     * @param observations the observations
     * @param slos the objectives
     * @param rigour the certainty required
     */
    public static RunVerdict of(Observations observations, List<ServiceLevelObjective> slos, RequiredCertainty rigour) {
        return of(observations, slos, rigour, Evidence.of(observations));
    }

    /**
     * Judges a run by evidence gathered while it was going on.
     *
     * @param evidence evidence of the same run
     */
    public static RunVerdict of(
            Observations observations, List<ServiceLevelObjective> slos, RequiredCertainty rigour, Evidence evidence) {
        List<Caveat> caveats = new Checks(observations, slos).caveats();
        Judge judge = new Judge(observations, rigour, evidence, caveats);
        List<JudgedObjective> objectives = slos.stream().map(judge::judge).toList();
        SoundRows rows = SoundRows.of(observations.response());
        return new RunVerdict(
                measurement(rows, caveats, objectives, rigour),
                rows,
                service(objectives),
                objectives,
                withoutDecided(caveats, objectives),
                rigour);
    }

    /** How far the numbers can be trusted, in one word. */
    private static Soundness measurement(
            SoundRows rows, List<Caveat> caveats, List<JudgedObjective> objectives, RequiredCertainty rigour) {
        boolean invalid = caveats.stream()
                .anyMatch(caveat ->
                        caveat.severity() == Caveat.Severity.INVALIDATES || (rigour.isStrict() && caveat.isDoubt()));
        if (invalid) {
            return Soundness.UNSOUND;
        }
        if (rows.isAll()) {
            return Soundness.SOUND;
        }
        boolean isEnough =
                !rows.sound().isEmpty() || caveats.stream().noneMatch(Caveat::isDoubt) || isEnough(objectives);
        return isEnough ? Soundness.PARTLY_SOUND : Soundness.UNSOUND;
    }

    /** Whether the objectives on times (or all, if none is) are set and decided in spite of Downbeat's delays. */
    private static boolean isEnough(List<JudgedObjective> objectives) {
        List<JudgedObjective> ofTimes = objectives.stream()
                .filter(objective -> objective.slo().isOfTimes())
                .toList();
        List<JudgedObjective> relevant = ofTimes.isEmpty() ? objectives : ofTimes;
        boolean isAnySet = relevant.stream().map(JudgedObjective::slo).anyMatch(ServiceLevelObjective::isAsked);
        return isAnySet && relevant.stream().allMatch(JudgedObjective::isDecided);
    }

    /** Percentiles with a decided objective are displayed, however few requests there are. */
    private static List<Caveat> withoutDecided(List<Caveat> caveats, List<JudgedObjective> objectives) {
        Set<Double> decided = JudgedObjective.decided(objectives);
        return caveats.stream()
                .flatMap(caveat -> caveat instanceof DataLimit.TooFewSamples few
                        ? few.without(decided).stream()
                        : Stream.of(caveat))
                .toList();
    }

    /** The same verdict with answers saved earlier. */
    public RunVerdict with(Service found, List<JudgedObjective> judged) {
        return new RunVerdict(measurement, rows, found, judged, caveats, rigour);
    }

    /** The statuses if the run ended now. Its ledger does not add up yet, because of requests in flight. */
    static List<JudgedObjective.Status> statusesSoFar(
            Observations observations, List<ServiceLevelObjective> slos, RequiredCertainty rigour, Evidence evidence) {
        List<Caveat> caveats = new Checks(observations, slos)
                .caveats().stream()
                        .filter(caveat -> !(caveat instanceof RunDefect.LedgerMismatch))
                        .toList();
        Judge judge = new Judge(observations, rigour, evidence, caveats);
        return slos.stream().map(slo -> judge.judge(slo).status()).toList();
    }

    /** The caveats that make the measurement unsound; empty if it is sound. */
    public List<Caveat> doubts() {
        return measurement == Soundness.UNSOUND
                ? caveats.stream().filter(Caveat::isDoubt).toList()
                : List.of();
    }

    /** Whether times can be trusted and compared: not all may be Downbeat's delays, or their objectives are decided. */
    public boolean hasSoundTimes() {
        return measurement != Soundness.UNSOUND
                && (measurement == Soundness.SOUND
                        || !rows.sound().isEmpty()
                        || caveats.stream().noneMatch(Caveat::isDoubt)
                        || objectives.stream()
                                .anyMatch(objective -> objective.slo().isOfTimes()));
    }

    /** Whether times lie between known bounds: the load was offered, and the recording is whole. */
    public boolean hasBoundedTimes() {
        return caveats.stream().noneMatch(caveat -> caveat.severity() == Caveat.Severity.INVALIDATES);
    }

    /** Whether only the times are {@link Soundness#UNSOUND}, while the objectives are met and do not depend on them. */
    public boolean isUnsoundInTimesAlone() {
        return measurement == Soundness.UNSOUND && service() == Service.MET && hasBoundedTimes();
    }

    /** The caveats that make its times untrustworthy; empty if there are none. */
    public List<Caveat> doubtsOfTimes() {
        return hasSoundTimes()
                ? List.of()
                : caveats.stream().filter(Caveat::isDoubt).toList();
    }

    /**
     * The answer as displayed: {@code sound}, {@code sound up to p99}, {@code sound from p75 on},
     * {@code sound enough to decide}, {@code UNSOUND}.
     */
    public String measurementInWords() {
        return switch (measurement) {
            case SOUND -> "sound";
            case UNSOUND -> "UNSOUND";
            case PARTLY_SOUND ->
                !rows.sound().isEmpty()
                        ? rows.words()
                        : caveats.stream().anyMatch(Caveat::isDoubt)
                                ? "sound enough to decide"
                                : "partly Downbeat's delay";
        };
    }

    /** The overload, if there was one. */
    public Optional<LoadCaveat.Overloaded> overload() {
        return overloadIn(caveats);
    }

    private static Optional<LoadCaveat.Overloaded> overloadIn(List<Caveat> caveats) {
        return caveats.stream()
                .filter(LoadCaveat.Overloaded.class::isInstance)
                .map(LoadCaveat.Overloaded.class::cast)
                .findFirst();
    }

    /** The service's status for these objectives. */
    public static Service service(List<JudgedObjective> objectives) {
        if (objectives.isEmpty()) {
            return Service.NONE;
        }
        if (has(objectives, JudgedObjective.Status.MISSED)) {
            return Service.MISSED;
        }
        return has(objectives, JudgedObjective.Status.UNDECIDED) ? Service.UNDECIDED : Service.MET;
    }

    private static boolean has(List<JudgedObjective> objectives, JudgedObjective.Status status) {
        return objectives.stream().anyMatch(objective -> objective.status() == status);
    }

    /**
     * The percentiles of the table that are sound, and those with too much of Downbeat's own delay. Each is judged by
     * itself: a delay of 2 ms spoils a median of 5 ms but not a p99 of a second.
     *
     * @param sound percentiles of which at most 10 % may be Downbeat's, ascending
     * @param ours the other percentiles, ascending
     */
    public record SoundRows(List<Double> sound, List<Double> ours) {
        public SoundRows {
            sound = List.copyOf(sound);
            ours = List.copyOf(ours);
        }

        static SoundRows of(ResponseBounds bounds) {
            List<Double> shown = Percentiles.of(Percentiles.Place.TABLE).stream()
                    .filter(bounds::hasEnoughFor)
                    .toList();
            return new SoundRows(
                    shown.stream()
                            .filter(percentile -> !bounds.hasNotableOwnDelay(percentile))
                            .toList(),
                    shown.stream().filter(bounds::hasNotableOwnDelay).toList());
        }

        /** Whether all rows are sound. */
        public boolean isAll() {
            return ours.isEmpty();
        }

        /** The percentile up to which all displayed ones are sound; empty if all are, or if the lowest is not. */
        public OptionalDouble upTo() {
            return isAll() || sound.isEmpty() || sound.get(0) > ours.get(0)
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(sound.stream()
                            .filter(percentile -> percentile < ours.get(0))
                            .reduce((low, high) -> high)
                            .orElseThrow());
        }

        /** {@code sound up to p95}, {@code sound from p75 on}, {@code sound only at max}, {@code sound except p90}. */
        String words() {
            double lowest = sound.get(0);
            double highest = sound.get(sound.size() - 1);
            if (highest < ours.get(0)) {
                return "sound up to " + Percentiles.name(highest);
            }
            if (lowest > ours.get(ours.size() - 1)) {
                return lowest == 100 ? "sound only at max" : "sound from " + Percentiles.name(lowest) + " on";
            }
            return "sound except " + ours.stream().map(Percentiles::name).collect(Collectors.joining(", "));
        }
    }

    /** Judges each objective, with everything that may change the answer. */
    private static final class Judge {
        private static final String CI = "95 % CI ";

        /** For a run too short for an interval; the true one is wider if requests wait for each other. */
        private static final String CI_AT_BEST = "95 % CI at best ";

        private final Observations observations;
        private final RunResult result;
        private final RequiredCertainty rigour;
        private final Evidence evidence;
        private final List<Caveat> caveats;
        private final Optional<Unsteady.NotSteady> change;
        private final ResponseBounds bounds;
        private final ResponseIntervals intervals;

        Judge(Observations observations, RequiredCertainty rigour, Evidence evidence, List<Caveat> caveats) {
            this.observations = observations;
            this.result = observations.result();
            this.rigour = rigour;
            this.evidence = evidence;
            this.caveats = caveats;
            this.change = observations.change();
            this.bounds = observations.response();
            this.intervals = observations.intervals();
        }

        JudgedObjective judge(ServiceLevelObjective slo) {
            if (slo instanceof ServiceLevelObjective.Named named) {
                if (!result.recording().byName().containsKey(named.name())) {
                    return ofUnusedName(named);
                }
                Judge ofName =
                        new Judge(observations.named(named.name()), rigour, evidence.named(named.name()), caveats);
                return ofName.judge(named.slo()).withObjective(named);
            }
            // Defaults are judged by estimates: if undecided they would pass.
            JudgedObjective judged = rigour.isSure() && slo.isAsked() ? proven(slo) : estimated(slo);
            JudgedObjective possible = slo.isOfTimes() && judged.status() == JudgedObjective.Status.MET
                    ? unlessOverloaded(judged)
                    : judged;
            return possible.isDecided() ? unlessInvalid(possible) : possible;
        }

        /** An objective of requests that never ran is not met. A stopped or live run may not have reached them. */
        private JudgedObjective ofUnusedName(ServiceLevelObjective.Named named) {
            boolean isLive = result.plan().workload() instanceof Workload.External external && external.isLive();
            if (result.ledger().planned() == 0 && !isLive) {
                return JudgedObjective.unobserved(named, "nothing was sent");
            }
            if (result.recording().byName().containsKey(Recording.OTHERS)) {
                // a recorder gives the objective's name its own row only after the first take
                String where = isLive ? "in its objective's first take " : "";
                return JudgedObjective.unobserved(
                        named, "no row has this name, but " + where + Recording.OTHERS + " may include it");
            }
            return result.isComplete() && !isLive
                    ? JudgedObjective.ofUnusedName(named, "no request has this name")
                    : JudgedObjective.unobserved(named, "no request has this name");
        }

        private JudgedObjective proven(ServiceLevelObjective slo) {
            JudgedObjective proven = evidence.judge(slo);
            if (proven.status() == JudgedObjective.Status.MISSED) {
                if (slo instanceof ServiceLevelObjective.Percentile percentile && !isMissedBy(percentile)) {
                    return BoundedTime.ofPercentile(bounds, percentile.percentile())
                            .undecidedByOwnDelay(percentile);
                }
                if (slo instanceof ServiceLevelObjective.Mean mean && !isMissedBy(mean)) {
                    return BoundedTime.ofMean(bounds).undecidedByOwnDelay(mean);
                }
            }
            return proven.status() == JudgedObjective.Status.MET ? unlessUnsteady(unlessTooFew(proven)) : proven;
        }

        /** An objective that the observed requests leave undecided is not met. */
        private JudgedObjective unlessTooFew(JudgedObjective met) {
            JudgedObjective observed = ObservedJudgement.of(met.slo(), observations);
            return observed.isDecided() ? met : observed;
        }

        /** Whether the lower end of the interval exceeds the limit even without Downbeat's own delays. */
        private boolean isMissedBy(ServiceLevelObjective.Percentile slo) {
            Optional<QuantileInterval> interval =
                    slo.percentile() < 100 ? evidence.responseTime(slo.percentile()) : Optional.empty();
            double place = interval.filter(known -> known.lowNanos().isPresent())
                    .map(known -> bounds.percentileOf(known.lowNanos().getAsLong()))
                    .orElse(slo.percentile());
            return !slo.keeps(bounds.withoutOwnDelayNanos(place));
        }

        private boolean isMissedBy(ServiceLevelObjective.Mean slo) {
            BoundedTime mean = BoundedTime.ofMean(bounds);
            long lowNanos =
                    evidence.meanInterval().map(Evidence.MeanEnds::lowNanos).orElse(mean.nanos());
            return !slo.keeps(lowNanos - (mean.nanos() - mean.withoutOwnDelayNanos()));
        }

        private JudgedObjective estimated(ServiceLevelObjective slo) {
            JudgedObjective judged = ObservedJudgement.of(slo, observations);
            if (!judged.isDecided() || !slo.isOfTimes()) {
                return judged;
            }
            if (change.isPresent()) {
                return judged.status() == JudgedObjective.Status.MET ? unlessUnsteady(judged) : judged;
            }
            return slo instanceof ServiceLevelObjective.Percentile percentile
                    ? withInterval(percentile, judged)
                    : withMeanInterval((ServiceLevelObjective.Mean) slo, judged);
        }

        private JudgedObjective withInterval(ServiceLevelObjective.Percentile slo, JudgedObjective judged) {
            if (slo.percentile() >= 100
                    || observations.soleEvent(slo.percentile()).isPresent()) {
                return judged; // a fact about this run, regardless of its frequency
            }
            Optional<QuantileInterval> interval = intervals.at(slo.percentile());
            QuantileInterval known = interval.orElseGet(() -> bounds.atBest(slo.percentile()));
            boolean lowKeeps =
                    known.lowNanos().isEmpty() || slo.keeps(known.lowNanos().getAsLong());
            boolean highKeeps =
                    known.highNanos().isPresent() && slo.keeps(known.highNanos().getAsLong());
            return lowKeeps && !highKeeps
                    ? judged.uncertain(
                            between(interval.isPresent() ? CI : CI_AT_BEST, known.lowNanos(), known.highNanos()))
                    : judged;
        }

        private static String between(String name, OptionalLong lowNanos, OptionalLong highNanos) {
            if (lowNanos.isEmpty()) {
                return highNanos.isEmpty()
                        ? "no 95 % CI"
                        : name + "below " + DurationText.rounded(highNanos.getAsLong());
            }
            long low = lowNanos.getAsLong();
            return highNanos.isEmpty()
                    ? name + "above " + DurationText.rounded(low)
                    : name
                            + DurationText.rounded(low, highNanos.getAsLong())
                            + " to "
                            + DurationText.rounded(highNanos.getAsLong(), low);
        }

        private JudgedObjective withMeanInterval(ServiceLevelObjective.Mean slo, JudgedObjective judged) {
            if (evidence.judge(slo).isDecided()) {
                return judged;
            }
            Optional<Evidence.MeanEnds> interval = evidence.meanInterval();
            Evidence.MeanEnds known = interval.orElseGet(() -> Evidence.MeanEnds.of(bounds.meanAtBest(), bounds));
            boolean highKeeps = known.highNanos().stream().anyMatch(slo::keeps);
            return interval.isPresent() || slo.keeps(known.lowNanos()) && !highKeeps
                    ? judged.uncertain(between(
                            interval.isPresent() ? CI : CI_AT_BEST,
                            OptionalLong.of(known.lowNanos()),
                            known.highNanos()))
                    : judged;
        }

        private JudgedObjective unlessUnsteady(JudgedObjective met) {
            if (!met.isDecided() || !met.slo().isOfTimes() || change.isEmpty()) {
                return met;
            }
            String why = change.get().why();
            return rigour.isSure() || rigour.isStrict() ? met.undecided(", but " + why) : met.uncertain(why);
        }

        /** Under overload, the length of the run decides which objectives on times are met. */
        private JudgedObjective unlessOverloaded(JudgedObjective met) {
            return overloadIn(caveats)
                    .map(overloaded ->
                            met.undecided(", but the service " + (overloaded.isOver() ? "was" : "is") + " overloaded"))
                    .orElse(met);
        }

        /** Undecided if a caveat invalidates the decision; the bounds include Downbeat's own delays. */
        private JudgedObjective unlessInvalid(JudgedObjective decided) {
            for (Caveat caveat : caveats) {
                if (invalidates(caveat, decided)) {
                    return decided.undecided(", but " + why(caveat));
                }
            }
            return decided;
        }

        private boolean invalidates(Caveat caveat, JudgedObjective decided) {
            if (caveat.invalidatesMisses() || (caveat.invalidatesLateness() && !isMissedByFailures(decided.slo()))) {
                return true;
            }
            if (rigour.isStrict() && caveat.isDoubt()) {
                return true;
            }
            return decided.status() == JudgedObjective.Status.MET && caveat.severity() == Caveat.Severity.INVALIDATES;
        }

        /** Whether failures alone miss it, so that the times of the other requests are irrelevant. */
        private boolean isMissedByFailures(ServiceLevelObjective slo) {
            return ObservedJudgement.isMissedByFailures(slo, observations)
                    && !(rigour.isSure() && slo.isAsked() && !evidence.isMissedByFailures(slo));
        }

        private static String why(Caveat caveat) {
            if (caveat instanceof RunDefect.LedgerMismatch) {
                return "requests are unaccounted for";
            }
            if (caveat instanceof RunDefect.Broken) {
                return "the run failed";
            }
            if (caveat instanceof RunDefect.MessagesOfOthers) {
                return "the run stopped early";
            }
            if (caveat instanceof RunDefect.CutOff) {
                return "the recording is incomplete";
            }
            if (caveat instanceof LoadCaveat.ConsumersFull) {
                return "messages waited for a consumer";
            }
            if (caveat instanceof LoadCaveat) {
                return "the planned load was not offered";
            }
            return caveat instanceof ShardCaveat ? "not all shards can be trusted" : "the measurement is in doubt";
        }
    }
}
