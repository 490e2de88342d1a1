package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.List;
import java.util.stream.IntStream;

/** Merges stretches of a run. Stateless. */
public final class Stretches {
    private Stretches() {}

    /** The run in ten parts, or in its stretches if there are fewer than ten. */
    public static List<Distribution> tenths(List<Distribution> stretches) {
        int size = stretches.size();
        int parts = Math.min(Batches.LEAST, size);
        return IntStream.range(0, parts)
                .mapToObj(i -> Distribution.sum(stretches.subList(i * size / parts, (i + 1) * size / parts)))
                .toList();
    }
}
