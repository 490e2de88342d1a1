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
 * Those of Gatling's parts that are put together differently from one version to the next, made as the version wants them
 * that is here. All else that Downbeat uses is the same from 3.11 to 3.15.
 */
public final class Parts {
    private static final String THROTTLED = "io.gatling.core.controller.throttle.Throttler$Command$ThrottledRequest";
    private static final Class<?>[] PRIMITIVES = {boolean.class, Boolean.class, long.class, Long.class};

    private Parts() {}

    /** The simulation's parameters, but for its populations and what is done at the end. */
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

    /** What a simulation wants done at its end. */
    public static void after(SimulationParams plain) {
        Object after = get(plain, "after");
        Object given = after instanceof scala.Option<?> option ? (option.isDefined() ? option.get() : null) : after;
        if (given instanceof Function0<?> step) {
            step.apply();
        }
    }

    /** A scenario whose users are watched; before 3.15.1 it has its injection with it. */
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

    /** Whether this Gatling has Akka's actors, as 3.11 does, and not its own. */
    public static boolean hasAkka(CoreComponents core) {
        return !get(core, "actorSystem").getClass().getName().startsWith("io.gatling.");
    }

    /** Does something when Gatling's run is over, before its report is made. */
    public static void onTermination(CoreComponents core, Runnable step) {
        Function0<BoxedUnit> last = () -> {
            step.run();
            return BoxedUnit.UNIT;
        };
        Object system = get(core, "actorSystem");
        call(method(system.getClass(), "registerOnTermination", Function0.class), system, last);
    }

    /** Stops Gatling 3.11's statistics. */
    public static void stop(StatsEngine stats, ActorRef controller, scala.Option<Exception> exception) {
        call(method(stats.getClass(), "stop", ActorRef.class, scala.Option.class), stats, controller, exception);
    }

    /** Has a step wait for the throttle. */
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

    /** An object by the constructor that takes these arguments. */
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
        for (int i = 0; i < types.length; i++) {
            if (arguments[i] != null && !boxed(types[i]).isInstance(arguments[i])) {
                return false;
            }
        }
        return true;
    }

    private static Class<?> boxed(Class<?> type) {
        int at = Arrays.asList(PRIMITIVES).indexOf(type);
        return at < 0 || !type.isPrimitive() ? type : PRIMITIVES[at + 1];
    }

    /** Whether this version of a part can be asked for something. */
    static boolean has(Object part, String accessor) {
        return Arrays.stream(part.getClass().getMethods())
                .anyMatch(method -> method.getName().equals(accessor) && method.getParameterCount() == 0);
    }

    /** What a part says. */
    public static Object get(Object part, String accessor) {
        return call(method(part.getClass(), accessor), part);
    }

    private static Method method(Class<?> type, String name, Class<?>... parameters) {
        try {
            Method method = type.getMethod(name, parameters);
            method.setAccessible(true); // public, but of a class that may not be
            return method;
        } catch (ReflectiveOperationException absent) {
            throw changed(type.getName(), absent);
        }
    }

    private static Object call(Method method, Object part, @Nullable Object... arguments) {
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
        return new UserMistake("this Gatling's " + type + " is not that of " + Supported.VERSIONS + ": " + why);
    }
}
