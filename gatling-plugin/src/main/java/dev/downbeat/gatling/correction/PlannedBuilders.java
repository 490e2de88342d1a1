package dev.downbeat.gatling.correction;

import dev.downbeat.gatling.version.JavaAction;
import dev.downbeat.gatling.version.PrivateField;
import dev.downbeat.gatling.version.UserMistake;
import io.gatling.commons.validation.Validation;
import io.gatling.core.action.Action;
import io.gatling.core.action.builder.ActionBuilder;
import io.gatling.core.action.builder.PaceBuilder;
import io.gatling.core.action.builder.PauseBuilder;
import io.gatling.core.action.builder.RendezVousBuilder;
import io.gatling.core.pause.Disabled$;
import io.gatling.core.pause.PauseType;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import org.jspecify.annotations.Nullable;
import scala.Function1;
import scala.concurrent.duration.FiniteDuration;

/**
 * Those of Gatling's builders that move the intended time of the next request, each beside the one that keeps it. In a
 * simulation that is not corrected they build what Gatling builds.
 */
public final class PlannedBuilders {
    private PlannedBuilders() {}

    /** The builder to use instead; null if there is no need. */
    static @Nullable ActionBuilder insteadOf(ActionBuilder builder) {
        if (builder instanceof PaceBuilder pace) {
            return new Pace(interval(pace), pace);
        }
        if (builder instanceof PauseBuilder pause) {
            return new Pause(pause);
        }
        return builder instanceof RendezVousBuilder meeting ? new Meeting(meeting) : null;
    }

    private static @Nullable SuppositionClock clock(ScenarioContext context) {
        return context.coreComponents().clock() instanceof SuppositionClock ours ? ours : null;
    }

    @SuppressWarnings("unchecked") // the field's own type
    private static Function1<Session, Validation<FiniteDuration>> interval(PaceBuilder pace) {
        return (Function1<Session, Validation<FiniteDuration>>) PrivateField.known(pace, "interval");
    }

    /**
     * A pace.
     *
     * @param original what Gatling would build; null if the pace is Downbeat's from the start
     */
    public record Pace(
            Function1<Session, Validation<FiniteDuration>> interval,
            @Nullable PaceBuilder original) implements ActionBuilder {
        @Override
        public Action build(ScenarioContext context, Action next) {
            SuppositionClock clock = clock(context);
            if (clock != null) {
                return new AnchoredPace(interval, clock, context.coreComponents(), next);
            }
            if (original == null) {
                throw new UserMistake("Downbeat.pace needs a simulation that extends DownbeatSimulation");
            }
            return original.build(context, next);
        }
    }

    private record Pause(PauseBuilder original) implements ActionBuilder {
        @Override
        @SuppressWarnings("unchecked") // the fields' own types
        public Action build(ScenarioContext context, Action next) {
            if (clock(context) == null) {
                return original.build(context, next);
            }
            scala.Option<PauseType> forced = (scala.Option<PauseType>) PrivateField.known(original, "force");
            PauseType type = forced.isDefined() ? forced.get() : context.pauseType();
            if (type == Disabled$.MODULE$) {
                return next;
            }
            Function1<Session, Validation<FiniteDuration>> duration =
                    (Function1<Session, Validation<FiniteDuration>>) PrivateField.known(original, "duration");
            return new PlannedPause(type.generator(duration), context.coreComponents(), next);
        }
    }

    private record Meeting(RendezVousBuilder original) implements ActionBuilder {
        @Override
        public Action build(ScenarioContext context, Action next) {
            return original.build(
                    context, clock(context) == null ? next : new Realigned(context.coreComponents(), next));
        }
    }

    /** What comes after a meeting of users. */
    private static final class Realigned extends JavaAction {
        Realigned(io.gatling.core.CoreComponents core, Action next) {
            super("downbeat-realign", core, next);
        }

        @Override
        public void execute(Session session) {
            UserTiming timing = UserTiming.of(session);
            if (timing != null) {
                timing.realign(System.nanoTime());
            }
            next.$bang(session);
        }
    }
}
