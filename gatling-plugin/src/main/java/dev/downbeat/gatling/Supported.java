package dev.downbeat.gatling;

import io.gatling.commons.util.GatlingVersion;

/** Refuses, in one line, what would otherwise break somewhere inside Gatling. */
final class Supported {
    private static final String VERSIONS = "3.15.";

    private Supported() {}

    static void check() {
        check(
                GatlingVersion.ThisVersion().fullVersion(),
                Object.class.getModule().isOpen("java.lang", Supported.class.getModule()));
    }

    /**
     * As {@link #check()}, for any situation.
     *
     * @param opened whether the JVM lets Gatling into java.lang
     */
    static void check(String version, boolean opened) {
        if (!version.startsWith(VERSIONS)) {
            throw new Refusal("Downbeat corrects Gatling 3.15, but this is Gatling " + version
                    + ": use downbeat-gatling of the same minor version, or Gatling 3.15");
        }
        if (!opened) {
            throw new Refusal("Gatling needs --add-opens=java.base/java.lang=ALL-UNNAMED on the JVM's command line;"
                    + " its Maven and Gradle plugins add it");
        }
    }
}
