package dev.downbeat.sqs.message;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * The offset of the service's clock from this machine's. The service stamps a message's first receive between the
 * poll's departure and its response's arrival; the narrowest bounds of all polls apply. Thread-safe.
 */
public final class ServerClock {
    private static final long MILLI_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The maximum plausible return time of a response. */
    private static final long MOST_RETURN_NANOS = 20 * MILLI_NANOS;

    private long leastNanos = Long.MIN_VALUE;
    private long mostNanos = Long.MAX_VALUE;

    /**
     * Narrows the bounds with a response.
     *
     * @param firstReceiveMillis the service's stamp
     * @param endedAt arrival of the response, by this machine's wall clock
     * @param pollNanos duration of the poll
     */
    synchronized void learn(long firstReceiveMillis, Instant endedAt, long pollNanos) {
        long endNanos = ChronoUnit.NANOS.between(Instant.EPOCH, endedAt);
        long stampNanos = TimeUnit.MILLISECONDS.toNanos(firstReceiveMillis);
        leastNanos = Math.max(leastNanos, stampNanos - endNanos);
        mostNanos = Math.min(mostNanos, stampNanos + MILLI_NANOS - (endNanos - pollNanos));
    }

    /** Narrows the bounds with a message received for the first time. */
    public void learn(Message message, Instant endedAt, long pollNanos) {
        String stamp = message.attributes().get(MessageSystemAttributeName.APPROXIMATE_FIRST_RECEIVE_TIMESTAMP);
        if (stamp != null && isFirstReceive(message)) {
            learn(Long.parseLong(stamp), endedAt, pollNanos);
        }
    }

    static boolean isFirstReceive(Message message) {
        String count = message.attributes().get(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT);
        return count == null || count.equals("1");
    }

    /** The offset in nanoseconds; 0 without data, or if the clocks may agree. */
    public synchronized long aheadNanos() {
        if (leastNanos == Long.MIN_VALUE) {
            return 0;
        }
        // the stamp is taken when the response leaves: the true offset is above the lower bound by at most its return
        long upperNanos = Math.min(mostNanos, leastNanos + MOST_RETURN_NANOS);
        return leastNanos <= 0 && upperNanos >= 0 ? 0 : leastNanos + (upperNanos - leastNanos) / 2;
    }
}
