package dev.downbeat.gatling.version;

import akka.actor.ActorRef;
import io.gatling.core.CoreComponents;
import io.gatling.core.controller.inject.InjectionProfile;
import io.gatling.core.scenario.Scenario;
import io.gatling.core.scenario.SimulationParams;
import io.gatling.core.session.Session;
import io.gatling.core.stats.StatsEngine;
import io.gatling.core.structure.PopulationBuilder;
import io.gatling.core.structure.ScenarioContext;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import scala.Function0;
import scala.Function1;
import scala.runtime.BoxedUnit;

/**
 * Creates Gatling components whose construction differs between versions. Everything else that Downbeat uses is the
 * same from 3.11 to 3.16, but for a parent class and two methods: see {@code src/build/NewNames.java}.
 */
public final class GatlingComponents {
    private static final String THROTTLED = "io.gatling.core.controller.throttle.Throttler$Command$ThrottledRequest";

    private GatlingComponents() {}

    /** The simulation's parameters without its populations and its after hook. */
    public static SimulationParams with(
            SimulationParams plain, List<PopulationBuilder> populations, Function0<BoxedUnit> after) {
        boolean optional = get(plain, "after") instanceof scala.Option;
        return make(
                SimulationParams.class,
                plain.name(),
                Scalas.scala(populations),
                plain.globalProtocols(),
                plain.globalPauseType(),
                has(plain, "globalThrottleSteps") ? get(plain, "globalThrottleSteps") : get(plain, "throttlings"),
                plain.maxDuration(),
                plain.assertions(),
                get(plain, "before"),
                optional ? scala.Option.apply(after) : after);
    }

    /** Runs a simulation's after hook. */
    public static void after(SimulationParams plain) {
        Object after = get(plain, "after");
        Object given = after instanceof scala.Option<?> option ? (option.isDefined() ? option.get() : null) : after;
        if (given instanceof Function0<?> step) {
            step.apply();
        }
    }

    /** A scenario with observed users; before 3.15.1 it includes its injection. */
    public static Scenario scenario(
            Scenario plain,
            InjectionProfile injection,
            Function1<Session, Session> onStart,
            Function1<Session, BoxedUnit> onExit,
            ScenarioContext context) {
        return has(plain, "injectionProfile")
                ? make(Scenario.class, plain.name(), plain.entry(), onStart, onExit, injection, context)
                : make(Scenario.class, plain.name(), plain.entry(), onStart, onExit, context);
    }

    /** Whether this Gatling uses Akka's actors, as 3.11 does, rather than its own. */
    public static boolean hasAkka(CoreComponents core) {
        return !get(core, "actorSystem").getClass().getName().startsWith("io.gatling.");
    }

    /** Runs a step after Gatling's run, before its report. */
    public static void onTermination(CoreComponents core, Runnable step) {
        Function0<BoxedUnit> last = () -> {
            step.run();
            return BoxedUnit.UNIT;
        };
        Object system = get(core, "actorSystem");
        call(method(system.getClass(), "registerOnTermination", Function0.class), system, last);
    }

    /** Stops the statistics of Gatling 3.11. */
    public static void stop(StatsEngine stats, ActorRef controller, scala.Option<Exception> exception) {
        call(method(stats.getClass(), "stop", ActorRef.class, scala.Option.class), stats, controller, exception);
    }

    /** Passes a step through the throttle. */
    public static void throttle(CoreComponents core, String scenario, Function0<BoxedUnit> step) {
        Object throttler = ((scala.Option<?>) get(core, "throttler")).get();
        if (hasAkka(core)) {
            call(method(throttler.getClass(), "throttle", String.class, Function0.class), throttler, scenario, step);
            return;
        }
        try {
            Object message = make(Class.forName(THROTTLED), scenario, step);
            call(method(throttler.getClass(), "$bang", Object.class), throttler, message);
        } catch (ClassNotFoundException absent) {
            throw changed(THROTTLED, absent);
        }
    }

    /** Creates an object with the constructor that accepts these arguments. */
    public static <T> T make(Class<T> type, @Nullable Object... arguments) {
        for (Constructor<?> constructor : type.getConstructors()) {
            if (takes(constructor.getParameterTypes(), arguments)) {
                try {
                    return type.cast(constructor.newInstance(arguments));
                } catch (InvocationTargetException thrown) {
                    throw rethrown(thrown);
                } catch (ReflectiveOperationException closed) {
                    throw changed(type.getName(), closed);
                }
            }
        }
        throw changed(type.getName(), "no constructor takes " + arguments.length + " such arguments");
    }

    private static boolean takes(Class<?>[] types, @Nullable Object[] arguments) {
        if (types.length != arguments.length) {
            return false;
        }
        MethodType boxed = MethodType.methodType(void.class, types).wrap();
        for (int i = 0; i < types.length; i++) {
            if (arguments[i] != null && !boxed.parameterType(i).isInstance(arguments[i])) {
                return false;
            }
        }
        return true;
    }

    /** Whether this version of a component has an accessor. */
    public static boolean has(Object part, String accessor) {
        return Arrays.stream(part.getClass().getMethods())
                .anyMatch(method -> method.getName().equals(accessor) && method.getParameterCount() == 0);
    }

    public static Object get(Object part, String accessor) {
        return call(method(part.getClass(), accessor), part);
    }

    /** The method of the first name that the type has. */
    public static Method method(Class<?> type, List<String> names, Class<?>... parameters) {
        String name = Arrays.stream(type.getMethods())
                .map(Method::getName)
                .filter(names::contains)
                .findFirst()
                .orElseThrow(() -> changed(type.getName(), "it has no method " + names));
        return method(type, name, parameters);
    }

    private static Method method(Class<?> type, String name, Class<?>... parameters) {
        try {
            Method method = type.getMethod(name, parameters);
            method.setAccessible(true); // public, but possibly in a non-public class
            return method;
        } catch (ReflectiveOperationException absent) {
            throw changed(type.getName(), absent);
        }
    }

    public static Object call(Method method, Object part, @Nullable Object... arguments) {
        try {
            return method.invoke(part, arguments);
        } catch (InvocationTargetException thrown) {
            throw rethrown(thrown);
        } catch (ReflectiveOperationException closed) {
            throw changed(method.getDeclaringClass().getName(), closed);
        }
    }

    private static RuntimeException rethrown(InvocationTargetException thrown) {
        if (thrown.getCause() instanceof RuntimeException unchecked) {
            return unchecked;
        }
        if (thrown.getCause() instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(thrown.getCause());
    }

    private static UserMistake changed(String type, Object why) {
        return new UserMistake("this Gatling's " + type + " is not that of " + EnvironmentCheck.VERSIONS + ": " + why);
    }
}
