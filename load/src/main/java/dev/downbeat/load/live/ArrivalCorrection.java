package dev.downbeat.load.live;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Reconstructs the arrival times of requests that came during a pause of this process. Nothing stamped them: they
 * waited in a kernel buffer and are all noticed at once afterwards. Requests in a burst after a pause are assumed to
 * have arrived during it, evenly, at the previous rate.
 *
 * <p>A burst is at least twice as dense as that rate, except for one request in twenty-five: on a busy machine the
 * process waits its turn before it reads. The correction ends with the first request that is later. Callers in a closed
 * loop, who sent nothing during the pause, are therefore not affected. During the burst after a long pause, a shorter
 * pause counts as part of the reading, and one of similar size extends it.
 *
 * <p>One thread reports that the process is running; any thread may query. Lock-free; allocates only when a pause is
 * found.
 */
public final class ArrivalCorrection {
    /** Without a sign of life for this long, the process is assumed to have been paused. */
    static final long LEAST_NANOS = 10_000_000;

    /** After this long without a sign of life, each request is checked and counts as one itself. */
    private static final long CALM_NANOS = LEAST_NANOS / 4;

    /** Shorter pauses occur on any busy machine. They are corrected but not reported. */
    private static final long NOTEWORTHY_NANOS = 100_000_000;

    /** A burst is at least this many times as dense as the arrivals before it. */
    private static final double BURST_DENSITY = 2;

    /** The fraction of a pause's requests that may be missing from its burst. */
    private static final double MISSING_SHARE = 0.04;

    /** A pause within the burst of another, shorter than this fraction of it, is a wait for a processor. */
    private static final double SIZEABLE_SHARE = 0.1;

    private final AtomicReference<@Nullable Gap> open = new AtomicReference<>();
    private final LongAdder corrected = new LongAdder();
    private final LongAdder count = new LongAdder();
    private final AtomicLong longestNanos = new AtomicLong();

    /** Never decreases: a thread suspended after reading the clock may arrive with an old time. */
    private final AtomicLong aliveAt;

    private volatile long calmUntil;
    private volatile double perNano;

    public ArrivalCorrection(long startAt) {
        aliveAt = new AtomicLong(startAt);
        calmUntil = startAt + CALM_NANOS;
    }

    /**
     * A pause whose requests are still being noticed.
     *
     * @param fromAt last sign of life before it
     * @param toAt when the process last resumed
     * @param perNano request rate before it
     * @param placed number of its requests noticed
     * @param before number of these noticed before {@code toAt}, if the process ran briefly in between
     */
    private record Gap(long fromAt, long toAt, double perNano, AtomicLong placed, long before) {
        /** The arrival time of the next request in the burst; {@code noticedAt} if it is not part of it. */
        long next(long noticedAt) {
            long place = placed.incrementAndGet();
            double afterNanos = (place - 0.5) / perNano;
            boolean isInBurst = isBurst(place, noticedAt) && afterNanos < Math.min(nanos(), noticedAt - fromAt);
            return isInBurst ? fromAt + (long) afterNanos : noticedAt;
        }

        private boolean isBurst(long place, long at) {
            return (at - toAt) * perNano * BURST_DENSITY <= place - before + MISSING_SHARE * nanos() * perNano;
        }

        long nanos() {
            return toAt - fromAt;
        }

        /** Whether requests arrived in the pause that may not all have been read. */
        boolean isLongAndReadAt(long at) {
            return nanos() >= NOTEWORTHY_NANOS && nanos() * perNano >= 1 && isBurst(placed.get() + 1, at);
        }

        Gap until(long nowAt) {
            return new Gap(fromAt, nowAt, perNano, placed, placed.get());
        }
    }

    public void rate(double requestsPerNano) {
        perNano = requestsPerNano;
    }

    /** Reports a wake-up of the monitor thread, which sleeps for much less than {@link #LEAST_NANOS} at a time. */
    public void alive(long nowAt) {
        if (nowAt - aliveAt.get() >= LEAST_NANOS) {
            openGap(open.get(), nowAt);
        } else if (open.get() == null) {
            calmUntil = nowAt + CALM_NANOS;
        }
        markAlive(nowAt);
    }

    private void markAlive(long at) {
        if (at - aliveAt.get() > 0) {
            aliveAt.accumulateAndGet(at, (old, late) -> late - old > 0 ? late : old);
        }
    }

    public long arrivedAt(long noticedAt) {
        return noticedAt - calmUntil < 0 ? noticedAt : examine(noticedAt);
    }

    private long examine(long noticedAt) {
        Gap gap = open.get();
        if (gap != null && noticedAt - gap.fromAt() < 0) {
            return noticedAt; // by a thread that has been waiting since
        }
        if (noticedAt - aliveAt.get() >= LEAST_NANOS) {
            gap = openGap(gap, noticedAt);
        } else {
            markAlive(noticedAt);
        }
        if (gap == null) {
            return noticedAt;
        }
        long arrivedAt = gap.next(noticedAt);
        if (arrivedAt == noticedAt) {
            if (noticedAt - gap.toAt() >= 0) {
                open.compareAndSet(gap, null);
            }
        } else {
            corrected.increment();
        }
        return arrivedAt;
    }

    /** The first thread to run finds the pause: the monitor, or one with a request. */
    private Gap openGap(@Nullable Gap before, long toAt) {
        long fromAt = aliveAt.get();
        Gap read = before != null && before.isLongAndReadAt(fromAt) ? before : null;
        if (read != null && toAt - fromAt < SIZEABLE_SHARE * read.nanos()) {
            markAlive(toAt);
            return read;
        }
        Gap gap = read == null ? new Gap(fromAt, toAt, perNano, new AtomicLong(), 0) : read.until(toAt);
        if (!open.compareAndSet(before, gap)) {
            Gap other = open.get();
            return other == null ? gap : other;
        }
        markAlive(toAt);
        calmUntil = fromAt; // past: each request is checked
        if (toAt - fromAt >= NOTEWORTHY_NANOS) {
            count.increment();
        }
        longestNanos.accumulateAndGet(toAt - fromAt, Math::max);
        return gap;
    }

    /** The number of requests moved to an earlier time since the last call. */
    public long takeCorrected() {
        return corrected.sumThenReset();
    }

    /** The number of pauses of 100 ms or more since the last call. */
    public long takeCount() {
        return count.sumThenReset();
    }

    /** The longest of these pauses since the last call. */
    public long takeLongestNanos() {
        return longestNanos.getAndSet(0);
    }
}
