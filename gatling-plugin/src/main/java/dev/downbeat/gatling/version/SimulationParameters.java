package dev.downbeat.gatling.version;

import io.gatling.core.config.GatlingConfiguration;
import io.gatling.core.scenario.SimulationParams;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Obtains a simulation's parameters in the way the present Gatling version does. */
public final class SimulationParameters {
    private SimulationParameters() {}

    /**
     * The result of the parent's own {@code params}.
     *
     * @param inside lookup of a class that extends the parent
     * @param arguments the configuration and, since 3.13, a name, which may be null
     */
    public static SimulationParams ofParent(
            MethodHandles.Lookup inside, Class<?> parent, Object simulation, @Nullable Object... arguments) {
        MethodType type = MethodType.methodType(SimulationParams.class, GatlingConfiguration.class);
        try {
            return (SimulationParams) inside.findSpecial(
                            parent,
                            "params",
                            arguments.length == 1 ? type : type.appendParameterTypes(String.class),
                            inside.lookupClass())
                    .bindTo(simulation)
                    .invokeWithArguments(arguments);
        } catch (RuntimeException | Error unchecked) {
            throw unchecked;
        } catch (Throwable changed) {
            throw new UserMistake("this Gatling reads the parameters of simulations differently from "
                    + EnvironmentCheck.VERSIONS + ": " + changed);
        }
    }

    /**
     * The parameters of a simulation in Java, Kotlin or Scala.
     *
     * @param configuration Gatling's configuration; null where it is not available
     */
    public static SimulationParams of(Object simulation, @Nullable GatlingConfiguration configuration, String name) {
        for (Method method : simulation.getClass().getMethods()) {
            List<Class<?>> types = List.of(method.getParameterTypes());
            if (method.getName().equals("params") && method.getReturnType() == SimulationParams.class) {
                @Nullable
                Object[] arguments = types.stream()
                        .map(type -> type == String.class ? name : configuration)
                        .toArray();
                try {
                    return (SimulationParams) method.invoke(simulation, arguments);
                } catch (ReflectiveOperationException broken) {
                    Throwable cause = broken.getCause() == null ? broken : broken.getCause();
                    if (cause instanceof RuntimeException unchecked) {
                        throw unchecked;
                    }
                    throw new UserMistake(name + " has no parameters: " + cause);
                }
            }
        }
        throw new UserMistake(name + " is not a simulation of " + EnvironmentCheck.VERSIONS);
    }
}
