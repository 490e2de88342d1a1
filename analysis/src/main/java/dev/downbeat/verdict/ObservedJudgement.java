package dev.downbeat.verdict;

import dev.downbeat.record.Ledger;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.caveat.PercentText;
import dev.downbeat.verdict.caveat.Words;
import java.math.BigDecimal;
import java.util.Locale;

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

    /**
     * A count of planned requests, known to lie between two bounds.
     *
     * @param leastCount the certain ones
     * @param mostCount the certain and the unknown ones
     * @param planned all planned requests
     */
    private record Share(long leastCount, long mostCount, long planned) {
        /** Failures and timeouts are facts about the service, except for timeouts that Downbeat noticed late. */
        static Share ofErrors(RunResult result) {
            Ledger ledger = result.ledger();
            long seen = ledger.failed() + ledger.timedOut();
            long unnoticed = Math.min(
                    ledger.timedOutUnsent(),
                    result.recording().lateness().countAbove(result.plan().timeoutNanos() - 1));
            return new Share(seen - unnoticed, seen + ledger.inFlight() + ledger.neverSent(), ledger.planned());
        }

        static Share ofAnswers(Ledger ledger, boolean complete) {
            long cutOff = complete ? 0 : ledger.inFlight() + ledger.neverSent();
            return new Share(ledger.answered(), ledger.answered() + cutOff, ledger.planned());
        }

        boolean isOfNothing() {
            return planned == 0;
        }

        boolean isExact() {
            return leastCount == mostCount;
        }

        double least() {
            return (double) leastCount / planned;
        }

        /** Integers on both sides of the comparison: 29 of 10,000 is exactly 0.29 %. */
        BigDecimal leastTimes100() {
            return BigDecimal.valueOf(leastCount).multiply(BigDecimal.valueOf(100));
        }

        BigDecimal mostTimes100() {
            return BigDecimal.valueOf(mostCount).multiply(BigDecimal.valueOf(100));
        }

        BigDecimal times(BigDecimal percent) {
            return BigDecimal.valueOf(planned).multiply(percent);
        }

        String text() {
            return isExact()
                    ? String.format(Locale.ROOT, "was %s (%,d of %,d)", percent(leastCount), leastCount, planned)
                    : String.format(
                            Locale.ROOT,
                            "was from %s to %s (%,d to %,d of %,d)",
                            percent(leastCount),
                            percent(mostCount),
                            leastCount,
                            mostCount,
                            planned);
        }

        private String percent(long count) {
            return PercentText.of((double) count / planned);
        }
    }
}
