package dev.downbeat.record;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;

/**
 * Counts the exchanges of one name beside those of all: fates, response and service times, statuses and failures. What is
 * asked of whole runs only (lateness, positions, parts) is not kept by name. Single writer; allocates nothing but the first
 * time that a duration is twice as long as all before.
 */
final class NamedRecorder {
    private final SparseCounts response = new SparseCounts();
    private final SparseCounts service = new SparseCounts();
    private final SparseCounts withoutLateness = new SparseCounts();
    private final SparseCounts withoutWaits = new SparseCounts();
    private final SparseCounts failed = new SparseCounts();
    private final SparseCounts censored = new SparseCounts();
    private final SparseCounts censoredWithoutLateness = new SparseCounts();
    private final SparseCounts censoredWithoutWaits = new SparseCounts();
    private final FateCounts fates = new FateCounts();

    void completed(Exchange exchange) {
        if (exchange.outcome.fate() == Fate.NEVER_SENT) {
            neverSent(exchange.latenessNanos(), exchange.responseNanos(), 0);
            fates.keptBy(exchange);
            return;
        }
        if (exchange.outcome.fate() == Fate.ANSWERED) {
            fates.answered(exchange);
            long theirsNanos = exchange.responseNanos() - exchange.latenessNanos();
            response.record(exchange.responseNanos());
            service.record(exchange.serviceNanos());
            withoutLateness.record(theirsNanos);
            withoutWaits.record(theirsNanos - exchange.possiblyOursNanos());
        } else {
            fates.failed(exchange);
            failed.record(exchange.responseNanos());
        }
    }

    void timedOut(Exchange exchange, long ageNanos) {
        fates.timedOut(exchange);
        unseen(exchange, ageNanos);
    }

    void inFlight(Exchange exchange, long ageNanos) {
        fates.inFlight(exchange);
        unseen(exchange, ageNanos);
    }

    private void unseen(Exchange exchange, long ageNanos) {
        long theirsNanos = ageNanos - exchange.latenessNanos();
        censored.record(ageNanos);
        censoredWithoutLateness.record(theirsNanos);
        censoredWithoutWaits.record(theirsNanos - exchange.possiblyOursNanos());
    }

    void timedOutUnsent(long latenessNanos, long ageNanos, long stalledNanos) {
        fates.timedOutUnsent();
        unsent(latenessNanos, ageNanos, stalledNanos);
    }

    void neverSent(long latenessNanos, long ageNanos, long stalledNanos) {
        fates.neverSent();
        unsent(latenessNanos, ageNanos, stalledNanos);
    }

    private void unsent(long latenessNanos, long ageNanos, long stalledNanos) {
        censored.record(ageNanos);
        censoredWithoutLateness.record(ageNanos - latenessNanos);
        censoredWithoutWaits.record(Math.min(stalledNanos, ageNanos - latenessNanos));
    }

    /** What was counted since the last call. Of one name, as many are planned as have ended. */
    Recording drain(boolean starved) {
        Distribution punctual = withoutLateness.drain();
        Distribution unheld = withoutWaits.drain();
        Distribution punctualCensored = censoredWithoutLateness.drain();
        Distribution unheldCensored = censoredWithoutWaits.drain();
        ResponseTimes times = new ResponseTimes(
                response.drain(),
                service.drain(),
                starved ? unheld : punctual,
                failed.drain(),
                censored.drain(),
                starved ? unheldCensored : punctualCensored);
        return Recording.of(fates.drainLedger(fates.ended()), times, fates.drainTallies());
    }
}
