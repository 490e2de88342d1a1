package dev.downbeat.gatling.version;

import dev.downbeat.report.file.EntryPoint;
import dev.downbeat.selfcheck.PropertyNames;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** How Gatling was started in this JVM, and how to report a missed objective there. */
public enum GatlingLauncher {
    /** Gatling's main method, as used by its Maven and Gradle plugins: the JVM ends with an exit code. */
    MAIN {
        @Override
        public String endWith(int code, String why, Path results, Optional<Path> corrected) {
            afterReport(results, corrected, code);
            return "Gatling's JVM will end with exit code " + code + ": " + why;
        }
    },
    /** sbt's test framework, which gets a code from Gatling and lives on: an exception is a failed test. */
    SBT {
        @Override
        public String endWith(int code, String why, Path results, Optional<Path> corrected) {
            generateReport(results);
            AfterReport.link(results, corrected);
            throw new ObjectiveMissed(why);
        }
    },
    /** Another program: the verdict is in the result, and nothing is ended. */
    OTHER {
        @Override
        public String endWith(int code, String why, Path results, Optional<Path> corrected) {
            afterReport(results, corrected, code);
            return why;
        }
    };

    /** The command that runs a simulation again, as started here. */
    public List<String> command(String simulation) {
        boolean isWrapped = simulation.equals(System.getProperty(PropertyNames.PREFIX + "simulation"));
        String run = isWrapped ? CORRECTED : simulation;
        List<String> ofMaven = List.of("mvn", "gatling:test", "-Dgatling.simulationClass=" + run);
        List<String> ofGradle = List.of("gradle", "gatlingRun", "--simulation", run);
        return EntryPoint.command(this == SBT ? List.of("sbt", "Gatling/testOnly " + run) : ofMaven, ofGradle);
    }

    /** Corrects the simulation that a property names. */
    private static final String CORRECTED = "dev.downbeat.gatling.Corrected";

    /** Shown by sbt for a simulation that missed an objective. */
    static final class ObjectiveMissed extends RuntimeException {
        private static final long serialVersionUID = 1;

        ObjectiveMissed(String why) {
            super("Downbeat: " + why, null, false, false);
        }
    }

    /** Determined from the calling thread's stack. */
    public static GatlingLauncher ofThisThread() {
        if (onStack(frame -> frame.getClassName().startsWith("io.gatling.sbt."))) {
            return SBT;
        }
        return onStack(frame -> frame.getClassName().startsWith("io.gatling.app.Gatling")
                        && frame.getMethodName().equals("main"))
                ? MAIN
                : OTHER;
    }

    private static boolean onStack(Predicate<StackWalker.StackFrame> wanted) {
        return StackWalker.getInstance().walk(frames -> frames.anyMatch(wanted));
    }

    /**
     * Makes the run count as failed.
     *
     * @param why the reason, in a few words
     * @param results Gatling's results folder
     * @param corrected Downbeat's page; empty if Gatling's shows corrected times itself
     * @return a line to print
     * @throws ObjectiveMissed where an exception is the way to report it
     */
    public abstract String endWith(int code, String why, Path results, Optional<Path> corrected);

    /**
     * Performs the actions due after Gatling's report, which is generated later. Without Logback, only the end of the JVM
     * comes after it: in a JVM that lives on, Gatling's page then has no link to Downbeat's.
     */
    public void afterReport(Path results, Optional<Path> corrected, int code) {
        AfterReport action = new AfterReport(results, corrected, code, () -> ofThisThread() == MAIN);
        boolean isWaiting = hasLogback() && LogbackStop.schedule(action);
        if (!isWaiting && this == MAIN) {
            JvmEnd.schedule(action);
        }
    }

    private static boolean hasLogback() {
        return OptionalClass.isThere("ch.qos.logback.classic.LoggerContext");
    }

    /** Whether a missed objective fails the build, in whichever way. */
    public boolean canFailBuild() {
        return this != MAIN || hasLogback() && LogbackStop.isBound() || JvmEnd.isReachable();
    }

    /** Gatling's own report, which Gatling does not generate after a failure. */
    private static void generateReport(Path results) {
        Path parent = results.toAbsolutePath().getParent();
        if (parent == null) {
            return;
        }
        String[] arguments = {"-ro", String.valueOf(results.getFileName()), "-rf", parent.toString()};
        try {
            Class<?> app = Class.forName("io.gatling.app.Gatling$");
            Object gatling = app.getField("MODULE$").get(null);
            app.getMethod("fromArgs", String[].class).invoke(gatling, (Object) arguments);
        } catch (InvocationTargetException broken) {
            System.out.println("  Gatling's report was not made: " + broken.getCause());
        } catch (ReflectiveOperationException changed) {
            System.out.println("  Gatling's report was not made: " + changed);
        }
    }
}
