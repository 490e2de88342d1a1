package dev.downbeat.analysis;

import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.util.List;

/**
 * How to judge a run: the objectives, and the certainty required. Immutable.
 *
 * @param objectives the objectives to judge
 * @param rigour how much certainty a decision needs
 * @param acceptUndecided whether undecided objectives pass
 */
public record Criteria(List<ServiceLevelObjective> objectives, RequiredCertainty rigour, boolean acceptUndecided) {
    public Criteria {
        objectives = List.copyOf(objectives);
    }

    /** Objectives judged by their point estimates. */
    public static Criteria of(List<ServiceLevelObjective> objectives) {
        return new Criteria(objectives, RequiredCertainty.PLAIN, false);
    }

    /** The objectives and rigour that an existing verdict used. */
    public static Criteria of(RunVerdict verdict) {
        return new Criteria(
                verdict.objectives().stream().map(JudgedObjective::slo).toList(), verdict.rigour(), false);
    }
}
