package dev.downbeat.stats;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;

/** The percentiles shown in each place, and their names. This is the only such list. 100 is the maximum. Stateless. */
public final class Percentiles {
    /** A place where percentiles are shown or used. */
    public enum Place {
        /** The percentile table of a run. */
        TABLE(50, 90, 95, 99, 99.9, 99.99, 100),
        /** Rows of that table that are folded if there are many. */
        FOLDED(90, 99.99),
        /** JSON, sessions, and audits of other tools' results. */
        JSON(50, 75, 90, 95, 99, 99.9, 99.99, 100),
        /** One line per result where several are shown. */
        SUMMARY(50, 90, 95, 99, 99.9, 100),
        /** A line of CSV, and the kinds of request of a position report. */
        CSV(50, 90, 99, 100),
        /** One line per request name. */
        NAME(50, 95, 99, 100),
        /** One line per variant. */
        VARIANT(50, 99, 99.9),
        /** The live screen. */
        LIVE(50, 95, 99, 99.9, 100),
        /** Places with room for three: narrow terminals, lines of progress, failed requests in CSV, times as text. */
        BRIEF(50, 99, 100),
        /** One line per place of a request in its run, or on its connection. */
        POSITION(50, 75, 99),
        /** The spectrum of a position report. */
        SPECTRUM(50, 75, 90, 95, 99, 99.9),
        /** Edges of the bands whose times are split into parts. */
        BAND(50, 90, 99, 99.9),
        /** What a proof compares with theory. */
        PROOF(50, 75, 90, 99, 99.9, 100),
        /** Percentiles that are compared and watched for changes. */
        DECIDING(50, 90, 99),
        /** The first line of a report. */
        HEADLINE(50, 99),
        /** Marks of a chart by percentile. */
        CHART(50, 75, 90, 95, 99, 99.9, 99.99, 99.999, 100),
        /** Gauges of a live service, and labels of a benchmark. */
        METER(50, 90, 95, 99, 99.9, 100),
        /** Lower percentiles whose memory widens the interval of a higher one. */
        GUARD(50, 90, 99, 99.9, 99.99),
        /** Where the slow requests of a run may start: the first percentile beyond which all requests were kept. */
        TAIL(99, 99.5, 99.9, 99.95, 99.99, 99.995, 99.999);

        private final List<Double> percentiles;

        Place(double... percentiles) {
            this.percentiles = Arrays.stream(percentiles).boxed().toList();
        }
    }

    private Percentiles() {}

    /** The percentiles of a place, ascending; 100 is the maximum. */
    public static List<Double> of(Place place) {
        return place.percentiles;
    }

    /** The same without the maximum, which has no interval. */
    public static List<Double> belowMax(Place place) {
        return of(place).stream().filter(percentile -> percentile < 100).toList();
    }

    /** The percentile as a share of one, as meters write it: {@code 0.999}. */
    public static String quantile(double percentile) {
        return BigDecimal.valueOf(percentile)
                .movePointLeft(2)
                .stripTrailingZeros()
                .toPlainString();
    }

    /** The percentile that a share of one stands for, the inverse of {@link #quantile}: 99.9 for 0.999. */
    public static double ofQuantile(double quantile) {
        return BigDecimal.valueOf(quantile).movePointRight(2).doubleValue();
    }

    /**
     * The name of a percentile.
     *
     * @param percentile from 0 to 100
     * @return such as {@code p99.9}; {@code max} for 100
     */
    public static String name(double percentile) {
        return percentile == 100
                ? "max"
                : "p" + BigDecimal.valueOf(percentile).stripTrailingZeros().toPlainString();
    }
}
