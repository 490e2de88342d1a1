package dev.downbeat.verdict;

/** What a script is told: the same numbers by every door. */
public final class ExitCode {
    /** Measured; objectives met, or none set. */
    public static final int MET = 0;

    /** Nothing could be measured. */
    public static final int NOTHING = 1;

    /** The command line is wrong. */
    public static final int USAGE = 2;

    /** Measured, and what was asked cannot be answered. */
    public static final int UNSOUND = 98;

    /** An objective was missed. */
    public static final int MISSED = 99;

    private ExitCode() {}
}
