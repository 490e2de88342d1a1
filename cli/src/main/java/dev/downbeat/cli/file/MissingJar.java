package dev.downbeat.cli.file;

/** The refusal where a jar beside the command line's is absent, with the line that builds it where there is a launcher. */
public final class MissingJar {
    private MissingJar() {}

    /** "something needs a jar beside downbeat.jar, and it is not there". */
    public static String refusal(String what, String jar) {
        String launcher = System.getProperty("downbeat.launcher");
        return what + " needs " + jar + " beside downbeat.jar, and it is not there"
                + (launcher == null ? "" : "; with DOWNBEAT_JARS=all, " + launcher + " builds it");
    }
}
