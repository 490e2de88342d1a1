package dev.downbeat.report.data;

import dev.downbeat.record.Attribution;
import dev.downbeat.record.Part;
import dev.downbeat.record.PartNames;
import dev.downbeat.record.Recording;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The parts of the response times of answered requests, from the median to the tail. Band edges are bucketed, so a
 * request close to an edge may count on both sides.
 */
public final class TailBands {
    private static final double SHARE_SHOWN = 0.01;

    private TailBands() {}

    /** Requests between two percentiles, and the mean of each part of their response times. */
    public record Band(String name, long count, Map<Part, Long> meansNanos) {
        private long meanNanos() {
            return meansNanos.values().stream().mapToLong(Long::longValue).sum();
        }

        /** "97 % wait for a connection, 3 % wait for the first byte", largest first. */
        public String shares(PartNames names) {
            double whole = Math.max(1, meanNanos());
            return meansNanos.entrySet().stream()
                    .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                    .filter(part -> part.getValue() / whole >= SHARE_SHOWN)
                    .map(part -> String.format(
                            Locale.ROOT, "%.0f %% %s", 100 * part.getValue() / whole, names.of(part.getKey())))
                    .collect(Collectors.joining(", "));
        }
    }

    /** The bands with enough requests. */
    public static List<Band> of(Recording recording) {
        List<Band> bands = new ArrayList<>();
        double from = 0;
        for (double to : Percentiles.of(Percentiles.Place.BAND)) {
            String name = (from == 0 ? "" : Percentiles.name(from) + " ") + "to " + Percentiles.name(to);
            add(bands, recording, name, from, to);
            from = to;
        }
        add(bands, recording, "beyond " + Percentiles.name(from), from, 100);
        return bands;
    }

    private static void add(List<Band> bands, Recording recording, String name, double from, double to) {
        if (ResponseBounds.hasEnoughFor(from, recording.response().count())) {
            bands.add(band(recording, name, from, to));
        }
    }

    public static Band beyond(Recording recording, double percentile) {
        return band(recording, "", percentile, 100);
    }

    private static Band band(Recording recording, String name, double from, double to) {
        long fromNanos = from == 0 ? 0 : recording.response().valueAtPercentile(from);
        long toNanos = recording.response().valueAtPercentile(to);
        Attribution attribution = recording.anatomy().attribution();
        return new Band(name, attribution.count(fromNanos, toNanos), attribution.meansNanos(fromNanos, toNanos));
    }
}
