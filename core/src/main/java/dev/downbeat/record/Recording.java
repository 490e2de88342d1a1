package dev.downbeat.record;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What was counted over a stretch of time. Immutable; recordings of one run, or of the shards of one plan, are added
 * with {@link #plus}.
 *
 * @param ledger where the requests went
 * @param times how long they took, by what became of them
 * @param tallies how many had which end
 * @param waits what they waited for before they were sent
 * @param anatomy what the answered ones were made of
 * @param byName the requests of each name, in the order of the names, without what only whole runs are asked for; empty if
 *     requests have no names. {@link #SESSION} is one of them where sessions have a script: its requests are whole sessions
 */
public record Recording(
        Ledger ledger,
        ResponseTimes times,
        Tallies tallies,
        Waits waits,
        Anatomy anatomy,
        Map<String, Recording> byName) {
    /** The name of whole sessions among the names of their requests. */
    public static final String SESSION = "(session)";

    private static final Recording EMPTY = of(Ledger.EMPTY, ResponseTimes.NONE, Tallies.NONE);

    public Recording {
        byName = NamedRecordings.of(byName);
    }

    /** What is counted of the requests of one name: neither their waits nor what they were made of. */
    public static Recording of(Ledger ledger, ResponseTimes times, Tallies tallies) {
        return new Recording(ledger, times, tallies, Waits.NONE, Anatomy.NONE, Map.of());
    }

    /** Nothing counted. */
    public static Recording empty() {
        return EMPTY;
    }

    /** The same with what they waited for. */
    public Recording withWaits(Waits seen) {
        return new Recording(ledger, times, tallies, seen, anatomy, byName);
    }

    /** The same with what was counted of each name. */
    public Recording withNames(Map<String, Recording> names) {
        return new Recording(ledger, times, tallies, waits, anatomy, names);
    }

    /** The requests of one name; nothing if there are none of it. */
    public Recording named(String name) {
        return byName.getOrDefault(name, EMPTY);
    }

    /** Everything counted in either. */
    public Recording plus(Recording other) {
        if (other == EMPTY || this == EMPTY) {
            return other == EMPTY ? this : other;
        }
        return new Recording(
                ledger.plus(other.ledger),
                times.plus(other.times),
                tallies.plus(other.tallies),
                waits.plus(other.waits),
                anatomy.plus(other.anatomy),
                sumOfNames(byName, other.byName));
    }

    /** The same with what was counted of each name in another one too. */
    public Recording withNamesOf(Recording other) {
        return withNames(sumOfNames(other.byName, byName));
    }

    private static Map<String, Recording> sumOfNames(Map<String, Recording> some, Map<String, Recording> others) {
        if (some.isEmpty()) {
            return others;
        }
        Map<String, Recording> sum = new LinkedHashMap<>(some);
        others.forEach((name, recording) -> sum.merge(name, recording, Recording::plus));
        return NamedRecordings.taking(sum);
    }

    /** The same without what only whole runs are asked for, which is most of its size. */
    public Recording forTimeline() {
        return new Recording(ledger, times, tallies, waits.forTimeline(), Anatomy.NONE, byName);
    }

    /** The same with another ledger, for one that has another side. */
    public Recording withLedger(Ledger otherLedger) {
        return new Recording(otherLedger, times, tallies, waits, anatomy, byName);
    }

    /** The same with other requests whose end was not seen, for a record that was cut off. */
    public Recording withCensored(Ledger otherLedger, Distribution otherCensored) {
        return new Recording(otherLedger, times.withCensored(otherCensored), tallies, waits, anatomy, byName);
    }

    /** {@link ResponseTimes#response}. */
    public Distribution response() {
        return times.response();
    }

    /** {@link ResponseTimes#service}. */
    public Distribution service() {
        return times.service();
    }

    /** {@link ResponseTimes#failed}. */
    public Distribution failed() {
        return times.failed();
    }

    /** {@link ResponseTimes#censored}. */
    public Distribution censored() {
        return times.censored();
    }

    /** {@link Tallies#failures}. */
    public Map<String, Long> failures() {
        return tallies.failures();
    }

    /** {@link Tallies#statuses}. */
    public Map<String, Long> statuses() {
        return tallies.statuses();
    }

    /** {@link Waits#lateness}. */
    public Distribution lateness() {
        return waits.lateness();
    }

    /** {@link Waits#backlogWait}. */
    public Distribution backlogWait() {
        return waits.backlogWait();
    }

    /**
     * The least the response times can have been, with no assumption: each censored request counts as if it had ended
     * at the moment it was last seen.
     */
    public Distribution responseAtLeast() {
        return response().plus(censored());
    }

    /**
     * The least that the response times can have been because of the service: all of our own delays, and in starved
     * intervals all that may have been ours, are taken off. {@link #responseAtLeast} lies above it, by what is ours.
     */
    public Distribution responseWithoutOurs() {
        boolean told = times.censoredWithoutLateness().count() == censored().count();
        return times.withoutLateness().plus(told ? times.censoredWithoutLateness() : censored());
    }

    /**
     * Whether the response time at this percentile is known, or only a lower bound of it: it is known if it stays the
     * same when every censored request is taken to have lasted for ever.
     *
     * @param percentile from 0 to 100
     */
    public boolean isKnownAt(double percentile) {
        if (censored().isEmpty()) {
            return true;
        }
        long rank =
                Distribution.rankOf(percentile, response().count() + censored().count());
        return rank <= response().count()
                && response().valueAtRank(rank) == responseAtLeast().valueAtPercentile(percentile);
    }
}
