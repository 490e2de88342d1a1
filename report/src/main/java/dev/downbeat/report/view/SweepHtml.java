package dev.downbeat.report.view;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.CapacityComparison;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.record.Distribution;
import dev.downbeat.report.chart.Markup;
import dev.downbeat.report.chart.SweepChart;
import dev.downbeat.report.chart.SweepRatesChart;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.SweepPairReport;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.paper.HtmlPage;
import dev.downbeat.report.paper.Ink;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ResponseBounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A search for the highest rate as a page: what may be said, the curve, and every rate that was tried. */
public final class SweepHtml {
    private static final List<String> SENTENCES = List.of(
            "Response times count from the intended start of each request. They are already corrected for coordinated"
                    + " omission: do not correct them again.",
            "A rate is sustained if all objectives are surely met and the response time surely does not grow as long as the"
                    + " load lasts; each answer holds at 95 %.",
            "The rate at which it saturates follows from how fast the queue grew where there was too much, never from what"
                    + " was answered while it emptied.",
            "One search against one service at one time: whatever else runs beside it has its part in the answer.");

    private final Markup page = new Markup();
    private final HtmlParts parts = new HtmlParts(page);

    private SweepHtml() {}

    /** Writes all of it. */
    public static void write(SweepReport report, Appendable out) throws IOException {
        SweepHtml html = new SweepHtml();
        HtmlPage frame = new HtmlPage(html.page);
        frame.begin("Downbeat sweep: " + report.target());
        html.header(report.target(), report.load());
        html.partial(report);
        html.verdict(report);
        html.curves("", report.capacity());
        html.method(report);
        frame.end();
        out.append(html.page.toString());
    }

    /** Writes two searches that were made in turns. */
    public static void write(SweepPairReport report, Appendable out) throws IOException {
        SweepHtml html = new SweepHtml();
        HtmlPage frame = new HtmlPage(html.page);
        String title = report.other().target() + " against " + report.base().target();
        frame.begin("Downbeat sweep: " + title);
        html.header(title, report.base().load() + "; in turns");
        html.answer(report);
        html.side("A", "a-", report.base());
        html.side("B", "b-", report.other());
        html.method(report.base());
        frame.end();
        out.append(html.page.toString());
    }

    private void header(String title, String load) {
        page.open("header").leaf("p", "Downbeat sweep", "class", "eyebrow").leaf("h1", title);
        page.leaf("p", load, "class", "lead").close();
    }

    private void partial(SweepReport report) {
        report.partial().ifPresent(text -> page.leaf("p", text, "class", "partial", "role", "note"));
    }

    private void side(String name, String prefix, SweepReport report) {
        page.leaf("h2", name + ": " + report.target());
        partial(report);
        parts.facts(SweepText.findings(report));
        curves(prefix, report.capacity());
    }

    private void answer(SweepPairReport report) {
        boolean less = report.comparison().outcome() == CapacityComparison.Outcome.LESS;
        CheckLines.Mark mark = switch (report.comparison().outcome()) {
            case MORE -> CheckLines.Mark.GOOD;
            case LESS -> CheckLines.Mark.BAD;
            case CANNOT_TELL -> CheckLines.Mark.OPEN;
        };
        page.open("section", "id", "verdict", "class", less ? "verdict bad" : "verdict good");
        page.leaf("h2", "Verdict", "class", "unseen").open("div");
        parts.answer(mark, SweepPairText.answer(report, Ink.NONE));
        page.close().close();
    }

    private void verdict(SweepReport report) {
        Capacity capacity = report.capacity();
        boolean found = capacity.sustainablePerSecond().isPresent();
        boolean ours = capacity.limit() == Capacity.Limit.CLIENT;
        page.open("section", "id", "verdict", "class", found && !ours ? "verdict good" : "verdict bad");
        page.leaf("h2", "Verdict", "class", "unseen").open("div");
        CheckLines.Mark mark = !found
                ? CheckLines.Mark.BAD
                : capacity.isConfirmed() && !ours ? CheckLines.Mark.GOOD : CheckLines.Mark.OPEN;
        parts.answer(mark, found ? sustained(capacity) : "No rate was surely sustained");
        page.leaf("p", "The highest rate at which all objectives are surely kept.", "class", "lead");
        page.close().open("div");
        List<CheckLines.Line> lines = new ArrayList<>();
        for (Facts.Fact finding : SweepText.findings(report)) {
            boolean limit = finding.label().equals("limit");
            lines.add(new CheckLines.Line(limit ? CheckLines.Mark.NOTE : mark(finding, mark), finding.text()));
        }
        parts.checks(lines);
        page.close().close();
    }

    /** What is told of the rate has its mark; the rest is neither good nor bad. */
    private static CheckLines.Mark mark(Facts.Fact finding, CheckLines.Mark ofRate) {
        return finding.label().equals("sustainable") ? ofRate : CheckLines.Mark.NOTE;
    }

    private static String sustained(Capacity capacity) {
        String least = capacity.tooHighPerSecond().isEmpty() ? "at least " : "";
        return "Sustained: " + least
                + Numbers.rate(capacity.sustainablePerSecond().orElseThrow());
    }

    private void curves(String prefix, Capacity capacity) {
        SweepChart curve = new SweepChart(prefix + "curve", capacity);
        if (curve.isShown()) {
            HtmlReport.figure(page, curve);
            HtmlReport.figure(page, new SweepRatesChart(prefix + "answered", capacity));
        }
        page.open("section", "id", prefix + "rates").leaf("h2", "Every rate that was tried");
        parts.beginTable(
                "Rates", List.of("intended", "answered", "p50", "p90", "p99", "p99, 95 %", "max", "outcome", "why"), 8);
        for (RateStep step : capacity.steps()) {
            row(step);
        }
        parts.endTable();
        page.close();
    }

    private void row(RateStep step) {
        Distribution times = step.recording().responseAtLeast();
        parts.row(
                Numbers.rate(step.perSecond()),
                List.of(
                        Numbers.rate(step.answeredPerSecond()),
                        time(times, 50),
                        time(times, 90),
                        time(times, 99),
                        step.responseTime(99)
                                .filter(interval -> interval.lowNanos().isPresent())
                                .map(HtmlSections::range)
                                .orElse("–"),
                        time(times, 100),
                        step.outcome().word() + (step.isConfirmed() ? ", confirmed" : ""),
                        step.reason()),
                7);
    }

    private static String time(Distribution times, double percentile) {
        return ResponseBounds.carries(percentile, times.count())
                ? DurationText.rounded(times.valueAtPercentile(percentile))
                : "–";
    }

    private void method(SweepReport report) {
        Capacity capacity = report.capacity();
        List<Facts.Fact> facts = new ArrayList<>();
        facts.add(new Facts.Fact(
                "step",
                DurationText.format(capacity.plan().stepNanos()) + ", of which the first "
                        + DurationText.format(capacity.plan().settlingNanos()) + " do not count"));
        facts.add(new Facts.Fact("budget", DurationText.format(capacity.plan().budgetNanos())));
        facts.add(new Facts.Fact("seed", report.seed().isEmpty() ? "none: chance had no part" : report.seed()));
        parts.method(facts, report.command(), report.version(), SENTENCES);
    }
}
