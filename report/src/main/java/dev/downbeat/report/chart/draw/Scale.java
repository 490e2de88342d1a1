package dev.downbeat.report.chart.draw;

import dev.downbeat.stats.Numbers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Maps values to positions on an axis, and chooses its labels. */
public sealed interface Scale {
    /** The position of a value, from 0 at the low end to 1 at the high end; limited to that range. */
    double share(double value);

    /** The labelled values, ascending. */
    List<Tick> ticks();

    /** A labelled value. */
    record Tick(double value, String label) {}

    private static double within(double share) {
        return Math.max(0, Math.min(1, share));
    }

    /**
     * A linear axis from 0.
     *
     * @param high above 0
     * @param step distance of ticks
     * @param unit formats a tick
     */
    record Linear(double high, double step, Unit unit) implements Scale {
        private static final double[] STEPS = {1, 2, 5, 10};

        /** Formats a tick. */
        @FunctionalInterface
        interface Unit {
            String write(double value);
        }

        /** An axis for counts from 0 to slightly more than {@code most}. */
        public static Linear counts(long most) {
            return counts((double) most);
        }

        /** An axis for numbers from 0 to slightly more than {@code most}. */
        public static Linear counts(double most) {
            return counts(most, 4);
        }

        /** An axis for shares from 0 to 100 %. */
        public static Linear shares() {
            return new Linear(1, 0.25, share -> Numbers.plain(100 * share) + " %");
        }

        /** The same for a long axis, with about twice as many ticks. */
        public static Linear longCounts(double most) {
            return counts(most, 10);
        }

        private static Linear counts(double most, int ticks) {
            double high = Math.max(1, most * 1.08);
            double step = Math.max(1, step(high / ticks));
            return new Linear(high, step, value -> Numbers.count(Math.round(value)));
        }

        private static double step(double least) {
            double decade = Math.pow(10, Math.floor(Math.log10(least)));
            for (double step : STEPS) {
                if (step * decade >= least) {
                    return step * decade;
                }
            }
            return 10 * decade;
        }

        @Override
        public double share(double value) {
            return within(value / high);
        }

        @Override
        public List<Tick> ticks() {
            List<Tick> ticks = new ArrayList<>();
            for (int i = 0; i * step <= high * 1.000_001; i++) {
                ticks.add(new Tick(i * step, unit.write(i * step)));
            }
            return ticks;
        }
    }

    /** A time axis of this length. */
    static Scale time(long lengthNanos) {
        double seconds = Math.max(1e-3, lengthNanos / 1e9);
        double[] steps = {
            0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800,
            3_600, 7_200, 10_800, 21_600, 43_200, 86_400
        };
        double chosen = Math.ceil(seconds / 12 / 86_400) * 86_400;
        for (double step : steps) {
            if (seconds / step <= 12.5) {
                chosen = step;
                break;
            }
        }
        double unit = chosen >= 3_600 ? 3_600 : chosen >= 60 ? 60 : 1;
        String name = chosen >= 3_600 ? " h" : chosen >= 60 ? " min" : " s";
        return new Linear(seconds * 1e9, chosen * 1e9, nanos -> Numbers.plain(nanos / 1e9 / unit) + name);
    }

    /**
     * A categorical axis. Values are indices, drawn in the middle of their place. As many names as fit are labelled,
     * always including the last.
     *
     * @param names all names, at least one
     * @param length length of the axis
     */
    record Names(List<String> names, double length) implements Scale {
        private static final int MOST_LETTERS = 18;

        public Names {
            names = List.copyOf(names);
        }

        @Override
        public double share(double value) {
            return within((value + 0.5) / names.size());
        }

        @Override
        public List<Tick> ticks() {
            double widest = names.stream()
                    .mapToDouble(name -> Svg.widthOf(shown(name) + "xx"))
                    .max()
                    .orElse(1);
            int step = Math.max(1, (int) Math.ceil(names.size() * widest / length));
            List<Tick> ticks = new ArrayList<>();
            for (int i = names.size() - 1; i >= 0; i -= step) {
                ticks.add(0, new Tick(i, shown(names.get(i))));
            }
            return ticks;
        }

        /** The end of a long name, where names of builds differ. */
        public static String shown(String name) {
            return name.length() <= MOST_LETTERS ? name : "…" + name.substring(name.length() - MOST_LETTERS + 1);
        }
    }

    /**
     * A logarithmic axis, the only one that shows both 1 ms and 1 s.
     *
     * @param low above 0
     * @param high above {@code low}
     */
    record Log(double low, double high) implements Scale {
        private static final double LEAST_FACTOR = 4;
        private static final double FEW_DECADES = 1.5;
        private static final List<List<Integer>> DIGITS = List.of(List.of(1), List.of(1, 2, 5), List.of(1, 2, 3, 5, 7));

        /** A logarithmic axis for durations in this range, in nanoseconds. */
        public static Log durations(long leastNanos, long mostNanos) {
            double low = Math.max(1, leastNanos) / 1.25;
            double high = Math.max(Math.max(1, mostNanos) * 1.6, low * LEAST_FACTOR);
            return new Log(low, high);
        }

        @Override
        public double share(double value) {
            return within(Math.log(Math.max(value, low) / low) / Math.log(high / low));
        }

        /** The inverse of {@link #share}. */
        public double valueAt(double share) {
            return low * Math.pow(high / low, share);
        }

        @Override
        public List<Tick> ticks() {
            int coarsest = Math.log10(high / low) < FEW_DECADES ? 1 : 0;
            List<Tick> ticks = ticks(DIGITS.get(coarsest));
            for (int i = coarsest + 1; i < DIGITS.size() && ticks.size() < 2; i++) {
                ticks = ticks(DIGITS.get(i)); // a single label shows no scale
            }
            return ticks;
        }

        private List<Tick> ticks(List<Integer> digits) {
            List<Tick> ticks = new ArrayList<>();
            for (int decade = (int) Math.floor(Math.log10(low)); decade <= Math.log10(high); decade++) {
                for (int digit : digits) {
                    long nanos = Math.round(digit * Math.pow(10, decade));
                    if (nanos >= low && nanos <= high) {
                        ticks.add(new Tick(nanos, Numbers.tick(nanos)));
                    }
                }
            }
            return ticks;
        }
    }

    /**
     * An axis for relative changes, symmetric in their logarithm: doubling is as far from no change as halving. A value
     * of 0.1 is an increase of 10 %.
     *
     * @param reach logarithm of the greatest factor, above 0; no change is in the middle
     */
    record Change(double reach) implements Scale {
        private static final double[] LESS = {-0.999, -0.99, -0.9, -0.8, -0.5, -0.2, -0.1, -0.05, -0.02, -0.01};
        private static final double[] MORE = {999, 99, 9, 4, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01};

        /** Labels closer than this share of the axis would overlap. */
        private static final double CROWD = 0.07;

        @Override
        public double share(double value) {
            return within(0.5 + Math.log1p(Math.max(value, -1 + 1e-12)) / reach / 2);
        }

        @Override
        public List<Tick> ticks() {
            List<Tick> ticks = new ArrayList<>();
            add(LESS, ticks);
            ticks.add(new Tick(0, "0 %"));
            List<Tick> more = new ArrayList<>();
            add(MORE, more);
            Collections.reverse(more);
            ticks.addAll(more);
            return ticks;
        }

        /** Adds labels from the end of the axis towards its middle. */
        private void add(double[] values, List<Tick> ticks) {
            double last = 2;
            for (double value : values) {
                double place = Math.abs(Math.log1p(value)) / reach;
                if (place <= 1 && place >= 2 * CROWD && last - place >= 2 * CROWD) {
                    ticks.add(new Tick(value, Change.label(value)));
                    last = place;
                }
            }
        }

        private static String label(double value) {
            return value >= 1
                    ? "x" + Math.round(value + 1)
                    : (value < 0 ? "-" : "+") + Numbers.plain(Math.abs(value) * 100) + " %";
        }
    }

    /**
     * An axis for percentiles on which each further nine takes the same width. Values are numbers of nines: 2 is 99 %.
     *
     * @param nines end of the axis
     */
    record Nines(double nines) implements Scale {
        /** The number of nines of a percentile. */
        public static double of(double percentile) {
            return -Math.log10(1 - percentile / 100);
        }

        @Override
        public double share(double value) {
            return within(value / nines);
        }

        @Override
        public List<Tick> ticks() {
            List<Tick> ticks = new ArrayList<>(List.of(new Tick(0, "0 %"), new Tick(of(50), "50 %")));
            String name = "90";
            for (int nine = 1; nine <= nines; nine++) {
                ticks.add(new Tick(nine, name + " %"));
                name = nine == 1 ? "99" : nine == 2 ? "99.9" : name + "9";
            }
            return ticks;
        }
    }
}
