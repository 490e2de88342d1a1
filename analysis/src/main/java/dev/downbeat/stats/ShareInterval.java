package dev.downbeat.stats;

import java.util.List;

/**
 * Between which values a share of requests, such as that of failures, lies with a confidence of 95 %, for requests that
 * fail together: the scatter of stretches of time tells how many independent requests they are worth, and that number goes
 * into the exact binomial interval (Korn, Graubard: Confidence intervals for proportions with small expected number of
 * positive counts, Surv. Methodol. 24, 1998). Immutable.
 *
 * @param share what was seen, from 0 to 1
 * @param low the lower end
 * @param high the upper end
 */
public record ShareInterval(double share, double low, double high) {
    private static final double HALF_ERROR = (1 - QuantileInterval.CONFIDENCE) / 2;

    /**
     * The interval of a run.
     *
     * @param stretches of equal length; with fewer than two, requests count as independent
     * @throws IllegalArgumentException if there is no request in them
     */
    public static ShareInterval of(List<ShareChange.Tally> stretches) {
        double part = stretches.stream().mapToLong(ShareChange.Tally::part).sum();
        double whole = stretches.stream().mapToLong(ShareChange.Tally::whole).sum();
        if (whole == 0) {
            throw new IllegalArgumentException("stretches must have at least 1 request, but had 0");
        }
        double share = part / whole;
        double n = whole / inflation(stretches, share, whole);
        double low = part == 0 ? 0 : Beta.quantile(HALF_ERROR, share * n, n - share * n + 1);
        double high = part == whole ? 1 : Beta.quantile(1 - HALF_ERROR, share * n + 1, n - share * n);
        return new ShareInterval(share, low, high);
    }

    private static double inflation(List<ShareChange.Tally> stretches, double share, double whole) {
        double[] excess = stretches.stream()
                .mapToDouble(stretch -> stretch.part() - share * stretch.whole())
                .toArray();
        Batches batches = Batches.of(
                excess,
                excess.length < 2 * Batches.LEAST ? 1 : Memory.of(excess).stretches());
        if (batches.count() < 2 || share <= 0 || share >= 1) {
            return 1;
        }
        double wider = StudentT.quantile(1 - HALF_ERROR, batches.freedom(1)) / Normal.quantile(1 - HALF_ERROR);
        return Math.max(1, batches.variance() / (whole * share * (1 - share))) * wider * wider;
    }
}
