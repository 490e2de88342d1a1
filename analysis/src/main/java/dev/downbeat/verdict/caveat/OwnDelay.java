package dev.downbeat.verdict.caveat;

import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;

/** Downbeat was late, paused or busy, so a part of the times is its own delay. */
public sealed interface OwnDelay extends Caveat {
    /**
     * Downbeat was late, or too busy to read responses, which may be a considerable part of the measured times.
     *
     * @param percentile percentile with the largest part
     * @param oursNanos the part that may be Downbeat's delay
     * @param responseNanos response time at that percentile
     * @param punctualNanos response time at that percentile without that part
     */
    record GeneratorLate(double percentile, long oursNanos, long responseNanos, long punctualNanos)
            implements OwnDelay {
        private static final long DOUBTFUL_NANOS = 1_000_000;

        @Override
        public String text() {
            String name = Percentiles.name(percentile);
            return brief() + ": requests were sent late, or answers read late. Without it " + name
                    + " would be at least " + DurationText.rounded(punctualNanos) + ". "
                    + (oursNanos < DOUBTFUL_NANOS ? "A quieter machine makes it less" : Words.HELP);
        }

        @Override
        public String brief() {
            return "up to " + DurationText.rounded(oursNanos) + " of the " + Percentiles.name(percentile) + " of "
                    + DurationText.rounded(responseNanos) + " is Downbeat's own delay";
        }

        /** A part below a millisecond and below half is only a note. */
        @Override
        public Bearing bearing() {
            return oursNanos >= DOUBTFUL_NANOS || oursNanos > responseNanos / 2 ? Bearing.OURS : Bearing.NOTE;
        }
    }

    /**
     * Downbeat was paused.
     *
     * @param largestNanos the longest pause
     * @param atNanos when it ended, from the start of the run
     * @param largestResponseNanos the longest response time
     */
    record HiccupDuringRun(long largestNanos, long atNanos, long largestResponseNanos) implements OwnDelay {
        /** Shorter pauses are not mentioned. */
        public static final long NOTEWORTHY_NANOS = 20_000_000;

        private static final long DOUBTFUL_NANOS = 100_000_000;

        @Override
        public String text() {
            String seen = "Downbeat itself was paused for " + DurationText.rounded(largestNanos) + " (ending at "
                    + Words.seconds(atNanos) + ")";
            return isDoubt() ? seen + ": the tail is partly Downbeat's, not the service's" : seen;
        }

        @Override
        public Bearing bearing() {
            boolean shapesTheTail = largestNanos >= DOUBTFUL_NANOS && largestNanos >= largestResponseNanos / 10;
            return shapesTheTail ? Bearing.OURS : Bearing.NOTE;
        }
    }

    /**
     * Downbeat was delayed repeatedly, which the longest pause alone does not show.
     *
     * @param lateNanos total delay
     * @param wallNanos length of the run
     */
    record OftenLate(long lateNanos, long wallNanos) implements OwnDelay {
        private static final double DOUBTFUL_SHARE = 0.05;

        @Override
        public String text() {
            return brief() + ": some of the response times are Downbeat's own delay. " + Words.HELP;
        }

        @Override
        public String brief() {
            long perMille = lateNanos * 1_000 / Math.max(1, wallNanos);
            return "Downbeat itself was paused, or waited for a processor, for " + PercentText.of(perMille / 1_000.0)
                    + " of the time";
        }

        @Override
        public Bearing bearing() {
            return lateNanos > wallNanos * DOUBTFUL_SHARE ? Bearing.OURS : Bearing.NOTE;
        }
    }

    /**
     * No connection or stream was free while Downbeat was busy nearly all the time, so Downbeat was too slow, not the
     * service.
     *
     * @param fullNanos time without a free connection or stream
     * @param busyShare share of that time in which Downbeat was busy, from 0 to 1
     */
    record ClientBusy(long fullNanos, double busyShare) implements OwnDelay {
        @Override
        public String text() {
            return "for " + DurationText.rounded(fullNanos) + " all connections were in use, and Downbeat was busy for "
                    + PercentText.of(busyShare)
                    + " of that time: answers waited for Downbeat, so these times are its own delay. "
                    + Words.HELP;
        }

        @Override
        public String brief() {
            return "for " + DurationText.rounded(fullNanos) + " all connections were in use, and Downbeat was busy for "
                    + PercentText.of(busyShare) + " of that time";
        }

        @Override
        public Bearing bearing() {
            return Bearing.OURS;
        }
    }
}
