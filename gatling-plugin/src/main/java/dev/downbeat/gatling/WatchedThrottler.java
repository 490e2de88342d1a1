package dev.downbeat.gatling;

import io.gatling.core.actor.ActorRef;
import io.gatling.core.controller.throttle.Throttler;
import java.util.function.Consumer;
import scala.concurrent.Promise;
import scala.concurrent.duration.FiniteDuration;

/** Hears when a request is handed to the throttle, from where it may come back much later. */
final class WatchedThrottler implements ActorRef<Throttler.Command> {
    private final ActorRef<Throttler.Command> throttler;
    private final Consumer<Object> listener;

    private WatchedThrottler(ActorRef<Throttler.Command> throttler, Consumer<Object> listener) {
        this.throttler = throttler;
        this.listener = listener;
    }

    @SuppressWarnings("unchecked") // Gatling's own
    static Object around(Object throttler, Consumer<Object> listener) {
        return new WatchedThrottler((ActorRef<Throttler.Command>) throttler, listener);
    }

    @Override
    public void $bang(Throttler.Command message) {
        listener.accept(message);
        throttler.$bang(message);
    }

    @Override
    public String name() {
        return throttler.name();
    }

    @Override
    public <T> Promise<T> replyPromise(FiniteDuration timeout) {
        return throttler.replyPromise(timeout);
    }
}
