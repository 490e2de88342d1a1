package dev.downbeat.report.data;

import java.util.List;

/**
 * The result of a self-test with a known outcome: a frozen server. Immutable.
 *
 * @param setup what was done, one line each
 * @param rows each quantity with its theoretical value
 * @param failures quantities outside their tolerance; empty if there are none
 * @param ledger fates of the requests, in one line
 * @param facts names and values about the machine
 * @param command command line, one word each
 * @param version Downbeat's version
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
     * A quantity: a time in nanoseconds or a count.
     *
     * @param isTime whether it is a time
     * @param shown value of the run
     * @param must exact theoretical value
     * @param closedLoop value that a closed-loop tool would report
     * @param held whether it is within the tolerance
     */
    public record Row(String name, boolean isTime, long shown, long must, long closedLoop, boolean held) {}

    /** A quantity outside its tolerance, with a text. */
    public record Failure(String quantity, String text) {}

    /** A fact about the machine. */
    public record Fact(String name, String text) {}

    /** Whether all quantities are within their tolerance. */
    public boolean isProved() {
        return failures.isEmpty();
    }
}
