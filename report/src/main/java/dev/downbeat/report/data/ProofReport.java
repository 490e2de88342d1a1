package dev.downbeat.report.data;

import java.util.List;

/**
 * What the instrument showed of something whose outcome is known beforehand: a server of its own that was frozen. Immutable.
 *
 * @param setup what was done, in a line each
 * @param rows each quantity beside what it must have been
 * @param failures what was not as it must be; empty if all was
 * @param ledger where the requests went, in a line
 * @param facts about the machine: a name and what is said of it
 * @param command the command line, one word each
 * @param version of Downbeat
 */
public record ProofReport(
        List<String> setup,
        List<Row> rows,
        List<Failure> failures,
        String ledger,
        List<Fact> facts,
        List<String> command,
        String version) {
    public ProofReport {
        setup = List.copyOf(setup);
        rows = List.copyOf(rows);
        failures = List.copyOf(failures);
        facts = List.copyOf(facts);
        command = List.copyOf(command);
    }

    /**
     * A quantity, a time in nanoseconds or a count.
     *
     * @param isTime whether it is a time
     * @param shown by the run
     * @param must what it must have been: the exact theoretical result
     * @param closedLoop what a closed-loop tool would report
     * @param held whether it is within the tolerance
     */
    public record Row(String name, boolean isTime, long shown, long must, long closedLoop, boolean held) {}

    /** What was not as it must be: of which quantity, and in words. */
    public record Failure(String quantity, String text) {}

    /** Something about the machine. */
    public record Fact(String name, String text) {}

    /** Whether all was as it must be. */
    public boolean isProved() {
        return failures.isEmpty();
    }
}
