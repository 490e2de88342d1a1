package dev.downbeat.http.two;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.time.NanoClock;
import java.util.ArrayList;
import java.util.List;

/**
 * What leaves together: the requests of a few microseconds, and the connections that have something to send. Many streams
 * share one write so. Not thread-safe.
 */
final class H2Departures {
    /** Requests that leave together wait for each other at most so long. */
    private static final long MOST_GATHERING_NANOS = 20_000;

    private static final int MOST_GATHERED = 64;

    private final NanoClock clock;
    private final List<H2Connection> withOutput = new ArrayList<>();
    private final List<H2Connection> cut = new ArrayList<>();
    private final Exchange[] gathered = new Exchange[MOST_GATHERED];
    private int gatheredCount;

    H2Departures(NanoClock clock) {
        this.clock = clock;
    }

    /** Before a request joins: those that have waited for long enough leave without it. */
    void beforeNext(long at) {
        if (gatheredCount > 0 && at - gathered[0].startedAt > MOST_GATHERING_NANOS) {
            flush();
        }
    }

    /** A request has been handed to a connection. */
    void add(Exchange exchange) {
        gathered[gatheredCount++] = exchange;
        if (gatheredCount == MOST_GATHERED) {
            flush();
        }
    }

    /** It has something to send. */
    void hasOutput(H2Connection connection) {
        if (!connection.isListed) {
            connection.isListed = true;
            withOutput.add(connection);
        }
    }

    /** Sends what all have to send. */
    void flush() {
        if (gatheredCount > 0) {
            stamp(clock.nanoTime());
        }
        for (int i = 0; i < withOutput.size(); i++) { // a flush may add more
            H2Connection connection = withOutput.get(i);
            connection.isListed = false;
            if (connection.flush()) {
                cut.add(connection);
            }
        }
        withOutput.clear();
    }

    /**
     * Reads what had come over connections on which nothing can be sent any more. Not from within another's reading: they share
     * a room for it. Returns whether there were some.
     */
    boolean readRest() {
        boolean some = !cut.isEmpty();
        for (int i = 0; i < cut.size(); i++) {
            cut.get(i).readRest();
        }
        cut.clear();
        return some;
    }

    /** What a request waits for others that leave with it is our own delay. */
    private void stamp(long now) {
        for (int i = 0; i < gatheredCount; i++) {
            Exchange exchange = gathered[i];
            if (exchange.dispatchedAt == exchange.startedAt) {
                exchange.dispatchedAt = now;
            }
            exchange.startedAt = now;
            exchange.firstByteAt = now;
        }
        gatheredCount = 0;
    }
}
