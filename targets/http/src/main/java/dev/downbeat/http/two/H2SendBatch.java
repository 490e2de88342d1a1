package dev.downbeat.http.two;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.time.NanoClock;
import java.util.ArrayList;
import java.util.List;

/**
 * Batches what is sent together: requests within a few microseconds, and connections with pending output. Many streams
 * share one write this way. Not thread-safe.
 */
final class H2SendBatch {
    /** The maximum time that requests wait for each other. */
    private static final long MOST_GATHERING_NANOS = 20_000;

    private static final int MOST_GATHERED = 64;

    private final NanoClock clock;
    private final List<H2Connection> withOutput = new ArrayList<>();
    private final List<H2Connection> cut = new ArrayList<>();
    private final Exchange[] gathered = new Exchange[MOST_GATHERED];
    private int gatheredCount;

    H2SendBatch(NanoClock clock) {
        this.clock = clock;
    }

    /** Called before a request joins: a batch that has waited long enough leaves without it. */
    void beforeNext(long at) {
        if (gatheredCount > 0 && at - gathered[0].startedAt > MOST_GATHERING_NANOS) {
            flush();
        }
    }

    /** A request was passed to a connection. */
    void add(Exchange exchange) {
        gathered[gatheredCount++] = exchange;
        if (gatheredCount == MOST_GATHERED) {
            flush();
        }
    }

    /** A connection has data to send. */
    void hasOutput(H2Connection connection) {
        if (!connection.isListed) {
            connection.isListed = true;
            withOutput.add(connection);
        }
    }

    /** Sends all pending output. */
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
     * Reads data received on connections whose sending failed. Must not be called during another read, because the
     * buffer is shared. Returns whether there were any.
     */
    boolean readRest() {
        boolean some = !cut.isEmpty();
        for (int i = 0; i < cut.size(); i++) {
            cut.get(i).readRest();
        }
        cut.clear();
        return some;
    }

    /** A request's wait for others in its batch is Downbeat's own delay. */
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
