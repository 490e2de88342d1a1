package dev.downbeat.record;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was counted over a stretch of time. Immutable; recordings of one run, or of the shards of one plan, are added
 * with {@link #plus}.
 *
 * @param ledger where the requests went
 * @param response answered requests: from intended to completed
 * @param service answered requests: from started to completed
 * @param lateness all requests that were noticed before the end: from intended to dispatched, our own fault
 * @param backlogWait requests that were sent: from dispatched to started
 * @param withoutLateness answered requests: the least that they took because of the service. The response time less our
 *     lateness, and in a starved interval ({@link Strain}) also less every wait that may have been for us
 * @param failed failed requests: from intended to the failure
 * @param censored requests whose end was not seen: how long they had lasted at least, from intended
 * @param lookup requests that needed a name lookup: its time
 * @param connect requests that opened a connection: time of the connect
 * @param handshake requests that opened a TLS connection: time of the handshake
 * @param byPosition service times of answered requests by position on the connection
 * @param failures how many failed for which reason
 * @param attribution answered requests: what their response times were made of
 * @param exemplars a few answered requests in full for each doubling of the response time, slowest first
 * @param censoredWithoutLateness the censored requests, less the same as in {@code withoutLateness}
 * @param statuses how many responses had which status, such as "200"
 * @param ownLimits how many requests could not be sent for which limit of this process; part of the ledger's
 *     {@code neverSent}
 * @param byName the requests of each name, in the order of the names, without what only whole runs are asked for; empty if
 *     requests have no names. {@link #SESSION} is one of them where sessions have a script: its requests are whole sessions
 */
public record Recording(
        Ledger ledger,
        Distribution response,
        Distribution service,
        Distribution lateness,
        Distribution backlogWait,
        Distribution withoutLateness,
        Distribution failed,
        Distribution censored,
        Distribution lookup,
        Distribution connect,
        Distribution handshake,
        ByPosition byPosition,
        Map<String, Long> failures,
        Attribution attribution,
        List<Exemplar> exemplars,
        Distribution censoredWithoutLateness,
        Map<String, Long> statuses,
        Map<String, Long> ownLimits,
        Map<String, Recording> byName) {
    /** The name of whole sessions among the names of their requests. */
    public static final String SESSION = "(session)";

    private static final Recording EMPTY = new Recording(
            Ledger.EMPTY,
            Distribution.empty(),
            Distribution.empty(),
            Distribution.empty(),
            Distribution.empty(),
            Distribution.empty(),
            Distribution.empty(),
            Distribution.empty(),
            Distribution.empty(),
            Distribution.empty(),
            Distribution.empty(),
            ByPosition.empty(),
            Map.of(),
            Attribution.empty(),
            List.of(),
            Distribution.empty(),
            Map.of(),
            Map.of());

    /** Takes copies of the collections. */
    public Recording {
        failures = Collections.unmodifiableMap(new TreeMap<>(failures));
        exemplars = List.copyOf(exemplars);
        statuses = Collections.unmodifiableMap(new TreeMap<>(statuses));
        ownLimits = Collections.unmodifiableMap(new TreeMap<>(ownLimits));
        byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
    }

    /** What was counted of requests that have no names. */
    public Recording(
            Ledger ledger,
            Distribution response,
            Distribution service,
            Distribution lateness,
            Distribution backlogWait,
            Distribution withoutLateness,
            Distribution failed,
            Distribution censored,
            Distribution lookup,
            Distribution connect,
            Distribution handshake,
            ByPosition byPosition,
            Map<String, Long> failures,
            Attribution attribution,
            List<Exemplar> exemplars,
            Distribution censoredWithoutLateness,
            Map<String, Long> statuses,
            Map<String, Long> ownLimits) {
        this(
                ledger,
                response,
                service,
                lateness,
                backlogWait,
                withoutLateness,
                failed,
                censored,
                lookup,
                connect,
                handshake,
                byPosition,
                failures,
                attribution,
                exemplars,
                censoredWithoutLateness,
                statuses,
                ownLimits,
                Map.of());
    }

    /** What is known of the requests of one name, if only the answered ones are. */
    public static Recording ofAnswered(Distribution response) {
        Distribution none = Distribution.empty();
        long count = response.count();
        return ofName(
                new Ledger(count, count, 0, 0, 0, 0, 0),
                response,
                none,
                none,
                none,
                none,
                none,
                Map.of(),
                Map.of(),
                Map.of());
    }

    /** What is counted of the requests of one name. */
    static Recording ofName(
            Ledger ledger,
            Distribution response,
            Distribution service,
            Distribution withoutLateness,
            Distribution failed,
            Distribution censored,
            Distribution censoredWithoutLateness,
            Map<String, Long> failures,
            Map<String, Long> statuses,
            Map<String, Long> ownLimits) {
        Distribution none = Distribution.empty();
        return new Recording(
                ledger,
                response,
                service,
                none,
                none,
                withoutLateness,
                failed,
                censored,
                none,
                none,
                none,
                ByPosition.empty(),
                failures,
                Attribution.empty(),
                List.of(),
                censoredWithoutLateness,
                statuses,
                ownLimits);
    }

    /** The same with what was counted of each name. */
    public Recording withNames(Map<String, Recording> names) {
        return new Recording(
                ledger,
                response,
                service,
                lateness,
                backlogWait,
                withoutLateness,
                failed,
                censored,
                lookup,
                connect,
                handshake,
                byPosition,
                failures,
                attribution,
                exemplars,
                censoredWithoutLateness,
                statuses,
                ownLimits,
                names);
    }

    /** The requests of one name; nothing if there are none of it. */
    public Recording named(String name) {
        return byName.getOrDefault(name, EMPTY);
    }

    /** Nothing counted. */
    public static Recording empty() {
        return EMPTY;
    }

    /** Everything counted in either. */
    public Recording plus(Recording other) {
        return new Recording(
                ledger.plus(other.ledger),
                response.plus(other.response),
                service.plus(other.service),
                lateness.plus(other.lateness),
                backlogWait.plus(other.backlogWait),
                withoutLateness.plus(other.withoutLateness),
                failed.plus(other.failed),
                censored.plus(other.censored),
                lookup.plus(other.lookup),
                connect.plus(other.connect),
                handshake.plus(other.handshake),
                byPosition.plus(other.byPosition),
                sum(failures, other.failures),
                attribution.plus(other.attribution),
                Exemplars.slowest(exemplars, other.exemplars),
                censoredWithoutLateness.plus(other.censoredWithoutLateness),
                sum(statuses, other.statuses),
                sum(ownLimits, other.ownLimits),
                sumOfNames(byName, other.byName));
    }

    private static Map<String, Recording> sumOfNames(Map<String, Recording> some, Map<String, Recording> others) {
        if (some.isEmpty()) {
            return others;
        }
        Map<String, Recording> sum = new LinkedHashMap<>(some);
        others.forEach((name, recording) -> sum.merge(name, recording, Recording::plus));
        return sum;
    }

    private static Map<String, Long> sum(Map<String, Long> some, Map<String, Long> others) {
        Map<String, Long> sum = new TreeMap<>(some);
        others.forEach((name, count) -> sum.merge(name, count, Long::sum));
        return sum;
    }

    /** The same without what only whole runs are asked for, which is most of its size. */
    public Recording forTimeline() {
        return new Recording(
                ledger,
                response,
                service,
                lateness,
                backlogWait,
                withoutLateness,
                failed,
                censored,
                Distribution.empty(),
                connect,
                Distribution.empty(),
                ByPosition.empty(),
                failures,
                Attribution.empty(),
                List.of(),
                censoredWithoutLateness,
                statuses,
                ownLimits,
                byName);
    }

    /** The same with another ledger, for one that has another side. */
    public Recording withLedger(Ledger otherLedger) {
        return withCensored(otherLedger, censored);
    }

    /** The same with other requests whose end was not seen, for a record that was cut off. */
    public Recording withCensored(Ledger otherLedger, Distribution otherCensored) {
        return new Recording(
                otherLedger,
                response,
                service,
                lateness,
                backlogWait,
                withoutLateness,
                failed,
                otherCensored,
                lookup,
                connect,
                handshake,
                byPosition,
                failures,
                attribution,
                exemplars,
                censoredWithoutLateness,
                statuses,
                ownLimits,
                byName);
    }

    /**
     * The least the response times can have been, with no assumption: each censored request counts as if it had ended
     * at the moment it was last seen.
     */
    public Distribution responseAtLeast() {
        return response.plus(censored);
    }

    /**
     * The least that the response times can have been because of the service: all of our own delays, and in starved
     * intervals all that may have been ours, are taken off. {@link #responseAtLeast} lies above it, by what is ours.
     */
    public Distribution responseWithoutOurs() {
        boolean told = censoredWithoutLateness.count() == censored.count();
        return withoutLateness.plus(told ? censoredWithoutLateness : censored);
    }

    /**
     * Whether the response time at this percentile is known, or only a lower bound of it: it is known if it stays the
     * same when every censored request is taken to have lasted for ever.
     *
     * @param percentile from 0 to 100
     */
    public boolean isKnownAt(double percentile) {
        if (censored.isEmpty()) {
            return true;
        }
        long rank = Distribution.rankOf(percentile, response.count() + censored.count());
        return rank <= response.count()
                && response.valueAtRank(rank) == responseAtLeast().valueAtPercentile(percentile);
    }
}
