package dev.downbeat.record.recorder;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.record.Attribution;
import dev.downbeat.record.BucketCounts;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Exemplars;
import dev.downbeat.record.NamedValues;
import dev.downbeat.record.Recording;
import dev.downbeat.record.Recording.Anatomy;
import dev.downbeat.record.ServiceTimesByPosition;
import dev.downbeat.record.WaitTimes;
import dev.downbeat.record.recorder.FateRecorder.ValueCounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Counts exchanges from their intended start. Its values are already corrected for coordinated omission: never apply
 * HdrHistogram's {@code copyCorrectedForCoordinatedOmission} to them.
 *
 * <p>Single writer: one thread records. Another thread may call {@link #drain} after the writer has handed the recorder
 * over. A run switches intervals by swapping two recorders, so no value is lost and the writer never copies. Recording
 * allocates only when something occurs for the first time, such as a duration above eight seconds, a failure, or a
 * position on a connection.
 */
public final class CorrectedRecorder {
    /** Eight seconds. Memory is preallocated up to this duration and on demand above it. */
    private static final long USUAL_NANOS = 1L << 33;

    /** Up to this many names, each has its own buckets. Beyond it, a shared log needs no memory per name. */
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

    /** Counts requests without names. */
    public CorrectedRecorder() {
        this(List.of(), false);
    }

    /**
     * Counts all requests, and each name separately.
     *
     * @param names indexed by {@link Exchange#name}; empty if requests have none
     */
    public CorrectedRecorder(List<String> names) {
        this(List.copyOf(names), !names.isEmpty());
    }

    /**
     * Counts all requests, and each name separately, including names added later.
     *
     * @param names indexed by {@link Exchange#name} when an exchange is counted
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
                ? new FateRecorder(log::newKey, log::newKey)
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

    /** Sets the start of the run, on the exchanges' clock; exemplars are relative to it. */
    public void startsAt(long runStartAt) {
        this.runStartAt = runStartAt;
    }

    /** Adds {@code count} intended requests, the other side of the ledger. */
    public void planned(long count) {
        planned += count;
    }

    /** Counts a dispatched exchange that ended: answered, failed, or not sent because of a limit of this process. */
    public void completed(Exchange exchange) {
        if (isNamed) {
            named(exchange.name).completed(exchange);
        }
        all.completed(exchange);
        if (exchange.outcome.fate() == Fate.NEVER_SENT || exchange.outcome.isUnbuilt()) {
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
     * Counts a sent exchange whose deadline passed.
     *
     * @param ageNanos from intended start to deadline; a lower bound on the response time
     */
    public void timedOut(Exchange exchange, long ageNanos) {
        all.timedOut(exchange, ageNanos);
        recordStart(exchange);
        if (isNamed) {
            named(exchange.name).timedOut(exchange, ageNanos);
        }
    }

    /**
     * Counts a sent exchange that is still in flight at the end.
     *
     * @param ageNanos from intended start to the end; a lower bound on the response time
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
     * @param ageNanos from intended start to deadline
     */
    public void timedOutUnsent(Exchange unsent, long ageNanos) {
        lateness.record(unsent.latenessNanos());
        all.timedOutUnsent(unsent.ownNanos(), ageNanos, unsent.stalledNanos);
        if (isNamed) {
            named(unsent.name).timedOutUnsent(unsent.ownNanos(), ageNanos, unsent.stalledNanos);
        }
    }

    /**
     * Counts a due request that was still waiting for a slot at the end.
     *
     * @param ageNanos from intended start to the end
     */
    public void neverSent(Exchange unsent, long ageNanos) {
        lateness.record(unsent.latenessNanos());
        all.neverSent(unsent.ownNanos(), ageNanos, unsent.stalledNanos);
        if (isNamed) {
            named(unsent.name).neverSent(unsent.ownNanos(), ageNanos, unsent.stalledNanos);
        }
    }

    /** Counts a completed session, under the session name only; its requests are already counted. */
    public void sessionEnded(Exchange session) {
        named(session.name).completed(session);
    }

    /** Counts an unfinished session, under the session name only. */
    public void sessionCutOff(Exchange session, long ageNanos) {
        named(session.name).inFlight(session, ageNanos);
    }

    /** Counts an intended session that never started, under the session name only. */
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

    /**
     * Returns and resets the counts since the last call, for a period in which this process was not too busy to read.
     */
    public Recording drain() {
        return drain(false, () -> {});
    }

    /**
     * Returns and resets the counts since the last call.
     *
     * @param starved whether this process was too busy to read, so that waits may be Downbeat's
     * @param pause called between parts of the work, which takes up to a millisecond, and more with many names
     */
    public Recording drain(boolean starved, Runnable pause) {
        Recording counted = all.drain(planned, starved);
        planned = 0;
        pause.run();
        WaitTimes waits = new WaitTimes(
                lateness.drain(),
                backlogWait.drain(),
                lookup.drain(),
                connect.drain(),
                handshake.drain(),
                window.drain());
        pause.run();
        Anatomy anatomy = new Anatomy(byPosition.drain(), attribution.drain(), exemplars.drain(runStartAt));
        return new Recording(
                counted.ledger(), counted.times(), counted.tallies(), waits, anatomy, drainNames(starved, pause));
    }

    private Map<String, Recording> drainNames(boolean starved, Runnable pause) {
        Map<String, Recording> counted = new LinkedHashMap<>();
        for (int name = 0; name < byName.length; name++) {
            pause.run();
            FateRecorder recorder = byName[name];
            counted.merge(
                    names.get(name), recorder.drain(recorder.ended(), starved), Recording::plus); // as many are planned
        }
        log.clear();
        return NamedValues.taking(counted);
    }

    /** Service times by position on the connection. Single writer; allocates for a position that just became occupied. */
    private static final class PositionTimes {
        /**
         * Eight buckets are merged into one, for two digits. There can be 256 of these, and the median of a position needs
         * no more.
         */
        private static final int COARSER_BITS = 3;

        private final @Nullable SparseCounts[] byPosition = new SparseCounts[ServiceTimesByPosition.LAST + 1];

        /** Counts a service time, given as a bucket, at a position from 1. */
        void add(int position, int bucket) {
            int at = Math.min(position, ServiceTimesByPosition.LAST);
            SparseCounts counts = byPosition[at];
            if (counts == null) {
                counts = new SparseCounts();
                byPosition[at] = counts;
            }
            counts.add(bucket >> COARSER_BITS);
        }

        ServiceTimesByPosition drain() {
            List<Distribution> positions = new ArrayList<>();
            int last = 0;
            for (int position = 1; position <= ServiceTimesByPosition.LAST; position++) {
                SparseCounts counts = byPosition[position];
                Distribution drained = counts == null ? Distribution.empty() : counts.drain(COARSER_BITS);
                positions.add(drained);
                if (drained.isEmpty()) {
                    byPosition[position] = null; // connections have moved past it
                } else {
                    last = position;
                }
            }
            return new ServiceTimesByPosition(positions.subList(0, last));
        }
    }

    /**
     * Counts of durations under thousands of keys, such as names. Each duration is an entry in a log that is sorted when
     * read. It needs memory for the requests of an interval and none per key. Single writer.
     */
    static final class CountLog {
        /** Beyond this size, entries of one bucket are merged before the log grows. */
        private static final int MOST = 1 << 22;

        private static final int COUNT_BITS = 24;
        private static final int BUCKET_BITS = 16;
        private static final long MOST_COUNTED = (1L << COUNT_BITS) - 1;

        /** Key in the upper bits, then bucket, then count, so that sorting groups the entries of a key. */
        private long[] entries = new long[1024];

        private int size;
        private int keys;
        private boolean isSorted = true;

        /** Counts under one more key. */
        ValueCounts newKey() {
            return new KeyCounts(keys++);
        }

        private void add(int key, int bucket) {
            if (size == entries.length) {
                grow();
            }
            entries[size++] = ((long) key << BUCKET_BITS | bucket) << COUNT_BITS | 1;
            isSorted = false;
        }

        private void grow() {
            if (entries.length >= MOST) {
                sort();
            }
            if (size > entries.length / 2) {
                entries = Arrays.copyOf(entries, 2 * entries.length);
            }
        }

        /** Sorts the entries and merges those of the same bucket. */
        private void sort() {
            if (isSorted) {
                return;
            }
            Arrays.sort(entries, 0, size);
            int last = 0;
            for (int i = 1; i < size; i++) {
                long joined = (entries[last] & MOST_COUNTED) + (entries[i] & MOST_COUNTED);
                if (entries[i] >> COUNT_BITS == entries[last] >> COUNT_BITS && joined <= MOST_COUNTED) {
                    entries[last] += entries[i] & MOST_COUNTED;
                } else {
                    entries[++last] = entries[i];
                }
            }
            size = Math.min(size, last + 1);
            isSorted = true;
        }

        /** Resets the log once all keys are drained. */
        void clear() {
            size = 0;
            isSorted = true;
        }

        private Distribution of(int key) {
            sort();
            int from = Arrays.binarySearch(entries, 0, size, (long) key << (BUCKET_BITS + COUNT_BITS));
            BucketCounts.Writer counts = new BucketCounts.Writer();
            int bucket = -1;
            long counted = 0;
            for (int i = from < 0 ? -from - 1 : from;
                    i < size && entries[i] >> (BUCKET_BITS + COUNT_BITS) == key;
                    i++) {
                int next = (int) (entries[i] >> COUNT_BITS) & ((1 << BUCKET_BITS) - 1);
                if (next != bucket && counted > 0) {
                    counts.add(bucket, counted);
                    counted = 0;
                }
                bucket = next;
                counted += entries[i] & MOST_COUNTED;
            }
            if (counted == 0) {
                return Distribution.empty();
            }
            counts.add(bucket, counted);
            return Distribution.of(counts.done());
        }

        private final class KeyCounts implements ValueCounts {
            private final int number;

            private KeyCounts(int number) {
                this.number = number;
            }

            @Override
            public void record(long nanos) {
                add(number, SparseCounts.bucket(nanos));
            }

            @Override
            public Distribution drain() {
                return of(number);
            }
        }
    }
}
