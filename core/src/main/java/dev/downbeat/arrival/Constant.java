package dev.downbeat.arrival;

import java.math.BigInteger;

/**
 * Evenly spaced arrivals, the first at 0. Arrival n is at {@code floor(n * period / count)}, exactly, for any rate and
 * any n.
 *
 * @param rate the arrival rate; a rate of 0 has no arrivals
 */
public record Constant(Rate rate) implements ArrivalProcess {
    @Override
    public IntendedTimes times(int share, int shares) {
        Shares.check(share, shares);
        return new EvenlySpacedTimes(rate, share, shares);
    }

    @Override
    public boolean isSteady() {
        return true;
    }

    @Override
    public String kind() {
        return "constant";
    }

    @Override
    public String describe() {
        return "constant " + rate;
    }

    /** Accumulates whole nanoseconds and a remainder with carry: exact, and without a division. */
    static final class EvenlySpacedTimes implements IntendedTimes {
        private final long count;
        private final long stepNanos;
        private final long stepRest;
        private final long stepIndex;
        private long nextNanos;
        private long nextRest;
        private long index;

        EvenlySpacedTimes(Rate rate, long firstIndex, int stepIndex) {
            this.stepIndex = stepIndex;
            this.index = firstIndex - stepIndex;
            this.count = Math.max(1, rate.count());
            if (rate.isZero()) {
                this.nextNanos = END;
                this.stepNanos = END;
                this.stepRest = 0;
                return;
            }
            BigInteger[] first = timesGap(firstIndex, rate);
            BigInteger[] step = timesGap(stepIndex, rate);
            this.nextNanos = toOffset(first[0]);
            this.nextRest = first[1].longValueExact();
            this.stepNanos = toOffset(step[0]);
            this.stepRest = step[1].longValueExact();
        }

        private static BigInteger[] timesGap(long factor, Rate rate) {
            return BigInteger.valueOf(factor)
                    .multiply(BigInteger.valueOf(rate.periodNanos()))
                    .divideAndRemainder(BigInteger.valueOf(rate.count()));
        }

        private static long toOffset(BigInteger nanos) {
            return nanos.min(BigInteger.valueOf(END)).longValueExact();
        }

        @Override
        public long nextNanos() {
            long nanos = nextNanos;
            if (nanos == END) {
                return END;
            }
            index += stepIndex;
            long after = nanos + stepNanos;
            // rest and stepRest are both below count, but their sum may overflow a long
            long rest = nextRest - (count - stepRest);
            if (rest >= 0) {
                after++;
            } else {
                rest += count;
            }
            nextRest = rest;
            nextNanos = after < 0 ? END : after;
            return nanos;
        }

        @Override
        public long index() {
            return Math.max(index, -1);
        }
    }
}
