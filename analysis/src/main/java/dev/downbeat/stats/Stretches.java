package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.List;
import java.util.stream.IntStream;

/** Stretches of a run put together. Stateless. */
final class Stretches {
    private Stretches() {}

    /** By halves, so that each value is added only a few times. */
    static Distribution sum(List<Distribution> parts) {
        if (parts.size() < 2) {
            return parts.isEmpty() ? Distribution.empty() : parts.get(0);
        }
        int half = parts.size() / 2;
        return sum(parts.subList(0, half)).plus(sum(parts.subList(half, parts.size())));
    }

    /** The same run in ten parts, or in as many as there are stretches if these are fewer. */
    static List<Distribution> tenths(List<Distribution> stretches) {
        int size = stretches.size();
        int parts = Math.min(Batches.LEAST, size);
        return IntStream.range(0, parts)
                .mapToObj(i -> sum(stretches.subList(i * size / parts, (i + 1) * size / parts)))
                .toList();
    }
}
