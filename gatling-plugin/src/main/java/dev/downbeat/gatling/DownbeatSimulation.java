package dev.downbeat.gatling;

import dev.downbeat.gatling.correction.CorrectedSimulation;
import dev.downbeat.gatling.version.EnvironmentCheck;
import dev.downbeat.gatling.version.SimulationParameters;
import io.gatling.core.config.GatlingConfiguration;
import io.gatling.core.scenario.SimulationParams;
import io.gatling.javaapi.core.Simulation;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * A simulation whose response times start at the intended start of each request. To correct an existing simulation in
 * Java or Kotlin, extend this class instead of {@link Simulation}; nothing else changes. For Scala, use {@link
 * DownbeatScalaSimulation}.
 */
public abstract class DownbeatSimulation extends Simulation {
    /**
     * For subclasses, which Gatling instantiates.
     *
     * @throws IllegalStateException with one line, if this Gatling or this JVM is not supported
     */
    protected DownbeatSimulation() {
        EnvironmentCheck.check();
    }

    /** Called by Gatling 3.15.1 and later. */
    @Override
    public SimulationParams params(@Nullable String simulationName) {
        return corrected(super.params(simulationName));
    }

    /** Called by Gatling 3.13 to 3.15.0. */
    public SimulationParams params(GatlingConfiguration configuration, @Nullable String simulationName) {
        return corrected(SimulationParameters.ofParent(
                MethodHandles.lookup(), Simulation.class, this, configuration, simulationName));
    }

    /** Called by Gatling 3.11 and 3.12. */
    public SimulationParams params(GatlingConfiguration configuration) {
        return corrected(SimulationParameters.ofParent(MethodHandles.lookup(), Simulation.class, this, configuration));
    }

    private SimulationParams corrected(SimulationParams plain) {
        return CorrectedSimulation.corrected(plain, getClass().getName());
    }
}
