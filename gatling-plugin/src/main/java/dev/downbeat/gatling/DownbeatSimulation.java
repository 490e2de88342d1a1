package dev.downbeat.gatling;

import io.gatling.core.scenario.SimulationParams;
import io.gatling.javaapi.core.Simulation;
import org.jspecify.annotations.Nullable;

/**
 * A simulation whose response times count from the instants at which its requests were meant to start. An existing
 * simulation in Java or Kotlin is corrected by extending this class instead of {@link Simulation}; nothing else changes.
 */
public abstract class DownbeatSimulation extends Simulation {
    /** For subclasses, which Gatling makes. */
    protected DownbeatSimulation() {}

    @Override
    public SimulationParams params(@Nullable String simulationName) {
        return CorrectedRun.corrected(super.params(simulationName), getClass().getName());
    }
}
