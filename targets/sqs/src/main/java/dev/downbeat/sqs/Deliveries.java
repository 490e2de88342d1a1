package dev.downbeat.sqs;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.Outcome;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The books of one lane's messages: every one that was begun is in flight, has failed to be sent, or was sent; and every
 * one that was sent was delivered, in time or after it was given up, or has not arrived. Thread-safe.
 *
 * <p>A message may arrive at another lane's consumer; so the books of all lanes of this process are found by the mark that
 * the message carries.
 */
final class Deliveries implements AutoCloseable {
    private static final Map<String, Deliveries> BY_RUN = new ConcurrentHashMap<>();

    private final String run;
    private final Map<Long, Delivery> under = new ConcurrentHashMap<>();
    private final BitSet arrived = new BitSet();
    private final LongAdder inFlight = new LongAdder();
    private final LongAdder notSent = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder delivered = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder duplicates = new LongAdder();
    private final LongAdder though = new LongAdder();

    /** The books of a lane with an id that no other has. */
    Deliveries(String run) {
        this.run = run;
        BY_RUN.put(run, this);
    }

    /** One message on its way. Guarded by itself. */
    static final class Delivery {
        private final Call call;
        private final Observation observation;
        private boolean sendOver;
        private boolean isSent;
        private boolean hasArrived;
        private long arrivedAt;

        private Delivery(Call call, Observation observation) {
            this.call = call;
            this.observation = observation;
        }

        synchronized boolean isSent() {
            return sendOver;
        }
    }

    /** What a message carries, so that its books are found. */
    String mark(long index) {
        return run + ":" + index;
    }

    Delivery begin(Call call, Observation observation) {
        Delivery delivery = new Delivery(call, observation);
        inFlight.increment();
        under.put(call.index(), delivery);
        return delivery;
    }

    void sent(Delivery delivery) {
        synchronized (delivery) {
            inFlight.decrement();
            sent.increment();
            delivery.sendOver = true;
            delivery.isSent = true;
            if (delivery.hasArrived) {
                end(delivery);
            }
        }
    }

    /** The answer to a send may be lost, and the message arrive all the same: then it was delivered. */
    void sendFailed(Delivery delivery, Outcome failure) {
        synchronized (delivery) {
            inFlight.decrement();
            notSent.increment();
            delivery.sendOver = true;
            if (delivery.hasArrived) {
                end(delivery);
            } else {
                delivery.observation.tell(delivery.call);
                delivery.call.complete(failure);
            }
        }
    }

    private void end(Delivery delivery) {
        under.remove(delivery.call.index());
        if (!delivery.isSent) {
            though.increment();
        }
        delivery.observation.tell(delivery.call);
        delivery.call.firstByteAt(delivery.arrivedAt);
        delivered.increment(); // before the run can know of it: it may be the last one, and the books are closed then
        if (!delivery.call.completeAt(Outcome.answered(), delivery.arrivedAt)) {
            delivered.decrement();
            late.increment();
        }
    }

    /**
     * A message has arrived here.
     *
     * @param mark what it carries; null if nothing
     * @return whether it is one of ours, of any lane
     */
    static boolean arrive(@Nullable String mark, long at) {
        int colon = mark == null ? -1 : mark.indexOf(':');
        Deliveries deliveries = mark == null || colon < 0 ? null : BY_RUN.get(mark.substring(0, colon));
        if (mark == null || deliveries == null) {
            return false;
        }
        deliveries.arrived(Long.parseLong(mark, colon + 1, mark.length(), 10), at);
        return true;
    }

    private void arrived(long index, long at) {
        synchronized (arrived) {
            if (arrived.get((int) index)) {
                duplicates.increment();
                return;
            }
            arrived.set((int) index);
        }
        Delivery delivery = under.get(index);
        if (delivery != null) {
            synchronized (delivery) {
                delivery.hasArrived = true;
                delivery.arrivedAt = at;
                if (delivery.sendOver) {
                    end(delivery);
                }
            }
        }
    }

    void count(Map<String, Long> counts) {
        long there = delivered.sum() + late.sum() - though.sum();
        counts.put("messages in flight", inFlight.sum());
        counts.put("messages not sent", notSent.sum());
        counts.put("messages sent", sent.sum());
        counts.put("messages delivered", delivered.sum());
        counts.put("messages delivered after the timeout", late.sum());
        counts.put("messages delivered though the send failed", though.sum());
        counts.put("messages duplicated", duplicates.sum());
        counts.put("messages not arrived", Math.max(0, sent.sum() - there));
    }

    @Override
    public void close() {
        BY_RUN.remove(run);
    }
}
