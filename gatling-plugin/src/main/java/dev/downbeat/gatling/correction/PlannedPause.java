package dev.downbeat.gatling.correction;

import dev.downbeat.gatling.version.JavaAction;
import io.gatling.commons.validation.Validation;
import io.gatling.core.CoreComponents;
import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import java.util.concurrent.TimeUnit;
import scala.Function1;

/** A pause that ends at a planned instant, so that a late wake-up is visible. */
final class PlannedPause extends JavaAction {
    private final Function1<Session, Validation<Object>> millis;

    PlannedPause(Function1<Session, Validation<Object>> millis, CoreComponents core, Action next) {
        super("downbeat-pause", core, next);
        this.millis = millis;
    }

    @Override
    public void execute(Session session) {
        UserTiming timing = UserTiming.of(session);
        Validation<Object> evaluated = millis.apply(session);
        scala.Option<Object> known = evaluated.toOption();
        if (timing == null || known.isEmpty()) {
            fail(session, timing == null ? "the user has no plan" : evaluated.toString());
            return;
        }
        long nanos = TimeUnit.MILLISECONDS.toNanos((Long) known.get());
        long resumesAt = timing.pause(nanos, System.nanoTime());
        timing.population().at(resumesAt, session.eventLoop(), () -> next.$bang(session));
    }
}
