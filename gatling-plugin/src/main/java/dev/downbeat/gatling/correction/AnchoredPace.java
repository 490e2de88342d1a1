package dev.downbeat.gatling.correction;

import dev.downbeat.gatling.version.JavaAction;
import io.gatling.commons.validation.Validation;
import io.gatling.core.CoreComponents;
import io.gatling.core.action.Action;
import io.gatling.core.action.BlockExit;
import io.gatling.core.action.BlockExit$;
import io.gatling.core.session.Session;
import scala.Function1;
import scala.concurrent.duration.FiniteDuration;

/**
 * A pace that stays on schedule: iteration k is due k intervals after the first. A late iteration starts at once, and
 * its wait counts. Gatling's own pace starts a new schedule after each delay and forgets skipped iterations.
 */
final class AnchoredPace extends JavaAction {
    private final Function1<Session, Validation<FiniteDuration>> interval;
    private final SuppositionClock clock;

    AnchoredPace(
            Function1<Session, Validation<FiniteDuration>> interval,
            SuppositionClock clock,
            CoreComponents core,
            Action next) {
        super("downbeat-pace", core, next);
        this.interval = interval;
        this.clock = clock;
    }

    @Override
    public void execute(Session session) {
        UserTiming timing = UserTiming.of(session);
        Validation<FiniteDuration> evaluated = interval.apply(session);
        scala.Option<FiniteDuration> known = evaluated.toOption();
        if (timing == null || known.isEmpty()) {
            fail(session, timing == null ? "the user has no plan" : evaluated.toString());
            return;
        }
        long intervalNanos = known.get().toNanos();
        long nowAt = System.nanoTime();
        PacedLoop around = PacedLoop.around(session, timing.population().conditions(), clock);
        long dueAt = timing.beat(this, around.isFirst(), intervalNanos, nowAt);
        PacedLoop loop = around.at(dueAt, intervalNanos).lagging(timing.lag(this, around, dueAt));
        if (dueAt - nowAt <= 0) {
            go(session, timing, timing.late(loop, nowAt).late());
        } else {
            timing.population().at(dueAt, session.eventLoop(), () -> go(session, timing, loop));
        }
    }

    /** The loop admitted the user for this iteration, so it runs even if the loop's time has expired meanwhile. */
    private void go(Session session, UserTiming timing, PacedLoop loop) {
        scala.Option<BlockExit> exit = loop.isOver() ? loop.exit() : scala.Option.empty();
        if (exit.isDefined()) {
            exit.get().exitBlock(core.statsEngine(), core.clock().nowMillis());
        } else if (!BlockExit$.MODULE$.mustExit(session).isDefined()) {
            timing.iterate(this, loop);
            next.$bang(session);
        } else if (loop.wants(loop.dueAt(), 0)) {
            timing.iterate(this, loop);
            clock.supposing(loop.dueAt(), () -> {
                next.$bang(session);
                return true;
            });
        } else {
            exits(session);
        }
    }
}
