package dev.downbeat.gatling;

import io.gatling.app.Gatling$;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Objects;

/** A program that runs Gatling and lives on: it prints how much of Downbeat its JVM keeps until it ends. */
final class OtherProgram {
    private OtherProgram() {}

    /** The arguments are Gatling's. */
    public static void main(String[] args) throws ReflectiveOperationException {
        Gatling$.MODULE$.fromArgs(args);
        Field actions = Class.forName("java.lang.Shutdown").getDeclaredField("hooks");
        actions.setAccessible(true);
        long kept = Arrays.stream((Runnable[]) actions.get(null))
                .filter(Objects::nonNull)
                .filter(action -> action.getClass().getName().startsWith("dev.downbeat."))
                .count();
        System.out.println("kept by the JVM: " + kept);
        System.exit(0); // of Gatling's threads, some are no daemons
    }
}
