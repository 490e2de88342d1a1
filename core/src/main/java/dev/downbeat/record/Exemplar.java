package dev.downbeat.record;

import dev.downbeat.exchange.Exchange;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * One answered request in full, as an example of its kind.
 *
 * @param index which request of the run
 * @param intendedNanos when it was meant to start, from the start of the run
 * @param responseNanos from intended to completed
 * @param position its place on its connection, from 1; 0 if there is none
 * @param partsNanos what the response time was made of; the values add up to it
 */
public record Exemplar(long index, long intendedNanos, long responseNanos, int position, Map<Part, Long> partsNanos) {
    /** Takes a copy; of a part that the map does not have there was none. */
    public Exemplar {
        Map<Part, Long> all = new EnumMap<>(Part.class);
        for (Part part : Part.values()) {
            all.put(part, partsNanos.getOrDefault(part, 0L));
        }
        partsNanos = Collections.unmodifiableMap(all);
    }

    static Exemplar of(Exchange exchange, long runStartAt) {
        Map<Part, Long> parts = new EnumMap<>(Part.class);
        for (Part part : Part.values()) {
            parts.put(part, part.nanosOf(exchange));
        }
        return new Exemplar(
                exchange.index, exchange.intendedAt - runStartAt, exchange.responseNanos(), exchange.position, parts);
    }
}
