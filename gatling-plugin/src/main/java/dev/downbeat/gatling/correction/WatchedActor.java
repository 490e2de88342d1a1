package dev.downbeat.gatling.correction;

import io.gatling.core.actor.ActorRef;
import java.util.function.Consumer;
import scala.concurrent.Promise;
import scala.concurrent.duration.FiniteDuration;

/**
 * Hears what an actor of Gatling's is told: why a run is ended early, such as a feeder that has no more records; or that a
 * request is handed to the throttle, from where it may come back much later.
 */
record WatchedActor<T>(ActorRef<T> actor, Consumer<Object> listener) implements ActorRef<T> {
    @SuppressWarnings("unchecked") // Gatling's own
    static Object around(Object actor, Consumer<Object> listener) {
        return new WatchedActor<>((ActorRef<Object>) actor, listener);
    }

    @Override
    public void $bang(T message) {
        listener.accept(message);
        actor.$bang(message);
    }

    @Override
    public String name() {
        return actor.name();
    }

    @Override
    public <R> Promise<R> replyPromise(FiniteDuration timeout) {
        return actor.replyPromise(timeout);
    }
}
