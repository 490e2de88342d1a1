package dev.downbeat.gatling.report;

import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.RunView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The view of a Gatling run: that of any run ({@link RunView}), plus Gatling's particulars.
 *
 * @param page built once for several formats, because the first one is slow in a cold JVM
 */
public record GatlingView(RunReport report, Page page) implements View {
    /**
     * Builds the page.
     *
     * @param paces a comparison of Downbeat's and Gatling's paces; empty if they agree
     * @param more further facts about a Gatling run
     */
    public static GatlingView of(RunReport report, Optional<Page.Section> paces, List<Page.Fact> more) {
        Page plain = new RunView(report).page();
        List<Page.Fact> facts = new ArrayList<>(plain.facts());
        facts.addAll(more);
        List<Page.Section> sections = new ArrayList<>(plain.sections());
        paces.ifPresent(sections::add);
        return new GatlingView(
                report, new Page(plain.head(), plain.answers(), plain.notes(), sections, facts, plain.origin()));
    }

    @Override
    public Record data() {
        return new RunView(report).data();
    }

    @Override
    public boolean passes() {
        return new RunView(report).passes();
    }
}
