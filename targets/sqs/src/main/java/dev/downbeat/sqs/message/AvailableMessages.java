package dev.downbeat.sqs.message;

import dev.downbeat.exchange.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * Available messages, callers waiting for one, and how many more are needed: no more than will be requested, and no
 * further ahead than prevents waits. Thread-safe.
 */
public final class AvailableMessages {
    private static final int FIRST_LEVEL = 10;

    /** After this many empty polls, none of Downbeat's messages is in transit. */
    private static final int EMPTY_POLLS = 2;

    private final int most;

    // Guarded by this.
    private final Deque<Message> ready = new ArrayDeque<>();
    private final Deque<Taker> waiting = new ArrayDeque<>();
    private int level = FIRST_LEVEL;
    private long allowed;
    private long sent;
    private long received;
    private int emptyPolls;
    private @Nullable Outcome failure;

    /** Waits for a message. Called once, on any thread. */
    public interface Taker {
        /** Delivers a message to delete; returns false if it is no longer wanted. */
        boolean take(Message message);

        /** No message will come. */
        void none(Outcome why);
    }

    /**
     * Starts empty.
     *
     * @param most maximum number of available messages
     * @param requests maximum number of requests
     */
    AvailableMessages(int most, long requests) {
        this.most = most;
        this.allowed = requests;
    }

    synchronized boolean isReady() {
        return !ready.isEmpty();
    }

    synchronized @Nullable Outcome failure() {
        return failure;
    }

    /** Delivers a message, now or when one is available. */
    void take(Taker taker) {
        Message message;
        Outcome broken;
        synchronized (this) {
            broken = failure;
            message = ready.poll();
            if (message == null && broken == null) {
                waiting.add(taker);
                level = Math.min(most, 2 * level); // keep more available from now on
                return;
            }
        }
        if (message != null) {
            give(taker, message);
        } else if (broken != null) {
            taker.none(broken);
        }
    }

    private void give(Taker taker, Message message) {
        if (!taker.take(message)) {
            add(message);
        }
    }

    /** Adds a message, for the first waiting caller. */
    void add(Message message) {
        Taker next;
        synchronized (this) {
            next = waiting.poll();
            if (next == null) {
                ready.add(message);
                return;
            }
        }
        give(next, message);
    }

    /** Fails present and future callers. */
    void fail(Outcome why) {
        List<Taker> all;
        synchronized (this) {
            failure = why;
            all = new ArrayList<>(waiting);
            waiting.clear();
        }
        all.forEach(taker -> taker.none(why));
    }

    /** The number of messages to send now. */
    synchronized int wanted() {
        long onTheirWay = onTheirWay();
        if (!waiting.isEmpty() && emptyPolls >= EMPTY_POLLS) {
            // another shard has taken some of them
            emptyPolls = 0;
            received = sent;
            allowed = Math.max(allowed, sent + waiting.size());
        }
        long need = Math.min(most, level + waiting.size()) - ready.size() - onTheirWay;
        return (int) Math.max(0, Math.min(need, allowed - sent));
    }

    /** Whether a poll may bring needed messages. */
    synchronized boolean isOnItsWay() {
        return sent > received && ready.size() < level;
    }

    synchronized long sent() {
        return sent;
    }

    /** Adds to the number of messages in transit. */
    synchronized void sent(int more) {
        sent += more;
    }

    /** One of Downbeat's messages arrived. */
    synchronized void received() {
        received++;
    }

    /** The number of Downbeat's messages in transit. */
    synchronized long onTheirWay() {
        return Math.max(0, sent - received);
    }

    /** A poll returned. */
    synchronized void polled(boolean none) {
        emptyPolls = none ? emptyPolls + 1 : 0;
    }

    /** Whether the last polls were empty. */
    synchronized boolean isPolledEmpty() {
        return emptyPolls >= EMPTY_POLLS;
    }

    /** Removes some without a caller. */
    synchronized List<Message> some(int most) {
        List<Message> some = new ArrayList<>();
        while (some.size() < most && !ready.isEmpty()) {
            some.add(ready.remove());
        }
        return some;
    }

    synchronized int size() {
        return ready.size();
    }
}
