package dev.downbeat.verdict;

import dev.downbeat.run.RunResult;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What may be concluded from a run: two answers that do not depend on each other. An unsound measurement can show a
 * service that missed its objective; it then shows no more than that. Immutable.
 *
 * @param measurement whether the instrument can be trusted
 * @param service whether the service met its objectives
 * @param objectives what became of each objective, in the order given
 * @param caveats reasons for doubt first, then notes
 */
public record Verdict(Measurement measurement, Service service, List<Objective> objectives, List<Caveat> caveats) {
    /** Whether the instrument can be trusted. */
    public enum Measurement {
        /** No reason for doubt was found. */
        SOUND("sound"),
        /** At least one caveat is a doubt. */
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

    /** Copies the lists. */
    public Verdict {
        Objects.requireNonNull(measurement, "measurement");
        Objects.requireNonNull(service, "service");
        objectives = List.copyOf(objectives);
        caveats = List.copyOf(caveats);
    }

    /**
     * Judges a run.
     *
     * @param result of the run
     * @param slos what is asked of the service; {@link Slo#defaults()} if the user asked nothing. None is added.
     */
    public static Verdict of(RunResult result, List<Slo> slos) {
        Optional<Unsteady.NotSteady> change = Steadiness.notSteady(result);
        List<Objective> objectives = slos.stream()
                .map(slo -> slo.judge(result))
                .map(judged -> change.map(judged::unlessSteady).orElse(judged))
                .toList();
        List<Caveat> caveats = new Checks(result, slos).caveats();
        Measurement measurement = caveats.stream().anyMatch(Caveat::isDoubt) ? Measurement.UNSOUND : Measurement.SOUND;
        return new Verdict(measurement, service(objectives), objectives, caveats);
    }

    /**
     * Judges a run by what it proves about the service.
     *
     * @param result of the run
     * @param slos what is asked of the service
     * @param evidence of the same run
     */
    public static Verdict of(RunResult result, List<Slo> slos, Evidence evidence) {
        Verdict asSeen = of(result, slos);
        List<Objective> objectives = slos.stream().map(evidence::judge).toList();
        return new Verdict(asSeen.measurement, service(objectives), objectives, asSeen.caveats);
    }

    private static Service service(List<Objective> objectives) {
        if (objectives.isEmpty()) {
            return Service.NONE;
        }
        if (has(objectives, Objective.Status.MISSED)) {
            return Service.MISSED;
        }
        return has(objectives, Objective.Status.UNDECIDED) ? Service.UNDECIDED : Service.MET;
    }

    private static boolean has(List<Objective> objectives, Objective.Status status) {
        return objectives.stream().anyMatch(objective -> objective.status() == status);
    }
}
