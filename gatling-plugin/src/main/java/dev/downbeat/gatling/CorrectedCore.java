package dev.downbeat.gatling;

import io.gatling.core.CoreComponents;
import io.gatling.core.protocol.Protocol;
import io.gatling.core.protocol.ProtocolComponents;
import io.gatling.core.protocol.ProtocolComponentsRegistry;
import io.gatling.core.protocol.ProtocolKey;
import io.gatling.core.structure.ScenarioContext;
import scala.Function1;

/** Gatling's components, with ours in the places where a request's instants pass. One for each run. */
final class CorrectedCore {
    private final CoreComponents core;
    private final scala.collection.mutable.Map<ProtocolKey<?, ?>, Function1<Protocol, ProtocolComponents>> factories =
            new scala.collection.mutable.HashMap<>();
    private final scala.collection.mutable.Map<ProtocolKey<?, ?>, Protocol> defaults =
            new scala.collection.mutable.HashMap<>();

    CorrectedCore(CoreComponents plain, CorrectedRun run) {
        core = corrected(plain, run);
        if (OptionalClass.isThere("io.gatling.http.protocol.HttpProtocol")) {
            TimedHttp.install(factories, core, run);
        }
    }

    private static CoreComponents corrected(CoreComponents plain, CorrectedRun run) {
        Object system = Parts.get(plain, "actorSystem");
        Object controller = Parts.get(plain, "controller");
        scala.Option<?> throttler = (scala.Option<?>) Parts.get(plain, "throttler");
        boolean akka = Parts.hasAkka(plain);
        return Parts.make(
                CoreComponents.class,
                system,
                plain.eventLoopGroup(),
                akka
                        ? AkkaActors.overheard(system, controller, message -> WatchedController.heard(message, run))
                        : WatchedController.around(controller, run),
                throttler.map(each -> akka
                        ? AkkaActors.throttler(system, each, message -> WatchedThrottler.heard(message, run))
                        : WatchedThrottler.around(each, run)),
                new CorrectingStats(plain.statsEngine(), run),
                run.clock(plain.clock()),
                plain.exit(),
                plain.configuration());
    }

    CoreComponents core() {
        return core;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // Scala's existential types have no other form in Java
    ScenarioContext context(
            ScenarioContext plain, scala.collection.immutable.Map<Class<? extends Protocol>, Protocol> protocols) {
        ProtocolComponentsRegistry registry = new ProtocolComponentsRegistry(
                core, protocols, (scala.collection.mutable.Map) factories, (scala.collection.mutable.Map) defaults);
        return new ScenarioContext(core, registry, plain.pauseType(), plain.throttled());
    }
}
