package dev.downbeat.record.recorder;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import java.util.function.Supplier;

/**
 * Counts the outcomes of all requests, or of those of one name: fates, response and service times, statuses and
 * failures. Data kept only for whole runs (lateness, positions, parts) is in {@link CorrectedRecorder}. Single writer;
 * allocates only for a duration longer than any before.
 */
final class FateRecorder {
    private final ValueCounts response;
    private final ValueCounts service;
    private final ValueCounts withoutLateness;
    private final ValueCounts withoutWaits;
    private final ValueCounts failed;
    private final ValueCounts censored;
    private final ValueCounts censoredWithoutLateness;
    private final ValueCounts censoredWithoutWaits;
    private final ValueCounts unseenService;
    private final FateCounts fates = new FateCounts();

    /**
     * Starts empty.
     *
     * @param answered creates counts for values recorded per response
     * @param others creates counts for values recorded for other requests
     */
    FateRecorder(Supplier<? extends ValueCounts> answered, Supplier<? extends ValueCounts> others) {
        response = answered.get();
        service = answered.get();
        withoutLateness = answered.get();
        withoutWaits = answered.get();
        failed = others.get();
        censored = others.get();
        censoredWithoutLateness = others.get();
        censoredWithoutWaits = others.get();
        unseenService = others.get();
    }

    void completed(Exchange exchange) {
        if (exchange.outcome.fate() == Fate.NEVER_SENT) {
            neverSent(exchange.ownNanos(), exchange.responseNanos(), 0);
            fates.keptBy(exchange);
            return;
        }
        if (exchange.outcome.fate() == Fate.ANSWERED) {
            fates.answered(exchange);
            response.record(exchange.responseNanos());
            service.record(exchange.serviceNanos());
            withoutLateness.record(theirsNanos(exchange, exchange.responseNanos()));
            withoutWaits.record(serviceNanosIfStarved(exchange, exchange.responseNanos()));
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
        censored.record(ageNanos);
        unseenService.record(Math.max(0, exchange.intendedAt + ageNanos - exchange.startedAt));
        censoredWithoutLateness.record(theirsNanos(exchange, ageNanos));
        censoredWithoutWaits.record(serviceNanosIfStarved(exchange, ageNanos));
    }

    private static long theirsNanos(Exchange exchange, long nanos) {
        return Math.max(0, nanos - exchange.ownNanos());
    }

    private static long serviceNanosIfStarved(Exchange exchange, long nanos) {
        long waitedForUsNanos = exchange.latenessNanos() + exchange.possiblyOursNanos();
        return Math.max(0, nanos - Math.max(exchange.ownNanos(), waitedForUsNanos));
    }

    void timedOutUnsent(long ownNanos, long ageNanos, long stalledNanos) {
        fates.timedOutUnsent();
        unsent(ownNanos, ageNanos, stalledNanos);
    }

    void neverSent(long ownNanos, long ageNanos, long stalledNanos) {
        fates.neverSent();
        unsent(ownNanos, ageNanos, stalledNanos);
    }

    private void unsent(long ownNanos, long ageNanos, long stalledNanos) {
        censored.record(ageNanos);
        long theirsNanos = Math.max(0, ageNanos - ownNanos);
        censoredWithoutLateness.record(theirsNanos);
        censoredWithoutWaits.record(Math.min(stalledNanos, theirsNanos));
    }

    long ended() {
        return fates.ended();
    }

    /**
     * Returns and resets the counts.
     *
     * @param planned number of intended requests
     * @param starved whether this process was too busy to read, so that waits may be Downbeat's
     */
    Recording drain(long planned, boolean starved) {
        if (planned == 0 && fates.ended() == 0) {
            return Recording.empty();
        }
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
                starved ? unheldCensored : punctualCensored,
                unseenService.drain());
        return Recording.of(fates.drainLedger(planned), times, fates.drainTallies());
    }
}
