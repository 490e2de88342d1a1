package dev.downbeat.gatling.version;

import io.gatling.commons.util.GatlingVersion;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Refuses, in one line, what would otherwise break somewhere inside Gatling, or do nothing at all. */
public final class Supported {
    public static final String VERSIONS = "Gatling 3.11 to 3.15";

    private static final int OLDEST_MINOR = 11;
    private static final int NEWEST_MINOR = 15;
    private static final Pattern VERSION = Pattern.compile("3\\.(\\d+)\\..*");

    private Supported() {}

    /** Asked first, when a simulation is made: what comes later a version may have no place for. */
    public static void check() {
        UserMistake.showInOneLine();
        check(version(), Object.class.getModule().isOpen("java.lang", Supported.class.getModule()));
    }

    /** Of the Gatling on the class path. */
    public static String version() {
        try {
            return GatlingVersion.ThisVersion().fullVersion();
        } catch (LinkageError other) {
            return "of another version";
        }
    }

    /**
     * As {@link #check()}, for any situation.
     *
     * @param opened whether the JVM lets Gatling into java.lang
     */
    public static void check(String version, boolean opened) {
        Matcher known = VERSION.matcher(version);
        if (!known.matches() || !isKnown(known.group(1))) {
            throw new UserMistake("Downbeat corrects " + VERSIONS + ", but this is Gatling " + version
                    + ": use one of these, or a downbeat-gatling that names it");
        }
        if (!opened) {
            throw new UserMistake("Gatling needs --add-opens=java.base/java.lang=ALL-UNNAMED on the JVM's command line;"
                    + " its Maven and Gradle plugins add it");
        }
    }

    private static boolean isKnown(String minor) {
        return minor.length() <= 2
                && Integer.parseInt(minor) >= OLDEST_MINOR
                && Integer.parseInt(minor) <= NEWEST_MINOR;
    }
}
