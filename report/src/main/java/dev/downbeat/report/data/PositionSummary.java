package dev.downbeat.report.data;

import dev.downbeat.record.ByPosition;
import dev.downbeat.record.Distribution;

/** The additional cost of a connection's first request, as text. */
public final class PositionSummary {
    private PositionSummary() {}

    public static Distribution afterFirst(ByPosition positions) {
        Distribution rest = Distribution.empty();
        for (int position = 2; position <= positions.last(); position++) {
            rest = rest.plus(positions.at(position));
        }
        return rest;
    }
}
