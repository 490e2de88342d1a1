package dev.downbeat.gatling.correction;

import dev.downbeat.gatling.ledger.IntendedRequest;
import dev.downbeat.gatling.ledger.Journal;
import io.gatling.commons.validation.Validation;
import io.gatling.core.action.BlockExit;
import io.gatling.core.action.BlockExit$;
import io.gatling.core.session.Block;
import io.gatling.core.session.ExitAsapLoopBlock;
import io.gatling.core.session.LoopBlock;
import io.gatling.core.session.Session;
import io.gatling.core.session.TryMaxBlock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import scala.Function1;

/**
 * The loop around a pace, as of the start of an iteration. It determines which further iterations were planned by
 * evaluating the loop's condition at their due times.
 *
 * @param session the user's session at that time
 * @param block the innermost loop; null if there is none
 * @param dueAt when the iteration was due
 * @param intervalNanos interval of the pace
 * @param isLate whether the user was still busy with the previous iteration
 * @param lagNanos how much later than its first due time the loop was entered, and so how far its clock is behind the
 *     plan
 * @param conditions conditions of all loops
 * @param clock the loop conditions' clock
 */
record PacedLoop(
        Session session,
        @Nullable LoopBlock block,
        long dueAt,
        long intervalNanos,
        boolean isLate,
        long lagNanos,
        LoopConditions conditions,
        OverridableClock clock) {
    /** Tolerance for an iteration due in the last moment of a timed loop, whose clock has a resolution of 1 ms. */
    private static final long GRACE_NANOS = 2_000_000;

    private static final int MANY = Integer.MAX_VALUE / 2;

    /** The innermost loop around a session. */
    static PacedLoop around(Session session, LoopConditions conditions, OverridableClock clock) {
        return new PacedLoop(session, innermost(session), 0, 0, false, 0, conditions, clock);
    }

    /** A copy at the iteration due at an instant. */
    PacedLoop at(long iterationDueAt, long interval) {
        return new PacedLoop(session, block, iterationDueAt, interval, isLate, lagNanos, conditions, clock);
    }

    /** A copy for a loop that was entered late. */
    PacedLoop lagging(long nanos) {
        return new PacedLoop(session, block, dueAt, intervalNanos, isLate, nanos, conditions, clock);
    }

    /** A copy for an iteration due while the user was busy with the previous one. */
    PacedLoop late() {
        return new PacedLoop(session, block, dueAt, intervalNanos, true, lagNanos, conditions, clock);
    }

    private static @Nullable LoopBlock innermost(Session session) {
        scala.collection.Iterator<Block> blocks = session.blockStack().iterator();
        while (blocks.hasNext()) {
            // Gatling counts attempts like rounds, but a block to try again is no loop that a pace could be of
            if (blocks.next() instanceof LoopBlock loop && !(loop instanceof TryMaxBlock)) {
                return loop;
            }
        }
        return null;
    }

    boolean isAround(Session other) {
        return block != null
                && other.blockStack()
                        .exists(each -> each instanceof LoopBlock loop
                                && loop.counterName().equals(block.counterName()));
    }

    /** A copy whose condition is evaluated on what the user knows after the iteration, with this loop's own state. */
    PacedLoop withSession(Session latest) {
        Session inside = latest;
        for (String own : List.of(block == null ? "" : block.counterName(), entryAttribute())) {
            if (session.contains(own)) {
                inside = inside.set(own, session.attributes().apply(own));
            }
        }
        return new PacedLoop(inside, block, dueAt, intervalNanos, isLate, lagNanos, conditions, clock);
    }

    boolean isFirst() {
        return block == null || counter() == 0;
    }

    private int counter() {
        return block != null && session.contains(block.counterName())
                ? session.loopCounterValue(block.counterName())
                : 0;
    }

    /** Whether the loop is limited by time. */
    boolean isTimed() {
        return block != null && session.contains(entryAttribute());
    }

    private String entryAttribute() {
        return block == null ? "" : "timestamp." + block.counterName();
    }

    /** How much later than its first due time a timed loop was entered; 0 for other loops. */
    long lagAfter(long firstBeatAt) {
        return isTimed() && session.attributes().apply(entryAttribute()) instanceof Long millis
                ? Math.max(0, clock.instantOf(millis) - firstBeatAt)
                : 0;
    }

    /** Whether no such iteration was planned: the user leaves the loop, even if its own clock has time left. */
    boolean isOver() {
        return block instanceof ExitAsapLoopBlock && condition() != null && !wants(dueAt, 0);
    }

    /** The exit from a loop that {@link #isOver}. */
    scala.Option<BlockExit> exit() {
        return clock.callAt(clockAt(dueAt), () -> BlockExit$.MODULE$.mustExit(session));
    }

    private long clockAt(long at) {
        return at + lagNanos + GRACE_NANOS;
    }

    /**
     * Whether the loop would continue at an instant, after some more iterations. False if unknown, such as outside a
     * loop.
     */
    boolean wants(long at, int moreIterations) {
        Function1<Session, Validation<Object>> condition = condition();
        if (block == null || condition == null) {
            return false;
        }
        Session then = session.set(block.counterName(), counter() + moreIterations);
        Validation<Object> result = clock.callAt(clockAt(at), () -> condition.apply(then));
        scala.Option<Object> known = result.toOption();
        return known.isDefined() && Boolean.TRUE.equals(known.get());
    }

    private @Nullable Function1<Session, Validation<Object>> condition() {
        if (block instanceof ExitAsapLoopBlock loop) {
            return loop.condition();
        }
        return block == null ? null : conditions.of(block.counterName(), clock);
    }

    /**
     * How many iterations from this one on could be skipped at an instant because a later one is due. None in a loop
     * with a fixed number of iterations, which always executes them all.
     */
    long skippable(long nowAt) {
        boolean endless = block != null && intervalNanos > 0 && (isTimed() || wants(nowAt, MANY));
        long skippable = endless ? Math.max(0, (nowAt - dueAt) / intervalNanos) : 0;
        while (skippable > 0 && !wants(dueAt + skippable * intervalNanos, 0)) {
            skippable--;
        }
        return skippable;
    }

    /** Records all iterations due after this one, up to now, as never sent. */
    void missedUntil(long nowAt, Journal journal) {
        long at = dueAt + intervalNanos;
        for (int more = 1; intervalNanos > 0 && at - nowAt <= 0 && wants(at, more); more++) {
            journal.missed(at, nowAt, IntendedRequest.NOT_BEGUN);
            at += intervalNanos;
        }
    }
}
