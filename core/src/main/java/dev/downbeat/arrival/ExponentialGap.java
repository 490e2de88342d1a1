package dev.downbeat.arrival;

/**
 * Exponentially distributed values with mean 1, each from 64 random bits. The logarithm uses only additions,
 * multiplications and one division, which IEEE 754 defines to the last bit. {@link Math#log} may differ between
 * machines, so the same seed could give different schedules.
 */
public final class ExponentialGap {
    private static final double LN_2 = 0.6931471805599453;
    private static final double ULP_53 = 0x1.0p-53;
    private static final long SQRT_2_FRACTION = 0x6a09e667f3bcdL;

    private ExponentialGap() {}

    /** Returns a value from 0 to 36.74. The bits are mapped to one of 2^53 values in (0, 1], so log(0) cannot occur. */
    public static double of(long bits) {
        return minusLog(((bits >>> 11) + 1) * ULP_53);
    }

    /**
     * The negative natural logarithm of a normal, positive number, to about 1e-15. With x = m * 2^k, m about 1 and s =
     * (m - 1) / (m + 1), log x = k log 2 + 2 (s + s^3/3 + s^5/5 + ...). Since s^2 is below 0.0295, ten terms are
     * enough.
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
        // grouped in pairs (Estrin's scheme) for instruction-level parallelism
        double low = (1.0 / 3 + s2 * (1.0 / 5)) + s4 * (1.0 / 7 + s2 * (1.0 / 9));
        double high = (1.0 / 11 + s2 * (1.0 / 13)) + s4 * (1.0 / 15 + s2 * (1.0 / 17));
        double series = low + s8 * (high + s8 * (1.0 / 19 + s2 * (1.0 / 21)));
        return -(k * LN_2 + 2 * (s + s * s2 * series));
    }
}
