package dev.downbeat.report.view;

import dev.downbeat.record.Ledger;
import dev.downbeat.record.PartNames;
import dev.downbeat.report.chart.BacklogChart;
import dev.downbeat.report.chart.Breakdown;
import dev.downbeat.report.chart.ConnectionChart;
import dev.downbeat.report.chart.HeatMapChart;
import dev.downbeat.report.chart.PositionCurve;
import dev.downbeat.report.chart.RateChart;
import dev.downbeat.report.chart.ReadingsChart;
import dev.downbeat.report.chart.TimelineColumns;
import dev.downbeat.report.chart.TimesChart;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.render.Table;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.Numbers;
import java.util.ArrayList;
import java.util.List;

/** The charts of a run that have something to show, and its incidents and timeline in numbers. */
final class RunCharts {
    private static final int MOST_ROWS = 30;

    private final RunReport report;
    private final RunResult result;
    private final List<Page.Section> sections = new ArrayList<>();

    RunCharts(RunReport report) {
        this.report = report;
        this.result = report.result();
    }

    List<Page.Section> sections() {
        TimelineColumns timeline = new TimelineColumns(result.intervals());
        boolean hasTimeline = timeline.isShown();
        boolean hasTimes = !result.recording().responseAtLeast().isEmpty();
        if (hasTimeline && hasTimes) {
            add(new HeatMapChart(report, timeline));
            WhyParts parts = new WhyParts(report.why());
            parts.causes(Where.HTML).ifPresent(sections::add);
            IncidentFacts.of(report).table(Where.HTML).ifPresent(sections::add);
            parts.events(Where.HTML_FOLDED).ifPresent(sections::add);
        }
        new RunRequests(report).spectrum().ifPresent(sections::add);
        if (hasTimeline && hasTimes) {
            add(new TimesChart(timeline, report));
            timelineTable(timeline.columns());
        }
        if (hasTimeline) {
            counts(timeline);
        }
        Breakdown breakdown = new Breakdown(result.recording(), PartNames.of(result.connections(), result.counts()));
        breakdown.tail().ifPresent(this::add);
        add(new PositionCurve(result.recording().anatomy().byPosition()));
        breakdown.examples().ifPresent(this::add);
        return List.copyOf(sections);
    }

    private void add(Chart... charts) {
        sections.addAll(Page.Section.shown(charts));
    }

    private void counts(TimelineColumns timeline) {
        add(
                new RateChart(timeline),
                new BacklogChart(result, timeline),
                ConnectionChart.ofConnections(timeline),
                ConnectionChart.ofStreams(timeline));
        int before = sections.size();
        result.counts().courses().forEach((name, readings) -> {
            if (readings.size() > 1) {
                add(new ReadingsChart("readings-" + (sections.size() - before + 1), name, readings, timeline));
            }
        });
    }

    /** The timeline as a table, for readers who cannot see charts or want to copy numbers. */
    private void timelineTable(List<TimelineColumns.Column> columns) {
        Table table = Table.of(List.of("ended in", "planned", "answered", "failed", "timed out", "p50", "p99", "max"));
        int step = (columns.size() + MOST_ROWS - 1) / MOST_ROWS;
        for (int i = 0; i < columns.size(); i += step) {
            TimelineColumns.Column joined = columns.get(i);
            for (int j = i + 1; j < Math.min(columns.size(), i + step); j++) {
                joined = new TimelineColumns.Column(
                        joined.interval().then(columns.get(j).interval()), 0);
            }
            Ledger ledger = joined.recording().ledger();
            table = table.row(
                    joined.span(),
                    Numbers.count(ledger.planned()),
                    Numbers.count(ledger.answered()),
                    Numbers.count(ledger.failed()),
                    Numbers.count(ledger.timedOut()),
                    PercentileCells.time(joined.recording(), 50),
                    PercentileCells.time(joined.recording(), 99),
                    PercentileCells.time(joined.recording(), 100));
        }
        sections.add(Page.Section.of("course-table", "The run in numbers", Where.HTML_FOLDED, table));
    }
}
