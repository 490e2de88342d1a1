package dev.downbeat.report.view;

import dev.downbeat.report.chart.BacklogChart;
import dev.downbeat.report.chart.Breakdown;
import dev.downbeat.report.chart.Chart;
import dev.downbeat.report.chart.ConnectionChart;
import dev.downbeat.report.chart.HeatMapChart;
import dev.downbeat.report.chart.Markup;
import dev.downbeat.report.chart.PositionCurve;
import dev.downbeat.report.chart.RateChart;
import dev.downbeat.report.chart.SpectrumChart;
import dev.downbeat.report.chart.Svg;
import dev.downbeat.report.chart.Timeline;
import dev.downbeat.report.chart.TimesChart;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.paper.HtmlPage;
import dev.downbeat.run.RunResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A page to look at: one file that needs no network and no script, in the reader's own theme, for screen, phone and print.
 * Sections stand in the order of the questions, and each only where there is something to show. Pictures are drawn here, so
 * that they can say what they mean; every number in them is in a table or a sentence too.
 */
public final class HtmlReport implements ReportFormat {
    @Override
    public void write(RunReport report, Appendable out) throws IOException {
        Markup page = new Markup();
        HtmlPage frame = new HtmlPage(page);
        frame.begin("Downbeat: " + report.result().target());
        HtmlSections sections = new HtmlSections(page, report);
        sections.header();
        sections.verdict();
        sections.percentiles();
        for (Chart chart : charts(report)) {
            figure(page, chart);
            if (chart instanceof HeatMapChart) {
                new HtmlIncidents(page, report).write();
            }
            if (chart instanceof TimesChart) {
                sections.course();
            }
        }
        sections.ledger();
        sections.shards();
        sections.method();
        frame.end();
        out.append(page.toString());
    }

    /** Those that have something to show, in the order of reading. */
    private static List<Chart> charts(RunReport report) {
        RunResult result = report.result();
        List<Chart> charts = new ArrayList<>();
        SpectrumChart spectrum = new SpectrumChart(report);
        if (spectrum.isShown()) {
            charts.add(spectrum);
        }
        Timeline timeline = new Timeline(result.intervals());
        if (timeline.isShown()) {
            overTime(report, timeline, charts);
        }
        Breakdown breakdown = new Breakdown(result.recording());
        breakdown.tail().ifPresent(charts::add);
        PositionCurve positions = new PositionCurve(result.recording().byPosition());
        if (positions.isShown()) {
            charts.add(positions);
        }
        breakdown.examples().ifPresent(charts::add);
        return charts;
    }

    private static void overTime(RunReport report, Timeline timeline, List<Chart> charts) {
        RunResult result = report.result();
        if (HeatMapChart.isShown(result)) {
            charts.add(new HeatMapChart(report));
            charts.add(new TimesChart(timeline, result.recording().responseAtLeast()));
        }
        charts.add(new RateChart(timeline));
        BacklogChart backlog = new BacklogChart(result, timeline);
        if (backlog.isShown()) {
            charts.add(backlog);
        }
        ConnectionChart connections = new ConnectionChart(timeline);
        if (connections.isShown()) {
            charts.add(connections);
        }
    }

    static void figure(Markup page, Chart chart) {
        page.open("section", "id", chart.id());
        page.leaf("h2", chart.title());
        page.leaf("p", chart.lead(), "class", "lead");
        page.open("div", "class", "scroll", "tabindex", "0", "role", "group", "aria-label", chart.title());
        Readings readings = new Readings(chart.readings());
        String titles = chart.id() + "-title " + chart.id() + "-desc";
        page.open(
                "svg",
                "xmlns",
                "http://www.w3.org/2000/svg",
                "viewBox",
                "0 0 " + Chart.WIDTH + " " + chart.height(),
                "role",
                "img",
                "aria-labelledby",
                titles,
                "font-family",
                "system-ui,sans-serif",
                "font-size",
                Svg.n(Svg.FONT),
                "data-x",
                readings.places(),
                "data-words",
                readings.words());
        page.leaf("title", chart.title(), "id", chart.id() + "-title");
        page.leaf("desc", chart.description(), "id", chart.id() + "-desc");
        chart.draw(new Svg(page));
        page.close().close().close();
    }

    /** What the optional script shows under the pointer. */
    private record Readings(List<Chart.Reading> all) {
        String places() {
            return String.join(",", all.stream().map(one -> Svg.n(one.x())).toList());
        }

        String words() {
            return String.join("|", all.stream().map(Chart.Reading::words).toList());
        }
    }
}
