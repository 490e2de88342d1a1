package dev.downbeat.gatling.version;

import akka.actor.AbstractActor;
import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.Props;
import java.util.function.Consumer;

/** Message passing between the Akka actors of Gatling 3.11. */
public final class AkkaActors {
    private AkkaActors() {}

    /** Observes messages and forwards them. */
    private static final class Observer extends AbstractActor {
        private final ActorRef actor;
        private final Consumer<Object> listener;

        Observer(ActorRef actor, Consumer<Object> listener) {
            this.actor = actor;
            this.listener = listener;
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .matchAny(message -> {
                        listener.accept(message);
                        actor.forward(message, getContext());
                    })
                    .build();
        }
    }

    /** An actor that observes messages to another one. */
    public static ActorRef observed(Object system, Object actor, Consumer<Object> listener) {
        return ((ActorSystem) system)
                .actorOf(Props.create(Observer.class, () -> new Observer((ActorRef) actor, listener)));
    }

    /** Gatling's throttler consists of two actors; requests go to the second. */
    public static Object throttler(Object system, Object throttler, Consumer<Object> listener) {
        return GatlingComponents.make(
                throttler.getClass(),
                PrivateField.known(throttler, "throttlerController"),
                observed(system, PrivateField.known(throttler, "throttlerActor"), listener));
    }
}
