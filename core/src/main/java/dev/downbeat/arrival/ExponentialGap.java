package dev.downbeat.arrival;

/**
 * Exponentially distributed numbers with mean 1, from 64 random bits each. The logarithm is our own, out of additions,
 * multiplications and one division, all of which IEEE 754 fixes to the last bit: {@link Math#log} may differ between
 * machines, and then the same seed would not give the same schedule.
 */
final class ExponentialGap {
    private static final double LN_2 = 0.6931471805599453;
    private static final double ULP_53 = 0x1.0p-53;
    private static final long SQRT_2_FRACTION = 0x6a09e667f3bcdL;

    private ExponentialGap() {}

    /** From 0 to 36.74: the bits become one of 2^53 numbers above 0 and up to 1, so log(0) is never asked for. */
    static double of(long bits) {
        return minusLog(((bits >>> 11) + 1) * ULP_53);
    }

    /**
     * Minus the natural logarithm of a normal, positive number, to about 1e-15. With x = m * 2^k, m about 1 and s = (m - 1)
     * / (m + 1), log x = k log 2 + 2 (s + s^3/3 + s^5/5 + ...), where s^2 is below 0.0295, so ten terms are enough.
     */
    static double minusLog(double x) {
        long raw = Double.doubleToRawLongBits(x);
        long fraction = raw & 0xfffffffffffffL;
        int carry = fraction > SQRT_2_FRACTION ? 1 : 0;
        int k = (int) (raw >>> 52) - 1023 + carry;
        double m = Double.longBitsToDouble(fraction | ((long) (1023 - carry) << 52));
        double s = (m - 1) / (m + 1);
        double s2 = s * s;
        double s4 = s2 * s2;
        double s8 = s4 * s4;
        // grouped in pairs (Estrin's scheme), so that the processor can work on several at a time
        double low = (1.0 / 3 + s2 * (1.0 / 5)) + s4 * (1.0 / 7 + s2 * (1.0 / 9));
        double high = (1.0 / 11 + s2 * (1.0 / 13)) + s4 * (1.0 / 15 + s2 * (1.0 / 17));
        double series = low + s8 * (high + s8 * (1.0 / 19 + s2 * (1.0 / 21)));
        return -(k * LN_2 + 2 * (s + s * s2 * series));
    }
}
