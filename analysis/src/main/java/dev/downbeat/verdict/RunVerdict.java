package dev.downbeat.verdict;

import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.DataLimit;
import dev.downbeat.verdict.caveat.LoadCaveat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
        Measurement measurement,
        SoundRows rows,
        Service service,
        List<JudgedObjective> objectives,
        List<Caveat> caveats,
        Rigour rigour) {
    /** How far the numbers can be trusted. */
    public enum Measurement {
        /** No displayed percentile contains a considerable delay of Downbeat. */
        SOUND("sound"),
        /** Some percentiles do, and the table shows how much; no conclusion depends on them. */
        PARTLY_SOUND("partly_sound"),
        /** The load was not offered, the recording is incomplete, or all times may be Downbeat's delays. */
        UNSOUND("unsound");

        private final String word;

        Measurement(String word) {
            this.word = word;
        }

        /** The answer in lower case, as it stands in results. */
        public String word() {
            return word;
        }
    }

    /** Whether the service met its objectives. */
    public enum Service {
        /** All objectives were met. */
        MET("met"),
        /** At least one was missed. */
        MISSED("missed"),
        /** None was missed, and at least one is undecided. */
        UNDECIDED("undecided"),
        /** No objective was set. */
        NONE("none");

        private final String word;

        Service(String word) {
            this.word = word;
        }

        /** The answer in lower case, as it stands in results. */
        public String word() {
            return word;
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

    /** A verdict on a run that is sound as a whole or not at all. */
    public RunVerdict(
            Measurement measurement, Service service, List<JudgedObjective> objectives, List<Caveat> caveats) {
        this(measurement, SoundRows.ALL, service, objectives, caveats, Rigour.PLAIN);
    }

    /**
     * Judges a run by its point estimates.
     *
     * @param result the run
     * @param slos the objectives; {@link AskedObjective#defaults()} are not added
     */
    public static RunVerdict of(RunResult result, List<AskedObjective> slos) {
        return of(result, slos, Rigour.PLAIN);
    }

    /**
     * Judges a run.
     *
     * @param result the run
     * @param slos the objectives
     * @param rigour the certainty required
     */
    public static RunVerdict of(RunResult result, List<AskedObjective> slos, Rigour rigour) {
        Observations seen = Observations.of(result);
        return of(seen, slos, rigour, Evidence.of(seen));
    }

    /**
     * Judges a run by what it proves about the service.
     *
     * @param result the run
     * @param slos the objectives
     * @param evidence evidence of the same run
     * @param isStrict as in {@link Rigour}
     */
    public static RunVerdict of(RunResult result, List<AskedObjective> slos, Evidence evidence, boolean isStrict) {
        return of(Observations.of(result), slos, new Rigour(true, isStrict), evidence);
    }

    /**
     * Judges a run whose observations are known.
     *
     * @param seen the observations
     * @param slos the objectives
     * @param rigour the certainty required
     */
    public static RunVerdict of(Observations seen, List<AskedObjective> slos, Rigour rigour) {
        return of(seen, slos, rigour, Evidence.of(seen));
    }

    /**
     * Judges a run by evidence gathered while it was going on.
     *
     * @param evidence evidence of the same run
     */
    public static RunVerdict of(Observations seen, List<AskedObjective> slos, Rigour rigour, Evidence evidence) {
        List<Caveat> caveats = new Checks(seen, slos).caveats();
        Judge judge = new Judge(seen, rigour, evidence, caveats);
        List<JudgedObjective> objectives = slos.stream().map(judge::judge).toList();
        SoundRows rows = SoundRows.of(seen.response());
        return new RunVerdict(
                measurement(rows, caveats, objectives, rigour),
                rows,
                service(objectives),
                objectives,
                withoutDecided(caveats, objectives),
                rigour);
    }

    /** How far the numbers can be trusted, in one word. */
    private static Measurement measurement(
            SoundRows rows, List<Caveat> caveats, List<JudgedObjective> objectives, Rigour rigour) {
        boolean invalid = caveats.stream()
                .anyMatch(caveat ->
                        caveat.bearing() == Caveat.Bearing.INVALIDATES || (rigour.isStrict() && caveat.isDoubt()));
        if (invalid) {
            return Measurement.UNSOUND;
        }
        if (rows.isAll()) {
            return Measurement.SOUND;
        }
        boolean isEnough =
                !rows.sound().isEmpty() || caveats.stream().noneMatch(Caveat::isDoubt) || isEnough(objectives);
        return isEnough ? Measurement.PARTLY_SOUND : Measurement.UNSOUND;
    }

    /**
     * Whether the objectives on times, or all if there are none on times, are decided in spite of Downbeat's delays.
     * Without objectives, the times themselves are the question.
     */
    private static boolean isEnough(List<JudgedObjective> objectives) {
        List<JudgedObjective> ofTimes = objectives.stream()
                .filter(objective -> objective.slo().isOfTimes())
                .toList();
        List<JudgedObjective> asked = ofTimes.isEmpty() ? objectives : ofTimes;
        boolean isSomethingAsked = asked.stream().map(JudgedObjective::slo).anyMatch(AskedObjective::isAsked);
        return isSomethingAsked && asked.stream().allMatch(JudgedObjective::isDecided);
    }

    /** Percentiles with a decided objective are displayed, however few requests there are. */
    private static List<Caveat> withoutDecided(List<Caveat> caveats, List<JudgedObjective> objectives) {
        List<Double> decided = objectives.stream()
                .filter(JudgedObjective::isDecided)
                .map(JudgedObjective::slo)
                .filter(AskedObjective.Percentile.class::isInstance)
                .map(slo -> ((AskedObjective.Percentile) slo).percentile())
                .toList();
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

    /** The same verdict, made unsound for a reason that the numbers do not show. */
    public RunVerdict unsoundFor(Caveat reason) {
        List<Caveat> all = Stream.concat(Stream.of(reason), caveats.stream()).toList();
        return new RunVerdict(Measurement.UNSOUND, rows, service, objectives, all, rigour);
    }

    /** The caveats that make the measurement unsound; empty if it is sound. */
    public List<Caveat> doubts() {
        return measurement == Measurement.UNSOUND
                ? caveats.stream().filter(Caveat::isDoubt).toList()
                : List.of();
    }

    /** Whether times can be trusted and compared: not all may be Downbeat's delays, or their objectives are decided. */
    public boolean hasSoundTimes() {
        return measurement != Measurement.UNSOUND
                && (measurement == Measurement.SOUND
                        || !rows.sound().isEmpty()
                        || caveats.stream().noneMatch(Caveat::isDoubt)
                        || objectives.stream()
                                .anyMatch(objective -> objective.slo().isOfTimes()));
    }

    /**
     * Whether its times lie between known bounds, however much of them may be Downbeat's own delay: the load was offered,
     * and the recording is whole.
     */
    public boolean hasBoundedTimes() {
        return caveats.stream().noneMatch(caveat -> caveat.bearing() == Caveat.Bearing.INVALIDATES);
    }

    /** Whether only its times are {@link Measurement#UNSOUND}: the objectives are met and do not depend on them. */
    public boolean isUnsoundInTimesAlone() {
        return measurement == Measurement.UNSOUND
                && service() == Service.MET
                && caveats.stream().noneMatch(caveat -> caveat.bearing() == Caveat.Bearing.INVALIDATES);
    }

    /** The caveats that make its times untrustworthy; empty if there are none. */
    public List<Caveat> doubtsOfTimes() {
        return hasSoundTimes()
                ? List.of()
                : caveats.stream().filter(Caveat::isDoubt).toList();
    }

    /**
     * The answer as displayed: {@code sound}, {@code sound up to p99}, {@code sound from p75 on},
     * {@code sound for its objectives}, {@code UNSOUND}.
     */
    public String measurementInWords() {
        return switch (measurement) {
            case SOUND -> "sound";
            case UNSOUND -> "UNSOUND";
            case PARTLY_SOUND ->
                !rows.sound().isEmpty()
                        ? rows.words()
                        : caveats.stream().anyMatch(Caveat::isDoubt) ? "sound for its objectives" : "partly Downbeat's";
        };
    }

    /** The overload, if there was one. */
    public Optional<LoadCaveat.Overloaded> overload() {
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
}
