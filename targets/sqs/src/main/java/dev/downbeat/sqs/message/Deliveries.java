package dev.downbeat.sqs.message;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.sqs.client.CallObservation;
import java.util.BitSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The books of one lane's messages: every one that was begun is in flight, has failed to be sent, or was sent; and every
 * one that was sent was delivered, in time or after it timed out, or has not arrived. Thread-safe.
 *
 * <p>A message may arrive at another lane's consumer; so the books of all lanes of this process are found by the mark that
 * the message carries.
 */
public final class Deliveries implements AutoCloseable {
    private static final Map<String, Deliveries> BY_LANE = new ConcurrentHashMap<>();

    /** Lanes of this process that are closed: what comes late for them is ours all the same. */
    private static final Set<String> CLOSED = ConcurrentHashMap.newKeySet();

    private final String lane;
    private final Map<Long, Delivery> under = new ConcurrentHashMap<>();
    private final BitSet arrived = new BitSet();
    private final LongAdder inFlight = new LongAdder();
    private final LongAdder notSent = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder delivered = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder duplicates = new LongAdder();
    private final LongAdder though = new LongAdder();

    /** The books of a lane with an id that no other has. */
    public Deliveries(String lane) {
        this.lane = lane;
        BY_LANE.put(lane, this);
    }

    /** One message on its way. Guarded by itself. */
    public static final class Delivery {
        private final Call call;
        private final CallObservation observation;
        private boolean sendOver;
        private boolean isSent;
        private boolean hasArrived;
        private long arrivedAt;

        private Delivery(Call call, CallObservation observation) {
            this.call = call;
            this.observation = observation;
        }

        public synchronized boolean isSent() {
            return sendOver;
        }
    }

    public Delivery begin(Call call, CallObservation observation) {
        Delivery delivery = new Delivery(call, observation);
        inFlight.increment();
        under.put(call.index(), delivery);
        return delivery;
    }

    public void sent(Delivery delivery) {
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
    public void sendFailed(Delivery delivery, Outcome failure, MessageFate fate) {
        synchronized (delivery) {
            inFlight.decrement();
            (fate == MessageFate.SENT ? sent : fate == MessageFate.NOT_SENT ? notSent : unknown).increment();
            delivery.sendOver = true;
            delivery.isSent = fate == MessageFate.SENT;
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

    /** The age of the oldest that somebody still waits for; 0 if nobody waits. */
    public long oldestNanos() {
        long oldest = 0;
        for (Delivery delivery : under.values()) {
            if (!delivery.call.isOver()) {
                oldest = Math.max(oldest, delivery.call.now() - delivery.call.intendedAt());
            }
        }
        return oldest;
    }

    /**
     * Ends all whose message is on its way: nobody waits for it any more.
     *
     * @return how many there were
     */
    public long giveUp(Outcome why) {
        long ended = 0;
        for (Delivery delivery : under.values()) {
            synchronized (delivery) {
                if (delivery.sendOver && !delivery.hasArrived) {
                    delivery.observation.tell(delivery.call);
                    ended += delivery.call.complete(why) ? 1 : 0;
                }
            }
        }
        return ended;
    }

    /**
     * A message has arrived here.
     *
     * @return whether it is one of this process, of any lane
     */
    public static boolean arrive(String lane, long index, long at) {
        Deliveries deliveries = BY_LANE.get(lane);
        if (deliveries == null || index < 0) {
            return CLOSED.contains(lane);
        }
        deliveries.arrived(index, at);
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

    public void count(Map<String, Long> counts) {
        long there = delivered.sum() + late.sum() - though.sum();
        counts.put("messages in flight", inFlight.sum());
        counts.put("messages not sent", notSent.sum());
        SentMessages.putIfAny(counts, "messages of unknown fate", unknown.sum());
        counts.put("messages sent", sent.sum());
        counts.put("messages delivered", delivered.sum());
        counts.put("messages delivered after the timeout", late.sum());
        counts.put("messages delivered though the send failed", though.sum());
        counts.put("messages duplicated", duplicates.sum());
        counts.put("messages not arrived", Math.max(0, sent.sum() - there));
    }

    @Override
    public void close() {
        CLOSED.add(lane);
        BY_LANE.remove(lane);
    }
}
