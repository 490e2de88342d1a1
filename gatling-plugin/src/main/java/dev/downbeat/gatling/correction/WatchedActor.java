package dev.downbeat.gatling.correction;

import io.gatling.core.actor.ActorRef;
import java.util.function.Consumer;
import scala.concurrent.Promise;
import scala.concurrent.duration.FiniteDuration;

/**
 * Observes messages to a Gatling actor. They show why a run ended early, such as a feeder without records, and when a
 * request enters the throttle, possibly long before it is sent.
 */
record WatchedActor<T>(ActorRef<T> actor, Consumer<Object> listener) implements ActorRef<T> {
    @SuppressWarnings("unchecked") // Gatling's own type
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
