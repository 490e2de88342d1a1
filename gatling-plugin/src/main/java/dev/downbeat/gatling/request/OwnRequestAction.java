package dev.downbeat.gatling.request;

import dev.downbeat.gatling.correction.CaptureLoops;
import dev.downbeat.gatling.correction.CorrectedRun;
import dev.downbeat.gatling.correction.CorrectingStats;
import dev.downbeat.gatling.correction.UserTiming;
import dev.downbeat.gatling.version.GatlingComponents;
import dev.downbeat.gatling.version.JavaAction;
import dev.downbeat.gatling.version.UserMistake;
import io.gatling.commons.validation.Failure;
import io.gatling.commons.validation.Validation;
import io.gatling.core.CoreComponents;
import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import scala.Function1;
import scala.runtime.BoxedUnit;

/** Sends a request over one of Downbeat's own transports, once a throttle permits it. */
public abstract class OwnRequestAction extends JavaAction implements OwnExchange.Owner {
    private final Function1<Session, Validation<String>> name;
    private final String kind;
    private final CorrectedRun run;
    private final boolean throttled;

    /** An expression has no value for this user. */
    static final class NoValue extends RuntimeException {
        private static final long serialVersionUID = 1;

        NoValue(String why) {
            super(why, null, false, false);
        }
    }

    /**
     * Creates the action.
     *
     * @param kind its name in the DSL
     * @param name its name in Gatling's report
     */
    OwnRequestAction(String kind, Function1<Session, Validation<String>> name, ScenarioContext context, Action next) {
        super("downbeat-" + kind, context.coreComponents(), next);
        this.kind = kind;
        this.name = name;
        this.throttled = context.throttled();
        if (!(core.statsEngine() instanceof CorrectingStats stats)) {
            throw new UserMistake("Downbeat." + kind + " needs a simulation that extends DownbeatSimulation");
        }
        this.run = stats.run();
    }

    @Override
    public final CorrectedRun run() {
        return run;
    }

    @Override
    public final CoreComponents components() {
        return core;
    }

    @Override
    public final Action following() {
        return next;
    }

    /**
     * The request for one user.
     *
     * @throws NoValue if an expression fails
     * @throws IllegalArgumentException if the values do not form a valid request
     */
    abstract OwnExchange exchange(String requestName, Session session);

    @Override
    public final void execute(Session session) {
        UserTiming timing = UserTiming.of(session);
        if (timing == null) {
            fail(session, "the user has no plan");
            return;
        }
        String requestName = kind;
        try {
            requestName = valueOf(name, session);
            OwnExchange exchange = exchange(requestName, session);
            if (throttled) {
                hold(session, () -> exchange.send(timing));
            } else {
                exchange.send(timing);
            }
        } catch (NoValue | IllegalArgumentException unbuilt) {
            String why = String.valueOf(unbuilt.getMessage());
            core.statsEngine().logRequestCrash(session.scenario(), session.groups(), requestName, why);
            fail(session, why);
        }
    }

    /**
     * Evaluates an expression for one user.
     *
     * @throws NoValue if it fails
     */
    public static String valueOf(Function1<Session, Validation<String>> expression, Session session) {
        Validation<String> value = expression.apply(session);
        scala.Option<String> known = value.toOption();
        if (known.isEmpty()) {
            Object failed = value;
            throw new NoValue(failed instanceof Failure failure ? failure.message() : String.valueOf(failed));
        }
        return known.get();
    }

    private void hold(Session session, Runnable send) {
        GatlingComponents.throttle(core, session.scenario(), () -> {
            CaptureLoops.execute(session.eventLoop(), send);
            return BoxedUnit.UNIT;
        });
    }
}
