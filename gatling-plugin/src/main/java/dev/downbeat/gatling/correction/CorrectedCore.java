package dev.downbeat.gatling.correction;

import dev.downbeat.gatling.version.AkkaActors;
import dev.downbeat.gatling.version.GatlingComponents;
import dev.downbeat.gatling.version.OptionalClass;
import dev.downbeat.run.RunSpan;
import io.gatling.commons.util.Clock;
import io.gatling.core.CoreComponents;
import io.gatling.core.actor.ActorRef;
import io.gatling.core.protocol.Protocol;
import io.gatling.core.protocol.ProtocolComponents;
import io.gatling.core.protocol.ProtocolComponentsRegistry;
import io.gatling.core.protocol.ProtocolKey;
import io.gatling.core.stats.StatsEngine;
import io.gatling.core.structure.ScenarioContext;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import scala.Function1;
import scala.Product;
import scala.concurrent.Promise;
import scala.concurrent.duration.FiniteDuration;

/** Gatling's components, with Downbeat's in the places where a request's instants are visible. One per run. */
final class CorrectedCore implements CorrectedRun.Core {
    private final OverridableClock clock;
    private final CoreComponents core;
    private final scala.collection.mutable.Map<ProtocolKey<?, ?>, Function1<Protocol, ProtocolComponents>> factories =
            new scala.collection.mutable.HashMap<>();
    private final scala.collection.mutable.Map<ProtocolKey<?, ?>, Protocol> defaults =
            new scala.collection.mutable.HashMap<>();

    CorrectedCore(CoreComponents plain, CorrectedRun run) {
        clock = new OverridableClock(plain.clock());
        core = corrected(plain, run, clock);
        if (OptionalClass.isThere("io.gatling.http.protocol.HttpProtocol")) {
            // its own data counts from sending, even where a loop's condition is asked at another instant
            Object controller = GatlingComponents.get(core, "controller");
            Object throttler = GatlingComponents.get(core, "throttler");
            TimedHttp.install(factories, components(core, controller, throttler, core.statsEngine(), plain.clock()));
        }
    }

    private static CoreComponents corrected(CoreComponents plain, CorrectedRun run, Clock clock) {
        Object system = GatlingComponents.get(plain, "actorSystem");
        Object controller = GatlingComponents.get(plain, "controller");
        scala.Option<?> throttler = (scala.Option<?>) GatlingComponents.get(plain, "throttler");
        boolean akka = GatlingComponents.hasAkka(plain);
        Consumer<Object> ended = message -> ended(message, run);
        Consumer<Object> throttled = message -> throttled(message, run);
        return components(
                plain,
                akka ? AkkaActors.observed(system, controller, ended) : WatchedActor.around(controller, ended),
                throttler.map(each ->
                        akka ? AkkaActors.throttler(system, each, throttled) : WatchedActor.around(each, throttled)),
                new CorrectingStats(plain.statsEngine(), run),
                clock);
    }

    private static CoreComponents components(
            CoreComponents base, Object controller, Object throttler, StatsEngine stats, Clock clock) {
        return GatlingComponents.make(
                CoreComponents.class,
                GatlingComponents.get(base, "actorSystem"),
                base.eventLoopGroup(),
                controller,
                throttler,
                stats,
                clock,
                base.exit(),
                base.configuration());
    }

    /**
     * Observes messages to the throttle. They are matched by the names of their Scala case classes. Javac cannot name a
     * class nested in two objects, and the names differ in 3.11.
     */
    private static void throttled(Object message, CorrectedRun run) {
        if (message instanceof Product held && held.productPrefix().equals("ThrottledRequest")) {
            UserTiming timing = run.users().get((String) held.productElement(0));
            if (timing != null) {
                timing.holdForThrottle(System.nanoTime());
            }
        }
    }

    private static void ended(Object message, CorrectedRun run) {
        if (message instanceof Product command) {
            switch (command.productPrefix()) {
                case "Crash" -> run.end(RunSpan.Ending.BROKEN, Optional.of(reason(command.productElement(0))));
                case "StopLoadGenerator" -> {
                    // from 3.16 on, the message is within a value whose type says whether it is a crash
                    Object first = command.productElement(0);
                    boolean crash = first instanceof Product
                            ? GatlingComponents.has(first, "cause")
                            : Boolean.TRUE.equals(command.productElement(1));
                    run.end(
                            crash ? RunSpan.Ending.BROKEN : RunSpan.Ending.INTERRUPTED,
                            Optional.of(reason(first instanceof Product why ? why.productElement(0) : first)));
                }
                default -> {}
            }
        }
    }

    private static String reason(Object cause) {
        return String.valueOf(cause instanceof Throwable thrown ? thrown.getMessage() : cause);
    }

    @Override
    public OverridableClock clock() {
        return clock;
    }

    @Override
    public Duration requestTimeout() {
        return Duration.ofNanos(core.configuration().http().requestTimeout().toNanos());
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // Scala's existential types have no other form in Java
    public ScenarioContext context(
            ScenarioContext plain, scala.collection.immutable.Map<Class<? extends Protocol>, Protocol> protocols) {
        ProtocolComponentsRegistry registry = new ProtocolComponentsRegistry(
                core, protocols, (scala.collection.mutable.Map) factories, (scala.collection.mutable.Map) defaults);
        return new ScenarioContext(core, registry, plain.pauseType(), plain.throttled());
    }

    /**
     * Observes messages to a Gatling actor. They show why a run ended early, such as a feeder without records, and when a
     * request enters the throttle, possibly long before it is sent.
     */
    private record WatchedActor<T>(ActorRef<T> actor, Consumer<Object> listener) implements ActorRef<T> {
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
}
