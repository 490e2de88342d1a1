package dev.downbeat.verdict;

import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.caveat.Words;

/**
 * Judges objectives by the observed requests of a run. {@link Evidence} judges what it proves about the service.
 *
 * @param seen the run's observations, without a warm-up
 */
record ObservedJudgement(Observations seen) {
    /** The least number of requests for a mean, which a single slow request would otherwise dominate. */
    private static final int LEAST_OF_MEAN = 50;

    JudgedObjective percentile(AskedObjective.Percentile slo) {
        ResponseBounds bounds = seen.response();
        if (bounds.count() == 0) {
            return JudgedObjective.unobserved(slo, "nothing was answered");
        }
        // by count: with more requests above the limit than allowed, it is missed, however few there are
        boolean isAbove = !slo.ceiling().keeps(bounds.atLeastNanos(slo.percentile()), slo.limitNanos());
        return isAbove || bounds.carries(slo.percentile())
                ? BoundedTime.ofPercentile(bounds, slo.percentile()).judge(slo, slo.ceiling(), slo.limitNanos())
                : JudgedObjective.unobserved(slo, ResponseBounds.shortage(slo.percentile(), bounds.count()));
    }

    JudgedObjective mean(AskedObjective.Mean slo) {
        ResponseBounds bounds = seen.response();
        if (bounds.count() == 0) {
            return JudgedObjective.unobserved(slo, "nothing was answered");
        }
        return bounds.count() < LEAST_OF_MEAN
                ? JudgedObjective.unobserved(
                        slo, "mean needs " + LEAST_OF_MEAN + " requests, there were " + Words.count(bounds.count()))
                : BoundedTime.ofMean(bounds).judge(slo, slo.ceiling(), slo.limitNanos());
    }

    JudgedObjective errors(AskedObjective.Errors slo) {
        Share share = Share.ofErrors(seen.result());
        return share(
                slo,
                share,
                !slo.ceiling().keeps(share.leastTimes100(), share.times(slo.limitPercent())),
                slo.ceiling().keeps(share.mostTimes100(), share.times(slo.limitPercent())));
    }

    /** In a complete run every request had its chance; in a partial one, missing requests might have been answered. */
    JudgedObjective answers(AskedObjective.AchievedRate slo) {
        Share share = Share.ofAnswers(seen.result().ledger(), seen.result().isComplete());
        return share(
                slo,
                share,
                !slo.reaches(share.mostTimes100(), share.times(slo.limitPercent())),
                slo.reaches(share.leastTimes100(), share.times(slo.limitPercent())));
    }

    private static JudgedObjective share(AskedObjective slo, Share share, boolean missed, boolean met) {
        if (share.isOfNothing()) {
            return JudgedObjective.unobserved(slo, "nothing was planned");
        }
        JudgedObjective.Status status = missed
                ? JudgedObjective.Status.MISSED
                : met ? JudgedObjective.Status.MET : JudgedObjective.Status.UNDECIDED;
        return JudgedObjective.ofShare(slo, status, share.least(), !share.isExact(), share.text());
    }
}
