package dev.downbeat.run.engine;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.record.Recording;
import dev.downbeat.record.Strain;
import dev.downbeat.record.recorder.CorrectedRecorder;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Transfers a generator's intervals to the collector thread. Two recorders alternate: the generator writes one while
 * the collector drains the other. A switch swaps two references and loses nothing. If the other recorder is not back
 * yet, the generator continues with its own and the interval becomes longer.
 */
final class IntervalHandover {
    /** In wall-clock time; only a broken reader takes this long. */
    private static final int MOST_WAITS = 1_000_000;

    private static final long WAIT_NANOS = 20_000;

    private final int generator;
    private final BlockingQueue<Closed> queue;
    private final boolean patient;
    private final AtomicReference<CorrectedRecorder> spare;
    private CorrectedRecorder active;
    private long startNanos;
    private Strain missed = Strain.NONE;

    /**
     * A handover for one generator.
     *
     * @param names request names, each counted separately
     * @param patient whether the generator waits for the other recorder, for virtual time: intervals then never depend
     *     on the collector's speed
     */
    IntervalHandover(int generator, List<String> names, BlockingQueue<Closed> queue, boolean patient) {
        this.generator = generator;
        this.spare = new AtomicReference<>(new CorrectedRecorder(names));
        this.active = new CorrectedRecorder(names);
        this.queue = queue;
        this.patient = patient;
    }

    /** A closed interval that has not been read. */
    record Closed(
            int generator,
            long startNanos,
            long endNanos,
            boolean last,
            ConnectionCounts connections,
            Strain strain,
            CorrectedRecorder recorder,
            AtomicReference<CorrectedRecorder> home) {
        /** Reads the counts and returns the recorder. Call once. */
        Recording read() {
            Recording recording = recorder.drain(strain.isStarved());
            home.set(recorder);
            return recording;
        }
    }

    /** Sets the start of the run in both recorders, before the first is used. */
    void startsAt(long runStartAt) {
        active.startsAt(runStartAt);
        CorrectedRecorder other = spare.get();
        if (other != null) {
            other.startsAt(runStartAt);
        }
    }

    /** The recorder to write to; changes at {@link #flip}. */
    CorrectedRecorder active() {
        return active;
    }

    /**
     * Closes the interval. The last flip always succeeds.
     *
     * @param endNanos from the start of the run
     * @param connections all connection counts of this generator so far
     * @param strain the generator's delays since the last flip, successful or not
     * @return whether the interval was closed; otherwise it continues
     */
    boolean flip(long endNanos, boolean last, ConnectionCounts connections, Strain strain) {
        CorrectedRecorder next = spare.getAndSet(null);
        for (int waits = 0; patient && next == null && waits < MOST_WAITS; waits++) {
            LockSupport.parkNanos(this, WAIT_NANOS);
            next = spare.getAndSet(null);
        }
        missed = missed.then(strain);
        if (next == null && !last) {
            return false;
        }
        queue.add(new Closed(generator, startNanos, endNanos, last, connections, missed, active, spare));
        missed = Strain.NONE;
        startNanos = endNanos;
        if (next != null) {
            active = next;
        }
        return true;
    }
}
