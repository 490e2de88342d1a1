package dev.downbeat.gatling;

import dev.downbeat.http.HttpRequest;
import io.gatling.core.action.Action;
import io.gatling.core.actor.ActorRef;
import io.gatling.core.controller.throttle.Throttler;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import java.lang.reflect.Constructor;
import scala.Function0;
import scala.runtime.BoxedUnit;

/** Sends a request over Downbeat's own connections. */
final class HttpRequestAction extends JavaAction {
    private static final String THROTTLED = "io.gatling.core.controller.throttle.Throttler$Command$ThrottledRequest";

    final ResponseChecks checks;
    private final HttpDraft draft;
    private final CorrectedRun run;
    private final boolean throttled;

    HttpRequestAction(HttpDraft draft, ResponseChecks checks, ScenarioContext context, Action next) {
        super("downbeat-http", context.coreComponents(), next);
        this.draft = draft;
        this.checks = checks;
        this.throttled = context.throttled();
        if (!(core.statsEngine() instanceof CorrectingStats stats)) {
            throw new Refusal("Downbeat.http needs a simulation that extends DownbeatSimulation");
        }
        this.run = stats.run();
    }

    CorrectedRun run() {
        return run;
    }

    @Override
    public void execute(Session session) {
        UserTiming timing = UserTiming.of(session);
        if (timing == null) {
            fail(session, "the user has no plan");
            return;
        }
        String name = draft.method();
        try {
            name = HttpDraft.valueOf(draft.name(), session);
            HttpRequest request =
                    draft.request(session, run.origins().settings().baseUrl());
            HttpExchange exchange = new HttpExchange(this, name, session, request);
            if (throttled) {
                hold(session, () -> exchange.send(timing));
            } else {
                exchange.send(timing);
            }
        } catch (HttpDraft.NoValue | IllegalArgumentException unbuilt) {
            String why = String.valueOf(unbuilt.getMessage());
            core.statsEngine().logRequestCrash(session.scenario(), session.groups(), name, why);
            fail(session, why);
        }
    }

    @SuppressWarnings("unchecked") // javac cannot name a class within an object within an object
    private void hold(Session session, Runnable send) {
        ActorRef<Throttler.Command> throttler = core.throttler().get();
        Function0<BoxedUnit> later = () -> {
            CaptureLoops.execute(session.eventLoop(), send);
            return BoxedUnit.UNIT;
        };
        try {
            Constructor<?> message = Class.forName(THROTTLED).getConstructor(String.class, Function0.class);
            throttler.$bang((Throttler.Command) message.newInstance(session.scenario(), later));
        } catch (ReflectiveOperationException changed) {
            throw new Refusal("this Gatling throttles differently from 3.15: " + changed.getMessage());
        }
    }
}
