package dev.downbeat.truths;

import dev.downbeat.analysis.Finding;
import dev.downbeat.analysis.PercentileRow;
import dev.downbeat.event.Incident;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.ClockLabels;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.view.RunView;
import dev.downbeat.run.RunSpan;
import dev.downbeat.stats.PercentText;
import dev.downbeat.testing.ParsedJson;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Renders an answer in every format and finds contradictions between and within the formats. */
final class Formats {
    private static final Pattern TIME = Pattern.compile("(?<![\\w.,-])([0-9][0-9,.]* (?:ns|us|ms|s))(?![\\w])");
    private static final Pattern PERCENTILE =
            Pattern.compile("\\b(?:p([0-9.]+[0-9])|the median) (?:was )?(at least )?([0-9.,]+ (?:ns|us|ms|s))\\b");

    private static final String GREEN = "fill='%23047857'";
    private static final String RED = "fill='%23b91c1c'";

    /** A response time above this many service times includes waiting that the table must show. */
    private static final double HIDDEN = 2;

    /** An event with at least this share of the tail beyond a percentile determines it. */
    private static final double ONE_EVENT = 0.95;

    /** The least length of a clause; shorter parts are names and numbers. */
    private static final int CLAUSE_LENGTH = 20;

    private final Answered answered;
    private final Page page;
    private final String text;
    private final String html;
    private final String markdown;
    private final String junit;
    private final ParsedJson json;
    private final List<String> contradictions = new ArrayList<>();

    private Formats(Answered answered) {
        this.answered = answered;
        this.page = answered.view().page();
        this.text = collapsed(render(Renderer.TEXT));
        this.html = render(Renderer.HTML);
        this.markdown = collapsed(render(Renderer.MARKDOWN));
        this.junit = render(Renderer.JUNIT);
        this.json = ParsedJson.parse(render(Renderer.JSON));
    }

    private String render(Renderer renderer) {
        StringBuilder out = new StringBuilder();
        try {
            renderer.write(answered.view(), out);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return out.toString();
    }

    /** Collapses white space, because some formats break lines. */
    private static String collapsed(String text) {
        return text.replaceAll("[\\s\\u00a0\\u2060]+", " ");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** The contradictions, one sentence each. */
    static List<String> contradictions(Answered answered) {
        Formats formats = new Formats(answered);
        formats.headlines();
        formats.repeatedClauses();
        formats.colours();
        formats.builds();
        formats.numbersOfTheHeadline();
        formats.percentilesOfTheHeadline();
        answered.run().ifPresentOrElse(formats::run, formats::comparison);
        return formats.contradictions;
    }

    private void check(boolean holds, String contradiction) {
        if (!holds) {
            contradictions.add(contradiction);
        }
    }

    /** The headline must not repeat a clause. */
    private void repeatedClauses() {
        Set<String> clauses = new HashSet<>();
        for (String clause : answered.headline().split("[:;,.] ")) {
            check(clause.length() < CLAUSE_LENGTH || clauses.add(clause), "the headline repeats: " + clause);
        }
    }

    private void headlines() {
        String headline = collapsed(answered.headline());
        check(text.contains(headline), "the screen lacks the headline");
        check(
                collapsed(html).contains(escaped(headline)) || collapsed(html).contains(headline),
                "the page lacks the headline");
        check(
                markdown.replace("\\", "").contains(headline)
                        || markdown.replace("\\", "").contains(escaped(headline)),
                "Markdown lacks the headline");
        check(junit.contains(escaped(headline)), "the JUnit XML lacks the headline");
        String partial = page.head()
                .partial()
                .filter(why -> answered.run().isPresent() && why.endsWith(": partial"))
                .map(why -> why + ". ")
                .orElse("");
        check(json.at("headline").text().equals(partial + answered.headline()), "the headline in JSON differs");
    }

    /** No green icon with a bad first finding or a failing exit code, and no red icon with success. */
    private void colours() {
        boolean green = html.contains(GREEN);
        boolean bad = List.of(
                        Kind.NOTHING_MEASURED,
                        Kind.NOT_OFFERED,
                        Kind.OWN_DELAY,
                        Kind.OVERLOADED,
                        Kind.FAILING,
                        Kind.UNREACHABLE,
                        Kind.GAVE_UP,
                        Kind.FAILS_MORE,
                        Kind.SLOWER)
                .contains(answered.first());
        // The requested limit may allow these failures.
        boolean isAllowed = List.of(Kind.FAILING, Kind.GAVE_UP).contains(answered.first())
                && answered.run()
                        .filter(run -> run.verdict().service() == RunVerdict.Service.MET)
                        .isPresent();
        check(!green || !bad || isAllowed, "a green favicon with " + answered.first());
        check(!green || answered.exit() == 0, "a green favicon and exit " + answered.exit());
        check(!html.contains(RED) || answered.exit() != 0, "a red favicon and exit 0");
        check(html.contains(RED) || answered.exit() != 99, "no red favicon and exit 99");
    }

    private void builds() {
        int failures = attribute("failures");
        int errors = attribute("errors");
        boolean isBroken = answered.exit() == 1;
        check(!isBroken || failures + errors > 0, "JUnit has neither a failure nor an error, exit 1");
        check(
                isBroken || (failures > 0) == (answered.exit() == 99),
                "JUnit has " + failures + " failures, exit " + answered.exit());
        check(answered.exit() != 98 || errors > 0, "JUnit has no error, exit 98");
        boolean isCutShort = page.head().isCutShort(); // the command's exit code is then that of the signal
        check(answered.exit() != 0 || isCutShort == errors > 0, "JUnit has " + errors + " errors, exit 0");
        page.answers().stream()
                .filter(answer -> answer.isTrust() && answer.word().equals("UNSOUND"))
                .forEach(answer -> check(!isPassed("the measurement is sound"), "unsound, but sound in JUnit"));
    }

    /** Whether the JUnit XML has this test case without a failure or error. */
    private boolean isPassed(String name) {
        return Pattern.compile("<testcase name=\"" + Pattern.quote(escaped(name)) + "\"[^>]*/>")
                .matcher(junit)
                .find();
    }

    private int attribute(String name) {
        Matcher matcher =
                Pattern.compile("<testsuite [^>]*\\b" + name + "=\"([0-9]+)\"").matcher(junit);
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : -1;
    }

    /** Every time in the headline also appears elsewhere on the page. */
    private void numbersOfTheHeadline() {
        String rest = textBelowHeadline();
        Matcher times = TIME.matcher(answered.headline());
        while (times.find()) {
            check(rest.contains(times.group(1)), "the headline's " + times.group(1) + " appears nowhere else");
        }
    }

    private String textBelowHeadline() {
        Stream<String> tables = tables().flatMap(
                        table -> table.rows().stream().flatMap(List::stream).map(Table.Cell::text));
        Stream<String> facts = page.facts().stream().map(fact -> fact.label() + " " + fact.text());
        Stream<String> notes = page.notes().stream().map(Page.Note::text);
        Stream<String> answers = page.answers().stream()
                .flatMap(answer -> Stream.concat(
                        Stream.of(answer.summary()), answer.checks().stream().map(Page.Check::text)));
        Stream<String> about = Stream.concat(
                page.head().about().stream(),
                answered.run().stream()
                        .map(run -> DurationText.format(run.result().plan().timeoutNanos())));
        return Stream.of(tables, facts, notes, answers, about)
                .flatMap(each -> each)
                .collect(Collectors.joining("\n"));
    }

    private Stream<Table> tables() {
        return page.sections().stream()
                .flatMap(section -> section.blocks().stream())
                .filter(Table.class::isInstance)
                .map(Table.class::cast);
    }

    private Optional<Table> percentiles() {
        return page.sections().stream()
                .filter(section -> section.id().equals("percentiles"))
                .flatMap(section -> section.blocks().stream())
                .filter(Table.class::isInstance)
                .map(Table.class::cast)
                .findFirst();
    }

    private static Optional<String> cell(Table table, List<Table.Cell> row, String head) {
        for (int i = 0; i < table.columns().size(); i++) {
            if (table.columns().get(i).head().equals(head)) {
                return Optional.of(row.get(i).text());
            }
        }
        return Optional.empty();
    }

    private Optional<String> shown(String percentile, String head) {
        return percentiles()
                .flatMap(table -> table.rows().stream()
                        .filter(row -> row.get(0).text().equals(percentile))
                        .findFirst()
                        .flatMap(row -> cell(table, row, head)));
    }

    /** The table has every percentile of the headline, with the same value. */
    private void percentilesOfTheHeadline() {
        if (answered.run().isEmpty() || answered.headline().contains(", one of ")) { // it is about one request name
            return;
        }
        Matcher percentile = PERCENTILE.matcher(answered.headline());
        while (percentile.find()) {
            String name = percentile.group(1) == null ? "p50" : "p" + percentile.group(1);
            Optional<String> row = shown(name, ClockLabels.SENT.waited());
            check(row.isPresent(), "the headline has " + name + ", the table does not");
            row.ifPresent(value -> check(
                    value.replace("≥ ", "").equals(percentile.group(3)),
                    "the headline's " + name + " is " + percentile.group(3) + ", the table's " + value));
        }
        Matcher beyond = Pattern.compile("beyond (p[0-9.]*[0-9])").matcher(answered.headline());
        if (beyond.find()) {
            check(
                    shown(beyond.group(1), ClockLabels.SENT.waited()).isPresent(),
                    "the headline has " + beyond.group(1) + ", the table does not");
        }
    }

    /** The headline gives the reason for a comparison's exit code. */
    private void comparison() {
        String headline = answered.headline();
        boolean isWorse = Stream.of(" slower at ", " stalls more", " fails more", " is overloaded")
                .anyMatch(headline::contains);
        check(answered.exit() != 99 || isWorse, "exit 99, but the headline names no regression");
        check(
                answered.exit() != 98 || headline.startsWith("Not comparable"),
                "exit 98, but the headline does not say why");
        check(!headline.startsWith("Not comparable") || answered.exit() != 99, "not comparable, but exit 99");
        check(
                answered.exit() != 0
                        || Stream.of(" stalls more", " fails more", " is overloaded")
                                .noneMatch(headline::contains),
                "exit 0, but the headline names a regression");
    }

    private void run(RunReport report) {
        ledger();
        rows(report);
        hidden(report);
        oneEvent(report);
        length(report);
        incidents(report);
        throughput(report);
        objectives(report);
        sharesOfNames(report);
        sums(report);
        order(report);
        check(
                json.at("outcome.exit_code").isNull()
                        == (report.result().ending() == RunSpan.Ending.INTERRUPTED
                                && report.result().shards().isEmpty()),
                "an interrupted run has an exit code, or another run has none");
        check(
                answered.exit() == 1 || json.at("verdict.service").text().equals("missed") == (answered.exit() == 99),
                "verdict.service is " + json.at("verdict.service").text() + ", exit " + answered.exit());
        check(
                answered.exit() != 98
                        || answered.headline().contains("Undecided: ")
                        || answered.headline().contains(" are unsound"),
                "exit 98, but the headline does not say why");
        check((answered.exit() == 99) == answered.headline().startsWith("Missed"), "exit " + answered.exit());
        check(
                !text.contains("no request ever waited") || !text.contains("requests waited for"),
                "no request waited, but some did");
    }

    /** The headline has every missed or undecided objective, and never calls it met. */
    private void objectives(RunReport report) {
        if (answered.exit() == 1 || answered.headline().startsWith("These numbers are unsound")) {
            return;
        }
        String headline = answered.headline();
        String met = headline.startsWith("Met ") ? headline : "";
        for (JudgedObjective objective : report.verdict().objectives()) {
            String shown = objective.slo().subject() + " " + objective.slo().limit();
            check(
                    (objective.status() == JudgedObjective.Status.MET)
                            == isPassed(objective.slo().text()),
                    "JUnit has another result for " + shown);
            boolean isInHeadline = headline.contains(shown) || headline.contains(" more objectives");
            switch (objective.status()) {
                case MISSED -> {
                    check(isInHeadline, "the headline lacks the missed " + shown);
                    check(!met.contains("Met " + shown), "the headline calls the missed " + shown + " met");
                }
                case UNDECIDED ->
                    check(
                            isInHeadline || answered.exit() != 98 || !objective.isOpen(),
                            "the headline lacks the undecided " + shown + ", exit 98");
                case MET ->
                    check(!headline.contains("Missed " + shown), "the headline calls the met " + shown + " missed");
            }
        }
    }

    /** If the headline is about the failures of one name, it gives their share of that name's requests. */
    private void sharesOfNames(RunReport report) {
        String headline = answered.headline();
        for (JudgedObjective objective : report.verdict().objectives()) {
            if (!(objective.slo() instanceof ServiceLevelObjective.Named named)
                    || named.isOfTimes()
                    || !headline.startsWith("Missed " + named.subject())
                    || report.analysis().first().kind() != Finding.Kind.FAILING
                            && report.analysis().first().kind() != Finding.Kind.GAVE_UP) {
                continue;
            }
            Ledger own = report.result().recording().named(named.name()).ledger();
            for (long count : List.of(own.failed(), own.timedOut())) {
                String share = PercentText.of((double) count / Math.max(1, own.planned()));
                check(count == 0 || headline.contains(share), "the headline lacks " + named.name() + "'s " + share);
            }
        }
    }

    /** The counts of all intervals add up to those of the run, and so do those of all names. */
    private void sums(RunReport report) {
        Ledger whole = report.result().ledger();
        List<Ledger> intervals = report.result().intervals().stream()
                .map(interval -> interval.recording().ledger())
                .toList();
        List<Ledger> names = report.result().recording().byName().entrySet().stream()
                .filter(name -> !Recording.isOfSeveral(name.getKey()))
                .map(name -> name.getValue().ledger())
                .toList();
        for (List<Ledger> parts : List.of(intervals, names)) {
            for (ToLongFunction<Ledger> fate : List.<ToLongFunction<Ledger>>of(
                    Ledger::planned, Ledger::answered, Ledger::failed, Ledger::timedOut, Ledger::neverSent)) {
                check(
                        parts.isEmpty() || parts.stream().mapToLong(fate).sum() == fate.applyAsLong(whole),
                        "the parts of the run do not add up");
            }
        }
        long failures = report.result().recording().failures().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        check(failures == whole.failed(), failures + " failure reasons for " + whole.failed() + " failures");
        double answeredAtMost =
                whole.answered() / Math.max(1e-9, report.result().windowNanos() / 1e9);
        check(
                json.at("rates.achieved_per_s").number() <= answeredAtMost * 1.05 + 1,
                "the achieved rate is above the answered requests per second");
    }

    /** Percentiles increase, service times are not above response times, and intervals contain their value. */
    private void order(RunReport report) {
        long lowerNanos = 0;
        for (PercentileRow row : report.analysis().rows()) {
            long nanos = row.response().nanos();
            if (row.percentile().isPresent()) {
                check(nanos >= lowerNanos, row.name() + " is below the percentile before it");
                lowerNanos = nanos;
            }
            row.service()
                    .ifPresent(service -> check(
                            service.nanos() <= nanos * 1.002 + 1,
                            row.name() + " has a service time above the response time"));
            row.interval().ifPresent(interval -> {
                check(
                        interval.lowNanos().orElse(0) <= nanos
                                && interval.highNanos().orElse(Long.MAX_VALUE) >= nanos,
                        row.name() + " is outside its interval");
            });
        }
    }

    private void ledger() {
        ParsedJson ledger = json.at("ledger");
        long sum = ledger.at("answered").whole()
                + ledger.at("failed").whole()
                + ledger.at("timed_out").whole()
                + ledger.at("in_flight").whole()
                + ledger.at("never_sent").whole();
        check(ledger.at("planned").whole() == sum, "the ledger does not add up");
    }

    /** If the whole run is overloaded, its achieved rate is at most that of the headline. */
    private void throughput(RunReport report) {
        report.verdict()
                .overload()
                .map(overloaded -> overloaded.phases().get(0))
                .filter(phase -> phase.startNanos() == 0 && phase.isOpen() && !phase.isOfSeveral())
                .ifPresent(phase -> {
                    double achieved = json.at("rates.achieved_per_s").number();
                    check(
                            achieved <= phase.answeredPerSecond() * 1.01 + 1,
                            "overloaded at " + phase.answeredPerSecond() + "/s, but " + achieved + "/s achieved");
                });
    }

    /** Percentiles are equal in the table, the page, Markdown, JUnit and JSON. */
    private void rows(RunReport report) {
        percentiles().ifPresent(table -> {
            for (List<Table.Cell> row : table.rows()) {
                String name = row.get(0).text();
                String value = cell(table, row, ClockLabels.SENT.waited()).orElse("");
                check(markdown.contains(value), "Markdown lacks " + name + " " + value);
                check(html.contains(value), "the page lacks " + name + " " + value);
                String property = "name=\"" + ClockLabels.SENT.waited() + " " + name + "\" value=\"";
                check(
                        !junit.contains(property) || junit.contains(property + escaped(value) + "\""),
                        "JUnit's " + name + " is not " + value);
                jsonOf(name)
                        .ifPresent(nanos -> check(
                                nanos.isNull()
                                        ? value.startsWith("≥")
                                        : value.equals(DurationText.rounded(nanos.whole())),
                                name + " is " + value + " in the table, but not in JSON"));
            }
            report.verdict().objectives().stream()
                    .filter(objective -> objective.slo().subject().matches("p[0-9.]+"))
                    .filter(JudgedObjective::isDecided)
                    .filter(objective -> objective.valueNanos().isPresent())
                    .forEach(objective -> check(
                            shown(objective.slo().subject(), ClockLabels.SENT.waited())
                                    .isPresent(),
                            objective.slo().text() + " is decided, but has no row"));
        });
    }

    private Optional<ParsedJson> jsonOf(String name) {
        String key = (name.equals("max") ? "max" : name.replace('.', '_')) + "_ns";
        ParsedJson response = json.at("response");
        return response.has(key) ? Optional.of(response.at(key)) : Optional.empty();
    }

    /** The table shows the waiting that a closed loop would have hidden, at least as a lower bound. */
    private void hidden(RunReport report) {
        ResponseBounds response = report.analysis().response();
        ResponseBounds service = report.analysis().service();
        percentiles().ifPresent(table -> {
            for (List<Table.Cell> row : table.rows()) {
                String name = row.get(0).text();
                if (!name.matches("p[0-9.]+")
                        || cell(table, row, ClockLabels.SENT.took())
                                .filter("-"::equals)
                                .isPresent()) {
                    continue;
                }
                double percentile = Double.parseDouble(name.substring(1));
                long serviceNanos = service.atLeastNanos(percentile);
                long responseNanos = response.withoutOwnDelayNanos(percentile);
                if (serviceNanos > 0 && service.isKnownAt(percentile) && responseNanos > HIDDEN * serviceNanos) {
                    check(
                            cell(table, row, ClockLabels.SENT.hidden())
                                    .filter(text -> !text.isEmpty())
                                    .isPresent(),
                            name + " is " + responseNanos / serviceNanos
                                    + " service times, but nothing is shown as hidden");
                }
            }
        });
    }

    /** A percentile that one event determines has no interval: one event has no frequency. */
    private void oneEvent(RunReport report) {
        List<Incident> incidents = report.analysis().events();
        if (incidents.size() != 1 || incidents.get(0).tailShare() < ONE_EVENT) {
            return;
        }
        shown("p99", "95 % CI")
                .ifPresent(interval -> check(
                        !interval.matches(".*[0-9].*"),
                        "one event determines p99, but it has an interval: " + interval));
    }

    private void length(RunReport report) {
        Matcher partial = Pattern.compile("after ([0-9.]+) s of ([0-9.]+) ?s")
                .matcher(page.head().partial().orElse(""));
        if (partial.find()) {
            check(
                    Double.parseDouble(partial.group(1)) <= Double.parseDouble(partial.group(2)),
                    "the run is longer than planned: " + partial.group());
        }
        check(
                report.result().isComplete() || page.head().partial().isPresent(),
                "an interrupted run is not called partial");
    }

    /** No incident is slower than the slowest request or longer than the run, and the screen names each cause. */
    private void incidents(RunReport report) {
        String screen = new RunView(report)
                .brief().facts().stream().map(Page.Fact::text).collect(Collectors.joining("\n"));
        long max = report.result().recording().responseAtLeast().maxNanos();
        List<Incident> overloads = report.analysis().events().stream()
                .filter(incident -> incident.cause() == Incident.Cause.OVERLOAD)
                .toList();
        for (Incident incident : report.analysis().events()) {
            String cause = incident.cause() == Incident.Cause.ERRORS
                    ? "failed"
                    : incident.cause().words();
            check(screen.contains(cause), "the screen lacks an incident: " + cause);
            check(
                    incident.cause() != Incident.Cause.OVERLOAD || incident.requestsHit() > 0,
                    "an overload that hit no request");
            check(incident.slowestNanos() <= max, "an incident is slower than the slowest request");
            check(
                    incident.startNanos() + incident.lengthNanos()
                            <= report.result().durationNanos(),
                    "an incident is longer than the run");
            long endNanos = incident.startNanos() + incident.lengthNanos();
            check(
                    overloads.stream()
                            .noneMatch(overload -> overload.startNanos() >= endNanos
                                    && overload.startNanos() < endNanos + incident.catchUpNanos()),
                    "an overload during the catch-up of an incident");
        }
    }
}
