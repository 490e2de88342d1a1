package dev.downbeat.gatling;

import akka.actor.AbstractActor;
import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.Props;
import java.util.function.Consumer;

/** The same as {@link WatchedController} and {@link WatchedThrottler} for Gatling 3.11, whose actors are Akka's. */
final class AkkaActors {
    private AkkaActors() {}

    /** Hears what passes, and passes it on. */
    private static final class Overhearing extends AbstractActor {
        private final ActorRef actor;
        private final Consumer<Object> listener;

        Overhearing(ActorRef actor, Consumer<Object> listener) {
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

    private static ActorRef overheard(Object system, Object actor, Consumer<Object> listener) {
        return ((ActorSystem) system)
                .actorOf(Props.create(Overhearing.class, () -> new Overhearing((ActorRef) actor, listener)));
    }

    static Object controller(Object system, Object controller, CorrectedRun run) {
        return overheard(system, controller, message -> WatchedController.heard(message, run));
    }

    /** Gatling's throttler is two actors; requests go to the second. */
    static Object throttler(Object system, Object throttler, CorrectedRun run) {
        return Parts.make(
                throttler.getClass(),
                PrivateField.known(throttler, "throttlerController"),
                overheard(
                        system,
                        PrivateField.known(throttler, "throttlerActor"),
                        message -> WatchedThrottler.heard(message, run)));
    }
}
