package dev.downbeat.cli.terminal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.IntConsumer;

/**
 * Signals of the operating system, through {@code sun.misc.Signal}: it is in every JDK, and not in the API that Java 17
 * promises, so it is called by reflection.
 */
public final class Signals {
    /** Ctrl-C. */
    public static final int INTERRUPT = 2;

    /** A polite request to end. */
    public static final int TERMINATE = 15;

    private static final int WINDOW_CHANGE = 28;

    /** The terminal is gone. */
    static final int HANG_UP = 1;

    private Signals() {}

    /**
     * Calls {@code handler} with the number of each SIGINT, SIGTERM and SIGHUP instead of ending the process.
     *
     * @return whether this JVM can do so; a signal that the parent process told us to ignore stays ignored, and Windows has
     *     no SIGHUP
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

    /** Where a signal cannot be had, nobody sends it. */
    static boolean handleIfThere(String name, int number, IntConsumer handler) {
        try {
            handle(name, number, handler);
            return true;
        } catch (ReflectiveOperationException | RuntimeException unsupported) {
            return false;
        }
    }

    /** Calls {@code changed} whenever the terminal has another size; never where signals cannot be had. */
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
