package dev.downbeat.arrival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;

/** Statistics of a Poisson process, each with a false alarm in about a million. */
final class PoissonChecks {
    /** Kolmogorov's critical value at 1e-6: sqrt(-log(1e-6 / 2) / 2). */
    private static final double KOLMOGOROV = 2.694;

    private static final double SIGMAS = 5;

    private PoissonChecks() {}

    static void check(IntendedTimes times, double ratePerNano, int arrivals) {
        double[] gaps = new double[arrivals];
        double[] offsets = new double[arrivals];
        double last = 0;
        for (int i = 0; i < arrivals; i++) {
            offsets[i] = (double) times.nextNanos() * ratePerNano;
            gaps[i] = offsets[i] - last;
            last = offsets[i];
        }
        double root = Math.sqrt(arrivals);
        assertThat(last / arrivals).as("mean gap").isCloseTo(1, within(SIGMAS / root));
        assertThat(variation(gaps)).as("coefficient of variation").isCloseTo(1, within(SIGMAS * 1.1 / root));
        assertThat(neighbours(gaps)).as("correlation of neighbours").isCloseTo(0, within(SIGMAS / root));
        assertExponential(gaps);
        int windows = arrivals / 20;
        assertThat(dispersion(offsets, windows))
                .as("index of dispersion")
                .isCloseTo(1, within((SIGMAS + 1) * Math.sqrt(2.1 / windows)));
    }

    /** The distance to the exponential law with mean 1 stays under the critical value. */
    static void assertExponential(double[] gaps) {
        double[] sorted = gaps.clone();
        Arrays.sort(sorted);
        double distance = 0;
        for (int i = 0; i < sorted.length; i++) {
            double law = 1 - Math.exp(-sorted[i]);
            distance = Math.max(distance, law - (double) i / sorted.length);
            distance = Math.max(distance, (i + 1.0) / sorted.length - law);
        }
        assertThat(distance).as("Kolmogorov distance").isLessThan(KOLMOGOROV / Math.sqrt(sorted.length));
    }

    private static double variation(double[] gaps) {
        double mean = Arrays.stream(gaps).average().orElseThrow();
        double variance =
                Arrays.stream(gaps).map(gap -> (gap - mean) * (gap - mean)).sum() / (gaps.length - 1);
        return Math.sqrt(variance) / mean;
    }

    private static double neighbours(double[] gaps) {
        double sum = 0;
        for (int i = 1; i < gaps.length; i++) {
            sum += (gaps[i] - 1) * (gaps[i - 1] - 1);
        }
        return sum / (gaps.length - 1);
    }

    private static double dispersion(double[] offsets, int windows) {
        double width = offsets[offsets.length - 1] / windows;
        int[] counts = new int[windows];
        for (double offset : offsets) {
            counts[Math.min(windows - 1, (int) (offset / width))]++;
        }
        double mean = (double) offsets.length / windows;
        return Arrays.stream(counts).mapToDouble(n -> (n - mean) * (n - mean)).sum() / (windows - 1) / mean;
    }
}
