package dev.downbeat.verdict;

import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Looks at a run while it goes on, until each objective is surely met or missed. To look again and again until one likes
 * the answer would make sure of anything, and a service that is busy for some seconds at a time looks calm until its first
 * busy spell: so it looks only after 60, 120, 240 seconds and so on, and two looks in a row must say the same of each
 * objective. What is met with a part of its limit to spare may be spoiled by a spell that did not come yet: with less than
 * half it needs the third look, with less than a fifth the fourth, and from p99 on with less than half: a hundredth of the time
 * decides that. A run whose time is over before that is judged by a last look of its own, which may err half as often for each look
 * before it. Not thread-safe.
 */
public final class InterimLooks {
    private static final double ERROR = 0.05;

    /** Of each look, as far as it must be confirmed by the next one. */
    private static final double ERROR_OF_LOOK = 0.04;

    /** What is met by so much of its limit does not wait for the third look, or for the fourth. */
    private static final List<Double> PARTS = List.of(0.5, 0.8);

    /** From here on a spell needs a hundredth of the time only, so that a run may have had too little of it by chance. */
    private static final double RARE = 99;

    private static final int LEAST_LOOKS = 2;

    private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final RunPlan plan;
    private final List<AskedObjective> slos;
    private final List<Interval> intervals = new ArrayList<>();
    private Recording total = Recording.empty();
    private long nextNanos = FIRST_NANOS;
    private int looks;
    private List<JudgedObjective.Status> before = List.of();
    private boolean decided;

    /** Nothing has been seen yet. */
    public InterimLooks(RunPlan plan, List<AskedObjective> slos) {
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
            Evidence evidence = evidence(RunResult.soFar(plan, total, intervals), ERROR_OF_LOOK);
            List<JudgedObjective.Status> seen =
                    slos.stream().map(slo -> evidence.judge(slo).status()).toList();
            decided = seen.equals(before)
                    && !seen.contains(JudgedObjective.Status.UNDECIDED)
                    && looks >= looksNeeded(evidence, seen);
            before = seen;
        }
        return decided;
    }

    private int looksNeeded(Evidence evidence, List<JudgedObjective.Status> seen) {
        return LEAST_LOOKS
                + (int) PARTS.stream()
                        .filter(part -> !areMetBy(part, evidence, seen))
                        .count();
    }

    private boolean areMetBy(double part, Evidence evidence, List<JudgedObjective.Status> seen) {
        return IntStream.range(0, slos.size())
                .filter(i -> seen.get(i) == JudgedObjective.Status.MET)
                .allMatch(i -> evidence.judge(stricter(slos.get(i), part)).status() == JudgedObjective.Status.MET);
    }

    private static AskedObjective stricter(AskedObjective slo, double part) {
        AskedObjective plain = slo instanceof AskedObjective.Named named ? named.slo() : slo;
        boolean isRare = plain instanceof AskedObjective.Percentile asked && asked.percentile() >= RARE;
        return slo.stricter(isRare ? PARTS.get(0) : part);
    }

    /** What the whole run proves: by the looks that decided, or by a last one. */
    public Evidence evidence(RunResult result) {
        return evidence(result, decided ? ERROR_OF_LOOK : ERROR / (1L << Math.min(looks + 1, 40)));
    }

    private static Evidence evidence(RunResult result, double error) {
        return Evidence.of(result, Evidence.SECOND_NANOS, 1 - error);
    }
}
