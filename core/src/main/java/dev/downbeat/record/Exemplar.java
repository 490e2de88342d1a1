package dev.downbeat.record;

import dev.downbeat.exchange.Exchange;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * One complete answered request, as an example.
 *
 * @param index index of the request in the run
 * @param intendedNanos intended start, from the start of the run
 * @param responseNanos from intended start to completion
 * @param position position on the connection, from 1; 0 if there is none
 * @param partsNanos the components of the response time; they add up to it
 */
public record Exemplar(long index, long intendedNanos, long responseNanos, int position, Map<Part, Long> partsNanos) {
    /** Copies the map; absent parts are 0. */
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
