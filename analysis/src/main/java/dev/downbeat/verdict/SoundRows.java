package dev.downbeat.verdict;

import dev.downbeat.stats.Percentiles;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * The percentiles of the table that are sound, and those with too much of Downbeat's own delay. Each is judged by
 * itself: a delay of 2 ms spoils a median of 5 ms but not a p99 of a second.
 *
 * @param sound percentiles of which at most 10 % may be Downbeat's, ascending
 * @param ours the other percentiles, ascending
 */
public record SoundRows(List<Double> sound, List<Double> ours) {
    /** No percentile is known to contain Downbeat's delay. */
    public static final SoundRows ALL = new SoundRows(List.of(), List.of());

    public SoundRows {
        sound = List.copyOf(sound);
        ours = List.copyOf(ours);
    }

    static SoundRows of(ResponseBounds bounds) {
        List<Double> carried = Percentiles.of(Percentiles.Place.TABLE).stream()
                .filter(bounds::carries)
                .toList();
        return new SoundRows(
                carried.stream()
                        .filter(percentile -> !bounds.isOurs(percentile))
                        .toList(),
                carried.stream().filter(bounds::isOurs).toList());
    }

    /** Whether all rows are sound. */
    public boolean isAll() {
        return ours.isEmpty();
    }

    /** The percentile up to which all displayed ones are sound; empty if all are, or if the lowest is not. */
    public OptionalDouble upTo() {
        return isAll() || sound.isEmpty() || sound.get(0) > ours.get(0)
                ? OptionalDouble.empty()
                : OptionalDouble.of(sound.stream()
                        .filter(percentile -> percentile < ours.get(0))
                        .reduce((low, high) -> high)
                        .orElseThrow());
    }

    /** {@code sound up to p95}, {@code sound from p75 on}, {@code sound but for p90}; of some rows. */
    String words() {
        double lowest = sound.get(0);
        double highest = sound.get(sound.size() - 1);
        if (highest < ours.get(0)) {
            return "sound up to " + Percentiles.name(highest);
        }
        if (lowest > ours.get(ours.size() - 1)) {
            return "sound from " + Percentiles.name(lowest) + " on";
        }
        return "sound but for " + ours.stream().map(Percentiles::name).collect(Collectors.joining(", "));
    }
}
