package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.List;

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
}
