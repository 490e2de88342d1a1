package dev.downbeat.sqs.operation;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.sqs.message.SqsFailures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Whose limit it was that a receive found no free connection: Downbeat's, if a poll held one while the queue was empty,
 * else the service's, which was slow to answer. If no poll that was older has ended yet, the answer has to wait for that.
 * Thread-safe.
 */
final class PollWaits {
    /** A healthy poll takes at most this much longer than its wait. */
    private static final long POLL_GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long pollNanos;

    // Guarded by this.
    private final TreeSet<Long> pending = new TreeSet<>();
    private final List<Unserved> undecided = new ArrayList<>();
    private boolean hasIdled;
    private long idleEndedAt;

    /** When the latest poll ended, or the first of the pending ones started: the next one ends within a poll's wait. */
    private long endedAt;

    /** A receive without a connection, and its outcome if that is the service's doing. */
    private record Unserved(Call call, long at, Outcome ifSlow) {
        void end(boolean isOurs) {
            call.completeAt(isOurs ? SqsFailures.CONNECTIONS_WAIT : ifSlow, at);
        }
    }

    /**
     * Starts without polls.
     *
     * @param pollWait how long the service may keep a poll; if zero, each limit is the service's
     */
    PollWaits(Duration pollWait) {
        this.pollNanos = pollWait.toNanos();
    }

    /** A receive was started; calls start in the order of their indices. */
    synchronized void started(Call call) {
        if (pending.isEmpty()) {
            endedAt = call.startedAt();
        }
        pending.add(call.index());
    }

    /**
     * A receive was answered, or failed with a connection.
     *
     * @param isIdle whether the queue was empty for most of its time
     */
    void ended(Call call, boolean isIdle) {
        List<Unserved> decided;
        synchronized (this) {
            endedAt = call.now();
            pending.remove(call.index());
            if (isIdle) {
                hasIdled = true;
                idleEndedAt = endedAt;
            }
            decided = isIdle ? all() : withoutOlderPolls();
        }
        decided.forEach(one -> one.end(isIdle));
    }

    /**
     * A receive found no free connection in time.
     *
     * @param ifSlow its outcome if that is the service's doing
     * @return its outcome; empty if this ends the call later
     */
    Optional<Outcome> unserved(Call call, Outcome ifSlow) {
        long at = call.now();
        Optional<Outcome> outcome = Optional.of(ifSlow);
        List<Unserved> decided = List.of();
        synchronized (this) {
            pending.remove(call.index());
            if (pollNanos > 0 && hasIdled && idleEndedAt - call.startedAt() >= 0) {
                outcome = Optional.of(SqsFailures.CONNECTIONS_WAIT);
            } else if (pollNanos == 0 || at - endedAt > pollNanos + POLL_GRACE_NANOS) {
                decided = all(); // no healthy service keeps all polls for so long
            } else {
                undecided.add(new Unserved(call, at, ifSlow));
                outcome = Optional.empty();
                decided = withoutOlderPolls();
            }
        }
        decided.forEach(one -> one.end(false));
        return outcome;
    }

    private List<Unserved> all() {
        List<Unserved> all = List.copyOf(undecided);
        undecided.clear();
        return all;
    }

    /** Those whose connections were held by polls that have all ended, none of them after an idle time. */
    private List<Unserved> withoutOlderPolls() {
        List<Unserved> decided = new ArrayList<>();
        for (Iterator<Unserved> each = undecided.iterator(); each.hasNext(); ) {
            Unserved one = each.next();
            if (pending.isEmpty() || pending.first() > one.call.index()) {
                decided.add(one);
                each.remove();
            }
        }
        return decided;
    }
}
