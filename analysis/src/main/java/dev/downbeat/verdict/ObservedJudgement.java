package dev.downbeat.verdict;

import dev.downbeat.stats.Numbers;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.caveat.CaveatText;
import java.util.OptionalLong;

/**
 * Judges objectives by the observed requests of a run. {@link Evidence} judges what it proves about the service.
 *
 * @param observations the run's observations, without a warm-up
 */
record ObservedJudgement(Observations observations) implements ServiceLevelObjective.ObjectiveJudge<JudgedObjective> {
    /** The least number of requests for a mean, which a single slow request would otherwise dominate. */
    private static final int LEAST_OF_MEAN = 50;

    /** Judges one objective by the requests of a run as observed. */
    static JudgedObjective of(ServiceLevelObjective slo, Observations observations) {
        return slo.judge(new ObservedJudgement(observations));
    }

    @Override
    public JudgedObjective percentile(ServiceLevelObjective.Percentile slo) {
        ResponseBounds bounds = observations.response();
        if (bounds.count() == 0) {
            return JudgedObjective.unobserved(slo, "nothing was answered");
        }
        return bounds.hasEnoughFor(slo.percentile()) || isMissedByFew(slo)
                ? BoundedTime.ofPercentile(bounds, slo.percentile()).judge(slo)
                : JudgedObjective.unobserved(slo, ResponseBounds.shortage(slo.percentile(), bounds.count()));
    }

    /** Whether the number of slow requests exceeds what chance explains, or one event caused them. */
    private boolean isMissedByFew(ServiceLevelObjective.Percentile slo) {
        OptionalLong low = observations.response().atBest(slo.percentile()).lowNanos();
        return low.isPresent() && !slo.keeps(low.getAsLong())
                || !slo.keeps(observations.response().atLeastNanos(slo.percentile()))
                        && observations.soleEvent(slo.percentile()).isPresent();
    }

    @Override
    public JudgedObjective mean(ServiceLevelObjective.Mean slo) {
        ResponseBounds bounds = observations.response();
        if (bounds.count() == 0) {
            return JudgedObjective.unobserved(slo, "nothing was answered");
        }
        return bounds.count() < LEAST_OF_MEAN
                ? JudgedObjective.unobserved(
                        slo, "mean needs " + LEAST_OF_MEAN + " requests, got " + Numbers.count(bounds.count()))
                : BoundedTime.ofMean(bounds).judge(slo);
    }

    @Override
    public JudgedObjective errors(ServiceLevelObjective.Errors slo) {
        BoundedCount share = BoundedCount.ofErrors(
                observations.result().recording(), observations.result().plan());
        return share(
                slo,
                share,
                !slo.ceiling().keeps(share.leastTimes100(), share.times(slo.limitPercent())),
                slo.ceiling().keeps(share.mostTimes100(), share.times(slo.limitPercent())));
    }

    @Override
    public JudgedObjective answers(ServiceLevelObjective.AchievedRate slo) {
        BoundedCount share = BoundedCount.ofAnswers(
                observations.result().ledger(), observations.result().isComplete());
        return share(
                slo,
                share,
                !slo.reaches(share.mostTimes100(), share.times(slo.limitPercent())),
                slo.reaches(share.leastTimes100(), share.times(slo.limitPercent())));
    }

    /** Whether failures miss it even if all other requests were answered in time. */
    static boolean isMissedByFailures(ServiceLevelObjective slo, Observations observations) {
        BoundedCount failed = BoundedCount.ofFailures(observations.result().recording());
        if (slo instanceof ServiceLevelObjective.Errors errors) {
            return !errors.ceiling().keeps(failed.leastTimes100(), failed.times(errors.limitPercent()));
        }
        return slo instanceof ServiceLevelObjective.AchievedRate rate
                && !rate.reaches(failed.others().mostTimes100(), failed.times(rate.limitPercent()));
    }

    @Override
    public JudgedObjective named(ServiceLevelObjective.Named slo) {
        return of(slo.slo(), observations.named(slo.name())).withObjective(slo);
    }

    private static JudgedObjective share(ServiceLevelObjective slo, BoundedCount share, boolean missed, boolean met) {
        if (share.isOfNothing()) {
            return JudgedObjective.unobserved(slo, "nothing was sent");
        }
        JudgedObjective.Status status = JudgedObjective.Status.of(met, missed);
        return JudgedObjective.ofShare(slo, status, share.least(), !share.isExact(), share.text());
    }

    /**
     * A measured time and its bounds.
     *
     * @param nanos as measured, with all of Downbeat's own delays; a lower bound if the upper bound differs
     * @param withoutOwnDelayNanos without any part that may be Downbeat's own delay
     * @param atMostNanos upper bound for any fate of the requests whose end was not seen; empty if unbounded
     */
    record BoundedTime(long nanos, long withoutOwnDelayNanos, OptionalLong atMostNanos) {
        static BoundedTime ofPercentile(ResponseBounds bounds, double percentile) {
            return new BoundedTime(
                    bounds.atLeastNanos(percentile),
                    bounds.withoutOwnDelayNanos(percentile),
                    bounds.atMostNanos(percentile));
        }

        static BoundedTime ofMean(ResponseBounds bounds) {
            long nanos = bounds.atLeast().meanNanos();
            return new BoundedTime(
                    nanos,
                    bounds.meanWithoutOwnDelayNanos(),
                    bounds.isExact() ? OptionalLong.of(nanos) : OptionalLong.empty());
        }

        /** Met if it is even with all of Downbeat's delays, missed if even without them; otherwise undecided. */
        JudgedObjective judge(ServiceLevelObjective.OfTime slo) {
            boolean met = atMostNanos.stream().anyMatch(most -> slo.keeps(most));
            boolean missed = !slo.keeps(withoutOwnDelayNanos);
            boolean isOpenByOwnDelay = !missed && !slo.keeps(nanos);
            JudgedObjective.Status status = JudgedObjective.Status.of(met, missed);
            return judged(slo, status, isOpenByOwnDelay);
        }

        /** Undecided, because the limit is exceeded only with Downbeat's own delays. */
        JudgedObjective undecidedByOwnDelay(ServiceLevelObjective.OfTime slo) {
            return judged(slo, JudgedObjective.Status.UNDECIDED, true);
        }

        private JudgedObjective judged(
                ServiceLevelObjective.OfTime slo, JudgedObjective.Status status, boolean isDecidedByOwnDelay) {
            boolean isKnown = atMostNanos.isPresent() && atMostNanos.getAsLong() == nanos;
            String reason = Observed.of(isKnown).time(nanos, slo.limitNanos()) + ownDelayText(isDecidedByOwnDelay);
            return JudgedObjective.ofTime(slo, status, nanos, !isKnown, reason);
        }

        private String ownDelayText(boolean decides) {
            long ownDelayNanos = nanos - withoutOwnDelayNanos;
            String part = decides || ResponseBounds.hasNotableOwnDelay(ownDelayNanos, nanos)
                    ? CaveatText.ofItOwnDelay(ownDelayNanos)
                    : "";
            return decides ? part + ". " + CaveatText.HELP : part;
        }

        /** How certain an observed time is. */
        enum Observed {
            EXACTLY("measured "),
            AT_LEAST("measured at least ");

            private final String words;

            Observed(String words) {
                this.words = words;
            }

            static Observed of(boolean known) {
                return known ? EXACTLY : AT_LEAST;
            }

            String time(long nanos, long limitNanos) {
                long shown = ServiceLevelObjective.OfTime.notBeyondPrecision(nanos, limitNanos);
                return words
                        + (shown == limitNanos
                                ? DurationText.format(limitNanos)
                                : DurationText.rounded(nanos, limitNanos));
            }
        }
    }
}
