package dev.downbeat.run.engine;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.record.Interval;
import dev.downbeat.record.IntervalTimeline;
import dev.downbeat.record.ProcessDelays;
import dev.downbeat.record.Recording;
import dev.downbeat.record.RecordingSum;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.run.Progress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Collects the generators' intervals and merges them into intervals of the whole run. An interval closes once every
 * generator has passed its end.
 *
 * <p>A long run is stored as a {@link IntervalTimeline}; its total remains exact.
 */
final class Intervals {
    /** The collector's sleep, by which a run may end later. */
    private static final long NAP_NANOS = 5_000_000;

    private final long intervalNanos;
    private final Progress progress;
    private final long[] passedNanos;
    private final ConnectionCounts[] connections;
    private final IntervalTimeline all = new IntervalTimeline();
    private final RecordingSum total = new RecordingSum();
    private Recording open = Recording.empty();

    /** Delays since the last close, by generator. */
    private final ProcessDelays[] strains;

    private ConnectionCounts connectionsBefore = ConnectionCounts.NONE;
    private long openSinceNanos;
    private long lastEndNanos;
    private int running;

    Intervals(int generators, long intervalNanos, Progress progress) {
        this.intervalNanos = intervalNanos;
        this.progress = progress;
        this.passedNanos = new long[generators];
        this.connections = new ConnectionCounts[generators];
        Arrays.fill(connections, ConnectionCounts.NONE);
        this.strains = new ProcessDelays[generators];
        Arrays.fill(strains, ProcessDelays.NONE);
        this.running = generators;
    }

    /**
     * Returns when every generator has delivered its last interval.
     *
     * @param patient whether the generators wait for this thread, as in virtual time
     * @param whenInterrupted stops the run
     * @param whenEmpty delivers the last interval of a generator that has ended without it
     */
    void collect(
            BlockingQueue<IntervalHandover.Closed> closed,
            boolean patient,
            Runnable whenInterrupted,
            Runnable whenEmpty) {
        boolean interrupted = false;
        while (running > 0) {
            try {
                IntervalHandover.Closed next =
                        patient ? closed.poll(NAP_NANOS, TimeUnit.NANOSECONDS) : pollGently(closed);
                if (next == null) {
                    whenEmpty.run();
                } else {
                    add(next);
                }
            } catch (InterruptedException later) {
                interrupted = true; // the counts must not be lost, and the generators end on their own
                whenInterrupted.run();
            }
        }
        close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The next part, or null if none comes for a moment. A blocked reader would be woken on the generator's
     * processor and preempt it, which made requests 1 to 3 ms late at each interval's end.
     */
    private static IntervalHandover.@Nullable Closed pollGently(BlockingQueue<IntervalHandover.Closed> closed)
            throws InterruptedException {
        IntervalHandover.Closed next = closed.poll();
        if (next == null) {
            TimeUnit.NANOSECONDS.sleep(NAP_NANOS);
            next = closed.poll();
        }
        return next;
    }

    private void add(IntervalHandover.Closed part) {
        open = open.plus(part.read());
        Thread.yield(); // to a generator that waits for this processor
        strains[part.generator()] = strains[part.generator()].then(part.strain());
        passedNanos[part.generator()] = part.endNanos();
        connections[part.generator()] = part.connections();
        if (part.last()) {
            running--;
            passedNanos[part.generator()] = Long.MAX_VALUE;
        }
        if (running > 0 && slowest() / intervalNanos > openSinceNanos / intervalNanos) {
            close();
        }
        lastEndNanos = Math.max(lastEndNanos, part.endNanos());
    }

    private long slowest() {
        long slowest = Long.MAX_VALUE;
        for (long passed : passedNanos) {
            slowest = Math.min(slowest, passed);
        }
        return slowest;
    }

    private void close() {
        long endNanos = running > 0 ? slowest() : lastEndNanos;
        ConnectionCounts now = Arrays.stream(connections).reduce(ConnectionCounts.NONE, ConnectionCounts::plus);
        ProcessDelays strain = Arrays.stream(strains).reduce(ProcessDelays.NONE, ProcessDelays::beside);
        Interval interval = new Interval(
                openSinceNanos, Math.max(openSinceNanos, endNanos), open, now.since(connectionsBefore), strain);
        connectionsBefore = now;
        all.add(interval);
        total.add(open);
        open = Recording.empty();
        Arrays.fill(strains, ProcessDelays.NONE);
        openSinceNanos = interval.endNanos();
        progress.interval(interval);
    }

    Recording total() {
        return total.total();
    }

    List<Interval> all() {
        return all.intervals();
    }

    /**
     * Transfers a generator's intervals to the collector thread. Two recorders alternate: the generator writes one while
     * the collector drains the other. A switch swaps two references and loses nothing. If the other recorder is not back
     * yet, the generator continues with its own and the interval becomes longer.
     */
    static final class IntervalHandover {
        /** In wall-clock time; only a broken reader takes this long. */
        private static final int MOST_WAITS = 1_000_000;

        private static final long WAIT_NANOS = 20_000;

        private final int generator;
        private final BlockingQueue<Closed> queue;
        private final boolean patient;
        private final AtomicReference<CorrectedRecorder> spare;
        private CorrectedRecorder active;
        private ProcessDelays pendingStrain = ProcessDelays.NONE;
        private boolean over;

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

        record Closed(
                int generator,
                long endNanos,
                boolean last,
                ConnectionCounts connections,
                ProcessDelays strain,
                CorrectedRecorder recorder,
                AtomicReference<CorrectedRecorder> returnTo) {
            /** Reads the counts and returns the recorder. Call once. */
            Recording read() {
                Recording recording = recorder.drain(strain.isStarved(), Thread::yield);
                returnTo.set(recorder);
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

        boolean isOver() {
            return over;
        }

        /**
         * Closes the interval. The last flip always succeeds.
         *
         * @param endNanos from the start of the run
         * @param connections all connection counts of this generator so far
         * @param strain the generator's delays since the last flip, successful or not
         * @return whether the interval was closed; otherwise it continues
         */
        boolean flip(long endNanos, boolean last, ConnectionCounts connections, ProcessDelays strain) {
            CorrectedRecorder next = spare.getAndSet(null);
            for (int waits = 0; patient && !last && next == null && waits < MOST_WAITS; waits++) {
                LockSupport.parkNanos(this, WAIT_NANOS);
                next = spare.getAndSet(null);
            }
            pendingStrain = pendingStrain.then(strain);
            if (next == null && !last) {
                return false;
            }
            queue.add(new Closed(generator, endNanos, last, connections, pendingStrain, active, spare));
            over = last;
            pendingStrain = ProcessDelays.NONE;
            if (next != null) {
                active = next;
            }
            return true;
        }
    }
}
