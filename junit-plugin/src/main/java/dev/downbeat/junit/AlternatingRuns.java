package dev.downbeat.junit;

import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.ComparedSide;
import dev.downbeat.compare.Comparison;
import dev.downbeat.compare.Gate;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Two builds of a service, measured alternately several times, so that disturbances affect both. While they are
 * undecided, the turns are doubled within the budget. Each look at them has an equal share of the error (Bonferroni).
 */
final class AlternatingRuns {
    private static final String BASE = "the other build";

    private AlternatingRuns() {}

    /** Measures from {@code least} to {@code most} turns and compares; {@code slice} measures a service in a turn. */
    static ComparisonResult compare(
            URI own,
            URI base,
            int least,
            int most,
            double tolerance,
            BiFunction<URI, Integer, Machine.Observation> slice) {
        List<Machine.Observation> all = new ArrayList<>();
        List<ComparedRun> ofBase = new ArrayList<>();
        List<ComparedRun> ofOwn = new ArrayList<>();
        int looks = 1;
        for (int turns = 2 * least; turns <= most; turns *= 2) {
            looks++;
        }
        for (int turns = least; ; turns *= 2) {
            for (int turn = ofOwn.size(); turn < turns; turn++) {
                boolean baseFirst = turn % 2 == 0;
                Machine.Observation first = slice.apply(baseFirst ? base : own, turn);
                Machine.Observation second = slice.apply(baseFirst ? own : base, turn);
                if (RepeatedRuns.isInterrupted(first.measured()) || RepeatedRuns.isInterrupted(second.measured())) {
                    return ComparisonResult.notCompared(BASE, "interrupted in turn " + (turn + 1) + " of " + turns);
                }
                all.addAll(List.of(first, second));
                ofBase.add((baseFirst ? first : second).compared(BASE));
                ofOwn.add((baseFirst ? second : first).compared("this build"));
            }
            Comparison comparison = Comparison.ofTurns(
                            List.of(new ComparedSide(BASE, ofBase), new ComparedSide("this build", ofOwn)),
                            List.of(),
                            looks)
                    .get(0);
            if (!isOpen(comparison, tolerance) || 2 * turns > most) {
                ComparisonResult found = ComparisonResult.of(BASE + " in " + turns + " turns", comparison, tolerance);
                return Machine.Observation.mostCrowded(all)
                        .map(observed -> found.with("in one turn " + observed.words()))
                        .orElse(found);
            }
        }
    }

    private static boolean isOpen(Comparison comparison, double tolerance) {
        return Gate.of(comparison, Gate.Question.within(tolerance)).decision() == Gate.Decision.NONE_FOUND;
    }
}
