package dev.downbeat.gatling;

import io.gatling.core.actor.ActorRef;
import io.gatling.core.controller.throttle.Throttler;
import scala.Product;
import scala.concurrent.Promise;
import scala.concurrent.duration.FiniteDuration;

/**
 * Notes when a request is handed to the throttle, from where it may come back much later. Messages are told by the names of
 * their Scala case classes: javac cannot name a class within an object within an object.
 */
final class WatchedThrottler implements ActorRef<Throttler.Command> {
    private final ActorRef<Throttler.Command> throttler;
    private final CorrectedRun run;

    private WatchedThrottler(ActorRef<Throttler.Command> throttler, CorrectedRun run) {
        this.throttler = throttler;
        this.run = run;
    }

    @SuppressWarnings("unchecked") // Gatling's own
    static Object around(Object throttler, CorrectedRun run) {
        return new WatchedThrottler((ActorRef<Throttler.Command>) throttler, run);
    }

    @Override
    public void $bang(Throttler.Command message) {
        heard(message, run);
        throttler.$bang(message);
    }

    static void heard(Object message, CorrectedRun run) {
        if (message instanceof Product held && held.productPrefix().equals("ThrottledRequest")) {
            UserTiming timing = run.user((String) held.productElement(0));
            if (timing != null) {
                timing.noticed(System.nanoTime());
            }
        }
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
