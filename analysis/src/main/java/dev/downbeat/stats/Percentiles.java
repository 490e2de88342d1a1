package dev.downbeat.stats;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The percentiles shown in each place, and their names. This is the only such list. 100 is the maximum. Stateless. */
public final class Percentiles {
    /** A place where percentiles are shown or used. */
    public enum Place {
        /** The percentile table of a run. */
        TABLE,
        /** Rows of that table that are folded if there are many. */
        FOLDED,
        /** JSON, sessions, and audits of other tools' results. */
        JSON,
        /** One line per result where several are shown. */
        SUMMARY,
        /** A line of CSV. */
        CSV,
        /** One line per request name. */
        NAME,
        /** One line per variant. */
        VARIANT,
        /** The live screen. */
        LIVE,
        /** Where only three fit: narrow terminals, failed requests in CSV. */
        BRIEF,
        /** Percentiles that are compared and watched for changes. */
        DECIDING,
        /** The first line of a report. */
        HEADLINE,
        /** Marks of a chart by percentile. */
        CHART,
        /** Gauges of a live service, and labels of a benchmark. */
        METER,
        /** Lower percentiles whose memory widens the interval of a higher one. */
        GUARD,
        /** Where the slow requests of a run may start: the first percentile beyond which all requests were kept. */
        TAIL
    }

    private enum Shown {
        P50(50, EnumSet.complementOf(EnumSet.of(Place.FOLDED, Place.TAIL))),
        P75(75, EnumSet.of(Place.JSON, Place.CHART)),
        P90(
                90,
                EnumSet.of(
                        Place.TABLE,
                        Place.FOLDED,
                        Place.JSON,
                        Place.SUMMARY,
                        Place.CSV,
                        Place.DECIDING,
                        Place.CHART,
                        Place.METER,
                        Place.GUARD)),
        P95(95, EnumSet.of(Place.TABLE, Place.JSON, Place.SUMMARY, Place.NAME, Place.LIVE, Place.CHART, Place.METER)),
        P99(99, EnumSet.complementOf(EnumSet.of(Place.FOLDED))),
        P99_5(99.5, EnumSet.of(Place.TAIL)),
        P99_9(
                99.9,
                EnumSet.of(
                        Place.TABLE,
                        Place.JSON,
                        Place.SUMMARY,
                        Place.VARIANT,
                        Place.LIVE,
                        Place.CHART,
                        Place.METER,
                        Place.GUARD,
                        Place.TAIL)),
        P99_95(99.95, EnumSet.of(Place.TAIL)),
        P99_99(99.99, EnumSet.of(Place.TABLE, Place.FOLDED, Place.JSON, Place.CHART, Place.GUARD, Place.TAIL)),
        P99_995(99.995, EnumSet.of(Place.TAIL)),
        P99_999(99.999, EnumSet.of(Place.CHART, Place.TAIL)),
        MAX(
                100,
                EnumSet.of(
                        Place.TABLE,
                        Place.JSON,
                        Place.SUMMARY,
                        Place.CSV,
                        Place.NAME,
                        Place.LIVE,
                        Place.BRIEF,
                        Place.CHART,
                        Place.METER));

        private final double percentile;
        private final Set<Place> places;

        Shown(double percentile, Set<Place> places) {
            this.percentile = percentile;
            this.places = places;
        }
    }

    private static final Map<Place, List<Double>> BY_PLACE = new EnumMap<>(Place.class);

    static {
        for (Place place : Place.values()) {
            BY_PLACE.put(
                    place,
                    Arrays.stream(Shown.values())
                            .filter(shown -> shown.places.contains(place))
                            .map(shown -> shown.percentile)
                            .toList());
        }
    }

    private Percentiles() {}

    /** The percentiles of a place, ascending; 100 is the maximum. */
    public static List<Double> of(Place place) {
        return BY_PLACE.getOrDefault(place, List.of());
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
