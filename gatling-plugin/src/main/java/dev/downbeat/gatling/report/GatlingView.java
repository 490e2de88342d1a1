package dev.downbeat.gatling.report;

import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.paper.Page;
import dev.downbeat.report.paper.View;
import dev.downbeat.report.view.RunView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A run of Gatling's: what {@link RunView} shows of any run, in the words of Gatling's users.
 *
 * @param paces by its paces and by Gatling's; empty if they are the same
 * @param more what is to be known of a run of Gatling's only
 */
public record GatlingView(RunReport report, GatlingWords words, Optional<Page.Section> paces, List<Page.Fact> more)
        implements View {
    @Override
    public Record data() {
        return new RunView(report).data();
    }

    @Override
    public Page page() {
        Page plain = new RunView(report).page();
        List<Page.Fact> facts = new ArrayList<>();
        plain.facts().forEach(fact -> facts.add(new Page.Fact(fact.label(), words.of(fact.text()))));
        facts.addAll(more);
        List<Page.Section> sections =
                new ArrayList<>(plain.sections().stream().map(this::section).toList());
        paces.ifPresent(sections::add);
        Page.Head head = plain.head();
        return new Page(
                new Page.Head(head.kind(), head.title(), words.of(head.headline()), head.partial(), head.about()),
                plain.answers().stream().map(this::answer).toList(),
                plain.notes().stream()
                        .map(note -> new Page.Note(
                                note.isDoubt(), note.code(), words.of(note.text()), words.of(note.brief())))
                        .toList(),
                sections,
                facts,
                plain.origin());
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

    private Page.Section section(Page.Section section) {
        return new Page.Section(
                section.id(),
                section.title(),
                section.where(),
                section.leads().stream().map(words::of).toList(),
                section.blocks(),
                section.remarks().stream().map(words::of).toList());
    }

    private Page.Answer answer(Page.Answer answer) {
        return new Page.Answer(
                answer.label(),
                answer.mark(),
                answer.word(),
                words.of(answer.summary()),
                answer.question(),
                answer.isTrust(),
                answer.checks().stream()
                        .map(check -> new Page.Check(check.mark(), check.word(), check.name(), words.of(check.text())))
                        .toList());
    }
}
