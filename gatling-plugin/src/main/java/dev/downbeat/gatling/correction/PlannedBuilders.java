package dev.downbeat.gatling.correction;

import dev.downbeat.gatling.ledger.FailureReasons;
import dev.downbeat.gatling.settings.PaceMode;
import dev.downbeat.gatling.version.JavaAction;
import dev.downbeat.gatling.version.PrivateField;
import dev.downbeat.gatling.version.UserMistake;
import io.gatling.commons.validation.Failure;
import io.gatling.commons.validation.Validation;
import io.gatling.core.CoreComponents;
import io.gatling.core.action.Action;
import io.gatling.core.action.BlockExit;
import io.gatling.core.action.BlockExit$;
import io.gatling.core.action.RequestAction;
import io.gatling.core.action.builder.ActionBuilder;
import io.gatling.core.action.builder.PaceBuilder;
import io.gatling.core.action.builder.PauseBuilder;
import io.gatling.core.action.builder.RendezVousBuilder;
import io.gatling.core.pause.Disabled$;
import io.gatling.core.pause.PauseType;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import scala.Function1;
import scala.concurrent.duration.FiniteDuration;
import scala.util.control.NonFatal;

/**
 * Replacements for those Gatling builders that change the intended start of the next request. In an uncorrected
 * simulation they build Gatling's originals, and so do paces and pauses where Gatling's own are asked for.
 */
public final class PlannedBuilders {
    private PlannedBuilders() {}

    /** The replacement for a builder; null if none is needed. */
    static @Nullable ActionBuilder replacementOf(ActionBuilder builder) {
        if (builder instanceof PaceBuilder pace) {
            return new Pace(interval(pace), pace);
        }
        if (builder instanceof PauseBuilder pause) {
            return new Pause(pause);
        }
        return builder instanceof RendezVousBuilder rendezVous ? new RendezVous(rendezVous) : null;
    }

    private static @Nullable OverridableClock clock(ScenarioContext context) {
        return context.coreComponents().clock() instanceof OverridableClock overridable ? overridable : null;
    }

    /** Whether the run being built replaces Gatling's paces; another run may share its chains. */
    private static boolean isReplacing(ScenarioContext context) {
        return context.coreComponents().statsEngine() instanceof CorrectingStats stats
                && stats.run().settings().pace() != PaceMode.GATLING;
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
            OverridableClock clock = clock(context);
            if (clock != null && (original == null || isReplacing(context))) {
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
            if (!isReplacing(context)) {
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

    private record RendezVous(RendezVousBuilder original) implements ActionBuilder {
        @Override
        public Action build(ScenarioContext context, Action next) {
            if (!isReplacing(context)) {
                return original.build(context, next);
            }
            Action realigning = new TimingUpdate(
                    "downbeat-realign",
                    (timing, session) -> timing.realign(System.nanoTime()),
                    context.coreComponents(),
                    next);
            return original.build(context, realigning);
        }
    }

    record ExitedBlock(ActionBuilder original) implements ActionBuilder {
        @Override
        public Action build(ScenarioContext context, Action next) {
            if (clock(context) == null) {
                return original.build(context, next);
            }
            Action outside = new TimingUpdate(
                    "downbeat-outside",
                    (timing, session) -> timing.continueAfterBlock(session, System.nanoTime()),
                    context.coreComponents(),
                    next);
            return original.build(context, outside);
        }
    }

    /** A request of any protocol. Gatling only logs that a request's name has no value, and the user goes on. */
    record Named(ActionBuilder original) implements ActionBuilder {
        /** Whether a builder may be a request's: those of Gatling's core are not. */
        static boolean mayBeRequest(ActionBuilder builder) {
            return !(builder instanceof Named)
                    && !builder.getClass().getName().startsWith("io.gatling.core.")
                    && !builder.getClass().getName().startsWith("dev.downbeat.gatling.");
        }

        @Override
        public Action build(ScenarioContext context, Action next) {
            if (clock(context) == null) {
                return original.build(context, next);
            }
            AfterRequest after = new AfterRequest(context.coreComponents(), next);
            Action action = original.build(context, after);
            if (!(action instanceof RequestAction request)) {
                return action;
            }
            after.name = request.requestName();
            after.isSilent = request.getClass().getName().equals(TimedHttp.REQUEST) && TimedHttp.isSilent(request);
            return new BeforeRequest(context.coreComponents(), request);
        }
    }

    /** Records that a user has reached a request. */
    private static final class BeforeRequest extends JavaAction {
        BeforeRequest(CoreComponents core, Action request) {
            super("downbeat-before-request", core, request);
        }

        /** The request itself asks whether its user must leave a block: conditions are evaluated once. */
        @Override
        public void $bang(Session session) {
            execute(session);
        }

        @Override
        public void execute(Session session) {
            UserTiming timing = UserTiming.of(session);
            if (timing != null) {
                timing.comesToRequest();
            }
            next.$bang(session);
        }
    }

    /** The continuation after a request: a user who has failed may have sent none. */
    private static final class AfterRequest extends JavaAction {
        private static final String NO_NAME = "(name has no value)";

        private @Nullable Function1<Session, Validation<String>> name;
        private boolean isSilent;

        AfterRequest(CoreComponents core, Action next) {
            super("downbeat-after-request", core, next);
        }

        /** A user who must leave a block is first counted. */
        @Override
        public void $bang(Session session) {
            execute(session);
        }

        @Override
        public void execute(Session session) {
            UserTiming timing = UserTiming.of(session);
            if (timing != null && name != null && session.isFailed() && timing.sentNothing()) {
                String why = whyUnnamed(name, session);
                if (why != null && isSilent) {
                    timing.silent();
                } else if (why != null) {
                    timing.crashed(session.groups(), NO_NAME, FailureReasons.unbuilt(why));
                }
            }
            next.$bang(session);
        }

        /** Null if the name has a value: the response was in Gatling's cache, and an earlier request failed. */
        private static @Nullable String whyUnnamed(Function1<Session, Validation<String>> name, Session session) {
            try {
                Object evaluated = name.apply(session);
                return evaluated instanceof Failure failure ? failure.message() : null;
            } catch (Throwable thrown) { // by the simulation; Gatling goes on after the same exceptions
                if (!NonFatal.apply(thrown)) {
                    throw thrown;
                }
                return thrown.toString();
            }
        }
    }

    /** The continuation after a block, however it was left, or after a rendez-vous. It updates the user's timing. */
    private static final class TimingUpdate extends JavaAction {
        private final BiConsumer<UserTiming, Session> update;

        TimingUpdate(String name, BiConsumer<UserTiming, Session> update, CoreComponents core, Action next) {
            super(name, core, next);
            this.update = update;
        }

        @Override
        public void execute(Session session) {
            UserTiming timing = UserTiming.of(session);
            if (timing != null) {
                update.accept(timing, session);
            }
            next.$bang(session);
        }
    }

    /**
     * A pace that stays on schedule: iteration k is due k intervals after the first. A late iteration starts at once, and
     * its wait counts. Gatling's own pace starts a new schedule after each delay and forgets skipped iterations.
     */
    private static final class AnchoredPace extends JavaAction {
        private final Function1<Session, Validation<FiniteDuration>> interval;
        private final OverridableClock clock;

        AnchoredPace(
                Function1<Session, Validation<FiniteDuration>> interval,
                OverridableClock clock,
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
            if (intervalNanos <= 0) { // Gatling does not wait either: the pace is switched off
                timing.unpaced(this, nowAt);
                next.$bang(session);
                return;
            }
            PacedLoop around = PacedLoop.around(session, timing.population().conditions(), clock);
            long dueAt = timing.dueAt(this, around.isFirst(), intervalNanos, nowAt);
            PacedLoop loop = around.at(dueAt, intervalNanos).lagging(timing.lag(this, around, dueAt));
            if (dueAt - nowAt <= 0) {
                begin(session, timing, timing.late(loop, nowAt).late());
            } else {
                timing.population().at(dueAt, session.eventLoop(), () -> begin(session, timing, loop));
            }
        }

        /** The loop admitted the user for this iteration, so it runs even if the loop's time has expired meanwhile. */
        private void begin(Session session, UserTiming timing, PacedLoop loop) {
            scala.Option<BlockExit> exit = loop.isOver() ? loop.exit() : scala.Option.empty();
            if (exit.isDefined()) {
                exit.get().exitBlock(core.statsEngine(), core.clock().nowMillis());
            } else if (!BlockExit$.MODULE$.mustExit(session).isDefined()) {
                timing.iterate(this, loop);
                next.$bang(session);
            } else if (loop.wants(loop.dueAt(), 0)) {
                timing.iterate(this, loop);
                clock.callAt(loop.dueAt(), () -> {
                    next.$bang(session);
                    return true;
                });
            } else {
                exits(session);
            }
        }
    }

    /** A pause that ends at a planned instant, so that a late wake-up is visible. */
    private static final class PlannedPause extends JavaAction {
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
}
