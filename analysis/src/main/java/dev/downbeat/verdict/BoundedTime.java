package dev.downbeat.verdict;

import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.caveat.Words;
import java.util.OptionalLong;

/**
 * A time with all that is known of it.
 *
 * @param nanos as it was measured, with all of our own delays; at least that, if the upper bound is another
 * @param withoutOursNanos without all that may be ours
 * @param atMostNanos whatever became of the requests whose end was not seen; empty if there is no limit to it
 */
record BoundedTime(long nanos, long withoutOursNanos, OptionalLong atMostNanos) {
    static BoundedTime ofPercentile(ResponseBounds bounds, double percentile) {
        return new BoundedTime(
                bounds.atLeastNanos(percentile), bounds.withoutOursNanos(percentile), bounds.atMostNanos(percentile));
    }

    static BoundedTime ofMean(ResponseBounds bounds) {
        long nanos = bounds.atLeast().meanNanos();
        return new BoundedTime(
                nanos, bounds.meanWithoutOursNanos(), bounds.isExact() ? OptionalLong.of(nanos) : OptionalLong.empty());
    }

    /** Met with all of our delays, or missed without any of them; what lies between is undecided. */
    JudgedObjective judge(AskedObjective slo, AskedObjective.Ceiling ceiling, long limitNanos) {
        boolean met = atMostNanos.stream().anyMatch(most -> ceiling.keeps(most, limitNanos));
        boolean missed = !ceiling.keeps(withoutOursNanos, limitNanos);
        boolean isOpenSinceOurs = !missed && !ceiling.keeps(nanos, limitNanos);
        JudgedObjective.Status status = missed
                ? JudgedObjective.Status.MISSED
                : met ? JudgedObjective.Status.MET : JudgedObjective.Status.UNDECIDED;
        return JudgedObjective.ofTime(slo, status, nanos, observed(), ours(isOpenSinceOurs));
    }

    /** The same for one that is above the limit only with what may be ours. */
    JudgedObjective openSinceOurs(AskedObjective slo) {
        return JudgedObjective.ofTime(slo, JudgedObjective.Status.UNDECIDED, nanos, observed(), ours(true));
    }

    private Observed observed() {
        return Observed.of(atMostNanos.isPresent() && atMostNanos.getAsLong() == nanos);
    }

    private String ours(boolean decides) {
        long oursNanos = nanos - withoutOursNanos;
        String part = decides || ResponseBounds.isOurs(oursNanos, nanos) ? Words.ofItOurs(oursNanos) : "";
        return decides ? part + ". " + Words.HELP : part;
    }
}
