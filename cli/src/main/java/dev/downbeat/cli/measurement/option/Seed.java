package dev.downbeat.cli.measurement.option;

import java.util.Locale;
import java.util.SplittableRandom;

/** The seed of one random schedule. Always hexadecimal, so that a reported seed can be typed. */
public record Seed(long value) {
    private static final int DIGITS = 16;

    /** A random short seed that is easy to type. */
    public static Seed random() {
        return new Seed(new SplittableRandom().nextLong(1, 1L << 24));
    }

    /** The seed of the n-th part of a load; equal seeds would give equal gaps. */
    public long part(int n) {
        return value + n;
    }

    @Override
    public String toString() {
        return Long.toHexString(value);
    }

    /** Parses up to 16 hexadecimal digits. */
    public static Seed parse(String text) {
        String digits = text.toLowerCase(Locale.ROOT);
        digits = digits.startsWith("0x") ? digits.substring(2) : digits;
        boolean hexadecimal = digits.chars().allMatch(c -> "0123456789abcdef".indexOf(c) >= 0);
        Refusal.when(
                digits.isEmpty() || digits.length() > DIGITS || !hexadecimal,
                "'" + text + "' is not a seed such as 7f3a (1 to 16 hexadecimal digits)");
        return new Seed(Long.parseUnsignedLong(digits, 16));
    }
}
