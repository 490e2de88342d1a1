package dev.downbeat.record;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Counts exchanges from their intended time. What it has counted is already corrected for coordinated omission: never
 * apply HdrHistogram's {@code copyCorrectedForCoordinatedOmission} to it.
 *
 * <p>Single writer: one thread records. {@link #drain} may be called by another thread once the writer has handed the
 * recorder over, which is how a run flips intervals: two recorders, exchanged whole, so that no value falls between
 * them and the writer never copies. Recording allocates nothing but the
 * first time that a duration of more than eight seconds, or a position on a connection, occurs.
 */
public final class CorrectedRecorder {
    /** Eight seconds. Memory for what is counted of each request is taken beforehand up to here; for more when it occurs. */
    private static final long USUAL_NANOS = 1L << 33;

    private final SparseCounts response = new SparseCounts(USUAL_NANOS);
    private final SparseCounts service = new SparseCounts(USUAL_NANOS);
    private final SparseCounts lateness = new SparseCounts(USUAL_NANOS);
    private final SparseCounts backlogWait = new SparseCounts(USUAL_NANOS);
    private final SparseCounts withoutLateness = new SparseCounts(USUAL_NANOS);
    private final SparseCounts withoutWaits = new SparseCounts(USUAL_NANOS);
    private final SparseCounts censoredWithoutLateness = new SparseCounts();
    private final SparseCounts censoredWithoutWaits = new SparseCounts();
    private final SparseCounts failed = new SparseCounts();
    private final SparseCounts censored = new SparseCounts();
    private final SparseCounts lookup = new SparseCounts();
    private final SparseCounts connect = new SparseCounts();
    private final SparseCounts handshake = new SparseCounts();
    private final SparseCounts window = new SparseCounts();
    private final PositionTimes byPosition = new PositionTimes();
    private final Attribution.Sums attribution = new Attribution.Sums();
    private final Exemplars exemplars = new Exemplars();
    private final FateCounts fates = new FateCounts();
    private final List<String> names;
    private final boolean isNamed;
    private NamedRecorder[] byName;
    private long runStartAt;
    private long planned;

    /** Counts requests that have no names. */
    public CorrectedRecorder() {
        this(List.of(), false);
    }

    /**
     * Counts each name beside all of them.
     *
     * @param names that {@link Exchange#name} is a place of; empty if requests have none
     */
    public CorrectedRecorder(List<String> names) {
        this(List.copyOf(names), !names.isEmpty());
    }

    /**
     * Counts each name beside all of them, also those that are known only later.
     *
     * @param names that {@link Exchange#name} is a place of when an exchange is counted
     */
    public static CorrectedRecorder ofGrowing(CopyOnWriteArrayList<String> names) {
        return new CorrectedRecorder(names, true);
    }

    private CorrectedRecorder(List<String> names, boolean isNamed) {
        this.names = names;
        this.isNamed = isNamed;
        this.byName = new NamedRecorder[names.size()];
        Arrays.setAll(byName, name -> new NamedRecorder());
    }

    private NamedRecorder named(int name) {
        if (name >= byName.length) {
            int before = byName.length;
            byName = Arrays.copyOf(byName, name + 1);
            Arrays.setAll(byName, i -> i < before ? byName[i] : new NamedRecorder());
        }
        return byName[name];
    }

    /** Tells when the run started, on the clock of the exchanges; exemplars are placed from there. */
    public void startsAt(long runStartAt) {
        this.runStartAt = runStartAt;
    }

    /** Notes that {@code count} more requests were meant to start; the other side of the ledger. */
    public void planned(long count) {
        planned += count;
    }

    /** Counts an exchange that was taken up and has ended: answered, failed, or not sent for a limit of our own. */
    public void completed(Exchange exchange) {
        if (isNamed) {
            named(exchange.name).completed(exchange);
        }
        if (exchange.outcome.fate() == Fate.NEVER_SENT) {
            neverSent(exchange.latenessNanos(), exchange.responseNanos());
            fates.keptBy(exchange);
            return;
        }
        recordStart(exchange);
        if (exchange.lookupNanos > 0) {
            lookup.record(exchange.lookupNanos);
        }
        if (exchange.connectNanos > 0) {
            connect.record(exchange.connectNanos);
        }
        if (exchange.handshakeNanos > 0) {
            handshake.record(exchange.handshakeNanos);
        }
        if (exchange.outcome.fate() == Fate.ANSWERED) {
            fates.answered(exchange);
            int serviceBucket = SparseCounts.bucket(exchange.serviceNanos());
            response.record(exchange.responseNanos());
            service.add(serviceBucket);
            long theirsNanos = exchange.responseNanos() - exchange.latenessNanos();
            withoutLateness.record(theirsNanos);
            withoutWaits.record(theirsNanos - exchange.possiblyOursNanos());
            attribution.add(exchange);
            exemplars.offer(exchange);
            if (exchange.position > 0) {
                byPosition.add(exchange.position, serviceBucket);
            }
        } else {
            fates.failed(exchange);
            failed.record(exchange.responseNanos());
        }
    }

    /**
     * Counts an exchange that was sent and whose deadline passed.
     *
     * @param ageNanos from its intended time to the deadline; the response time is at least this
     */
    public void timedOut(Exchange exchange, long ageNanos) {
        fates.timedOut(exchange);
        recordStart(exchange);
        recordCensored(exchange, ageNanos);
        if (isNamed) {
            named(exchange.name).timedOut(exchange, ageNanos);
        }
    }

    /**
     * Counts an exchange that was sent and is still out at the end.
     *
     * @param ageNanos from its intended time to the end; the response time is at least this
     */
    public void inFlight(Exchange exchange, long ageNanos) {
        fates.inFlight(exchange);
        recordStart(exchange);
        recordCensored(exchange, ageNanos);
        if (isNamed) {
            named(exchange.name).inFlight(exchange, ageNanos);
        }
    }

    private void recordCensored(Exchange exchange, long ageNanos) {
        long theirsNanos = ageNanos - exchange.latenessNanos();
        censored.record(ageNanos);
        censoredWithoutLateness.record(theirsNanos);
        censoredWithoutWaits.record(theirsNanos - exchange.possiblyOursNanos());
    }

    /**
     * Counts a request whose deadline passed while it waited for a slot.
     *
     * @param latenessNanos how late the generator noticed that it was due
     * @param ageNanos from its intended time to the deadline
     */
    public void timedOutUnsent(long latenessNanos, long ageNanos) {
        timedOutUnsent(latenessNanos, ageNanos, 0);
    }

    /**
     * The same.
     *
     * @param stalledNanos the part of its wait that cannot be ours, as in an exchange
     */
    public void timedOutUnsent(long latenessNanos, long ageNanos, long stalledNanos) {
        fates.timedOutUnsent();
        recordUnsent(latenessNanos, ageNanos, stalledNanos);
    }

    /**
     * Counts a request that was due and still waited for a slot at the end.
     *
     * @param latenessNanos how late the generator noticed that it was due
     * @param ageNanos from its intended time to the end
     */
    public void neverSent(long latenessNanos, long ageNanos) {
        neverSent(latenessNanos, ageNanos, 0);
    }

    /**
     * The same.
     *
     * @param stalledNanos the part of its wait that cannot be ours, as in an exchange
     */
    public void neverSent(long latenessNanos, long ageNanos, long stalledNanos) {
        fates.neverSent();
        recordUnsent(latenessNanos, ageNanos, stalledNanos);
    }

    /**
     * Counts a request with a name whose deadline passed while it waited for a slot.
     *
     * @param unsent which request it is; of its instants nothing is read
     */
    public void timedOutUnsent(Exchange unsent, long latenessNanos, long ageNanos, long stalledNanos) {
        timedOutUnsent(latenessNanos, ageNanos, stalledNanos);
        if (isNamed) {
            named(unsent.name).timedOutUnsent(latenessNanos, ageNanos, stalledNanos);
        }
    }

    /**
     * Counts a request with a name that was due and still waited for a slot at the end.
     *
     * @param unsent which request it is; of its instants nothing is read
     */
    public void neverSent(Exchange unsent, long latenessNanos, long ageNanos, long stalledNanos) {
        neverSent(latenessNanos, ageNanos, stalledNanos);
        if (isNamed) {
            named(unsent.name).neverSent(latenessNanos, ageNanos, stalledNanos);
        }
    }

    /** Counts a session whose last request has ended, under its name alone: its requests have been counted. */
    public void sessionEnded(Exchange whole) {
        named(whole.name).completed(whole);
    }

    /** Counts a session that was not over, under its name alone. */
    public void sessionCutOff(Exchange whole, long ageNanos) {
        named(whole.name).inFlight(whole, ageNanos);
    }

    /** Counts a session that was meant to begin and did not, under its name alone. */
    public void sessionNeverBegun(int name, long latenessNanos, long ageNanos) {
        byName[name].neverSent(latenessNanos, ageNanos, 0);
    }

    private void recordUnsent(long latenessNanos, long ageNanos, long stalledNanos) {
        lateness.record(latenessNanos);
        censored.record(ageNanos);
        censoredWithoutLateness.record(ageNanos - latenessNanos);
        censoredWithoutWaits.record(Math.min(stalledNanos, ageNanos - latenessNanos));
    }

    private void recordStart(Exchange exchange) {
        lateness.record(exchange.latenessNanos());
        backlogWait.record(exchange.backlogWaitNanos());
        if (exchange.windowNanos > 0) {
            window.record(exchange.windowNanos);
        }
    }

    /** What was counted since the last call, in which we were not too busy to read; starts anew from nothing. */
    public Recording drain() {
        return drain(false);
    }

    /**
     * What was counted since the last call; starts anew from nothing.
     *
     * @param starved whether this process was too busy to read what came meanwhile, so that waits may have been for us
     */
    public Recording drain(boolean starved) {
        Ledger ledger = fates.drainLedger(planned);
        planned = 0;
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
        return new Recording(
                ledger,
                times,
                fates.drainTallies(),
                new Waits(
                        lateness.drain(),
                        backlogWait.drain(),
                        lookup.drain(),
                        connect.drain(),
                        handshake.drain(),
                        window.drain()),
                new Anatomy(byPosition.drain(), attribution.drain(), exemplars.drain(runStartAt)),
                drainNames(starved));
    }

    private Map<String, Recording> drainNames(boolean starved) {
        Map<String, Recording> counted = new LinkedHashMap<>();
        for (int name = 0; name < byName.length; name++) {
            counted.merge(names.get(name), byName[name].drain(starved), Recording::plus);
        }
        return counted;
    }
}
