package dev.downbeat.report.paper;

import java.util.ArrayList;
import java.util.List;

/**
 * Shortens a page for the default screen: without details, and with the first sentence only of each note that is not a
 * doubt.
 */
final class Brief {
    private Brief() {}

    static Page of(Page page) {
        List<Page.Fact> facts = new ArrayList<>();
        for (Page.Fact fact : page.facts()) {
            if (!fact.isDetail()) {
                facts.add(fact);
            }
        }
        if (facts.size() < page.facts().size()) {
            facts.add(new Page.Fact("details", "-v shows them"));
        }
        return new Page(
                page.head(),
                page.answers(),
                page.notes().stream().map(Brief::of).toList(),
                page.sections().stream().map(Brief::of).toList(),
                facts,
                page.origin());
    }

    private static Page.Note of(Page.Note note) {
        return note.isDoubt() ? note : new Page.Note(false, note.code(), note.brief());
    }

    private static Page.Section of(Page.Section section) {
        List<Page.Block> blocks = new ArrayList<>();
        for (Page.Block block : section.blocks()) {
            blocks.add(block instanceof Table table ? table.brief() : block);
        }
        return new Page.Section(
                section.id(), section.title(), section.where(), section.leads(), blocks, section.remarks());
    }
}
