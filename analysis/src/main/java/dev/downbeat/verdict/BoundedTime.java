package dev.downbeat.verdict;

import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.caveat.Words;
import java.util.OptionalLong;

/**
 * A measured time and its bounds.
 *
 * @param nanos as measured, with all of Downbeat's own delays; a lower bound if the upper bound differs
 * @param withoutOursNanos without any part that may be Downbeat's own delay
 * @param atMostNanos upper bound for any fate of the requests whose end was not seen; empty if unbounded
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

    /** Met if it is even with all of Downbeat's delays, missed if it is even without them; otherwise undecided. */
    JudgedObjective judge(AskedObjective slo, AskedObjective.Ceiling ceiling, long limitNanos) {
        boolean met = atMostNanos.stream().anyMatch(most -> ceiling.keeps(most, limitNanos));
        boolean missed = !ceiling.keeps(withoutOursNanos, limitNanos);
        boolean isOpenSinceOurs = !missed && !ceiling.keeps(nanos, limitNanos);
        JudgedObjective.Status status = missed
                ? JudgedObjective.Status.MISSED
                : met ? JudgedObjective.Status.MET : JudgedObjective.Status.UNDECIDED;
        return JudgedObjective.ofTime(slo, status, nanos, observed(), ours(isOpenSinceOurs));
    }

    /** Undecided, since the limit is exceeded only with Downbeat's own delays. */
    JudgedObjective undecidedByOwnDelay(AskedObjective slo) {
        return JudgedObjective.ofTime(slo, JudgedObjective.Status.UNDECIDED, nanos, observed(), ours(true));
    }

    private Observed observed() {
        return Observed.of(atMostNanos.isPresent() && atMostNanos.getAsLong() == nanos);
    }

    private String ours(boolean decides) {
        long oursNanos = nanos - withoutOursNanos;
        String part = decides || ResponseBounds.isOurs(oursNanos, nanos) ? Words.ofItOwnDelay(oursNanos) : "";
        return decides ? part + ". " + Words.HELP : part;
    }

    /** How certain an observed time is. */
    enum Observed {
        EXACTLY("was "),
        AT_LEAST("was at least ");

        private final String words;

        Observed(String words) {
            this.words = words;
        }

        static Observed of(boolean known) {
            return known ? EXACTLY : AT_LEAST;
        }

        String time(long nanos) {
            return words + DurationText.rounded(nanos);
        }
    }
}
