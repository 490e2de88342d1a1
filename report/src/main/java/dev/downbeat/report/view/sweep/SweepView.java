package dev.downbeat.report.view.sweep;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.record.Recording;
import dev.downbeat.report.chart.SweepChart;
import dev.downbeat.report.chart.SweepRatesChart;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.Table.Column;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.NameRows;
import dev.downbeat.report.view.RunView;
import dev.downbeat.stats.Numbers;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** A search for the highest rate: the conclusion, the curve, and every rate tried. */
public final class SweepView implements View {
    private static final List<String> LIMITS = List.of(
            RunView.corrected(),
            "A rate is sustained if all objectives are met and response times do not keep growing, each "
                    + "at 95 % confidence.",
            "The saturation rate follows from how fast the queue grew under overload, never from how fast "
                    + "it drained.",
            "This is a single search: anything else that ran on these machines affects the answer.");

    private static final int BAR = 22;

    /** The width of a column of times. */
    private static final int COLUMN = 9;

    /** Bars of times within this factor do not span the whole width. */
    private static final double LEAST_SPAN = 10;

    private final SweepReport report;
    private final Capacity capacity;

    public SweepView(SweepReport report) {
        this.report = report;
        this.capacity = report.capacity();
    }

    @Override
    public Page page() {
        List<Page.Fact> facts = findings();
        facts.add(Page.Fact.detail("budget", DurationText.format(capacity.plan().budgetNanos())));
        return new Page(
                new Page.Head("sweep", report.target(), headline(), report.partial(), List.of(report.load())),
                List.of(answer()),
                notes(),
                sections(),
                facts,
                Page.Origin.of(report.command(), report.version(), LIMITS));
    }

    @Override
    public boolean passes() {
        return report.exitCode() == ExitCode.MET;
    }

    @Override
    public boolean isUndecided() {
        return report.exitCode() == ExitCode.UNSOUND;
    }

    @Override
    public Record data() {
        return SweepData.of(report, headline());
    }

    /** The conclusion in one sentence. */
    public String headline() {
        OptionalDouble low = capacity.sustainablePerSecond();
        OptionalDouble high = capacity.tooHighPerSecond();
        if (capacity.isNoneSustained()) {
            return "No rate was sustained with " + objectives(capacity) + ": " + tooMuch() + ".";
        }
        if (low.isEmpty()) {
            String open = capacity.isCutShort() ? ". The search ended early" : ". Lower rates were undecided";
            return "Undecided: no rate was proven sustainable with " + objectives(capacity) + "; "
                    + (high.isPresent() ? tooMuch() + open : clientLimit().orElse("too little was measured")) + ".";
        }
        if (!capacity.isConfirmed()) {
            return "Not confirmed: " + metOnce(low.getAsDouble(), high) + orClientLimit() + ".";
        }
        return "Sustains " + rate() + " with " + objectives(capacity)
                + (high.isEmpty() ? "" : ", but not " + Numbers.rate(high.getAsDouble())) + orClientLimit() + ".";
    }

    /** That Downbeat disturbed the highest rates; empty if the service or nothing was the limit. */
    private Optional<String> clientLimit() {
        return capacity.clientLimit()
                .map(step -> "this machine may have been the limit at " + Numbers.rate(step.perSecond()));
    }

    private String metOnce(double perSecond, OptionalDouble high) {
        return Numbers.rate(perSecond) + " met " + objectives(capacity) + " once"
                + (high.isEmpty() ? "" : "; " + Numbers.rate(high.getAsDouble()) + " did not");
    }

    private String orClientLimit() {
        return clientLimit().or(this::undecidedAbove).map(limit -> "; " + limit).orElse("");
    }

    /** That Downbeat disturbed a rate above the sustained one; empty if it disturbed none, or none was sustained. */
    private Optional<String> undecidedAbove() {
        OptionalDouble low = capacity.sustainablePerSecond();
        return low.isEmpty()
                ? Optional.empty()
                : capacity.undecidedByClient()
                        .map(step -> capacity.tooHighPerSecond().isPresent()
                                ? Numbers.rate(step.perSecond()) + " was undecided"
                                : "rates above " + Numbers.rate(low.getAsDouble()) + " were undecided");
    }

    private String tooMuch() {
        return tooHigh()
                .map(step -> "at " + Numbers.rate(step.perSecond()) + ", " + step.reason())
                .orElseThrow();
    }

    /** The step at the lowest rate that was too high. */
    private Optional<RateStep> tooHigh() {
        OptionalDouble high = capacity.tooHighPerSecond();
        return capacity.steps().stream()
                .filter(step -> high.isPresent() && step.perSecond() == high.getAsDouble())
                .findFirst();
    }

    private String rate() {
        return (capacity.tooHighPerSecond().isEmpty() ? "at least " : "")
                + Numbers.rate(capacity.sustainablePerSecond().orElseThrow());
    }

    private static String objectives(Capacity capacity) {
        return Numbers.list(capacity.plan().slos().stream()
                .map(slo -> slo.subject() + " " + slo.limit())
                .toList());
    }

    /** The highest rate at which all objectives are certainly met. */
    private Page.AnsweredQuestion answer() {
        OptionalDouble high = capacity.tooHighPerSecond();
        if (capacity.sustainablePerSecond().isEmpty()) {
            String lowest = high.isEmpty() ? "" : "; " + Numbers.rate(high.getAsDouble()) + " is too high";
            return Page.AnsweredQuestion.of(
                    "sustainable",
                    capacity.isNoneSustained() ? Mark.BAD : Mark.OPEN,
                    capacity.isNoneSustained() ? "none" : "undecided",
                    "no rate was proven sustainable with " + objectives(capacity) + lowest + orClientLimit());
        }
        if (!capacity.isConfirmed()) {
            return Page.AnsweredQuestion.of(
                    "sustainable",
                    Mark.OPEN,
                    "too short",
                    metOnce(capacity.sustainablePerSecond().getAsDouble(), high) + ": use a longer budget");
        }
        return Page.AnsweredQuestion.of(
                "sustainable",
                capacity.undecidedByClient().isPresent() ? Mark.OPEN : Mark.GOOD,
                rate(),
                "with " + objectives(capacity) + " (95 %)"
                        + (high.isEmpty() ? "" : "; " + Numbers.rate(high.getAsDouble()) + " is not")
                        + orClientLimit());
    }

    private List<Page.Fact> findings() {
        List<Page.Fact> findings = new ArrayList<>();
        capacity.steps().stream()
                .filter(this::isUnexplained)
                .forEach(step -> findings.add(
                        new Page.Fact("undecided", "at " + Numbers.rate(step.perSecond()) + ": " + step.reason())));
        tooHigh()
                .ifPresent(step -> findings.add(
                        new Page.Fact("not sustained", "at " + Numbers.rate(step.perSecond()) + ": " + step.reason())));
        capacity.saturation()
                .ifPresent(found -> findings.add(new Page.Fact(
                        "saturates",
                        "at " + Numbers.rate(found.perSecond()) + " (" + Numbers.significant(found.lowPerSecond())
                                + " to "
                                + Numbers.rate(found.highPerSecond())
                                + ", 95 %): above that, response times depend on how long you measure")));
        capacity.scalability()
                .ifPresent(law -> findings.add(new Page.Fact(
                        "scaling",
                        String.format(
                                        Locale.ROOT,
                                        "universal scalability law: %s at concurrency 1, contention %.3f, coherence %.5f",
                                        Numbers.rate(law.perClient()),
                                        law.contention(),
                                        law.coherence())
                                + (Double.isInfinite(law.bestClients())
                                        ? ""
                                        : String.format(
                                                Locale.ROOT, ", peak at concurrency %.0f", law.bestClients())))));
        return findings;
    }

    /** Whether a rate was disturbed by Downbeat, or is the lowest and undecided; what limited the search is a note. */
    private boolean isUnexplained(RateStep step) {
        if (step.outcome() == RateStep.StepOutcome.UNSOUND) {
            return capacity.limit() != Capacity.Limit.CLIENT
                    && step.perSecond() < capacity.tooHighPerSecond().orElse(Double.POSITIVE_INFINITY);
        }
        boolean isLowest = step.equals(capacity.steps().get(0));
        return isLowest
                && step.outcome() == RateStep.StepOutcome.UNDECIDED
                && capacity.sustainablePerSecond().isEmpty();
    }

    /** What limited the search, other than the service. */
    private List<Page.Note> notes() {
        List<Page.Note> notes = new ArrayList<>();
        switch (capacity.limit()) {
            case CLIENT ->
                notes.add(new Page.Note(
                        true,
                        "client_limit",
                        "this machine may have been the limit: "
                                + capacity.clientLimit().orElseThrow().reason()
                                + unmeasuredAbove()));
            case CONNECTIONS ->
                notes.add(new Page.Note(
                        false,
                        "connection_limit",
                        "connections were the limit, not the service: requests waited for a free connection"
                                + " while the service stayed fast. Use more connections or more calls in"
                                + " flight"));
            case NOT_REACHED ->
                notes.add(undecidedAbove()
                        .map(undecided -> new Page.Note(true, "undecided_above", undecided))
                        .orElse(new Page.Note(false, "no_limit", "no limit was reached: no rate was too high")));
            case SERVICE -> {}
        }
        if (capacity.isCutShort() && capacity.unmeasured().isEmpty()) {
            notes.add(new Page.Note(
                    false,
                    "cut_short",
                    "the search ended early: "
                            + (isUndecidedByLongRuns()
                                    ? "rates that stay undecided need longer steps and a longer budget"
                                    : "a longer budget narrows the range")));
        }
        return notes;
    }

    private String unmeasuredAbove() {
        OptionalDouble highest = capacity.highestMeasuredPerSecond();
        return highest.isEmpty() ? "" : ". No rate above " + Numbers.rate(highest.getAsDouble()) + " was measured";
    }

    /** Whether no rate passed, and one stayed undecided although it was measured again for longer. */
    private boolean isUndecidedByLongRuns() {
        return capacity.sustainablePerSecond().isEmpty()
                && capacity.steps().stream()
                        .anyMatch(step -> step.outcome() == RateStep.StepOutcome.UNDECIDED
                                && step.measuredNanos() >= capacity.plan().longerNanos());
    }

    private List<Page.Section> sections() {
        List<Page.Section> sections = new ArrayList<>();
        SweepChart curve = new SweepChart(capacity);
        if (curve.isShown()) {
            sections.add(Page.Section.of(curve));
            sections.add(Page.Section.of(new SweepRatesChart(capacity)));
        }
        sections.add(Page.Section.of("rates", "Rates tried", Where.EVERYWHERE, rates())
                .remarks(List.of("response times count from the intended start")));
        capacity.highestKept().flatMap(SweepView::requests).ifPresent(sections::add);
        return sections;
    }

    /** The table by name, if requests have names. */
    private static Optional<Page.Section> requests(RateStep step) {
        Map<String, Recording> byName = step.recording().byName();
        if (byName.isEmpty()) {
            return Optional.empty();
        }
        double seconds = step.recording().ledger().planned() / step.perSecond();
        return Optional.of(Page.Section.of(
                        "requests",
                        "Requests at " + Numbers.rate(step.perSecond()),
                        Where.EVERYWHERE,
                        new NameRows(seconds).table(byName))
                .remarks(NameRows.rest(byName)));
    }

    private Table rates() {
        Table table = Table.with(
                Column.of("rate/s"),
                Column.of("done/s"),
                Column.of("p50"),
                hasObjectiveAt(90) ? Column.of("p90") : Column.of("p90").only(Where.HTML),
                Column.of("p99").ifAny(),
                Column.of("p99, 95 % CI").only(Where.HTML),
                Column.of("max"),
                Column.words("outcome"),
                Column.words("why").only(Where.HTML),
                Column.words("").only(Where.SCREEN));
        double least =
                capacity.steps().stream().mapToDouble(SweepView::tail).min().orElse(1);
        double most =
                capacity.steps().stream().mapToDouble(SweepView::tail).max().orElse(1);
        for (RateStep step : capacity.steps()) {
            table = table.row(
                    Numbers.significant(step.perSecond()),
                    Numbers.significant(step.answeredPerSecond()),
                    PercentileCells.time(step.recording(), 50),
                    PercentileCells.time(step.recording(), 90),
                    PercentileCells.time(step.recording(), 99),
                    step.responseTime(99)
                            .filter(interval -> interval.lowNanos().isPresent())
                            .map(PercentileCells::range)
                            .orElse(""),
                    PercentileCells.time(step.recording(), 100),
                    step.outcome().word() + (step.isConfirmed() ? ", confirmed" : ""),
                    step.reason(),
                    bar(step, least, most));
        }
        return table;
    }

    private String bar(RateStep step, double least, double most) {
        double share = Math.log(tail(step) / least) / Math.log(Math.max(LEAST_SPAN, most / least));
        int widest = hasObjectiveAt(90) ? BAR - COLUMN : BAR;
        return "█".repeat(1 + (int) Math.round(share * (widest - 1)));
    }

    private boolean hasObjectiveAt(double percentile) {
        return capacity.plan().slos().stream()
                .anyMatch(slo ->
                        slo instanceof ServiceLevelObjective.Percentile asked && asked.percentile() == percentile);
    }

    private static double tail(RateStep step) {
        return Math.max(1, step.recording().responseAtLeast().valueAtPercentile(99));
    }

    /** The table of a search as it grows; a rate has several rows if it was measured several times. */
    public static final class Rows {
        private Rows() {}

        public static String head() {
            return String.format(Locale.ROOT, "%9s %8s %9s %9s %9s", "rate/s", "done/s", "p50", "p99", "max");
        }

        public static String row(RateStep step) {
            return String.format(
                    Locale.ROOT,
                    "%9s %8s %9s %9s %9s  %-9s",
                    Numbers.significant(step.perSecond()),
                    Numbers.significant(step.answeredPerSecond()),
                    PercentileCells.time(step.recording(), 50),
                    PercentileCells.time(step.recording(), 99),
                    PercentileCells.time(step.recording(), 100),
                    step.outcome().word());
        }
    }
}
