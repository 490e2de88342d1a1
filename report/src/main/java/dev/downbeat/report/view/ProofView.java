package dev.downbeat.report.view;

import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.render.RecordJson.Key;
import dev.downbeat.report.render.RecordJson.OneLine;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.Table.Cell;
import dev.downbeat.report.render.Table.Column;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.SharedData.Head;
import dev.downbeat.stats.Numbers;
import dev.downbeat.time.DurationText;
import java.util.List;
import java.util.Optional;

/** Whether Downbeat's results match the known outcome. */
public record ProofView(ProofReport report) implements View {
    @Override
    public Page page() {
        Table table = Table.with(
                Column.of(""),
                Column.of("measured"),
                Column.of("expected"),
                Column.of("a closed-loop tool"),
                Column.words(""));
        for (ProofReport.Row row : report.rows()) {
            table = table.cells(
                    Cell.of(row.name()),
                    Cell.of(value(row, row.shown())),
                    Cell.of(value(row, row.must())),
                    Cell.of(value(row, row.closedLoop())),
                    row.held() ? Cell.of(Mark.GOOD, "ok") : Cell.of(Mark.BAD, "out of tolerance"));
        }
        return new Page(
                new Page.Head("proof", "a frozen server on this machine", headline(), Optional.empty(), report.setup()),
                List.of(new Page.AnsweredQuestion(
                        "proof",
                        report.isProved() ? Mark.GOOD : Mark.BAD,
                        report.isProved() ? "proved" : "failed",
                        report.isProved() ? report.ledger() : "",
                        "",
                        Page.AnsweredQuestion.AnswerTopic.RESULT,
                        report.failures().stream()
                                .map(failure -> new Page.Check(Mark.BAD, "failed", failure.quantity(), failure.text()))
                                .toList())),
                List.of(),
                List.of(Page.Section.of("quantities", "What the run showed", Where.EVERYWHERE, table)),
                report.facts().stream()
                        .map(fact -> new Page.Fact(fact.name(), fact.text()))
                        .toList(),
                Page.Origin.of(report.command(), report.version(), List.of(RunView.corrected())));
    }

    private String headline() {
        return report.isProved()
                ? "Proved: all numbers are within 3 % and 5 ms of the exact theoretical result."
                : "FAILED: " + report.failures().get(0).text() + ".";
    }

    private static String value(ProofReport.Row row, long value) {
        return row.isTime() ? DurationText.rounded(value) : Numbers.count(value);
    }

    @Override
    public Record data() {
        return ProofData.of(report, headline());
    }

    /** A self-test of the instrument. */
    public record ProofData(
            @Key("") Head head,
            String headline,
            boolean proved,
            List<String> setup,
            List<Quantity> quantities,
            List<String> failures) {
        static ProofData of(ProofReport report, String headline) {
            return new ProofData(
                    Head.of("proof", report.version(), report.command()),
                    headline,
                    report.isProved(),
                    report.setup(),
                    report.rows().stream()
                            .map(row -> new Quantity(
                                    row.name(),
                                    row.isTime() ? "ns" : "requests",
                                    row.shown(),
                                    row.must(),
                                    row.closedLoop(),
                                    row.held()))
                            .toList(),
                    report.failures().stream().map(ProofReport.Failure::text).toList());
        }
    }

    /** A measured quantity, its exact theoretical value, and the result of a closed-loop tool. */
    record Quantity(String name, String unit, long shown, long must, long closedLoop, boolean held)
            implements OneLine {}

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

        public boolean isProved() {
            return failures.isEmpty();
        }
    }
}
