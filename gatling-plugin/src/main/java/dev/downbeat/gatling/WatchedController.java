package dev.downbeat.gatling;

import dev.downbeat.run.RunResult;
import io.gatling.core.actor.ActorRef;
import io.gatling.core.controller.Controller;
import java.util.Optional;
import scala.Product;
import scala.concurrent.Promise;
import scala.concurrent.duration.FiniteDuration;

/** Hears why a run is ended early: a feeder that has no more records, or a simulation that stops itself. Messages are told by their names, as in {@link
 * WatchedThrottler}. */
final class WatchedController implements ActorRef<Controller.Command> {
    private final ActorRef<Controller.Command> controller;
    private final CorrectedRun run;

    private WatchedController(ActorRef<Controller.Command> controller, CorrectedRun run) {
        this.controller = controller;
        this.run = run;
    }

    @SuppressWarnings("unchecked") // Gatling's own
    static Object around(Object controller, CorrectedRun run) {
        return new WatchedController((ActorRef<Controller.Command>) controller, run);
    }

    @Override
    public void $bang(Controller.Command message) {
        heard(message, run);
        controller.$bang(message);
    }

    static void heard(Object message, CorrectedRun run) {
        if (message instanceof Product told) {
            switch (told.productPrefix()) {
                case "Crash" -> run.end(RunResult.Ending.BROKEN, Optional.of(reason(told.productElement(0))));
                case "StopLoadGenerator" -> {
                    boolean crash = Boolean.TRUE.equals(told.productElement(1));
                    run.end(
                            crash ? RunResult.Ending.BROKEN : RunResult.Ending.INTERRUPTED,
                            Optional.of(reason(told.productElement(0))));
                }
                default -> {}
            }
        }
    }

    private static String reason(Object told) {
        return String.valueOf(told instanceof Exception exception ? exception.getMessage() : told);
    }

    @Override
    public String name() {
        return controller.name();
    }

    @Override
    public <T> Promise<T> replyPromise(FiniteDuration timeout) {
        return controller.replyPromise(timeout);
    }
}
