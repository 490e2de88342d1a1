package dev.downbeat.verdict;

import dev.downbeat.stats.Percentiles;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How far the numbers of a run can be trusted.
 *
 * @param measurement in one word
 * @param upTo if only a part is sound: the highest percentile up to which all that are shown are
 */
record Soundness(Verdict.Measurement measurement, OptionalDouble upTo) {
    private static final Soundness SOUND = new Soundness(Verdict.Measurement.SOUND, OptionalDouble.empty());
    private static final Soundness UNSOUND = new Soundness(Verdict.Measurement.UNSOUND, OptionalDouble.empty());

    static Soundness of(ResponseBounds bounds, List<Caveat> caveats, List<Objective> objectives, Rigour rigour) {
        boolean invalid = caveats.stream()
                .anyMatch(caveat ->
                        caveat.bearing() == Caveat.Bearing.INVALIDATES || (rigour.isStrict() && caveat.isDoubt()));
        if (invalid) {
            return UNSOUND;
        }
        List<Double> carried = Percentiles.of(Percentiles.Place.TABLE).stream()
                .filter(bounds::carries)
                .toList();
        long sound = carried.stream()
                .takeWhile(percentile -> !bounds.isOurs(percentile))
                .count();
        if (sound == carried.size()) {
            return SOUND;
        }
        if (sound > 0) {
            return new Soundness(Verdict.Measurement.PARTLY_SOUND, OptionalDouble.of(carried.get((int) sound - 1)));
        }
        return isEnough(objectives) ? new Soundness(Verdict.Measurement.PARTLY_SOUND, OptionalDouble.empty()) : UNSOUND;
    }

    /**
     * Where what was asked of the times, or all where only other things were asked, is decided in spite of our delays. Who asks
     * nothing wants the times.
     */
    private static boolean isEnough(List<Objective> objectives) {
        List<Objective> ofTimes = objectives.stream()
                .filter(objective -> objective.slo().isOfTimes())
                .toList();
        List<Objective> asked = ofTimes.isEmpty() ? objectives : ofTimes;
        boolean isNothingAsked =
                asked.isEmpty() || asked.stream().map(Objective::slo).toList().equals(Slo.defaults());
        return !isNothingAsked && asked.stream().allMatch(Objective::isDecided);
    }
}
