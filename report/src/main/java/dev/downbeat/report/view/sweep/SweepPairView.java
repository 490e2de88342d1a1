package dev.downbeat.report.view.sweep;

import dev.downbeat.capacity.CapacityComparison;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.record.Distribution;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.Table.Column;
import dev.downbeat.report.render.View;
import dev.downbeat.stats.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Two searches: which service sustains more, and both results. */
public record SweepPairView(SweepReport.Pair report) implements View {
    @Override
    public Page page() {
        SweepView a = new SweepView(report.base());
        SweepView b = new SweepView(report.other());
        List<Page.Note> notes = new ArrayList<>();
        a.notes().forEach(note -> notes.add(new Page.Note(note.isDoubt(), note.code(), "A: " + note.text())));
        b.notes().forEach(note -> notes.add(new Page.Note(note.isDoubt(), note.code(), "B: " + note.text())));
        List<Page.Section> sections =
                new ArrayList<>(List.of(Page.Section.of("both", "Both, rate by rate", Where.EVERYWHERE, table())));
        sections.addAll(a.sections("a-", "A: "));
        sections.addAll(b.sections("b-", "B: "));
        return new Page(
                new Page.Head(
                        "sweep",
                        report.other().target() + " against " + report.base().target(),
                        headline(),
                        partial(),
                        List.of(
                                "A  " + report.base().target(),
                                "B  " + report.other().target(),
                                report.base().load() + "; in turns")),
                List.of(answer(), a.answer("A sustains"), b.answer("B sustains")),
                notes,
                sections,
                List.of(),
                Page.Origin.of(report.base().command(), report.base().version(), SweepView.LIMITS));
    }

    @Override
    public Record data() {
        return SweepData.Pair.of(report, headline(), data(report.base()), data(report.other()));
    }

    private static SweepData data(SweepReport one) {
        return SweepData.of(one, new SweepView(one).headline());
    }

    private Optional<String> partial() {
        List<String> parts = new ArrayList<>();
        report.base().partial().ifPresent(why -> parts.add("A " + why));
        report.other().partial().ifPresent(why -> parts.add("B " + why));
        return parts.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", parts));
    }

    private String headline() {
        return switch (report.comparison().outcome()) {
            case MORE, LESS -> "B sustains " + factor() + " of A.";
            case CANNOT_TELL -> "No difference in capacity detected between A and B.";
        };
    }

    private Page.Answer answer() {
        CapacityComparison comparison = report.comparison();
        String both = comparison.bothPerSecond().isPresent()
                ? "both meet " + SweepView.objectives(report.base().capacity()) + " up to "
                        + Numbers.rate(comparison.bothPerSecond().getAsDouble()) + "; "
                : "";
        return switch (comparison.outcome()) {
            case MORE -> Page.Answer.of("answer", Mark.GOOD, "more", both + "B at " + factor());
            case LESS -> Page.Answer.of("answer", Mark.BAD, "less", both + "B only at " + factor());
            case CANNOT_TELL ->
                Page.Answer.of(
                        "answer",
                        Mark.OPEN,
                        "undecided",
                        both + "no difference detected"
                                + (comparison.factor().isPresent() ? ": B at " + factor() : ""));
        };
    }

    private String factor() {
        CapacityComparison comparison = report.comparison();
        String low = plain(comparison.lowFactor());
        String high = plain(comparison.highFactor());
        String ends = low.isEmpty() && high.isEmpty()
                ? ""
                : high.isEmpty()
                        ? " (at least " + low + ", 95 %)"
                        : low.isEmpty() ? " (at most " + high + ", 95 %)" : " (" + low + " to " + high + ", 95 %)";
        String most = comparison.factor().isEmpty() ? "less than any" : plain(comparison.factor()) + " times";
        return most + " the load" + ends;
    }

    private static String plain(OptionalDouble factor) {
        return factor.isEmpty() ? "" : String.format(Locale.ROOT, "%.2f", factor.getAsDouble());
    }

    /** Rates tried on one side only leave the other half empty. */
    private Table table() {
        TreeMap<Double, List<String>> rows = new TreeMap<>();
        cells(rows, report.base(), 1);
        cells(rows, report.other(), 4);
        Table table = Table.with(
                Column.of("rate/s"),
                Column.of("A p50"),
                Column.of("p99"),
                Column.words("A"),
                Column.of("B p50"),
                Column.of("p99"),
                Column.words("B"));
        for (List<String> row : rows.values()) {
            table = table.row(row);
        }
        return table;
    }

    private static void cells(Map<Double, List<String>> rows, SweepReport side, int at) {
        for (RateStep step : side.capacity().steps()) {
            Distribution times = step.recording().responseAtLeast();
            List<String> row = rows.computeIfAbsent(
                    step.perSecond(),
                    rate -> new ArrayList<>(List.of(SweepView.Rows.number(rate), "", "", "", "", "", "")));
            row.set(at, PercentileCells.time(times, 50));
            row.set(at + 1, PercentileCells.time(times, 99));
            row.set(at + 2, step.outcome().word());
        }
    }
}
