package dev.downbeat.spring;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.apache.catalina.Valve;

/**
 * The valves of Tomcat's engine. Spring Boot 4 moved Tomcat's factory to another package, so it is detected by its
 * method.
 */
final class EngineValves {
    private static final String ADD = "addEngineValves";

    private EngineValves() {}

    /** Adds a valve, if the factory creates Tomcat. */
    static void add(Object factory, Valve valve) {
        for (Method method : factory.getClass().getMethods()) {
            if (method.getName().equals(ADD) && method.getParameterCount() == 1) {
                Object valves = Array.newInstance(Valve.class, 1);
                Array.set(valves, 0, valve);
                try {
                    method.invoke(factory, valves);
                    return;
                } catch (IllegalAccessException | InvocationTargetException refused) {
                    throw new IllegalStateException("the recorder's valve was refused: " + refused, refused);
                }
            }
        }
    }
}
