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
 * Replacements for those Gatling builders that change the intended start of the next request. In an uncorrected
 * simulation they build Gatling's originals.
 */
public final class PlannedBuilders {
    private PlannedBuilders() {}

    /** The replacement for a builder; null if none is needed. */
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

    @SuppressWarnings("unchecked") // the type of the field
    private static Function1<Session, Validation<FiniteDuration>> interval(PaceBuilder pace) {
        return (Function1<Session, Validation<FiniteDuration>>) PrivateField.known(pace, "interval");
    }

    /**
     * A pace.
     *
     * @param original Gatling's builder; null if the pace was created by Downbeat
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
        @SuppressWarnings("unchecked") // the types of the fields
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

    /** The continuation after a rendez-vous of users. */
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
