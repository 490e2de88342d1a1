package dev.downbeat.cli.terminal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.IntConsumer;

/**
 * Handles operating system signals through {@code sun.misc.Signal}. It is in every JDK but not part of the Java 17
 * API, so it is called by reflection.
 */
public final class Signals {
    /** Ctrl-C. */
    public static final int INTERRUPT = 2;

    /** A polite request to end. */
    public static final int TERMINATE = 15;

    private static final int WINDOW_CHANGE = 28;

    /** The terminal was closed. */
    static final int HANG_UP = 1;

    private Signals() {}

    /**
     * Calls {@code handler} with the number of each SIGINT, SIGTERM and SIGHUP instead of ending the process.
     *
     * @return whether this JVM supports it; a signal that the parent process set to ignored stays ignored, and
     *     Windows has no SIGHUP
     */
    public static boolean handle(IntConsumer handler) {
        try {
            handle("INT", INTERRUPT, handler);
            handle("TERM", TERMINATE, handler);
        } catch (ReflectiveOperationException | RuntimeException unsupported) {
            return false;
        }
        handleIfThere("HUP", HANG_UP, handler);
        return true;
    }

    /** A signal that cannot be handled is skipped. */
    static boolean handleIfThere(String name, int number, IntConsumer handler) {
        try {
            handle(name, number, handler);
            return true;
        } catch (ReflectiveOperationException | RuntimeException unsupported) {
            return false;
        }
    }

    /** Calls {@code changed} whenever the terminal is resized, if signals are supported. */
    static void onResize(Runnable changed) {
        handleIfThere("WINCH", WINDOW_CHANGE, number -> changed.run());
    }

    private static void handle(String name, int number, IntConsumer handler) throws ReflectiveOperationException {
        Class<?> signalType = Class.forName("sun.misc.Signal");
        Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
        Object proxy = Proxy.newProxyInstance(
                Signals.class.getClassLoader(), new Class<?>[] {handlerType}, (self, method, args) -> {
                    return switch (method.getName()) {
                        case "handle" -> {
                            handler.accept(number);
                            yield null;
                        }
                        case "equals" -> args != null && args.length == 1 && self == args[0];
                        case "hashCode" -> System.identityHashCode(self);
                        default -> "downbeat's handler of SIG" + name;
                    };
                });
        Object signal = signalType.getConstructor(String.class).newInstance(name);
        try {
            signalType.getMethod("handle", signalType, handlerType).invoke(null, signal, proxy);
        } catch (InvocationTargetException refused) {
            throw new IllegalStateException("the JVM keeps SIG" + name + " for itself", refused);
        }
    }
}
