package dev.downbeat.sqs.message;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * How far the service's clock is ahead of this machine's. A message's first receive is stamped by the service between the
 * poll's departure and its answer's arrival; the narrowest bounds of all polls count. Thread-safe.
 */
public final class ServerClock {
    private static final long MILLI_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** An answer takes no longer, unless something is wrong with it. */
    private static final long WAY_BACK_NANOS = 20 * MILLI_NANOS;

    private long leastNanos = Long.MIN_VALUE;
    private long mostNanos = Long.MAX_VALUE;

    /**
     * Learns from an answer.
     *
     * @param firstReceiveMillis the service's stamp
     * @param endedAt when the answer was here, by this machine's wall clock
     * @param pollNanos how long the poll took
     */
    synchronized void learn(long firstReceiveMillis, Instant endedAt, long pollNanos) {
        long endNanos = nanos(endedAt);
        long stampNanos = TimeUnit.MILLISECONDS.toNanos(firstReceiveMillis);
        leastNanos = Math.max(leastNanos, stampNanos - endNanos);
        mostNanos = Math.min(mostNanos, stampNanos + MILLI_NANOS - (endNanos - pollNanos));
    }

    /** Learns from a message that is received for the first time. */
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

    /** In nanoseconds; 0 before anything was learned, and of two clocks that may well agree. */
    public synchronized long aheadNanos() {
        if (leastNanos == Long.MIN_VALUE) {
            return 0;
        }
        // the stamp is taken when the answer leaves: the truth is near the lower bound, by the way back
        long upperNanos = Math.min(mostNanos, leastNanos + WAY_BACK_NANOS);
        return leastNanos <= 0 && upperNanos >= 0 ? 0 : leastNanos + (upperNanos - leastNanos) / 2;
    }

    private static long nanos(Instant instant) {
        return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
    }
}
