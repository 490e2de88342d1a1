package dev.downbeat.cli.file;

/** The error for a missing jar, with the command that builds it if there is a launcher. */
public final class MissingJar {
    private MissingJar() {}

    /** "something needs a jar beside downbeat.jar, and it is not there". */
    public static String refusal(String what, String jar) {
        String launcher = System.getProperty("downbeat.launcher");
        return what + " needs " + jar + " beside downbeat.jar, and it is not there"
                + (launcher == null ? "" : "; with DOWNBEAT_JARS=all, " + launcher + " builds it");
    }
}
