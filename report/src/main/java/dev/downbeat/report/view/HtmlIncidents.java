package dev.downbeat.report.view;

import dev.downbeat.report.chart.Markup;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.Incident;
import dev.downbeat.verdict.Incidents;
import dev.downbeat.verdict.PercentText;
import java.util.List;

/** The section of slow requests that came together; nothing where there are none. */
final class HtmlIncidents {
    private static final int MOST_ROWS = 20;

    private final Markup page;
    private final List<Incident> incidents;

    HtmlIncidents(Markup page, RunReport report) {
        this.page = page;
        this.incidents = Incidents.of(report.result());
    }

    void write() {
        if (incidents.isEmpty()) {
            return;
        }
        page.open("section", "id", "incidents").leaf("h2", "Slow requests that came together");
        page.leaf(
                "p",
                "An incident is one event, however many requests it hit: the tail is of them, not of so many slow requests.",
                "class",
                "lead");
        page.open("div", "class", "scroll", "tabindex", "0", "role", "group", "aria-label", "Incidents");
        page.open("table").open("thead").open("tr");
        for (String head : List.of("at", "for", "requests hit", "slowest", "of all beyond p99", "likely reason")) {
            page.leaf("th", head, "scope", "col");
        }
        page.close().close().open("tbody");
        incidents.stream().limit(MOST_ROWS).forEach(this::row);
        page.close().close().close();
        if (incidents.size() > MOST_ROWS) {
            page.leaf("p", "and " + (incidents.size() - MOST_ROWS) + " more", "class", "lead");
        }
        page.close();
    }

    private void row(Incident incident) {
        page.open("tr").leaf("th", Numbers.seconds(incident.startNanos()), "scope", "row");
        page.leaf("td", DurationText.rounded(incident.lengthNanos()));
        page.leaf("td", Numbers.count(incident.requestsHit()));
        page.leaf("td", DurationText.rounded(incident.slowestNanos()));
        page.leaf("td", PercentText.of(incident.tailShare()));
        page.leaf("td", incident.cause().words(), "class", "words").close();
    }
}
