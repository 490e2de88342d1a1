package dev.downbeat.sqs.message;

import dev.downbeat.exchange.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * Messages at hand, who waits for one, and how many more are needed: no more than will be asked for, and no more ahead than
 * it takes lest a request has to wait. Thread-safe.
 */
public final class Shelf {
    private static final int FIRST_LEVEL = 10;

    /** After so many polls without a message none of ours is on its way. */
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

    /** Waits for a message. Told once, on any thread. */
    public interface Taker {
        /** Has a message to delete; false if it is not wanted any more. */
        boolean take(Message message);

        /** There will be none. */
        void none(Outcome why);
    }

    /**
     * An empty one.
     *
     * @param most how many messages are kept at hand, at most
     * @param requests how many will be asked for, at most
     */
    Shelf(int most, long requests) {
        this.most = most;
        this.allowed = requests;
    }

    synchronized boolean isReady() {
        return !ready.isEmpty();
    }

    synchronized @Nullable Outcome failure() {
        return failure;
    }

    /** Gives a message, now or when there is one. */
    void take(Taker taker) {
        Message message;
        Outcome broken;
        synchronized (this) {
            broken = failure;
            message = ready.poll();
            if (message == null && broken == null) {
                waiting.add(taker);
                level = Math.min(most, 2 * level); // more ahead from now on
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

    /** Has one more, for who waits first. */
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

    /** There will be none for those who wait, and for those who come. */
    void fail(Outcome why) {
        List<Taker> all;
        synchronized (this) {
            failure = why;
            all = new ArrayList<>(waiting);
            waiting.clear();
        }
        all.forEach(taker -> taker.none(why));
    }

    /** How many messages to send now. */
    synchronized int wanted() {
        long onTheirWay = onTheirWay();
        if (!waiting.isEmpty() && emptyPolls >= EMPTY_POLLS) {
            // another shard has taken some of ours
            emptyPolls = 0;
            received = sent;
            allowed = Math.max(allowed, sent + waiting.size());
        }
        long need = Math.min(most, level + waiting.size()) - ready.size() - onTheirWay;
        return (int) Math.max(0, Math.min(need, allowed - sent));
    }

    /** Whether a poll may bring some that are needed. */
    synchronized boolean isOnItsWay() {
        return sent > received && ready.size() < level;
    }

    synchronized long sent() {
        return sent;
    }

    /** So many more are on their way. */
    synchronized void sent(int more) {
        sent += more;
    }

    /** One of ours came. */
    synchronized void received() {
        received++;
    }

    /** How many of ours have not come back. */
    synchronized long onTheirWay() {
        return Math.max(0, sent - received);
    }

    /** Polls came back. */
    synchronized void polled(boolean none) {
        emptyPolls = none ? emptyPolls + 1 : 0;
    }

    /** Whether the last polls brought nothing. */
    synchronized boolean isPolledEmpty() {
        return emptyPolls >= EMPTY_POLLS;
    }

    /** Takes some off, for nobody. */
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
