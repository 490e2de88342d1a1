package dev.downbeat.analysis;

import dev.downbeat.verdict.AskedObjective;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.Rigour;
import dev.downbeat.verdict.RunVerdict;
import java.util.List;

/**
 * What the user wants to know of a run. Immutable.
 *
 * @param objectives what is asked of the service
 * @param rigour how much proof an answer needs
 * @param acceptUndecided whether what cannot be decided passes
 */
public record Wishes(List<AskedObjective> objectives, Rigour rigour, boolean acceptUndecided) {
    public Wishes {
        objectives = List.copyOf(objectives);
    }

    /** Objectives that are judged by their estimates. */
    public static Wishes of(List<AskedObjective> objectives) {
        return new Wishes(objectives, Rigour.PLAIN, false);
    }

    /** Those that a verdict was made by. */
    public static Wishes of(RunVerdict verdict) {
        return new Wishes(
                verdict.objectives().stream().map(JudgedObjective::slo).toList(), verdict.rigour(), false);
    }
}
