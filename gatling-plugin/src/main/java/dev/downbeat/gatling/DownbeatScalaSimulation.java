package dev.downbeat.gatling;

import dev.downbeat.gatling.correction.CorrectedSimulation;
import dev.downbeat.gatling.version.EnvironmentCheck;
import dev.downbeat.gatling.version.SimulationParameters;
import io.gatling.core.config.GatlingConfiguration;
import io.gatling.core.scenario.Simulation;
import io.gatling.core.scenario.SimulationParams;
import java.lang.invoke.MethodHandles;

/**
 * The equivalent of {@link DownbeatSimulation} for simulations in Scala: {@code class Orders extends
 * DownbeatScalaSimulation} instead of {@code extends Simulation}.
 */
public abstract class DownbeatScalaSimulation extends Simulation {
    /**
     * For subclasses, which Gatling instantiates.
     *
     * @throws IllegalStateException with one line, if this Gatling or this JVM is not supported
     */
    protected DownbeatScalaSimulation() {
        EnvironmentCheck.check();
    }

    /** Called by Gatling 3.15.1 and later. */
    @Override
    public SimulationParams params() {
        return CorrectedSimulation.corrected(super.params(), getClass().getName());
    }

    /** Called by Gatling 3.11 to 3.15.0. */
    public SimulationParams params(GatlingConfiguration configuration) {
        return CorrectedSimulation.corrected(
                SimulationParameters.ofParent(MethodHandles.lookup(), Simulation.class, this, configuration),
                getClass().getName());
    }
}
