package dev.downbeat.gatling.correction;

import io.gatling.core.action.Action;
import io.gatling.core.action.builder.ActionBuilder;
import io.gatling.core.structure.ScenarioBuilder;
import io.gatling.core.structure.ScenarioContext;
import org.jspecify.annotations.Nullable;

/**
 * The single action builder at the top of a corrected scenario. It builds the user's chain in a context with Downbeat's
 * statistics, clock and HTTP client.
 */
final class RootBuilder implements ActionBuilder {
    private final ScenarioBuilder scenario;
    private final CorrectedRun run;
    private final scala.collection.immutable.Map<
                    Class<? extends io.gatling.core.protocol.Protocol>, io.gatling.core.protocol.Protocol>
            protocols;
    private @Nullable ScenarioContext context;

    RootBuilder(
            ScenarioBuilder scenario,
            CorrectedRun run,
            scala.collection.immutable.Map<
                            Class<? extends io.gatling.core.protocol.Protocol>, io.gatling.core.protocol.Protocol>
                    protocols) {
        this.scenario = scenario;
        this.run = run;
        this.protocols = protocols;
    }

    /** The context of the chain. */
    ScenarioContext context() {
        ScenarioContext built = context;
        if (built == null) {
            throw new IllegalStateException("scenario " + scenario.name() + " has not been built");
        }
        return built;
    }

    @Override
    public Action build(ScenarioContext plain, Action next) {
        ScenarioContext corrected = run.context(plain, protocols);
        context = corrected;
        return scenario.build(corrected, next);
    }
}
