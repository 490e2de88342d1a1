package dev.downbeat.gatling;

import io.gatling.core.scenario.SimulationParams;
import io.gatling.javaapi.core.Simulation;
import org.jspecify.annotations.Nullable;

/**
 * Corrects a simulation without a change of its source: {@code -Dgatling.simulationClass=dev.downbeat.gatling.Corrected
 * -Ddownbeat.simulation=my.OwnSimulation}. Takes simulations in Java, Kotlin and Scala.
 */
public final class Corrected extends Simulation {
    private static final String PROPERTY = Settings.PREFIX + "simulation";

    /** Gatling makes it. */
    public Corrected() {}

    @Override
    public SimulationParams params(@Nullable String simulationName) {
        String name = System.getProperty(PROPERTY);
        if (name == null) {
            throw new Refusal("-D" + PROPERTY + " must name the simulation to be corrected");
        }
        return CorrectedRun.corrected(params(simulation(name), name), name);
    }

    private static Object simulation(String name) {
        try {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            return Class.forName(name, true, loader == null ? Corrected.class.getClassLoader() : loader)
                    .getConstructor()
                    .newInstance();
        } catch (ClassNotFoundException absent) {
            throw new Refusal("-D" + PROPERTY + "=" + name + ": there is no such class");
        } catch (ReflectiveOperationException broken) {
            Throwable cause = broken.getCause() == null ? broken : broken.getCause();
            throw new Refusal("-D" + PROPERTY + "=" + name + " cannot be made: " + cause);
        }
    }

    private static SimulationParams params(Object simulation, String name) {
        if (simulation instanceof DownbeatSimulation) {
            throw new Refusal(name + " is a DownbeatSimulation and corrects itself: run it without the launcher");
        }
        if (simulation instanceof Simulation java) {
            return java.params(name);
        }
        if (simulation instanceof io.gatling.core.scenario.Simulation scala) {
            return scala.params();
        }
        throw new Refusal("-D" + PROPERTY + "=" + name + " is not a simulation");
    }
}
