package dev.downbeat.report.view;

import dev.downbeat.event.Incident;
import dev.downbeat.report.chart.HeatMapChart;
import dev.downbeat.report.chart.TimelineColumns;
import dev.downbeat.report.chart.TimesChart;
import dev.downbeat.report.data.EventLane;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.Why;
import dev.downbeat.report.data.WorkloadText;
import dev.downbeat.report.paper.Key;
import dev.downbeat.report.paper.Known;
import dev.downbeat.report.paper.Page;
import dev.downbeat.report.paper.Table;
import dev.downbeat.report.paper.Table.Column;
import dev.downbeat.report.paper.View;
import dev.downbeat.report.paper.Where;
import dev.downbeat.run.RunResult;
import dev.downbeat.time.DurationText;
import dev.downbeat.why.Explanation;
import dev.downbeat.why.WhyText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Why a run was slow: the service's events during it, and which of them chance does not explain. */
public final class ExplainView implements View {
    private static final List<String> LIMITS = List.of(
            WhyParts.HOW,
            "A cause is found by when things happened, not by what they did: what coincides with the cause each time"
                    + " looks like it.",
            "What nobody watched cannot be named; it is in \"unexplained\".",
            RunView.corrected());

    private final RunReport report;
    private final RunResult result;
    private final Why why;
    private final List<String> command;

    /**
     * Shows an explanation.
     *
     * @param command the command line that made it, one word each, without secrets
     */
    public ExplainView(RunReport report, Why why, List<String> command) {
        this.report = report;
        this.result = report.result();
        this.why = why;
        this.command = List.copyOf(command);
    }

    @Override
    public Page page() {
        List<Page.Section> sections = new ArrayList<>(new WhyParts(why).sections(Where.CHAPTER));
        incidents().ifPresent(sections::add);
        TimelineColumns timeline = new TimelineColumns(result.intervals());
        if (timeline.isShown() && !result.recording().responseAtLeast().isEmpty()) {
            List<EventLane> events = why.lanes();
            sections.add(Page.Section.of(new HeatMapChart(report, timeline, events)));
            sections.add(Page.Section.of(new TimesChart(timeline, report, events)));
        }
        return new Page(
                new Page.Head(
                        "explanation",
                        result.target(),
                        headline(),
                        Optional.of(new RunFacts(report).partial()).filter(text -> !text.isEmpty()),
                        List.of(WorkloadText.line(report))),
                List.of(),
                List.of(),
                sections,
                new WhyParts(why).watched(),
                new Page.Origin(
                        command,
                        report.version(),
                        RunView.client(report.machine()),
                        Optional.of(result.started()),
                        result.durationNanos(),
                        LIMITS));
    }

    private String headline() {
        return why.line().map(RunHeadline::capital).orElse("Nothing of the service could be watched") + ".";
    }

    private Optional<Page.Section> incidents() {
        Table table = Table.with(
                Column.of("incident"),
                Column.of("for"),
                Column.words("likely reason"),
                Column.words("what the service did"));
        for (Incident incident : report.analysis().events()) {
            Optional<Explanation> found = why.of(incident);
            if (found.isPresent()) {
                table = table.row(
                        "at " + Numbers.seconds(incident.startNanos()),
                        DurationText.rounded(incident.lengthNanos()),
                        incident.cause().words(),
                        WhyText.incident(found.get()));
            }
        }
        return table.rows().isEmpty()
                ? Optional.empty()
                : Optional.of(Page.Section.of("incidents", "Incidents", Where.CHAPTER, table));
    }

    @Override
    public Record data() {
        return new Data(
                Head.of("explanation", report.version(), command),
                headline(),
                result.target(),
                result.started().toString(),
                result.durationNanos(),
                why.isAsked() ? Known.of(WhyData.of(why)) : Known.not("nobody watched the service"));
    }

    /** The causes of slow requests. */
    public record Data(
            @Key("") Head head,
            String headline,
            String target,
            String started,
            long durationNanos,
            Known<WhyData> why) {}
}
