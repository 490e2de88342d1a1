package dev.downbeat.gatling.version;

import io.gatling.commons.util.GatlingVersion;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rejects, in one line, environments that would otherwise fail inside Gatling or have no effect. */
public final class EnvironmentCheck {
    public static final String VERSIONS = "Gatling 3.11 to 3.16";

    private static final int OLDEST_MINOR = 11;
    private static final int NEWEST_MINOR = 16;
    private static final Pattern VERSION = Pattern.compile("3\\.(\\d+)\\..*");

    private EnvironmentCheck() {}

    /** Called first, when a simulation is created, because a version may not support what follows. */
    public static void check() {
        UserMistake.showInOneLine();
        check(version(), Object.class.getModule().isOpen("java.lang", EnvironmentCheck.class.getModule()));
    }

    /** The version of the Gatling on the class path. */
    public static String version() {
        try {
            return GatlingVersion.ThisVersion().fullVersion();
        } catch (LinkageError other) {
            return "of another version";
        }
    }

    /**
     * Like {@link #check()}, for a given environment.
     *
     * @param opened whether the JVM opens java.lang to Gatling
     */
    public static void check(String version, boolean opened) {
        Matcher known = VERSION.matcher(version);
        if (!known.matches() || !isKnown(known.group(1))) {
            throw new UserMistake("Downbeat corrects " + VERSIONS + ", but this is Gatling " + version
                    + ": use one of these, or a downbeat-gatling that supports it");
        }
        if (!opened) {
            throw new UserMistake("Gatling needs --add-opens=java.base/java.lang=ALL-UNNAMED on the JVM's command line;"
                    + " its Maven and Gradle plugins add it");
        }
    }

    /**
     * Rejects, before its run, a simulation that could miss an objective without failing its build.
     *
     * @param canFail whether the build would fail
     */
    public static void requireFailingBuild(boolean canFail) {
        if (!canFail) {
            throw new UserMistake("on this JDK a missed objective fails the build only if Gatling logs by Logback:"
                    + " add logback-classic and no other SLF4J provider, or set -Ddownbeat.exitCode=none");
        }
    }

    private static boolean isKnown(String minor) {
        return minor.length() <= 2
                && Integer.parseInt(minor) >= OLDEST_MINOR
                && Integer.parseInt(minor) <= NEWEST_MINOR;
    }
}
