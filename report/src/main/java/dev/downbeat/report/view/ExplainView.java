package dev.downbeat.report.view;

import dev.downbeat.report.chart.HeatMapChart;
import dev.downbeat.report.chart.TimelineColumns;
import dev.downbeat.report.chart.TimesChart;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.WorkloadText;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.render.RecordJson.Key;
import dev.downbeat.report.render.RecordJson.Known;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.SharedData.Head;
import dev.downbeat.run.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Why a run was slow: the service's events during it, and which of them chance does not explain. */
public final class ExplainView implements View {
    private static final List<String> LIMITS = List.of(
            WhyParts.METHOD_NOTE,
            "Causes are inferred from timing alone: an event that always coincides with the cause looks like it.",
            "Only watched events can be named; everything else is \"unexplained\".",
            RunView.corrected());

    private final RunReport report;
    private final RunResult result;
    private final List<String> command;

    /**
     * Shows an explanation.
     *
     * @param command the command line that made it, one word each, without secrets
     */
    public ExplainView(RunReport report, List<String> command) {
        this.report = report;
        this.result = report.result();
        this.command = List.copyOf(command);
    }

    @Override
    public Page page() {
        WhyParts parts = new WhyParts(report.why());
        List<Page.Section> sections = new ArrayList<>();
        parts.causes(Where.CHAPTER).ifPresent(sections::add);
        IncidentFacts.of(report).table(Where.CHAPTER).ifPresent(sections::add);
        parts.events(Where.CHAPTER).ifPresent(sections::add);
        TimelineColumns timeline = new TimelineColumns(result.intervals());
        if (timeline.isShown() && !result.recording().responseAtLeast().isEmpty()) {
            sections.add(Page.Section.of(new HeatMapChart(report, timeline)));
            sections.add(Page.Section.of(new TimesChart(timeline, report)));
        }
        return new Page(
                new Page.Head(
                        "explanation",
                        result.target(),
                        headline(),
                        Optional.of(new RunFacts(report).partial()).filter(text -> !text.isEmpty()),
                        List.of(WorkloadText.line(report))),
                List.of(),
                RunChecks.notes(report.verdict().doubts(), report.verdict().doubts()),
                sections,
                parts.watched(),
                new Page.Origin(
                        command,
                        report.version(),
                        RunView.client(report.machine()),
                        Optional.of(result.started()),
                        result.durationNanos(),
                        LIMITS));
    }

    private String headline() {
        return report.why().line().map(RunHeadline::capital).orElse("The service could not be watched") + ".";
    }

    @Override
    public boolean passes() {
        return true; // shown, whatever was found
    }

    @Override
    public Record data() {
        return new Data(
                Head.of("explanation", report.version(), command),
                headline(),
                result.target(),
                result.started().toString(),
                result.durationNanos(),
                report.why().isWatched()
                        ? Known.of(WhyData.of(report.why()))
                        : Known.not("the service was not watched"));
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
