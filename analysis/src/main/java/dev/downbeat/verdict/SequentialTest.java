package dev.downbeat.verdict;

import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.bound.ResponseIntervals;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Examines a run while it is going on, until each objective is certainly met or missed. Repeated peeking would
 * eventually "prove" anything, and a service with occasional busy phases looks calm before the first. So it looks after
 * 60, 120, 240 seconds and so on, and two consecutive looks must agree on each objective. A narrow pass may be spoilt
 * by a busy phase still to come. With less than half of the limit to spare it needs the third look, with less than a
 * fifth the fourth; from p99 on, less than half needs the fourth. A status that the verdict would not confirm, for
 * example because of Downbeat's own delay, does not count. A run that ends earlier is judged by a final look, whose
 * error is halved for each earlier look. Not thread-safe.
 */
public final class SequentialTest {
    private static final double ERROR = 0.05;

    /** The error of each look, which the next look must confirm. */
    private static final double ERROR_OF_LOOK = 0.04;

    /** Objectives met with these parts of their limit need not wait for the third or fourth look. */
    private static final List<Double> PARTS = List.of(0.5, 0.8);

    /** From this percentile on, a busy phase of 1 % of the time matters, which a run may not contain. */
    private static final double RARE = 99;

    private static final int LEAST_LOOKS = 2;

    private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final RunPlan plan;
    private final List<ServiceLevelObjective> slos;
    private final RequiredCertainty rigour;
    private final List<Interval> intervals = new ArrayList<>();
    private long nextNanos = FIRST_NANOS;
    private int looks;
    private List<JudgedObjective.Status> previous = List.of();
    private boolean decided;

    /**
     * Starts without data.
     *
     * @param strict whether any doubt leaves all objectives undecided
     */
    public SequentialTest(RunPlan plan, List<ServiceLevelObjective> slos, boolean strict) {
        this.plan = plan;
        this.slos = List.copyOf(slos);
        this.rigour = new RequiredCertainty(true, strict);
    }

    /**
     * Adds the next interval.
     *
     * @return whether each objective is decided, so that the run may end
     */
    public boolean add(Interval interval) {
        intervals.add(judged(interval));
        if (!decided && interval.endNanos() >= nextNanos) {
            looks++;
            nextNanos *= 2;
            RunResult soFar = RunResult.soFar(plan, Interval.sum(intervals), intervals);
            Evidence evidence = evidence(soFar, ERROR_OF_LOOK);
            List<JudgedObjective.Status> statuses =
                    slos.stream().map(slo -> evidence.judge(slo).status()).toList();
            decided = statuses.equals(previous)
                    && !statuses.contains(JudgedObjective.Status.UNDECIDED)
                    && looks >= looksNeeded(evidence, statuses)
                    && statuses.equals(RunVerdict.statusesSoFar(Observations.of(soFar), slos, rigour, evidence));
            previous = statuses;
        }
        return decided;
    }

    /** Drops the names without an objective, which would fill the memory in a long run. */
    private Interval judged(Interval interval) {
        Map<String, Recording> names = new LinkedHashMap<>();
        for (ServiceLevelObjective slo : slos) {
            if (slo instanceof ServiceLevelObjective.Named named) {
                names.put(named.name(), interval.recording().named(named.name()));
            }
        }
        return interval.with(interval.recording().withNames(names)).forTimeline();
    }

    private int looksNeeded(Evidence evidence, List<JudgedObjective.Status> statuses) {
        return LEAST_LOOKS
                + (int) PARTS.stream()
                        .filter(part -> !areMetBy(part, evidence, statuses))
                        .count();
    }

    private boolean areMetBy(double part, Evidence evidence, List<JudgedObjective.Status> statuses) {
        return IntStream.range(0, slos.size())
                .filter(i -> statuses.get(i) == JudgedObjective.Status.MET)
                .allMatch(i -> evidence.judge(stricter(slos.get(i), part)).status() == JudgedObjective.Status.MET);
    }

    private static ServiceLevelObjective stricter(ServiceLevelObjective slo, double part) {
        ServiceLevelObjective plain = slo instanceof ServiceLevelObjective.Named named ? named.slo() : slo;
        boolean isRare = plain instanceof ServiceLevelObjective.Percentile asked && asked.percentile() >= RARE;
        return slo.stricter(isRare ? PARTS.get(0) : part);
    }

    /** The evidence of the whole run: of the looks that decided, or of a final one. */
    public Evidence evidence(RunResult result) {
        return evidence(result, decided ? ERROR_OF_LOOK : ERROR / (1L << Math.min(looks + 1, 40)));
    }

    private static Evidence evidence(RunResult result, double error) {
        return Evidence.of(result, ResponseIntervals.LEAST_STRETCH_NANOS, 1 - error);
    }
}
