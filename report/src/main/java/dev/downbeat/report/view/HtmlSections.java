package dev.downbeat.report.view;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.report.chart.Markup;
import dev.downbeat.report.chart.Timeline;
import dev.downbeat.report.chart.TimesChart;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.PercentileTable;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.WorkloadText;
import dev.downbeat.run.RunResult;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.Objective;
import dev.downbeat.verdict.PercentText;
import dev.downbeat.verdict.ResponseBounds;
import dev.downbeat.verdict.ResponseIntervals;
import dev.downbeat.verdict.Verdict;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The parts of the page that are words and tables. Not thread-safe. */
final class HtmlSections {
    static final DateTimeFormatter STARTED = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final int MOST_ROWS = 30;

    private final Markup page;
    private final RunReport report;
    private final RunResult result;
    private final Facts facts;
    private final HtmlParts parts;

    HtmlSections(Markup page, RunReport report) {
        this.page = page;
        this.report = report;
        this.result = report.result();
        this.facts = new Facts(report);
        this.parts = new HtmlParts(page);
    }

    void header() {
        MachineProfile machine = report.machine();
        page.open("header");
        page.leaf("p", "Downbeat report", "class", "eyebrow");
        page.leaf("h1", result.target());
        page.leaf("p", WorkloadText.line(report), "class", "lead");
        page.leaf(
                "p",
                "started " + STARTED.format(result.started()) + " · " + machine.jvm() + ", " + machine.os() + " "
                        + machine.kernel() + " " + machine.arch() + ", "
                        + Numbers.count(machine.cores()) + (machine.cores() == 1 ? " core" : " cores"),
                "class",
                "lead");
        for (String headline : facts.headlines()) {
            page.leaf("p", headline, "class", "partial", "role", "note");
        }
        page.close();
    }

    void verdict() {
        Verdict verdict = report.verdict();
        boolean sound = verdict.measurement() != Verdict.Measurement.UNSOUND;
        boolean good = sound && verdict.service() != Verdict.Service.MISSED;
        page.open("section", "id", "verdict", "class", good ? "verdict good" : "verdict bad");
        page.leaf("h2", "Verdict", "class", "unseen");
        page.open("div");
        CheckLines.Mark mark = switch (verdict.measurement()) {
            case SOUND -> CheckLines.Mark.GOOD;
            case PARTLY_SOUND -> CheckLines.Mark.NOTE;
            case UNSOUND -> CheckLines.Mark.BAD;
        };
        parts.answer(mark, "Measurement: " + verdict.measurementInWords());
        page.leaf("p", "Can you trust these numbers?", "class", "lead");
        parts.checks(new CheckLines(report).measurement());
        page.close();
        page.open("div");
        service(verdict);
        page.leaf("p", "Was the service fast enough?", "class", "lead");
        parts.checks(new CheckLines(report).service());
        page.close().close();
    }

    private void service(Verdict verdict) {
        switch (verdict.service()) {
            case MET -> parts.answer(CheckLines.Mark.GOOD, "Service: met its objectives");
            case MISSED -> parts.answer(CheckLines.Mark.BAD, "Service: missed its objectives");
            case UNDECIDED -> parts.answer(CheckLines.Mark.OPEN, "Service: undecided");
            case NONE -> parts.answer(CheckLines.Mark.OPEN, "Service: no objective was set");
        }
    }

    void percentiles() {
        PercentileTable table = new PercentileTable(report);
        List<PercentileTable.Row> rows = table.rows();
        if (rows.isEmpty()) {
            return;
        }
        boolean hidden = rows.stream().anyMatch(row -> !row.hidden().isEmpty());
        page.open("section", "id", "percentiles").leaf("h2", "Percentiles");
        page.leaf("p", capital(table.population()) + ".", "class", "lead");
        parts.beginTable("Percentiles", List.of("", "response time", "95 % CI", "service time", "hidden", "objective"));
        ResponseIntervals intervals = ResponseIntervals.of(result);
        for (PercentileTable.Row row : rows) {
            page.open("tr").leaf("th", row.name(), "scope", "row");
            page.leaf(
                    "td", row.response() + (row.ours().isEmpty() ? "" : " (" + row.ours() + ")"), "class", "response");
            page.leaf("td", sure(row, intervals));
            page.leaf("td", row.service(), "class", "service");
            page.leaf("td", row.hidden().isEmpty() ? "–" : row.hidden());
            page.open("td");
            objectives(row.objectives());
            page.close().close();
        }
        page.close().close().close();
        page.leaf(
                "p",
                "Response counts from when a request was meant to start, service from when it was sent."
                        + (hidden ? " “Hidden” is what a closed-loop tool would not have shown you." : ""),
                "class",
                "lead");
        page.close();
    }

    private void objectives(List<Objective> objectives) {
        for (Objective objective : objectives) {
            page.open("span", "class", "objective").text(objective.slo().limit() + " ");
            parts.mark(CheckLines.mark(objective.status()));
            page.text(objective.word()).close();
        }
    }

    private static String sure(PercentileTable.Row row, ResponseIntervals intervals) {
        if (row.percentile().isEmpty() || row.percentile().getAsDouble() == 100) {
            return "–";
        }
        return intervals
                .at(row.percentile().getAsDouble())
                .filter(interval -> interval.lowNanos().isPresent())
                .map(HtmlSections::range)
                .orElse("–");
    }

    static String range(QuantileInterval interval) {
        String low = DurationText.rounded(interval.lowNanos().orElseThrow());
        return interval.highNanos().isEmpty()
                ? "above " + low
                : low + " to " + DurationText.rounded(interval.highNanos().orElseThrow());
    }

    /** The course of the run in numbers, for who cannot see the pictures or wants to copy. */
    void course() {
        List<Timeline.Column> columns = new Timeline(result.intervals()).columns();
        int step = (columns.size() + MOST_ROWS - 1) / MOST_ROWS;
        page.open("details").leaf("summary", "The course of the run in numbers");
        parts.beginTable(
                "Course in numbers",
                List.of("ended in", "planned", "answered", "failed", "timed out", "p50", "p99", "max"));
        for (int i = 0; i < columns.size(); i += step) {
            Timeline.Column joined = columns.get(i);
            for (int j = i + 1; j < Math.min(columns.size(), i + step); j++) {
                joined = new Timeline.Column(
                        joined.interval().then(columns.get(j).interval()), 0);
            }
            Ledger ledger = joined.recording().ledger();
            Distribution times = joined.recording().responseAtLeast();
            page.open("tr").leaf("th", TimesChart.span(joined), "scope", "row");
            cells(ledger.planned(), ledger.answered(), ledger.failed(), ledger.timedOut());
            for (double percentile : new double[] {50, 99, 100}) {
                boolean carried = ResponseBounds.carries(percentile, times.count());
                page.leaf("td", carried ? DurationText.rounded(times.valueAtPercentile(percentile)) : "–");
            }
            page.close();
        }
        page.close().close().close().close();
    }

    private void cells(long... counts) {
        for (long count : counts) {
            page.leaf("td", Numbers.count(count));
        }
    }

    void ledger() {
        Ledger ledger = result.ledger();
        page.open("section", "id", "ledger").leaf("h2", "Where every request went");
        page.leaf(
                "p",
                ledger.addsUp()
                        ? "Planned is counted from the arrivals alone, the rest where requests ended: the sum is right."
                        : "THE SUM IS WRONG: this is a bug in Downbeat, trust no number of this run.",
                "class",
                ledger.addsUp() ? "lead" : "partial");
        page.open("table").open("tbody");
        fate("planned", ledger.planned(), ledger);
        fate("answered", ledger.answered(), ledger);
        fate("failed", ledger.failed(), ledger);
        fate(
                "timed out"
                        + (ledger.timedOutUnsent() == 0
                                ? ""
                                : ", " + Numbers.count(ledger.timedOutUnsent()) + " unsent"),
                ledger.timedOut(),
                ledger);
        fate("in flight at the end", ledger.inFlight(), ledger);
        fate("never sent", ledger.neverSent(), ledger);
        page.close().close();
        Map<String, Long> failures = result.recording().failures();
        if (!failures.isEmpty()) {
            page.leaf("h3", "Why requests failed").open("table").open("tbody");
            failures.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                    .limit(MOST_ROWS)
                    .forEach(failure -> fate(failure.getKey(), failure.getValue(), ledger));
            page.close().close();
            if (failures.size() > MOST_ROWS) {
                page.leaf("p", "and " + (failures.size() - MOST_ROWS) + " more reasons", "class", "lead");
            }
        }
        page.close();
    }

    /** Only of a merged result. */
    void shards() {
        ShardTable table = new ShardTable(result);
        if (table.isEmpty()) {
            return;
        }
        page.open("section", "id", "shards").leaf("h2", "Shards");
        page.leaf("p", table.sentence() + ".", "class", "lead");
        List<String> heads = new ArrayList<>(ShardTable.HEADS);
        heads.add("trust");
        parts.beginTable("Shards", heads);
        for (ShardTable.Row row : table.rows()) {
            page.open("tr").leaf("th", row.cells().get(0), "scope", "row");
            row.cells().stream().skip(1).forEach(cell -> page.leaf("td", cell));
            page.open("td");
            parts.mark(row.doubt().isEmpty() ? CheckLines.Mark.GOOD : CheckLines.Mark.BAD);
            page.text(row.doubt().isEmpty() ? "sound" : row.doubt()).close().close();
        }
        page.close().close().close().close();
    }

    private void fate(String name, long count, Ledger ledger) {
        page.open("tr").leaf("th", name, "scope", "row");
        page.leaf("td", Numbers.count(count));
        page.leaf("td", ledger.planned() == 0 ? "–" : PercentText.of((double) count / ledger.planned()));
        page.close();
    }

    void method() {
        List<Facts.Fact> all = new ArrayList<>(facts.all());
        all.add(new Facts.Fact("clock", clock(report.machine())));
        all.add(new Facts.Fact("collectors", String.join(", ", report.machine().collectors())));
        parts.method(all, report.command(), report.version(), HtmlMethod.SENTENCES);
    }

    private static String clock(MachineProfile machine) {
        return "steps of " + nanos(machine.clockGranularityNanos()) + ", "
                + nanos(machine.clockReadNanos()) + " a reading; a thread that sleeps 1 ms wakes "
                + nanos(machine.wakeUpDelayNanos()) + " late (median)";
    }

    private static String nanos(long nanos) {
        return nanos < 0 ? "unknown length" : DurationText.rounded(nanos);
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
