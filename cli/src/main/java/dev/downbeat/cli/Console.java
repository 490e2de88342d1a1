package dev.downbeat.cli;

import java.io.PrintWriter;

/**
 * Where a command speaks.
 *
 * @param out results
 * @param err everything else
 * @param terminal what the two are connected to
 * @param colour whether results are coloured
 * @param verbose whether to say more
 * @param output what the user asked for
 * @param command which command speaks
 */
record Console(
        PrintWriter out,
        PrintWriter err,
        Terminal terminal,
        boolean colour,
        boolean verbose,
        OutputOptions output,
        String command) {
    /** Of {@code downbeat run}. */
    Console(
            PrintWriter out,
            PrintWriter err,
            Terminal terminal,
            boolean colour,
            boolean verbose,
            OutputOptions output) {
        this(out, err, terminal, colour, verbose, output, "run");
    }

    /** Says something that is no result, unless silence is wanted. */
    void note(String text) {
        if (!output.quiet) {
            err.println("downbeat " + command + ": " + text);
            err.flush();
        }
    }

    /** Says something about our own work, if that is wanted. */
    void detail(String text) {
        if (verbose) {
            note(text);
        }
    }

    /** Says what went wrong, always. */
    void error(String text) {
        err.println("downbeat " + command + ": " + Messages.line(text));
        err.flush();
    }
}
