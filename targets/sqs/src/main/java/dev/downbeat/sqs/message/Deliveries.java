package dev.downbeat.sqs.message;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.sqs.client.CallObservation;
import dev.downbeat.sqs.message.SentMessages.MessageFate;
import java.util.BitSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Accounts for one lane's messages. Each one begun is in flight, failed to be sent, or sent. Each one sent was
 * delivered, in time or after its timeout, or has not arrived. Thread-safe.
 *
 * <p>A message may arrive at another lane's consumer, so the accounts of all lanes in this process are found through
 * the mark in the message.
 */
public final class Deliveries implements AutoCloseable {
    private static final Map<String, Deliveries> BY_LANE = new ConcurrentHashMap<>();

    /** Closed lanes of this process, whose late messages are still Downbeat's. */
    private static final Set<String> CLOSED = ConcurrentHashMap.newKeySet();

    private final String lane;
    private final Map<Long, Delivery> inProgress = new ConcurrentHashMap<>();
    private final BitSet arrived = new BitSet();

    /** The highest index of a message begun. */
    private final LongAccumulator last = new LongAccumulator(Math::max, -1);

    private final LongAdder inFlight = new LongAdder();
    private final LongAdder notSent = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder delivered = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder duplicates = new LongAdder();
    private final LongAdder deliveredDespiteFailure = new LongAdder();

    /** The accounts of a lane with a unique id. */
    public Deliveries(String lane) {
        this.lane = lane;
        BY_LANE.put(lane, this);
    }

    /** A message in progress. Guarded by itself. */
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
        last.accumulate(call.index());
        inProgress.put(call.index(), delivery);
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

    /** The response to a send may be lost although the message arrives: it then counts as delivered. */
    public void sendFailed(Delivery delivery, Outcome failure, MessageFate fate) {
        synchronized (delivery) {
            inFlight.decrement();
            (fate == MessageFate.SENT ? sent : fate == MessageFate.NOT_SENT ? notSent : unknown).increment();
            delivery.sendOver = true;
            delivery.isSent = fate == MessageFate.SENT;
            if (delivery.hasArrived) {
                end(delivery);
            } else {
                if (fate == MessageFate.NOT_SENT) {
                    inProgress.remove(delivery.call.index());
                }
                delivery.observation.reportTo(delivery.call);
                delivery.call.complete(failure);
            }
        }
    }

    private void end(Delivery delivery) {
        inProgress.remove(delivery.call.index());
        if (!delivery.isSent) {
            deliveredDespiteFailure.increment();
        }
        delivery.observation.reportTo(delivery.call);
        delivery.call.firstByteAt(delivery.arrivedAt);
        delivered.increment(); // before the last end, which closes the accounts
        if (!delivery.call.completeAt(Outcome.answered(), delivery.arrivedAt)) {
            delivered.decrement();
            late.increment();
        }
    }

    /** The age of the oldest awaited message; 0 if there is none. */
    public long oldestNanos() {
        long oldest = 0;
        for (Delivery delivery : inProgress.values()) {
            if (!delivery.call.isOver()) {
                oldest = Math.max(oldest, delivery.call.now() - delivery.call.intendedAt());
            }
        }
        return oldest;
    }

    /**
     * Ends all messages in progress.
     *
     * @return their number
     */
    public long giveUp(Outcome why) {
        long ended = 0;
        for (Delivery delivery : inProgress.values()) {
            synchronized (delivery) {
                if (delivery.sendOver && !delivery.hasArrived) {
                    delivery.observation.reportTo(delivery.call);
                    ended += delivery.call.complete(why) ? 1 : 0;
                }
            }
        }
        return ended;
    }

    /**
     * A message arrived here.
     *
     * @return whether it belongs to this process, on any lane
     */
    public static boolean arrive(String lane, long index, long at) {
        Deliveries deliveries = BY_LANE.get(lane);
        return deliveries == null ? CLOSED.contains(lane) : deliveries.arrived(index, at);
    }

    private boolean arrived(long index, long at) {
        if (index < 0 || index > last.get()) {
            return false; // never sent: a forged mark, since anyone can read one in the queue
        }
        synchronized (arrived) {
            if (arrived.get((int) index)) {
                duplicates.increment();
                return true;
            }
            arrived.set((int) index);
        }
        Delivery delivery = inProgress.get(index);
        if (delivery != null) {
            synchronized (delivery) {
                delivery.hasArrived = true;
                delivery.arrivedAt = at;
                if (delivery.sendOver) {
                    end(delivery);
                }
            }
        }
        return true;
    }

    public void count(Map<String, Long> counts) {
        long there = delivered.sum() + late.sum() - deliveredDespiteFailure.sum();
        counts.put("messages in flight", inFlight.sum());
        counts.put("messages not sent", notSent.sum());
        TargetCounts.putIfAny(counts, "messages of unknown fate", unknown.sum());
        counts.put("messages sent", sent.sum());
        counts.put("messages delivered", delivered.sum());
        counts.put("messages delivered after the timeout", late.sum());
        counts.put("messages delivered though the send failed", deliveredDespiteFailure.sum());
        counts.put("messages duplicated", duplicates.sum());
        counts.put("messages not arrived", Math.max(0, sent.sum() - there));
    }

    @Override
    public void close() {
        CLOSED.add(lane);
        BY_LANE.remove(lane);
    }
}
