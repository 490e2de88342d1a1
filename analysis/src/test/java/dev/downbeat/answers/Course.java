package dev.downbeat.answers;

import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;

/** By which factor something differs from its usual size in the course of time; it begins at a random moment of its own law. */
interface Course {
    /** One course: seconds, which must ascend, to the factor. */
    DoubleUnaryOperator begin(SplittableRandom random);

    /** By {@code factor} for a while now and then, and else by {@code otherwise}; how long both last is random. */
    static Course spells(double seconds, double eachSeconds, double factor, double otherwise) {
        return random -> new DoubleUnaryOperator() {
            private boolean isSpell = random.nextDouble() < seconds / eachSeconds;
            private double until = random.nextExponential() * length();

            private double length() {
                return isSpell ? seconds : eachSeconds - seconds;
            }

            @Override
            public double applyAsDouble(double second) {
                while (second >= until) {
                    isSpell = !isSpell;
                    until += random.nextExponential() * length();
                }
                return isSpell ? factor : otherwise;
            }
        };
    }

    /** Its logarithm has this deviation and forgets in so many seconds (AR(1)), a step each tenth of a second. */
    static Course wandering(double deviation, double memorySeconds) {
        double kept = Math.exp(-0.1 / memorySeconds);
        double fresh = deviation * Math.sqrt(1 - kept * kept);
        return random -> new DoubleUnaryOperator() {
            private double log = deviation * random.nextGaussian();
            private double level = Math.exp(log);
            private long tenths;

            @Override
            public double applyAsDouble(double second) {
                for (; tenths < (long) (10 * second); tenths++) {
                    log = kept * log + fresh * random.nextGaussian();
                    level = Math.exp(log);
                }
                return level;
            }
        };
    }

    /** Up and down by a share, as in the course of a day. */
    static Course wave(double share, double seconds) {
        return random -> {
            double phase = random.nextDouble();
            return second -> 1 + share * Math.sin(2 * Math.PI * (second / seconds + phase));
        };
    }
}
