package dev.downbeat.gatling;

import dev.downbeat.gatling.correction.CorrectedSimulation;
import dev.downbeat.gatling.settings.Settings;
import dev.downbeat.gatling.version.EnvironmentCheck;
import dev.downbeat.gatling.version.SimulationParameters;
import dev.downbeat.gatling.version.UserMistake;
import io.gatling.core.config.GatlingConfiguration;
import io.gatling.core.scenario.SimulationParams;
import io.gatling.javaapi.core.Simulation;
import org.jspecify.annotations.Nullable;

/**
 * Corrects a simulation without changing its source: {@code -Dgatling.simulationClass=dev.downbeat.gatling.Corrected
 * -Ddownbeat.simulation=my.OwnSimulation}. Supports simulations in Java, Kotlin and Scala.
 */
public final class Corrected extends LauncherSimulation {
    private static final String PROPERTY = Settings.PREFIX + "simulation";

    /**
     * Instantiated by Gatling.
     *
     * @throws IllegalStateException with one line, if this Gatling or this JVM is not supported
     */
    public Corrected() {
        EnvironmentCheck.check();
    }

    /** Called by Gatling 3.15.1 and later. */
    @Override
    public SimulationParams params(@Nullable String simulationName) {
        return corrected(null);
    }

    /** Called by Gatling 3.13 to 3.15.0. */
    public SimulationParams params(GatlingConfiguration configuration, @Nullable String simulationName) {
        return corrected(configuration);
    }

    /** Called by Gatling 3.11 and 3.12. */
    public SimulationParams params(GatlingConfiguration configuration) {
        return corrected(configuration);
    }

    private static SimulationParams corrected(@Nullable GatlingConfiguration configuration) {
        String name = System.getProperty(PROPERTY);
        if (name == null) {
            throw new UserMistake("-D" + PROPERTY + " must name the simulation to be corrected");
        }
        Object simulation = simulation(name);
        if (simulation instanceof DownbeatSimulation || simulation instanceof DownbeatScalaSimulation) {
            throw new UserMistake(name + " corrects itself: run it without the launcher");
        }
        if (!(simulation instanceof Simulation) && !(simulation instanceof io.gatling.core.scenario.Simulation)) {
            throw new UserMistake("-D" + PROPERTY + "=" + name + " is not a simulation");
        }
        return CorrectedSimulation.corrected(SimulationParameters.of(simulation, configuration, name), name);
    }

    private static Object simulation(String name) {
        try {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            return Class.forName(name, true, loader == null ? Corrected.class.getClassLoader() : loader)
                    .getConstructor()
                    .newInstance();
        } catch (ClassNotFoundException absent) {
            throw new UserMistake("-D" + PROPERTY + "=" + name + ": there is no such class");
        } catch (ReflectiveOperationException broken) {
            Throwable cause = broken.getCause() == null ? broken : broken.getCause();
            throw new UserMistake("-D" + PROPERTY + "=" + name + " cannot be made: " + cause);
        }
    }
}
