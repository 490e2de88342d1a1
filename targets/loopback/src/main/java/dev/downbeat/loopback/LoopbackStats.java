package dev.downbeat.loopback;

import dev.downbeat.loopback.options.Misbehaviour;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * The server's counts.
 *
 * @param connectionsAccepted connections accepted
 * @param connectionsClosed connections closed or reset by the server on its own initiative
 * @param requestsReceived requests with a complete head, without malformed ones
 * @param requestsAnswered requests with a started valid response; counted before its first byte, so that no client can
 *     have received more
 * @param requestsSpoiled due requests that received something else, by {@link Misbehaviour}
 * @param requestsMalformed requests rejected with 400
 */
public record LoopbackStats(
        long connectionsAccepted,
        long connectionsClosed,
        long requestsReceived,
        long requestsAnswered,
        long requestsSpoiled,
        long requestsMalformed) {

    String format() {
        return connectionsAccepted + " " + connectionsClosed + " " + requestsReceived + " " + requestsAnswered + " "
                + requestsSpoiled + " " + requestsMalformed;
    }

    static LoopbackStats parse(String words) {
        long[] counts =
                Arrays.stream(words.split(" ", -1)).mapToLong(Long::parseLong).toArray();
        return new LoopbackStats(counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]);
    }

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
