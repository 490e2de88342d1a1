package dev.downbeat.truths;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.SplittableRandom;

/** Draws the parameters of one scenario and notes them for messages. Not thread-safe. */
final class Draw {
    private final SplittableRandom random;
    private final StringBuilder drawn = new StringBuilder();

    Draw(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** A uniformly distributed number, rounded to four significant digits. */
    double of(String name, double least, double most) {
        BigDecimal value =
                BigDecimal.valueOf(least + (most - least) * random.nextDouble()).round(new MathContext(4));
        note(name, value.stripTrailingZeros().toPlainString());
        return value.doubleValue();
    }

    /** A whole number from {@code least} to {@code most}. */
    int whole(String name, int least, int most) {
        int value = least + random.nextInt(most - least + 1);
        note(name, Integer.toString(value));
        return value;
    }

    boolean either(String name) {
        boolean value = random.nextBoolean();
        note(name, Boolean.toString(value));
        return value;
    }

    long seed() {
        return random.nextLong();
    }

    private void note(String name, String value) {
        drawn.append(drawn.isEmpty() ? "" : ", ").append(name).append(' ').append(value);
    }

    /** The drawn values: {@code rate 320, stall 1.25}. */
    String text() {
        return drawn.toString();
    }
}
