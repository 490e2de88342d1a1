package dev.downbeat.verdict;

/** The exit codes, the same for every command and integration. */
public final class ExitCode {
    /** Measured; the objectives are met, or none was set. */
    public static final int MET = 0;

    /** Nothing could be measured. */
    public static final int NOTHING = 1;

    /** The command line is invalid. */
    public static final int USAGE = 2;

    /** Measured, but the question cannot be answered. */
    public static final int UNSOUND = 98;

    /** An objective was missed. */
    public static final int MISSED = 99;

    /** A shard was stopped. A command that a signal ends has 128 and the number of the signal instead. */
    public static final int STOPPED = 130;

    private ExitCode() {}

    /** The code of a command after its output: only a missed objective outweighs a result that could not be written. */
    public static int afterOutput(int code, boolean isWritten) {
        return isWritten || code == MISSED ? code : NOTHING;
    }
}
