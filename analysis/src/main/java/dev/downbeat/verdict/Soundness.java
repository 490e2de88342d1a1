package dev.downbeat.verdict;

import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.caveat.Caveat;

import java.util.List;

/**
 * How far the numbers of a run can be trusted.
 *
 * @param measurement in one word
 * @param rows which percentiles are the service's
 */
record Soundness(Verdict.Measurement measurement, SoundRows rows) {
    static Soundness of(ResponseBounds bounds, List<Caveat> caveats, List<Objective> objectives, Rigour rigour) {
        SoundRows rows = SoundRows.of(bounds);
        boolean invalid = caveats.stream()
                .anyMatch(caveat ->
                        caveat.bearing() == Caveat.Bearing.INVALIDATES || (rigour.isStrict() && caveat.isDoubt()));
        return new Soundness(invalid ? Verdict.Measurement.UNSOUND : measurement(rows, caveats, objectives), rows);
    }

    private static Verdict.Measurement measurement(SoundRows rows, List<Caveat> caveats, List<Objective> objectives) {
        if (rows.isAll()) {
            return Verdict.Measurement.SOUND;
        }
        boolean isEnough =
                !rows.sound().isEmpty() || caveats.stream().noneMatch(Caveat::isDoubt) || isEnough(objectives);
        return isEnough ? Verdict.Measurement.PARTLY_SOUND : Verdict.Measurement.UNSOUND;
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
        boolean isSomethingAsked = asked.stream().map(Objective::slo).anyMatch(Slo::isAsked);
        return isSomethingAsked && asked.stream().allMatch(Objective::isDecided);
    }
}
