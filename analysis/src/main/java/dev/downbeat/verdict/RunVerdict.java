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
 * What may be concluded from a run. Each answer is one to a question: delays of our own make an objective undecided only if
 * they could change the answer, and each percentile says how much of it may be ours. Immutable.
 *
 * @param measurement how far the numbers can be trusted
 * @param rows which percentiles are the service's; what is unsound for another reason than our delays has them all
 * @param service whether the service met its objectives
 * @param objectives what became of each objective, in the order given
 * @param caveats reasons for doubt first, then notes
 * @param rigour how much was asked of it
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
        /** No percentile that is shown has a good part of ours in it. */
        SOUND("sound"),
        /** Some percentiles have, and the table says how much; what was concluded does not depend on them. */
        PARTLY_SOUND("partly_sound"),
        /** The load was not offered, the record is not whole, or all times may be ours. */
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
        /** All of them. */
        MET("met"),
        /** At least one was missed. */
        MISSED("missed"),
        /** None was missed, and at least one could not be decided. */
        UNDECIDED("undecided"),
        /** There was no objective. */
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

    /** A verdict on numbers that can be trusted as a whole, or not at all. */
    public RunVerdict(
            Measurement measurement, Service service, List<JudgedObjective> objectives, List<Caveat> caveats) {
        this(measurement, SoundRows.ALL, service, objectives, caveats, Rigour.PLAIN);
    }

    /**
     * Judges a run by its estimates.
     *
     * @param result of the run
     * @param slos what is asked of the service; {@link AskedObjective#defaults()} if the user asked nothing. None is added.
     */
    public static RunVerdict of(RunResult result, List<AskedObjective> slos) {
        return of(result, slos, Rigour.PLAIN);
    }

    /**
     * Judges a run.
     *
     * @param result of the run
     * @param slos what is asked of the service
     * @param rigour how much is asked of the verdict
     */
    public static RunVerdict of(RunResult result, List<AskedObjective> slos, Rigour rigour) {
        Observations seen = Observations.of(result);
        return of(seen, slos, rigour, Evidence.of(seen));
    }

    /**
     * Judges a run by what it proves about the service.
     *
     * @param result of the run
     * @param slos what is asked of the service
     * @param evidence of the same run
     * @param isStrict as in {@link Rigour}
     */
    public static RunVerdict of(RunResult result, List<AskedObjective> slos, Evidence evidence, boolean isStrict) {
        return of(Observations.of(result), slos, new Rigour(true, isStrict), evidence);
    }

    /**
     * Judges a run that was looked at before.
     *
     * @param seen of the run
     * @param slos what is asked of the service
     * @param rigour how much is asked of the verdict
     */
    public static RunVerdict of(Observations seen, List<AskedObjective> slos, Rigour rigour) {
        return of(seen, slos, rigour, Evidence.of(seen));
    }

    /**
     * The same by evidence that was gathered while the run went on.
     *
     * @param evidence of the same run
     */
    public static RunVerdict of(Observations seen, List<AskedObjective> slos, Rigour rigour, Evidence evidence) {
        List<Caveat> caveats = new Checks(seen, slos).caveats();
        Judge judge = new Judge(seen, rigour, evidence, caveats);
        List<JudgedObjective> objectives = slos.stream().map(judge::judge).toList();
        Soundness sound = Soundness.of(seen.response(), caveats, objectives, rigour);
        return new RunVerdict(
                sound.measurement(),
                sound.rows(),
                service(objectives),
                objectives,
                withoutDecided(caveats, objectives),
                rigour);
    }

    /** A percentile whose objective is decided is shown, however few the requests are. */
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

    /** The same, with other answers that were found before. */
    public RunVerdict with(Service found, List<JudgedObjective> judged) {
        return new RunVerdict(measurement, rows, found, judged, caveats, rigour);
    }

    /** The same of a run that is unsound for a reason that its numbers do not show. */
    public RunVerdict unsoundFor(Caveat reason) {
        List<Caveat> all = Stream.concat(Stream.of(reason), caveats.stream()).toList();
        return new RunVerdict(Measurement.UNSOUND, rows, service, objectives, all, rigour);
    }

    /** The caveats that make the measurement unsound; none, if it is not. */
    public List<Caveat> doubts() {
        return measurement == Measurement.UNSOUND
                ? caveats.stream().filter(Caveat::isDoubt).toList()
                : List.of();
    }

    /** Whether times of it can be believed, and compared: not all may be ours, or what was asked of them is decided. */
    public boolean hasSoundTimes() {
        return measurement != Measurement.UNSOUND
                && (measurement == Measurement.SOUND
                        || !rows.sound().isEmpty()
                        || caveats.stream().noneMatch(Caveat::isDoubt)
                        || objectives.stream()
                                .anyMatch(objective -> objective.slo().isOfTimes()));
    }

    /** Whether its times alone are {@link Measurement#UNSOUND}: what was asked is met, and hangs on none of them. */
    public boolean isUnsoundInTimesAlone() {
        return measurement == Measurement.UNSOUND
                && service() == Service.MET
                && caveats.stream().noneMatch(caveat -> caveat.bearing() == Caveat.Bearing.INVALIDATES);
    }

    /** The caveats for which its times must not be believed; none, if they can be. */
    public List<Caveat> doubtsOfTimes() {
        return hasSoundTimes()
                ? List.of()
                : caveats.stream().filter(Caveat::isDoubt).toList();
    }

    /** The answer as it is read: {@code sound}, {@code sound up to p99}, {@code sound from p75 on}, {@code sound for its objectives}, {@code UNSOUND}. */
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

    /** That the service could not take the load, if so. */
    public Optional<LoadCaveat.Overloaded> overload() {
        return caveats.stream()
                .filter(LoadCaveat.Overloaded.class::isInstance)
                .map(LoadCaveat.Overloaded.class::cast)
                .findFirst();
    }

    /** Whether a service met these objectives. */
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
