package dev.downbeat.loopback;

import dev.downbeat.loopback.options.Misbehaviour;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the server has done so far.
 *
 * @param connectionsAccepted connections accepted
 * @param connectionsClosed connections that the server closed or reset of its own accord, not because the client asked
 *     or left
 * @param requestsReceived requests whose head was read, malformed ones not counted
 * @param requestsAnswered requests whose whole and valid response was begun; counted before its first byte leaves, so
 *     that no client can have more responses than this says
 * @param requestsSpoiled requests that were due and got something else, by {@link Misbehaviour}
 * @param requestsMalformed requests refused with 400
 */
public record LoopbackStats(
        long connectionsAccepted,
        long connectionsClosed,
        long requestsReceived,
        long requestsAnswered,
        long requestsSpoiled,
        long requestsMalformed) {

    /** The counts as words, for {@link #parse}. */
    String format() {
        return connectionsAccepted + " " + connectionsClosed + " " + requestsReceived + " " + requestsAnswered + " "
                + requestsSpoiled + " " + requestsMalformed;
    }

    static LoopbackStats parse(String words) {
        long[] counts =
                Arrays.stream(words.split(" ", -1)).mapToLong(Long::parseLong).toArray();
        return new LoopbackStats(counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]);
    }

    /** The counts while they grow. Thread-safe. */
    static final class Counters {
        final LongAdder connectionsAccepted = new LongAdder();
        final LongAdder connectionsClosed = new LongAdder();
        final LongAdder requestsReceived = new LongAdder();
        final LongAdder requestsAnswered = new LongAdder();
        final LongAdder requestsSpoiled = new LongAdder();
        final LongAdder requestsMalformed = new LongAdder();

        LoopbackStats read() {
            return new LoopbackStats(
                    connectionsAccepted.sum(),
                    connectionsClosed.sum(),
                    requestsReceived.sum(),
                    requestsAnswered.sum(),
                    requestsSpoiled.sum(),
                    requestsMalformed.sum());
        }
    }
}
