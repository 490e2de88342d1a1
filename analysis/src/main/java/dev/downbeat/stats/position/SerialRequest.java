package dev.downbeat.stats.position;

import dev.downbeat.record.Part;
import java.util.EnumMap;
import java.util.Map;

/**
 * One request of a serial run, in which each request starts when the previous one has ended. Durations are nanoseconds,
 * at least 0. Immutable.
 *
 * @param position position on its connection, from 1
 * @param answered whether it was answered; if not, the durations are meaningless
 * @param lookupNanos name lookup, if it opened the connection
 * @param connectNanos connect, if it opened the connection
 * @param handshakeNanos TLS handshake, if it opened the connection
 * @param firstByteNanos from the send to the first byte of the response
 * @param readingNanos from the first byte of the response to the last
 */
public record SerialRequest(
        int position,
        boolean answered,
        long lookupNanos,
        long connectNanos,
        long handshakeNanos,
        long firstByteNanos,
        long readingNanos) {
    public SerialRequest {
        if (position < 1) {
            throw new IllegalArgumentException("position must be at least 1, but was " + position);
        }
        if (Math.min(
                        Math.min(lookupNanos, connectNanos),
                        Math.min(handshakeNanos, Math.min(firstByteNanos, readingNanos)))
                < 0) {
            throw new IllegalArgumentException("durations must be at least 0, but one was below it");
        }
    }

    /** A request without an answer. */
    public static SerialRequest failed(int position) {
        return new SerialRequest(position, false, 0, 0, 0, 0, 0);
    }

    /** The service time: the sum of its parts. */
    public long serviceNanos() {
        return lookupNanos + connectNanos + handshakeNanos + firstByteNanos + readingNanos;
    }

    public Map<Part, Long> parts() {
        Map<Part, Long> parts = new EnumMap<>(Part.class);
        parts.put(Part.LOOKUP, lookupNanos);
        parts.put(Part.CONNECT, connectNanos);
        parts.put(Part.HANDSHAKE, handshakeNanos);
        parts.put(Part.FIRST_BYTE, firstByteNanos);
        parts.put(Part.READING, readingNanos);
        return parts;
    }
}
