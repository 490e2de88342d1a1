package dev.downbeat.gatling.request;

import dev.downbeat.gatling.correction.CorrectingStats;
import dev.downbeat.gatling.correction.RecordingEventLoops;
import dev.downbeat.gatling.correction.UserTiming;
import dev.downbeat.gatling.version.GatlingComponents;
import dev.downbeat.gatling.version.JavaAction;
import dev.downbeat.gatling.version.UserMistake;
import io.gatling.commons.validation.Failure;
import io.gatling.commons.validation.Validation;
import io.gatling.core.action.Action;
import io.gatling.core.action.builder.ActionBuilder;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import io.gatling.javaapi.core.CheckBuilder;
import io.gatling.javaapi.core.internal.Expressions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import scala.Function1;
import scala.runtime.BoxedUnit;

/**
 * The common part of queue requests, with unevaluated expressions.
 *
 * @param name name in Gatling's report
 * @param queue its name or URL
 * @param fixedQueue the same, if it contains no expression; it is then looked up before the first user starts
 * @param consumes whether the request ends with the arrival of its message
 * @param checks checks on the response
 */
public record SqsDraft(
        Function1<Session, Validation<String>> name,
        Function1<Session, Validation<String>> queue,
        Optional<String> fixedQueue,
        boolean consumes,
        List<CheckBuilder> checks) {
    public static SqsDraft of(String name, String queue, boolean consumes) {
        boolean holdsExpression = queue.contains("#{") || queue.contains("${");
        return new SqsDraft(
                Expressions.toStringExpression(name),
                Expressions.toStringExpression(queue),
                holdsExpression ? Optional.empty() : Optional.of(queue),
                consumes,
                List.of());
    }

    /** The service knows only whole seconds: a fraction would be lost on the way. */
    public static Duration wholeSeconds(String what, Duration time, int most) {
        if (time.isNegative() || time.getNano() != 0 || time.toSeconds() > most) {
            throw new IllegalArgumentException(what + " must be whole seconds from 0 to " + most + ", but was " + time);
        }
        return time;
    }

    public SqsDraft withChecks(CheckBuilder... more) {
        List<CheckBuilder> all = new ArrayList<>(checks);
        all.addAll(List.of(more));
        return new SqsDraft(name, queue, fixedQueue, consumes, List.copyOf(all));
    }

    /** An expression has no value for this user. */
    private static final class NoValue extends RuntimeException {
        private static final long serialVersionUID = 1;

        NoValue(String why) {
            super(why, null, false, false);
        }
    }

    /** Evaluates an expression for one user, within the operation of {@link #action}, whose request fails if it fails. */
    public static String valueOf(Function1<Session, Validation<String>> expression, Session session) {
        Validation<String> value = expression.apply(session);
        scala.Option<String> known = value.toOption();
        if (known.isEmpty()) {
            Object failed = value;
            throw new NoValue(failed instanceof Failure failure ? failure.message() : String.valueOf(failed));
        }
        return known.get();
    }

    /**
     * Creates the action.
     *
     * @param operation creates the operation for one user; may call {@link #valueOf} or throw {@link
     *     IllegalArgumentException}
     */
    public ActionBuilder action(Function<Session, QueueOperation> operation) {
        @Nullable ResponseChecks checked = checks.isEmpty() ? null : new ResponseChecks(checks);
        return (context, next) -> new RequestAction(this, operation, checked, context, next);
    }

    /** Sends an operation to a queue, once a throttle permits it. */
    private static final class RequestAction extends JavaAction {
        private final SqsDraft draft;
        private final Function<Session, QueueOperation> operation;
        private final @Nullable ResponseChecks checks;
        private final SqsExchange.Issuer issuer;
        private final boolean throttled;

        RequestAction(
                SqsDraft draft,
                Function<Session, QueueOperation> operation,
                @Nullable ResponseChecks checks,
                ScenarioContext context,
                Action next) {
            super("downbeat-sqs", context.coreComponents(), next);
            this.draft = draft;
            this.operation = operation;
            this.checks = checks;
            this.throttled = context.throttled();
            if (!(core.statsEngine() instanceof CorrectingStats stats)) {
                throw new UserMistake("Downbeat.sqs needs a simulation that extends DownbeatSimulation");
            }
            this.issuer = new SqsExchange.Issuer(stats.run(), core, next);
            draft.fixedQueue().ifPresent(queue -> stats.run().sqs().prepare(queue, draft.consumes()));
        }

        @Override
        public void execute(Session session) {
            UserTiming timing = UserTiming.of(session);
            if (timing == null) {
                fail(session, "the user has no plan");
                return;
            }
            String requestName = "sqs";
            try {
                requestName = valueOf(draft.name(), session);
                String queue = valueOf(draft.queue(), session);
                SqsExchange exchange =
                        new SqsExchange(issuer, requestName, session, queue, operation.apply(session), checks);
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

        private void hold(Session session, Runnable send) {
            GatlingComponents.throttle(core, session.scenario(), () -> {
                RecordingEventLoops.execute(session.eventLoop(), send);
                return BoxedUnit.UNIT;
            });
        }
    }
}
