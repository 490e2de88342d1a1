package dev.downbeat.gatling.version;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The end of the JVM, after all shutdown hooks, in the thread that ends it. The JDK has no public access to it: an ordinary
 * hook that halts the JVM would cut off those of others. Gatling needs java.lang opened anyway.
 */
final class JvmEnd {
    private static final int LAST_SLOT = 9;
    private static final int OTHERS_SLOT = 2;
    private static final Optional<Method> ADD = add();
    private static final List<AfterReport> ACTIONS = new ArrayList<>();

    private JvmEnd() {}

    private static Optional<Method> add() {
        try {
            Method add = Class.forName("java.lang.Shutdown")
                    .getDeclaredMethod("add", int.class, boolean.class, Runnable.class);
            add.setAccessible(true);
            return Optional.of(add);
        } catch (ReflectiveOperationException | RuntimeException changed) {
            return Optional.empty();
        }
    }

    static boolean isReachable() {
        return ADD.isPresent();
    }

    /** Runs the action then; false if the end of the JVM cannot be reached. */
    static synchronized boolean schedule(AfterReport action) {
        if (ACTIONS.isEmpty() && !registered()) {
            return false;
        }
        ACTIONS.add(action);
        return true;
    }

    private static boolean registered() {
        // Another class loader's Downbeat may hold a slot.
        for (int slot = LAST_SLOT; ADD.isPresent() && slot > OTHERS_SLOT; slot--) {
            try {
                ADD.get().invoke(null, slot, true, (Runnable) JvmEnd::run);
                return true;
            } catch (InvocationTargetException taken) {
                continue;
            } catch (IllegalAccessException closed) {
                return false;
            }
        }
        return false;
    }

    private static synchronized void run() {
        ACTIONS.forEach(action -> action.run(Runtime.getRuntime()::halt));
    }
}
