package dev.downbeat.gatling;

import io.gatling.commons.validation.Validation;
import io.gatling.core.session.Block;
import io.gatling.core.session.ExitAsapLoopBlock;
import io.gatling.core.session.LoopBlock;
import io.gatling.core.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * The loop around a pace, as it stood when an iteration began: it can tell which further iterations were planned, by
 * asking the loop's own condition what it would say at their beat.
 *
 * @param session of the user at that time
 * @param block the innermost loop; null if there is none
 * @param dueAt when the iteration was due
 * @param intervalNanos from one beat to the next
 * @param clock the loop conditions' clock
 */
record PacedLoop(Session session, @Nullable LoopBlock block, long dueAt, long intervalNanos, SuppositionClock clock) {
    /** A loop of a given time has ended for an iteration that is due in its last moment. */
    private static final long GRACE_NANOS = 1_000_000;

    static PacedLoop around(Session session, long dueAt, long intervalNanos, SuppositionClock clock) {
        return new PacedLoop(session, innermost(session), dueAt, intervalNanos, clock);
    }

    private static @Nullable LoopBlock innermost(Session session) {
        scala.collection.Iterator<Block> blocks = session.blockStack().iterator();
        while (blocks.hasNext()) {
            if (blocks.next() instanceof LoopBlock loop) {
                return loop;
            }
        }
        return null;
    }

    /** Whether no iteration of this loop came before. */
    boolean isFirst() {
        return block == null || counter() == 0;
    }

    private int counter() {
        return block != null && session.contains(block.counterName())
                ? session.loopCounterValue(block.counterName())
                : 0;
    }

    /** Whether it is a loop of a given time. */
    boolean isTimed() {
        return block != null && session.contains("timestamp." + block.counterName());
    }

    /**
     * Whether the loop would go on at an instant, after some more iterations. False where it cannot be asked: outside a
     * loop, and in one that is not left before its iteration is complete.
     */
    boolean wants(long at, int moreIterations) {
        if (!(block instanceof ExitAsapLoopBlock loop)) {
            return false;
        }
        Session then = session.set(loop.counterName(), counter() + moreIterations);
        Validation<Object> goesOn =
                clock.supposing(at + GRACE_NANOS, () -> loop.condition().apply(then));
        scala.Option<Object> known = goesOn.toOption();
        return known.isDefined() && Boolean.TRUE.equals(known.get());
    }

    /** Notes all iterations that were due after this one and up to now as never sent. */
    void missedUntil(long nowAt, Journal journal) {
        long at = dueAt + intervalNanos;
        for (int more = 1; intervalNanos > 0 && at - nowAt <= 0 && wants(at, more); more++) {
            journal.missed(at, nowAt);
            at += intervalNanos;
        }
    }
}
