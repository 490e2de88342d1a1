package dev.downbeat.record.recorder;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.record.Anatomy;
import dev.downbeat.record.Attribution;
import dev.downbeat.record.Exemplars;
import dev.downbeat.record.NamedRecordings;
import dev.downbeat.record.Recording;
import dev.downbeat.record.Waits;
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

    /** The counts of so many names stand each in buckets of its own; those of more in a log, which costs nothing by name. */
    private static final int FEW_NAMES = 32;

    private final FateRecorder all = new FateRecorder(() -> new SparseCounts(USUAL_NANOS), SparseCounts::new);
    private final SparseCounts lateness = new SparseCounts(USUAL_NANOS);
    private final SparseCounts backlogWait = new SparseCounts(USUAL_NANOS);
    private final SparseCounts lookup = new SparseCounts();
    private final SparseCounts connect = new SparseCounts();
    private final SparseCounts handshake = new SparseCounts();
    private final SparseCounts window = new SparseCounts();
    private final PositionTimes byPosition = new PositionTimes();
    private final Attribution.Sums attribution = new Attribution.Sums();
    private final Exemplars exemplars = new Exemplars();
    private final List<String> names;
    private final boolean isNamed;
    private final CountLog log = new CountLog();
    private FateRecorder[] byName;
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
        this.byName = new FateRecorder[names.size()];
        Arrays.setAll(byName, this::ofName);
    }

    private FateRecorder ofName(int name) {
        return names.size() > FEW_NAMES
                ? new FateRecorder(log::place, log::place)
                : new FateRecorder(SparseCounts::new, SparseCounts::new);
    }

    private FateRecorder named(int name) {
        if (name >= byName.length) {
            int before = byName.length;
            byName = Arrays.copyOf(byName, name + 1);
            Arrays.setAll(byName, i -> i < before ? byName[i] : ofName(i));
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
        all.completed(exchange);
        if (exchange.outcome.fate() == Fate.NEVER_SENT) {
            lateness.record(exchange.latenessNanos());
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
            attribution.add(exchange);
            exemplars.offer(exchange);
            if (exchange.position > 0) {
                byPosition.add(exchange.position, SparseCounts.bucket(exchange.serviceNanos()));
            }
        }
    }

    /**
     * Counts an exchange that was sent and whose deadline passed.
     *
     * @param ageNanos from its intended time to the deadline; the response time is at least this
     */
    public void timedOut(Exchange exchange, long ageNanos) {
        all.timedOut(exchange, ageNanos);
        recordStart(exchange);
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
        all.inFlight(exchange, ageNanos);
        recordStart(exchange);
        if (isNamed) {
            named(exchange.name).inFlight(exchange, ageNanos);
        }
    }

    /**
     * Counts a request whose deadline passed while it waited for a slot.
     *
     * @param ageNanos from its intended time to the deadline
     */
    public void timedOutUnsent(Exchange unsent, long ageNanos) {
        lateness.record(unsent.latenessNanos());
        all.timedOutUnsent(unsent.ownNanos(), ageNanos, unsent.stalledNanos);
        if (isNamed) {
            named(unsent.name).timedOutUnsent(unsent.ownNanos(), ageNanos, unsent.stalledNanos);
        }
    }

    /**
     * Counts a request that was due and still waited for a slot at the end.
     *
     * @param ageNanos from its intended time to the end
     */
    public void neverSent(Exchange unsent, long ageNanos) {
        lateness.record(unsent.latenessNanos());
        all.neverSent(unsent.ownNanos(), ageNanos, unsent.stalledNanos);
        if (isNamed) {
            named(unsent.name).neverSent(unsent.ownNanos(), ageNanos, unsent.stalledNanos);
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
        named(name).neverSent(latenessNanos, ageNanos, 0);
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
        Recording counted = all.drain(planned, starved);
        planned = 0;
        return new Recording(
                counted.ledger(),
                counted.times(),
                counted.tallies(),
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
            FateRecorder one = byName[name];
            counted.merge(names.get(name), one.drain(one.ended(), starved), Recording::plus); // planned are as many
        }
        log.clear();
        return NamedRecordings.taking(counted);
    }
}
