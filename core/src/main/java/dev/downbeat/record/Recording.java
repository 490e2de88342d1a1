package dev.downbeat.record;

import java.util.Collections;
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
 * @param withoutLateness answered requests: from dispatched to completed, the response time less what was our fault
 * @param failed failed requests: from intended to the failure
 * @param censored requests whose end was not seen: how long they had lasted at least, from intended
 * @param lookup requests that needed a name lookup: its time
 * @param connect requests that opened a connection: time of the connect
 * @param handshake requests that opened a TLS connection: time of the handshake
 * @param byPosition service times of answered requests by position on the connection
 * @param failures how many failed for which reason
 * @param attribution answered requests: what their response times were made of
 * @param exemplars a few answered requests in full for each doubling of the response time, slowest first
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
        List<Exemplar> exemplars) {
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
            List.of());

    /** Takes copies of the collections. */
    public Recording {
        failures = Collections.unmodifiableMap(new TreeMap<>(failures));
        exemplars = List.copyOf(exemplars);
    }

    /** Nothing counted. */
    public static Recording empty() {
        return EMPTY;
    }

    /** Everything counted in either. */
    public Recording plus(Recording other) {
        Map<String, Long> sum = new TreeMap<>(failures);
        other.failures.forEach((reason, count) -> sum.merge(reason, count, Long::sum));
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
                sum,
                attribution.plus(other.attribution),
                Exemplars.slowest(exemplars, other.exemplars));
    }

    /** The same without what only whole runs are asked for, which is most of its size. */
    public Recording forTimeline() {
        return new Recording(
                ledger,
                response,
                service,
                lateness,
                backlogWait,
                Distribution.empty(),
                failed,
                censored,
                Distribution.empty(),
                connect,
                Distribution.empty(),
                ByPosition.empty(),
                failures,
                Attribution.empty(),
                List.of());
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
                exemplars);
    }

    /**
     * The least the response times can have been, with no assumption: each censored request counts as if it had ended
     * at the moment it was last seen.
     */
    public Distribution responseAtLeast() {
        return response.plus(censored);
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
