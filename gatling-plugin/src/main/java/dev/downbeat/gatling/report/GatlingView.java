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
 * @param paces a comparison of Downbeat's and Gatling's paces; empty if they agree
 * @param more further facts about a Gatling run
 */
public record GatlingView(RunReport report, Optional<Page.Section> paces, List<Page.Fact> more) implements View {
    @Override
    public Record data() {
        return new RunView(report).data();
    }

    @Override
    public boolean passes() {
        return new RunView(report).passes();
    }

    @Override
    public Page page() {
        Page plain = new RunView(report).page();
        List<Page.Fact> facts = new ArrayList<>(plain.facts());
        facts.addAll(more);
        List<Page.Section> sections = new ArrayList<>(plain.sections());
        paces.ifPresent(sections::add);
        return new Page(plain.head(), plain.answers(), plain.notes(), sections, facts, plain.origin());
    }

    /** The same view for several formats, with a page built only once, because the first one is slow in a cold JVM. */
    public View once() {
        Page made = page();
        return new View() {
            @Override
            public Page page() {
                return made;
            }

            @Override
            public Record data() {
                return GatlingView.this.data();
            }

            @Override
            public boolean passes() {
                return GatlingView.this.passes();
            }
        };
    }
}
