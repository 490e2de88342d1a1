package dev.downbeat.junit;

import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.ComparedSide;
import dev.downbeat.compare.Comparison;
import dev.downbeat.load.Measured;
import dev.downbeat.report.data.Reported;
import dev.downbeat.run.RunResult;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Two builds of a service, measured alternately several times, so that disturbances affect both. */
final class AlternatingRuns {
    private static final String BASE = "the other build";

    private AlternatingRuns() {}

    /**
     * Measures and compares.
     *
     * @param slice measures a given service in a given turn
     */
    static ComparisonResult compare(
            URI own, URI base, int turns, double tolerance, BiFunction<URI, Integer, Measured> slice) {
        List<ComparedRun> ofBase = new ArrayList<>();
        List<ComparedRun> ofOwn = new ArrayList<>();
        for (int turn = 0; turn < turns; turn++) {
            boolean baseFirst = turn % 2 == 0;
            Measured first = slice.apply(baseFirst ? base : own, turn);
            Measured second = slice.apply(baseFirst ? own : base, turn);
            if (isInterrupted(first) || isInterrupted(second)) {
                return ComparisonResult.notCompared(BASE, "interrupted in turn " + (turn + 1) + " of " + turns);
            }
            ofBase.add(run(BASE, baseFirst ? first : second));
            ofOwn.add(run("this build", baseFirst ? second : first));
        }
        Comparison comparison = Comparison.ofTurns(
                        List.of(new ComparedSide(BASE, ofBase), new ComparedSide("this build", ofOwn)), List.of())
                .get(0);
        return ComparisonResult.of(BASE + " in " + turns + " turns", comparison, tolerance);
    }

    private static boolean isInterrupted(Measured measured) {
        return Reported.of(measured).result().ending() == RunResult.Ending.INTERRUPTED;
    }

    private static ComparedRun run(String name, Measured measured) {
        return ComparedRun.of(
                name,
                Reported.of(measured).analysis().seen(),
                Reported.of(measured).verdict());
    }
}
