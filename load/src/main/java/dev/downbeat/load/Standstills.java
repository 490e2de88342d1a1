package dev.downbeat.load;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Gives requests that came while this process was paused the time at which they came. Nobody stamped it: they lay in a
 * buffer of the kernel, and are all noticed at once when the process runs again. So those noticed in a burst after a
 * standstill, in their order, are taken to have come during it, evenly, at the rate at which requests came before.
 *
 * <p>A burst is at least twice as dense as that rate, but for a twenty-fifth of those that came: beside other programs the
 * process waits for its turn before it reads. With the first request that is later, the correction ends. So callers who wait
 * for their answers, and did not call meanwhile, are left as they are. While the requests of a long standstill are read, a
 * shorter one is part of the reading, and one of its size makes it longer.
 *
 * <p>One thread tells that the process runs; any thread asks. Lock-free; allocates only where a standstill is found.
 */
final class Standstills {
    /** Without a sign of life for this long the process is taken to have been paused. */
    static final long LEAST_NANOS = 10_000_000;

    /** After this long without one each request is looked at, and is a sign of life itself. */
    private static final long CALM_NANOS = LEAST_NANOS / 4;

    /** Shorter ones are what any thread meets on a busy machine: they are corrected, but no pauses to speak of. */
    private static final long NOTEWORTHY_NANOS = 100_000_000;

    private static final double DENSER = 2;

    /** Of the requests of a standstill, so many may be missing in its burst. */
    private static final double LATE = 0.04;

    /** A standstill in the burst of another that is shorter than this share of it is a wait for a processor. */
    private static final double SIZABLE = 0.1;

    private final AtomicReference<@Nullable Gap> open = new AtomicReference<>();
    private final LongAdder corrected = new LongAdder();
    private final LongAdder count = new LongAdder();
    private final AtomicLong longestNanos = new AtomicLong();

    /** Never set back: who was put to sleep between a look at the clock and here comes with an old time. */
    private final AtomicLong aliveAt;

    private volatile long calmUntil;
    private volatile double perNano;

    Standstills(long startAt) {
        aliveAt = new AtomicLong(startAt);
        calmUntil = startAt + CALM_NANOS;
    }

    /**
     * A standstill whose requests are still being noticed.
     *
     * @param fromAt the last sign of life before it
     * @param toAt when the process ran again, last
     * @param perNano requests of before
     * @param placed so many of its requests were noticed
     * @param before so many of them before {@code toAt}, if it ran for a moment meanwhile
     */
    private record Gap(long fromAt, long toAt, double perNano, AtomicLong placed, long before) {
        /** When the next request of it came; {@code noticedAt} if it is none of them. */
        long next(long noticedAt) {
            long place = placed.incrementAndGet();
            double cameAfterNanos = (place - 0.5) / perNano;
            boolean isOfIt = isBurst(place, noticedAt) && cameAfterNanos < Math.min(nanos(), noticedAt - fromAt);
            return isOfIt ? fromAt + (long) cameAfterNanos : noticedAt;
        }

        private boolean isBurst(long place, long at) {
            return (at - toAt) * perNano * DENSER <= place - before + LATE * nanos() * perNano;
        }

        long nanos() {
            return toAt - fromAt;
        }

        /** Whether requests came in it that may not all have been read. */
        boolean isLongAndReadAt(long at) {
            return nanos() >= NOTEWORTHY_NANOS && nanos() * perNano >= 1 && isBurst(placed.get() + 1, at);
        }

        Gap until(long nowAt) {
            return new Gap(fromAt, nowAt, perNano, placed, placed.get());
        }
    }

    /** The rate from now on: requests per nanosecond. */
    void rate(double requestsPerNano) {
        perNano = requestsPerNano;
    }

    /** This thread, which sleeps for much less than {@link #LEAST_NANOS} at a time, has woken. */
    void alive(long nowAt) {
        if (nowAt - aliveAt.get() >= LEAST_NANOS) {
            found(open.get(), nowAt);
        } else if (open.get() == null) {
            calmUntil = nowAt + CALM_NANOS;
        }
        lived(nowAt);
    }

    private void lived(long at) {
        if (at - aliveAt.get() > 0) {
            aliveAt.accumulateAndGet(at, (old, late) -> late - old > 0 ? late : old);
        }
    }

    /** When a request came that was noticed now. */
    long cameAt(long noticedAt) {
        return noticedAt - calmUntil < 0 ? noticedAt : look(noticedAt);
    }

    private long look(long noticedAt) {
        Gap gap = open.get();
        if (gap != null && noticedAt - gap.fromAt() < 0) {
            return noticedAt; // by a thread that has waited since
        }
        if (noticedAt - aliveAt.get() >= LEAST_NANOS) {
            gap = found(gap, noticedAt);
        } else {
            lived(noticedAt);
        }
        if (gap == null) {
            return noticedAt;
        }
        long cameAt = gap.next(noticedAt);
        if (cameAt == noticedAt) {
            if (noticedAt - gap.toAt() >= 0) {
                open.compareAndSet(gap, null);
            }
        } else {
            corrected.increment();
        }
        return cameAt;
    }

    /** The first who runs again finds it, be it the thread that watches or one that brings a request. */
    private Gap found(@Nullable Gap before, long toAt) {
        long fromAt = aliveAt.get();
        Gap read = before != null && before.isLongAndReadAt(fromAt) ? before : null;
        if (read != null && toAt - fromAt < SIZABLE * read.nanos()) {
            lived(toAt);
            return read;
        }
        Gap gap = read == null ? new Gap(fromAt, toAt, perNano, new AtomicLong(), 0) : read.until(toAt);
        if (!open.compareAndSet(before, gap)) {
            Gap ofOther = open.get();
            return ofOther == null ? gap : ofOther;
        }
        lived(toAt);
        calmUntil = fromAt; // past: each request is looked at
        if (toAt - fromAt >= NOTEWORTHY_NANOS) {
            count.increment();
        }
        longestNanos.accumulateAndGet(toAt - fromAt, Math::max);
        return gap;
    }

    /** How many requests were given an earlier time, since the last call. */
    long takeCorrected() {
        return corrected.sumThenReset();
    }

    /** How many standstills of 100 ms and more were found, since the last call. */
    long takeCount() {
        return count.sumThenReset();
    }

    /** The longest of them, since the last call. */
    long takeLongestNanos() {
        return longestNanos.getAndSet(0);
    }
}
