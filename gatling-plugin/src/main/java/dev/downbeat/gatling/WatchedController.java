package dev.downbeat.gatling;

import io.gatling.core.actor.ActorRef;
import io.gatling.core.controller.Controller;
import java.util.function.Consumer;
import scala.concurrent.Promise;
import scala.concurrent.duration.FiniteDuration;

/** Hears why a run is ended early: a feeder that has no more records, or a simulation that stops itself. */
final class WatchedController implements ActorRef<Controller.Command> {
    private final ActorRef<Controller.Command> controller;
    private final Consumer<Object> listener;

    private WatchedController(ActorRef<Controller.Command> controller, Consumer<Object> listener) {
        this.controller = controller;
        this.listener = listener;
    }

    @SuppressWarnings("unchecked") // Gatling's own
    static Object around(Object controller, Consumer<Object> listener) {
        return new WatchedController((ActorRef<Controller.Command>) controller, listener);
    }

    @Override
    public void $bang(Controller.Command message) {
        listener.accept(message);
        controller.$bang(message);
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
