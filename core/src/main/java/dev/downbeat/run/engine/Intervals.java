package dev.downbeat.run.engine;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.record.Course;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.record.Strain;
import dev.downbeat.run.Progress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;

/**
 * Collects the generators' intervals and merges them into intervals of the whole run. An interval closes once every
 * generator has passed its end.
 *
 * <p>A long run is stored as a {@link Course}; its total remains exact.
 */
final class Intervals {
    private final long intervalNanos;
    private final Progress progress;
    private final long[] passedNanos;
    private final ConnectionCounts[] connections;
    private final Course all = new Course();
    private Recording total = Recording.empty();
    private Recording open = Recording.empty();
    private Strain strain = Strain.NONE;
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
        this.running = generators;
    }

    /**
     * Returns when every generator has delivered its last interval.
     *
     * @param whenInterrupted stops the run
     */
    void collect(BlockingQueue<IntervalHandover.Closed> closed, Runnable whenInterrupted) {
        boolean interrupted = false;
        while (running > 0) {
            try {
                add(closed.take());
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

    private void add(IntervalHandover.Closed part) {
        open = open.plus(part.read());
        strain = strain.beside(part.strain());
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
        Interval interval = new Interval(
                openSinceNanos, Math.max(openSinceNanos, endNanos), open, now.since(connectionsBefore), strain);
        connectionsBefore = now;
        all.add(interval);
        total = total.plus(open);
        open = Recording.empty();
        strain = Strain.NONE;
        openSinceNanos = interval.endNanos();
        progress.interval(interval);
    }

    Recording total() {
        return total;
    }

    List<Interval> all() {
        return all.intervals();
    }
}
