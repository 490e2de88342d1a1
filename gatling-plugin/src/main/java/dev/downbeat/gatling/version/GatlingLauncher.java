package dev.downbeat.gatling.version;

import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.function.Predicate;

/** Who has started Gatling in this JVM, and how to have it say that an objective was missed: each has its own way. */
public enum GatlingLauncher {
    /** Gatling's main method, as its plugins for Maven and Gradle start it: the JVM ends with a code. */
    MAIN {
        @Override
        public String endWith(int code, String why, Path results) {
            return lastWord(results, code)
                    ? "Gatling's JVM will end with exit code " + code + ": " + why
                    : "the exit code is Gatling's own, since its logging is not Logback: " + why;
        }
    },
    /** sbt's test framework, which asks Gatling for a code and lives on: what is thrown is a failed test to it. */
    SBT {
        @Override
        public String endWith(int code, String why, Path results) {
            lastWord(results, code);
            makeReport(results);
            throw new ObjectiveMissed(why);
        }
    },
    /** Somebody's own program: the verdict stands in the result, and nothing is ended. */
    OTHER {
        @Override
        public String endWith(int code, String why, Path results) {
            lastWord(results, code);
            return why;
        }
    };

    /** What sbt shows of a simulation that has missed an objective. */
    static final class ObjectiveMissed extends RuntimeException {
        private static final long serialVersionUID = 1;

        ObjectiveMissed(String why) {
            super("Downbeat: " + why, null, false, false);
        }
    }

    /** Whoever is on the calling thread's stack. */
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
     * Sees that the run counts as failed.
     *
     * @param why in a few words
     * @param results the folder of Gatling's results
     * @return a line to print
     * @throws ObjectiveMissed where that is how it is said
     */
    public abstract String endWith(int code, String why, Path results);

    /** Does what is to be done after Gatling's report, which is made later. */
    public static boolean lastWord(Path results, int code) {
        return OptionalClass.isThere("ch.qos.logback.classic.LoggerContext")
                && AfterReport.expect(results, code, () -> ofThisThread() == MAIN);
    }

    /** Gatling's own, which would not be made after a failure. */
    private static void makeReport(Path results) {
        Path parent = results.toAbsolutePath().getParent();
        if (parent == null) {
            return;
        }
        String[] words = {"-ro", String.valueOf(results.getFileName()), "-rf", parent.toString()};
        try {
            Class<?> app = Class.forName("io.gatling.app.Gatling$");
            Object gatling = app.getField("MODULE$").get(null);
            app.getMethod("fromArgs", String[].class).invoke(gatling, (Object) words);
        } catch (InvocationTargetException broken) {
            System.out.println("  Gatling's report was not made: " + broken.getCause());
        } catch (ReflectiveOperationException changed) {
            System.out.println("  Gatling's report was not made: " + changed);
        }
    }
}
