package dev.downbeat.truths;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.SplittableRandom;

/** The parameters of one scenario, drawn one after the other and kept for a reader. Not thread-safe. */
final class Draw {
    private final SplittableRandom random;
    private final StringBuilder kept = new StringBuilder();

    Draw(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** A number between two, all equally likely, with four digits. */
    double of(String name, double least, double most) {
        BigDecimal value =
                BigDecimal.valueOf(least + (most - least) * random.nextDouble()).round(new MathContext(4));
        keep(name, value.stripTrailingZeros().toPlainString());
        return value.doubleValue();
    }

    /** A whole number from {@code least} to {@code most}. */
    int whole(String name, int least, int most) {
        int value = least + random.nextInt(most - least + 1);
        keep(name, Integer.toString(value));
        return value;
    }

    boolean either(String name) {
        boolean value = random.nextBoolean();
        keep(name, Boolean.toString(value));
        return value;
    }

    long seed() {
        return random.nextLong();
    }

    private void keep(String name, String value) {
        kept.append(kept.isEmpty() ? "" : ", ").append(name).append(' ').append(value);
    }

    /** All that was drawn: {@code rate 320, stall 1.25}. */
    String text() {
        return kept.toString();
    }
}
