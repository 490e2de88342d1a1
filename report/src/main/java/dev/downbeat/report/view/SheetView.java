package dev.downbeat.report.view;

import dev.downbeat.report.chart.SheetChart;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.paper.Mark;
import dev.downbeat.report.paper.Page;
import dev.downbeat.report.paper.Table;
import dev.downbeat.report.paper.Table.Column;
import dev.downbeat.report.paper.View;
import dev.downbeat.report.paper.Where;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A data sheet: its conditions, and a section for each question. */
public record SheetView(SheetReport report) implements View {
    private static final List<String> LIMITS = List.of(
            "Low and high are the ends of the 95 % interval of the service's own value. Response times count from when"
                    + " each request was meant to start.",
            "Measured from outside, on one machine, at one time: an observation, not a promise of whoever "
                    + "runs the service.");

    @Override
    public Page page() {
        List<Page.Section> sections = new ArrayList<>();
        List<Page.Fact> conditions = new ArrayList<>();
        report.conditions().forEach((name, value) -> conditions.add(new Page.Fact(name, value)));
        sections.add(Page.Section.of("conditions", "Conditions", Where.EVERYWHERE, new Page.Facts(conditions)));
        for (SheetSection section : report.sections()) {
            if (section.code().equals(SheetLoad.AGAINST_LOAD)) {
                report.characteristics()
                        .map(known -> Page.Section.shown(new SheetChart(known.capacity())))
                        .ifPresent(sections::addAll);
            }
            Table table = section.isCrossed() ? crossed(section) : plain(section);
            sections.add(Page.Section.of(section.code(), section.title(), Where.CHAPTER, table)
                    .remarks(section.remarks()));
        }
        List<String> doubts = report.doubts();
        return new Page(
                new Page.Head("data sheet", report.target(), headline(), Optional.empty(), List.of()),
                List.of(new Page.Answer(
                        "sheet",
                        doubts.isEmpty() ? Mark.GOOD : Mark.BAD,
                        doubts.isEmpty() ? "sound" : "in doubt",
                        doubts.isEmpty() ? "no doubts" : "there are doubts",
                        "Can you trust these numbers?",
                        true,
                        List.of())),
                doubts.stream().map(text -> new Page.Note(true, "doubt", text)).toList(),
                sections,
                List.of(),
                Page.Origin.of(report.command(), report.version(), LIMITS));
    }

    @Override
    public Record data() {
        return SmallData.SheetData.of(report, headline());
    }

    private String headline() {
        return report.characteristics()
                .map(known -> known.capacity().sustainablePerSecond().isPresent()
                        ? "Sustains "
                                + Numbers.rate(
                                        known.capacity().sustainablePerSecond().getAsDouble()) + " under "
                                + SweepView.objectives(known.capacity()) + "."
                        : "No rate was shown to be sustained under " + SweepView.objectives(known.capacity()) + ".")
                .orElse("No load was measured.");
    }

    private static Table plain(SheetSection section) {
        Table table = Table.with(
                Column.of(""), Column.words("condition"), Column.of("low"), Column.of("typical"), Column.of("high"));
        for (SheetSection.Row row : section.rows()) {
            SheetValue value = row.value();
            table = table.row(row.name(), row.condition(), value.lowText(), value.typicalText(), value.highText());
        }
        return table;
    }

    private static Table crossed(SheetSection section) {
        List<String> heads =
                new ArrayList<>(List.of(section.code().equals(SheetLoad.AGAINST_LOAD) ? "load" : "request"));
        heads.addAll(section.names());
        Table table = Table.of(heads);
        for (String condition : section.conditions()) {
            List<String> cells = new ArrayList<>(List.of(condition));
            section.names().forEach(name -> cells.add(section.cell(condition, name)));
            table = table.row(cells);
        }
        return table;
    }
}
