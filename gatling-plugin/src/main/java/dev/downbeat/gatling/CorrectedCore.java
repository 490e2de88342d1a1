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
        core = Parts.core(plain, run);
        if (OptionalClass.isThere("io.gatling.http.protocol.HttpProtocol")) {
            TimedHttp.install(factories, core, run);
        }
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
