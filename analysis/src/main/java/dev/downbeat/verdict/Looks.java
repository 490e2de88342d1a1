package dev.downbeat.verdict;

import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Looks at a run while it goes on, until each objective is surely met or missed. To look again and again until one likes
 * the answer would make sure of anything: so it looks only after 20, 40, 80 seconds and so on, and each look may err half
 * as often as the one before; together they err in at most 5 % of all runs (an error-spending rule: Lan, DeMets: Discrete
 * sequential boundaries for clinical trials, Biometrika 70, 1983). Not thread-safe.
 */
public final class Looks {
    private static final double ERROR = 0.05;
    private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final RunPlan plan;
    private final List<Slo> slos;
    private final List<Interval> intervals = new ArrayList<>();
    private Recording total = Recording.empty();
    private long nextNanos = FIRST_NANOS;
    private int looks;
    private boolean decided;

    /** Nothing has been seen yet. */
    public Looks(RunPlan plan, List<Slo> slos) {
        this.plan = plan;
        this.slos = List.copyOf(slos);
    }

    /**
     * Takes the next interval.
     *
     * @return whether each objective is decided, so that the run may end
     */
    public boolean add(Interval interval) {
        intervals.add(interval.forTimeline());
        total = total.plus(interval.recording().forTimeline());
        if (!decided && interval.endNanos() >= nextNanos) {
            looks++;
            nextNanos *= 2;
            Evidence evidence = evidence(RunResult.soFar(plan, total, intervals), looks);
            decided = slos.stream()
                    .map(evidence::judge)
                    .noneMatch(objective -> objective.status() == Objective.Status.UNDECIDED);
        }
        return decided;
    }

    /** What the whole run proves: by the look that decided, or by a last one. */
    public Evidence evidence(RunResult result) {
        return evidence(result, decided ? looks : looks + 1);
    }

    private static Evidence evidence(RunResult result, int look) {
        return Evidence.of(result, Evidence.SECOND_NANOS, 1 - ERROR / (1L << Math.min(look, 40)));
    }
}
