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
 * Where a generator hands its intervals to the thread that collects them. Two recorders go round: the generator writes
 * one while the collector empties the other, so that a flip costs the generator two references and loses nothing. If
 * the collector has not given the other back yet, the generator goes on with its own and the interval gets longer.
 */
final class IntervalHandover {
    /** By the clock on the wall: only a reader that has broken takes so long. */
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
     * A handover of one generator.
     *
     * @param names of requests, each of which is counted on its own
     * @param patient whether the generator waits for the other recorder, as it may where no time passes meanwhile:
     *     then intervals never depend on how quick the collector is
     */
    IntervalHandover(int generator, List<String> names, BlockingQueue<Closed> queue, boolean patient) {
        this.generator = generator;
        this.spare = new AtomicReference<>(new CorrectedRecorder(names));
        this.active = new CorrectedRecorder(names);
        this.queue = queue;
        this.patient = patient;
    }

    /** An interval that the generator has finished, not yet read. */
    record Closed(
            int generator,
            long startNanos,
            long endNanos,
            boolean last,
            ConnectionCounts connections,
            Strain strain,
            CorrectedRecorder recorder,
            AtomicReference<CorrectedRecorder> home) {
        /** Reads the counts and gives the recorder back. Once only. */
        Recording read() {
            Recording recording = recorder.drain(strain.isStarved());
            home.set(recorder);
            return recording;
        }
    }

    /** Tells the recorders when the run starts; before the first is written to. */
    void startsAt(long runStartAt) {
        active.startsAt(runStartAt);
        CorrectedRecorder other = spare.get();
        if (other != null) {
            other.startsAt(runStartAt);
        }
    }

    /** The recorder to write to; changes with {@link #flip}. */
    CorrectedRecorder active() {
        return active;
    }

    /**
     * Ends the interval. The last flip always succeeds.
     *
     * @param endNanos from the start of the run
     * @param connections all that happened to this generator's connections up to now
     * @param strain what kept the generator from its work since the last flip, be it one that failed
     * @return whether it ended; if not, the interval goes on
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
