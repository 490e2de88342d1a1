package dev.downbeat.truths;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.analysis.Finding;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.ComparedSide;
import dev.downbeat.compare.Comparison;
import dev.downbeat.compare.Gate;
import dev.downbeat.event.Incident;
import dev.downbeat.report.data.ComparisonReport;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.RunView;
import dev.downbeat.report.view.compare.ComparisonView;
import dev.downbeat.run.RunResult;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.truths.Truth.Quantity;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Downbeat's answer to a scenario, to be checked against its truth.
 *
 * @param view rendered by every format
 * @param run the report of a run; empty for a comparison
 * @param headline the first sentence
 * @param first the kind of the first finding
 * @param kinds of all findings, including the first
 * @param exit the exit code
 * @param numbers in the headline
 */
record Answered(
        View view,
        Optional<RunReport> run,
        String headline,
        Kind first,
        Set<Kind> kinds,
        int exit,
        Map<Quantity, Double> numbers) {
    private static final MachineProfile PAPER =
            new MachineProfile(2, -1, "Paper", "1", "any", "simulated JVM", List.of("Serial"), 1, 20, 50_000, "");

    private static final List<RequiredCertainty> STRICTER = List.of(
            new RequiredCertainty(true, false), new RequiredCertainty(false, true), new RequiredCertainty(true, true));

    static Answered to(Scenario scenario) {
        return scenario.isPair() ? compared(scenario) : judged(scenario);
    }

    /** A stricter option that would make a run pass that fails without it. No option may have that effect. */
    static Optional<RequiredCertainty> passedOnlyIf(Scenario scenario) {
        if (scenario.isPair()) {
            return Optional.empty();
        }
        List<ServiceLevelObjective> slos = ServiceLevelObjective.withDefaults(scenario.objectives());
        RunResult result = scenario.runs().get(0);
        return analysis(result, slos).outcome().exitCode() == ExitCode.MET
                ? Optional.empty()
                : STRICTER.stream()
                        .filter(rigour -> Analysis.of(result, new Criteria(slos, rigour, false))
                                        .outcome()
                                        .exitCode()
                                == ExitCode.MET)
                        .findFirst();
    }

    private static Analysis analysis(RunResult result, List<ServiceLevelObjective> slos) {
        return Analysis.of(result, Criteria.of(slos));
    }

    private static Answered judged(Scenario scenario) {
        Analysis analysis = analysis(scenario.runs().get(0), ServiceLevelObjective.withDefaults(scenario.objectives()));
        RunReport report =
                new RunReport(analysis, List.of("downbeat", "run"), Optional.empty(), "truths", PAPER, Map.of());
        View view = new Once(new RunView(report));
        return new Answered(
                view,
                Optional.of(report),
                view.page().head().headline(),
                kind(analysis),
                kinds(analysis),
                analysis.outcome().exitCode(),
                numbers(analysis));
    }

    private static Set<Kind> kinds(Analysis analysis) {
        Set<Kind> kinds = EnumSet.of(kind(analysis));
        analysis.findings()
                .forEach(finding -> kinds.add(Kind.valueOf(finding.kind().name())));
        analysis.events().forEach(event -> {
            switch (event.cause()) {
                case SERVICE_STALL -> kinds.add(Kind.STALLED);
                case UNREACHABLE -> kinds.add(Kind.UNREACHABLE);
                case SLOW_LOOKUP -> kinds.add(Kind.SLOW_LOOKUP);
                default -> {}
            }
        });
        return kinds;
    }

    /** A run with only the default error limit leads with its response times. */
    private static Kind kind(Analysis analysis) {
        Finding first = analysis.first();
        if (first instanceof Finding.Happened happened) {
            switch (happened.events().get(0).cause()) {
                case UNREACHABLE -> {
                    return Kind.UNREACHABLE;
                }
                case SLOW_LOOKUP -> {
                    return Kind.SLOW_LOOKUP;
                }
                default -> {}
            }
        }
        if (first.kind() == Finding.Kind.MET && analysis.verdict().objectives().size() == 1) {
            return Kind.MEASURED;
        }
        return Kind.valueOf(first.kind().name());
    }

    private static Map<Quantity, Double> numbers(Analysis analysis) {
        Map<Quantity, Double> numbers = new EnumMap<>(Quantity.class);
        Finding first = analysis.first();
        if (first instanceof Finding.Overloaded overloaded) {
            numbers.put(Quantity.ANSWERED_PER_SECOND, overloaded.load().worst().answeredPerSecond());
            numbers.put(Quantity.OFFERED_PER_SECOND, overloaded.load().worst().offeredPerSecond());
            numbers.put(Quantity.BEGIN_SECONDS, overloaded.load().worst().startNanos() / 1e9);
            numbers.put(
                    Quantity.LENGTH_SECONDS,
                    (overloaded.load().worst().endNanos()
                                    - overloaded.load().worst().startNanos())
                            / 1e9);
            overloaded
                    .load()
                    .worst()
                    .limit()
                    .ifPresent(limit -> numbers.put(Quantity.CARRIED_PER_SECOND, limit.perSecond()));
        }
        if (first instanceof Finding.Failing failing && failing.spells().size() == 1) {
            numbers.put(Quantity.BEGIN_SECONDS, failing.spells().get(0).startNanos() / 1e9);
            numbers.put(Quantity.LENGTH_SECONDS, failing.spells().get(0).lengthNanos() / 1e9);
        }
        if (first instanceof Finding.Judged || first instanceof Finding.Measured) {
            numbers.put(
                    Quantity.ANSWERED_PER_SECOND, analysis.result().throughput().perSecond());
        }
        if (first instanceof Finding.SlowForAWhile slow) {
            numbers.put(Quantity.BEGIN_SECONDS, slow.spell().fromNanos() / 1e9);
            numbers.put(
                    Quantity.LENGTH_SECONDS,
                    (slow.spell().toNanos() - slow.spell().fromNanos()) / 1e9);
        }
        if (first instanceof Finding.Happened happened && first.kind() != Finding.Kind.OWN_PAUSE) {
            numbers.put(Quantity.EVENTS, (double) happened.events().size());
            numbers.put(Quantity.BEGIN_SECONDS, happened.events().get(0).startNanos() / 1e9);
            numbers.put(
                    Quantity.LENGTH_SECONDS,
                    happened.events().stream()
                                    .mapToLong(Incident::lengthNanos)
                                    .max()
                                    .orElseThrow()
                            / 1e9);
        }
        return numbers;
    }

    private static Answered compared(Scenario scenario) {
        List<RunResult> runs = scenario.runs();
        ComparisonReport report = ComparisonReport.of(
                Comparison.of(
                        side("base", runs.subList(0, runs.size() / 2)),
                        side("new", runs.subList(runs.size() / 2, runs.size()))),
                new Gate.Question(scenario.tolerance(), false, false),
                "",
                List.of("downbeat", "compare"),
                "truths");
        View view = new Once(new ComparisonView(report));
        Kind first = kind(report);
        return new Answered(
                view,
                Optional.empty(),
                view.page().head().headline(),
                first,
                Set.of(first),
                report.exitCode(),
                Map.of());
    }

    private static Kind kind(ComparisonReport report) {
        if (!report.isComparable()) {
            return Kind.NOT_COMPARABLE;
        }
        return switch (report.comparison().outcome()) {
            case FASTER -> Kind.FASTER;
            case SLOWER -> Kind.SLOWER;
            case MIXED -> Kind.MIXED;
            case OVERLOADED -> Kind.OVERLOADED;
            case KEEPS_UP -> Kind.KEEPS_UP;
            case FAILS_MORE -> Kind.FAILS_MORE;
            case STALLS_MORE -> Kind.STALLS_MORE;
            case SAME -> Kind.SAME;
            case CANNOT_TELL -> Kind.CANNOT_TELL;
        };
    }

    private static ComparedSide side(String name, List<RunResult> results) {
        return new ComparedSide(
                name,
                results.stream()
                        .map(result -> ComparedRun.of(
                                name,
                                Observations.of(result),
                                analysis(result, ServiceLevelObjective.withDefaults(List.of()))
                                        .verdict()))
                        .toList());
    }
}
