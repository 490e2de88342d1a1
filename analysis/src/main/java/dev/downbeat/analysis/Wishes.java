package dev.downbeat.analysis;

import dev.downbeat.verdict.AskedObjective;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.Rigour;
import dev.downbeat.verdict.RunVerdict;
import java.util.List;

/**
 * How to judge a run: the objectives, and the certainty required. Immutable.
 *
 * @param objectives the objectives to judge
 * @param rigour how much certainty a decision needs
 * @param acceptUndecided whether undecided objectives pass
 */
public record Wishes(List<AskedObjective> objectives, Rigour rigour, boolean acceptUndecided) {
    public Wishes {
        objectives = List.copyOf(objectives);
    }

    /** Objectives judged by their point estimates. */
    public static Wishes of(List<AskedObjective> objectives) {
        return new Wishes(objectives, Rigour.PLAIN, false);
    }

    /** The objectives and rigour that an existing verdict used. */
    public static Wishes of(RunVerdict verdict) {
        return new Wishes(
                verdict.objectives().stream().map(JudgedObjective::slo).toList(), verdict.rigour(), false);
    }
}
