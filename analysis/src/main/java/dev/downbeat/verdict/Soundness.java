package dev.downbeat.verdict;

import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.caveat.Caveat;
import java.util.List;

/**
 * How far the numbers of a run can be trusted.
 *
 * @param measurement one word
 * @param rows the sound percentiles
 */
record Soundness(RunVerdict.Measurement measurement, SoundRows rows) {
    static Soundness of(ResponseBounds bounds, List<Caveat> caveats, List<JudgedObjective> objectives, Rigour rigour) {
        SoundRows rows = SoundRows.of(bounds);
        boolean invalid = caveats.stream()
                .anyMatch(caveat ->
                        caveat.bearing() == Caveat.Bearing.INVALIDATES || (rigour.isStrict() && caveat.isDoubt()));
        return new Soundness(invalid ? RunVerdict.Measurement.UNSOUND : measurement(rows, caveats, objectives), rows);
    }

    private static RunVerdict.Measurement measurement(
            SoundRows rows, List<Caveat> caveats, List<JudgedObjective> objectives) {
        if (rows.isAll()) {
            return RunVerdict.Measurement.SOUND;
        }
        boolean isEnough =
                !rows.sound().isEmpty() || caveats.stream().noneMatch(Caveat::isDoubt) || isEnough(objectives);
        return isEnough ? RunVerdict.Measurement.PARTLY_SOUND : RunVerdict.Measurement.UNSOUND;
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
}
