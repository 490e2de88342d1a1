package dev.downbeat.gatling.report;

import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.paper.Page;
import dev.downbeat.report.paper.View;
import dev.downbeat.report.view.RunView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A run of Gatling's: what {@link RunView} shows of any run, and what only Gatling's have.
 *
 * @param paces by its paces and by Gatling's; empty if they are the same
 * @param more what is to be known of a run of Gatling's only
 */
public record GatlingView(RunReport report, Optional<Page.Section> paces, List<Page.Fact> more) implements View {
    @Override
    public Record data() {
        return new RunView(report).data();
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

    /** The same for several papers, with a page that is made only once: the first takes long in a JVM that never made one. */
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
        };
    }
}
