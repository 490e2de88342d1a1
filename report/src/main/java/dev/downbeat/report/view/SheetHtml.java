package dev.downbeat.report.view;

import dev.downbeat.report.chart.Markup;
import dev.downbeat.report.chart.SheetChart;
import dev.downbeat.report.paper.HtmlPage;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A sheet as a page: one file that needs no network and no script, for screen and print. */
public final class SheetHtml {
    private final SheetReport report;
    private final Markup page = new Markup();

    private SheetHtml(SheetReport report) {
        this.report = report;
    }

    /** Writes all of it. */
    public static void write(SheetReport report, Appendable out) throws IOException {
        new SheetHtml(report).write(out);
    }

    private void write(Appendable out) throws IOException {
        HtmlPage frame = new HtmlPage(page);
        frame.begin("Data sheet: " + report.target());
        page.open("header").leaf("p", "Data sheet, measured from outside", "class", "eyebrow");
        page.leaf("h1", report.target());
        conditions();
        for (String doubt : report.doubts()) {
            page.leaf("p", "Doubt: " + doubt, "class", "partial", "role", "note");
        }
        page.close();
        for (SheetSection section : report.sections()) {
            section(section);
        }
        page.leaf(
                "p",
                "Low and high are the ends of the 95 % interval of the service's own value. Response times count from when"
                        + " each request was meant to start. No promise of whoever runs the service.",
                "class",
                "lead");
        frame.end();
        out.append(page.toString());
    }

    private void conditions() {
        page.open("table").open("tbody");
        for (Map.Entry<String, String> condition : report.conditions().entrySet()) {
            page.open("tr").leaf("th", condition.getKey(), "scope", "row");
            page.leaf("td", condition.getValue(), "class", "words").close();
        }
        page.close().close();
    }

    private void section(SheetSection section) {
        if (section.isCrossed()) {
            report.characteristics()
                    .map(known -> new SheetChart(known.capacity()))
                    .filter(SheetChart::isShown)
                    .ifPresent(chart -> HtmlReport.figure(page, chart));
        }
        page.open("section", "id", section.code()).leaf("h2", section.title());
        if (!section.rows().isEmpty()) {
            table(SheetTable.of(section), section.isCrossed(), section.title());
        }
        for (String remark : section.remarks()) {
            page.leaf("p", remark, "class", "lead");
        }
        page.close();
    }

    /** A condition stands behind its name: so only numbers are columns, and a phone has room for them. */
    private void table(SheetTable table, boolean isCrossed, String title) {
        int words = isCrossed ? 1 : 2;
        page.open("div", "class", "scroll", "tabindex", "0", "role", "group", "aria-label", title);
        page.open("table").open("thead").open("tr");
        page.leaf("th", table.head().get(0), "scope", "col");
        for (String head : table.head().subList(words, table.head().size())) {
            page.leaf("th", head, "scope", "col");
        }
        page.close().close().open("tbody");
        for (List<String> cells : table.rows()) {
            page.open("tr").open("th", "scope", "row").text(cells.get(0));
            if (!isCrossed) {
                page.text(" ").leaf("span", cells.get(1), "class", "lead");
            }
            page.close();
            for (String cell : cells.subList(words, cells.size())) {
                page.leaf("td", cell);
            }
            page.close();
        }
        page.close().close().close();
    }
}
