package dev.downbeat.report.view.position;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Part;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.data.PositionReport;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.Table.Column;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.RunChecks;
import dev.downbeat.report.view.RunHeadline;
import dev.downbeat.report.view.RunView;
import dev.downbeat.run.SerialPlan;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.position.FirstRequestCost;
import dev.downbeat.stats.position.Period;
import dev.downbeat.stats.position.PositionFinding;
import dev.downbeat.stats.position.PositionFinding.PositionWords;
import dev.downbeat.stats.position.PositionTable;
import dev.downbeat.stats.position.SerialRequest;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.caveat.Caveat;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * How response times depend on the position on the connection: the findings, advice, and the numbers behind them.
 *
 * @param acceptUnsound whether an unsound measurement is accepted
 */
public record PositionView(PositionReport report, boolean acceptUnsound) implements View {
    private static final int BAR = 10;
    private static final double CERTAIN = 1e-9;

    /** What {@link FirstRequestCost} needs. */
    static final String TOO_FEW = "what a new connection costs: that takes 6 answered first requests and 6 others";

    static final List<String> LIMITS = List.of(
            "Times are service times, from the send to the last byte: requests follow each other, so none waits "
                    + "for another.",
            "Intervals are at 95 % confidence; requests of one run that depend on each other have none.");

    /** The view of a report whose unsound measurement is not accepted. */
    public PositionView(PositionReport report) {
        this(report, false);
    }

    @Override
    public boolean passes() {
        return report.exitCode(acceptUnsound) == ExitCode.MET;
    }

    @Override
    public Page page() {
        List<Page.Section> sections = new ArrayList<>(Page.Section.shown(new PositionCurves(report)));
        sections.add(
                Page.Section.of("places", "By request of a run", Where.EVERYWHERE, new PositionRows(report).table()));
        report.cost().map(this::cost).ifPresent(sections::add);
        if (!report.byName().isEmpty()) {
            sections.add(requests());
        }
        return new Page(
                new Page.Head("positions", report.result().target(), headline(), partial(report), List.of(plan())),
                answers(),
                RunChecks.notes(
                        report.caveats(),
                        report.caveats().stream().filter(Caveat::isDoubt).toList()),
                sections,
                facts(),
                new Page.Origin(
                        report.command(),
                        report.version(),
                        RunView.client(report.machine()),
                        Optional.of(report.result().started()),
                        report.result().durationNanos(),
                        LIMITS));
    }

    @Override
    public Record data() {
        return PositionData.of(report, headline());
    }

    String headline() {
        if (report.answered() == 0) {
            return RunHeadline.capital(report.caveats().get(0).brief()) + ".";
        }
        if (!report.isSound()) {
            return trustWarning(report);
        }
        return report.findings().isEmpty()
                ? RunHeadline.capital(nothing()) + "."
                : RunHeadline.capital(report.findings().get(0).brief()) + ".";
    }

    static String trustWarning(PositionReport unsound) {
        String first = unsound.caveats().stream()
                .filter(Caveat::isDoubt)
                .findFirst()
                .map(Caveat::brief)
                .orElse("");
        return "These numbers are unsound: " + first + ".";
    }

    private String nothing() {
        if (!report.isDecided()) {
            return "there are too few requests to detect an effect";
        }
        return report.positionsKnown()
                ? "times do not depend on the position of a request on its connection"
                : "times do not depend on the position of a request in its run";
    }

    private static Optional<String> partial(PositionReport report) {
        return report.result().complete() ? Optional.empty() : Optional.of("INCOMPLETE: " + counted(report));
    }

    static String counted(PositionReport report) {
        SerialPlan plan = report.result().plan();
        return Numbers.count(report.sent()) + " of " + Numbers.count((long) plan.runs() * plan.requests(), "request")
                + " counted";
    }

    private String plan() {
        SerialPlan plan = report.result().plan();
        String starts = plan.staggered()
                ? "starts spread over " + DurationText.rounded(report.result().usualRunNanos())
                        + " so that handshakes do not compete"
                : "started together so that handshakes compete";
        return Numbers.count(plan.runs(), "run") + " of " + Numbers.count(plan.requests(), "sequential request")
                + (report.positionsKnown() ? ", each run on its own connections; " : "; ")
                + Numbers.count(Math.min(plan.runs(), plan.concurrency()), "run")
                + " at a time, " + starts + "; after " + Numbers.count(plan.warmUpRuns(), "warm-up run");
    }

    static Page.AnsweredQuestion measurement(boolean sound, long answered, long sent) {
        return new Page.AnsweredQuestion(
                "measurement",
                sound ? Mark.GOOD : Mark.BAD,
                sound ? "sound" : "unsound",
                Numbers.count(answered) + " of " + Numbers.count(sent, "request") + " answered",
                "Can you trust these numbers?",
                Page.AnsweredQuestion.AnswerTopic.MEASUREMENT,
                List.of());
    }

    /** What was found, unless the headline says all of it. */
    private Optional<Page.AnsweredQuestion> found() {
        if (!report.findings().isEmpty()) {
            return Optional.of(Page.AnsweredQuestion.listed(
                    "found",
                    report.findings().stream().map(PositionFinding::text).toList()));
        }
        return report.isDecided() && !report.isSound()
                ? Optional.of(Page.AnsweredQuestion.of("found", Mark.NOTE, "nothing", nothing()))
                : Optional.empty();
    }

    private List<Page.AnsweredQuestion> answers() {
        List<Page.AnsweredQuestion> answers =
                new ArrayList<>(List.of(measurement(report.isSound(), report.answered(), report.sent())));
        found().ifPresent(answers::add);
        if (!report.isDecided()) {
            answers.add(Page.AnsweredQuestion.of("first request", Mark.OPEN, "undecided", TOO_FEW));
        }
        List<String> advice = report.advice();
        if (!advice.isEmpty()) {
            answers.add(Page.AnsweredQuestion.listed("to do", advice));
        }
        return answers;
    }

    private Page.Section requests() {
        List<Double> percentiles = Percentiles.of(Percentiles.Place.CSV);
        Table table = Table.of(Stream.concat(
                        Stream.of("request", "count"), percentiles.stream().map(Percentiles::name))
                .toList());
        for (Map.Entry<String, Distribution> one : report.byName().entrySet()) {
            Distribution times = one.getValue();
            table = table.row(Stream.concat(
                            Stream.of(one.getKey(), Numbers.count(times.count())),
                            percentiles.stream().map(percentile -> PercentileCells.time(times, percentile)))
                    .toList());
        }
        return Page.Section.of("requests", "Service time of each request", Where.EVERYWHERE, table)
                .remarks(List.of(
                        "each position in a run has the same mix of requests, so they are comparable; fewer kinds"
                                + " of requests give a clearer result"));
    }

    private Page.Section cost(FirstRequestCost cost) {
        long greatest =
                cost.partsNanos().values().stream().mapToLong(Math::abs).max().orElse(0);
        Table table = Table.with(Column.of(""), Column.of(""), Column.words(""));
        for (Map.Entry<Part, Long> part : cost.partsNanos().entrySet()) {
            if (part.getValue() == 0) {
                continue;
            }
            int bar = greatest == 0 || part.getValue() < 0
                    ? 0
                    : (int) Math.round((double) BAR * part.getValue() / greatest);
            table = table.row(report.names().of(part.getKey()), PositionWords.time(part.getValue()), "█".repeat(bar));
        }
        table = table.row(
                "total",
                PositionWords.time(cost.costNanos()),
                "95 % CI " + PositionWords.time(cost.lowNanos()) + " to " + PositionWords.time(cost.highNanos()));
        return Page.Section.of("cost", "Extra cost of a first request", Where.EVERYWHERE, table)
                .lead("the extra time of the first request on "
                        + (report.isCostOfFirstConnections() ? "a client's first connection" : "a connection")
                        + ", at the median of "
                        + Numbers.count(cost.first()) + " first and " + Numbers.count(cost.rest()) + " others");
    }

    private List<Page.Fact> facts() {
        List<Page.Fact> facts = new ArrayList<>();
        facts.add(new Page.Fact("period", period()));
        facts.add(Page.Fact.detail("spectrum", spectrum()));
        facts.add(new Page.Fact(
                "connections", connections(), onlyOpened(report.result().connections())));
        if (!report.result().failures().isEmpty()) {
            facts.add(new Page.Fact(
                    "failed",
                    report.result().failures().entrySet().stream()
                            .map(failure -> failure.getKey() + " " + Numbers.count(failure.getValue()))
                            .collect(Collectors.joining(", "))));
        }
        if (!report.positionsKnown()) {
            facts.add(new Page.Fact("note", "the client does not report connections: positions are those in the run"));
        }
        return facts;
    }

    private String period() {
        if (report.periods().isEmpty() && report.lives().isRule()) {
            return "every "
                    + (report.lives().usual() == 1 ? "request" : report.lives().usual() + " requests")
                    + ": a new connection";
        }
        return report.periods().isEmpty()
                ? "none found from 2 to 200 requests"
                : report.periods().stream().map(PositionView::words).collect(Collectors.joining("; "));
    }

    private static String words(Period period) {
        String chance = period.chance() < CERTAIN
                ? "less than one in a billion"
                : String.format(Locale.ROOT, "%.2g", period.chance());
        return "every " + period.length() + " requests, at "
                + (period.places().size() == 1 ? "place " : "places ")
                + Numbers.list(period.places().stream().map(String::valueOf).toList()) + ": "
                + PositionWords.time(period.slowNanos()) + ", others " + PositionWords.time(period.otherwiseNanos())
                + "; the probability of such data without a period is " + chance;
    }

    private String spectrum() {
        Distribution service = report.service();
        List<String> values = new ArrayList<>();
        double last =
                report.period().filter(k -> k > 1).map(k -> 100 - 100.0 / k).orElse(98.0);
        TreeSet<Double> shown = new TreeSet<>(Percentiles.of(Percentiles.Place.SPECTRUM));
        shown.add(last);
        for (double percentile : shown) {
            String time = PercentileCells.time(service, percentile);
            if (!time.isEmpty()) {
                String name = String.format(Locale.ROOT, "%.2f", percentile).replaceAll("\\.?0+$", "");
                values.add("p" + name + " " + time);
            }
        }
        return String.join(", ", values);
    }

    /** Whether connections were only opened. */
    private static boolean onlyOpened(ConnectionCounts counts) {
        return counts.failed() + counts.closedByServer() + counts.closedByServerWithNotice() == 0;
    }

    private String connections() {
        ConnectionCounts counts = report.result().connections();
        boolean areCounted = counts.opened() + counts.failed() > 0; // unknown for a client that reports responses only
        return (areCounted
                        ? "opened " + Numbers.count(counts.opened()) + " (" + Numbers.count(counts.resumed())
                                + " resumed a TLS session), failed to open " + Numbers.count(counts.failed()) + "; "
                        : "")
                + "closed by the server with notice (" + report.closes().notice() + ") "
                + Numbers.count(counts.closedByServerWithNotice()) + ", without notice "
                + Numbers.count(counts.closedByServer()) + ", by Downbeat " + Numbers.count(counts.closedByUs())
                + (areCounted ? "; open at the end of their run " + Numbers.count(counts.openAtEnd()) : "");
    }

    /** The table of a position report: the relevant positions with their percentiles and intervals. */
    private record PositionRows(PositionReport report) {
        Table table() {
            Table table = Table.with(
                    Column.of("request"),
                    Column.of("n"),
                    Column.of("p50"),
                    Column.of("95 % CI"),
                    Column.of("p75"),
                    Column.of("95 % CI"),
                    Column.of("p99").ifAny(),
                    Column.of("95 % CI").ifAny());
            Set<Integer> shown = shown();
            for (PositionTable.Row row : report.places().rows()) {
                if (shown.contains(row.place())) {
                    List<String> cells = new ArrayList<>(List.of(
                            Numbers.count(row.place()),
                            Numbers.count(row.service().count())));
                    for (QuantileInterval interval : row.intervals()) {
                        String value = PercentileCells.time(row.service(), interval.percentile());
                        cells.add(value);
                        cells.add(value.isEmpty() ? "" : range(interval));
                    }
                    table = table.row(cells);
                }
            }
            Distribution rest = rest(shown);
            return rest.isEmpty()
                    ? table
                    : table.row(
                            "the rest",
                            Numbers.count(rest.count()),
                            PercentileCells.time(rest, 50),
                            "",
                            PercentileCells.time(rest, 75),
                            "",
                            PercentileCells.time(rest, 99),
                            "");
        }

        private static String range(QuantileInterval interval) {
            long unit = DurationText.unitNanos(interval.valueNanos());
            return end(interval.lowNanos(), unit) + "-" + end(interval.highNanos(), unit);
        }

        /** The first three positions, and each slow one with its neighbours. */
        private Set<Integer> shown() {
            Set<Integer> shown = new HashSet<>(List.of(1, 2, 3));
            for (int slow : report.slowPlaces()) {
                shown.addAll(List.of(slow, slow + 1));
                if (slow > 1) {
                    shown.add(slow - 1);
                }
            }
            return shown;
        }

        /** All other positions, without intervals, because requests of one run depend on each other. */
        private Distribution rest(Set<Integer> shown) {
            LongStream.Builder rest = LongStream.builder();
            for (List<SerialRequest> run : report.runs()) {
                for (int i = 0; i < run.size(); i++) {
                    if (run.get(i).answered() && !shown.contains(i + 1)) {
                        rest.add(run.get(i).serviceNanos());
                    }
                }
            }
            return Distribution.of(rest.build());
        }

        private static String end(OptionalLong nanos, long unit) {
            return nanos.isEmpty() ? "?" : digits(nanos.getAsLong(), unit);
        }

        private static String digits(long nanos, long unit) {
            BigDecimal value = BigDecimal.valueOf(nanos)
                    .divide(BigDecimal.valueOf(unit))
                    .round(new MathContext(3, RoundingMode.HALF_UP));
            int decimals = Math.max(0, Math.min(2, 3 - Math.max(1, value.precision() - value.scale())));
            return value.setScale(decimals, RoundingMode.HALF_UP).toPlainString();
        }
    }
}
