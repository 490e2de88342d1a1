package dev.downbeat.truths;

import static dev.downbeat.truths.Family.certain;

import dev.downbeat.run.RunPlan;
import dev.downbeat.truths.Truth.Quantity;
import java.util.ArrayList;
import java.util.List;

/** Services that fail requests or never respond. */
final class Failures {
    private static final Span ALWAYS = new Span(0, Long.MAX_VALUE);

    private Failures() {}

    static List<Family> families() {
        return List.of(
                certain("burst-of-errors", Failures::burst),
                certain("burst-of-some-errors", Failures::burstOfSome),
                certain("errors-now-and-then", Failures::nowAndThen),
                certain("few-errors", Failures::few),
                certain("connections-refused-for-a-while", Failures::refusedForAWhile),
                certain("all-connections-refused", Failures::allRefused),
                certain("black-hole-for-a-while", Failures::blackHole),
                certain("one-in-twenty-never-answered", Failures::swallowed),
                certain("nothing-answered", Failures::nothingAnswered),
                certain("one-of-two-backends-fails", Failures::oneBackend),
                certain("everything-fails", Failures::everythingFails),
                certain("quick-errors-among-slow-answers", Failures::quickErrors),
                certain("one-name-of-several-fails", Failures::oneName),
                certain("timeout-within-the-usual-times", Failures::impatient));
    }

    private static Scenario scenario(Draw draw, RunPlan.Builder plan, World world, Truth truth, String... objectives) {
        return Scenario.run(draw, new WorldRun(plan.build(), world, draw.seed()).result(), truth, objectives);
    }

    private static Scenario burst(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        double at = draw.of("at", 3, 10);
        Span burst = Span.ofSeconds(at, at + draw.of("burst", 1, 4));
        return scenario(
                draw,
                Loads.poisson(rate, 15, draw.seed()),
                Stalls.calm(rate, 0.003).fault(burst, 1, Fault.Kind.STATUS, 0.002),
                Truth.first(Kind.FAILING)
                        .never(Kind.OVERLOADED, Kind.STALLED)
                        .number(Quantity.BEGIN_SECONDS, at, 0.2)
                        .number(Quantity.LENGTH_SECONDS, burst.lengthSeconds(), 0.3)
                        .exit(99),
                "p99<100ms");
    }

    /** One of several backends fails, for at most two intervals. */
    private static Scenario burstOfSome(Draw draw) {
        double rate = draw.of("rate", 60, 300);
        double at = draw.either("aligned") ? draw.whole("at", 3, 10) : draw.of("at", 3, 10);
        Span burst = Span.ofSeconds(at, at + draw.of("burst", 0.6, 2));
        return scenario(
                draw,
                Loads.poisson(rate, 15, draw.seed()),
                Stalls.calm(rate, 0.003).fault(burst, draw.of("share", 0.25, 0.6), Fault.Kind.STATUS, 0.002),
                Truth.first(Kind.FAILING)
                        .never(Kind.OVERLOADED, Kind.STALLED)
                        .number(Quantity.BEGIN_SECONDS, at, 0.35)
                        .number(Quantity.LENGTH_SECONDS, burst.lengthSeconds(), 0.5)
                        .exit(99),
                "p99<100ms");
    }

    private static Scenario nowAndThen(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        double share = draw.of("share", 0.03, 0.3);
        Fault.Kind kind = draw.either("status") ? Fault.Kind.STATUS : Fault.Kind.RESET;
        return scenario(
                draw,
                Loads.poisson(rate, 15, draw.seed()),
                Stalls.calm(rate, 0.003).fault(ALWAYS, share, kind, 0.002),
                Truth.first(Kind.FAILING).never(Kind.OVERLOADED, Kind.STALLED).exit(99));
    }

    private static Scenario few(Draw draw) {
        double rate = draw.of("rate", 300, 500);
        return scenario(
                draw,
                Loads.poisson(rate, 20, draw.seed()),
                Stalls.calm(rate, 0.003).fault(ALWAYS, draw.of("share", 0.0005, 0.004), Fault.Kind.STATUS, 0.002),
                Truth.first(Kind.MET)
                        .never(Kind.OVERLOADED, Kind.STALLED, Kind.FAILING)
                        .exit(0),
                "p99<100ms");
    }

    /** Nothing queues, but throughout the run some 6 to 25 % of the requests exceed their timeout. */
    private static Scenario impatient(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        double median = draw.of("median", 0.005, 0.05);
        RunPlan plan = Loads.poisson(rate, 20, draw.seed())
                .timeout(Loads.seconds(median * draw.of("patience", 1.5, 2.5)))
                .build();
        return Scenario.run(
                draw,
                new WorldRun(plan, World.of(Work.logNormal(median, 0.6), 1_000), draw.seed()).result(),
                Truth.first(Kind.GAVE_UP, Kind.MISSED)
                        .never(Kind.OVERLOADED, Kind.STALLED)
                        .exit(99),
                "errors<1%");
    }

    private static Scenario refusedForAWhile(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        double at = draw.of("at", 3, 10);
        Span outage = Span.ofSeconds(at, at + draw.of("outage", 1, 4));
        return scenario(
                draw,
                Loads.poisson(rate, 15, draw.seed()),
                Stalls.calm(rate, 0.003).fault(outage, 1, Fault.Kind.REFUSED, 0.001),
                Truth.first(Kind.FAILING, Kind.UNREACHABLE)
                        .never(Kind.OVERLOADED, Kind.STALLED)
                        .number(Quantity.BEGIN_SECONDS, at, 1.1)
                        .number(Quantity.LENGTH_SECONDS, outage.lengthSeconds(), 1.3)
                        .exit(99),
                "p99<100ms");
    }

    private static Scenario allRefused(Draw draw) {
        double rate = draw.of("rate", 50, 500);
        return scenario(
                draw,
                Loads.poisson(rate, 5, draw.seed()),
                Stalls.calm(rate, 0.003).fault(ALWAYS, 1, Fault.Kind.REFUSED, 0.001),
                Truth.first(Kind.NOTHING_MEASURED, Kind.NOTHING_ANSWERED).exit(1),
                "p99<100ms");
    }

    /** Requests sent during the hole are never answered; all others are answered promptly. */
    private static Scenario blackHole(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        double at = draw.of("at", 3, 8);
        Span hole = Span.ofSeconds(at, at + draw.of("hole", 1, 3));
        return scenario(
                draw,
                Loads.poisson(rate, 15, draw.seed()).timeout(Loads.seconds(draw.of("timeout", 1, 3))),
                Stalls.calm(rate, 0.003).fault(hole, 1, Fault.Kind.BLACK_HOLE, 0),
                Truth.first(Kind.STALLED, Kind.GAVE_UP, Kind.FAILING)
                        .never(Kind.OVERLOADED)
                        .number(Quantity.BEGIN_SECONDS, at, 0.2)
                        .number(Quantity.LENGTH_SECONDS, hole.lengthSeconds(), 0.3)
                        .exit(99),
                "p99<100ms");
    }

    private static Scenario swallowed(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        return scenario(
                draw,
                Loads.poisson(rate, 15, draw.seed()).timeout(Loads.seconds(draw.of("timeout", 0.5, 3))),
                Stalls.calm(rate, 0.003).fault(ALWAYS, draw.of("share", 0.03, 0.1), Fault.Kind.BLACK_HOLE, 0),
                Truth.first(Kind.GAVE_UP, Kind.FAILING)
                        .never(Kind.OVERLOADED, Kind.STALLED)
                        .exit(99),
                "p99<100ms");
    }

    private static Scenario nothingAnswered(Draw draw) {
        double rate = draw.of("rate", 50, 300);
        return scenario(
                draw,
                Loads.poisson(rate, 8, draw.seed()).timeout(Loads.seconds(draw.of("timeout", 1, 3))),
                Stalls.calm(rate, 0.003).fault(ALWAYS, 1, Fault.Kind.BLACK_HOLE, 0),
                Truth.first(Kind.NOTHING_ANSWERED).never(Kind.OVERLOADED).exit(1, 99),
                "p99<100ms");
    }

    /** The other backend answers as before. */
    private static Scenario oneBackend(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        double at = draw.of("at", 3, 8);
        return scenario(
                draw,
                Loads.poisson(rate, 15, draw.seed()),
                Stalls.calm(rate, 0.003).fault(Span.withoutEnd(at), 0.5, Fault.Kind.RESET, 0.001),
                Truth.first(Kind.FAILING)
                        .never(Kind.OVERLOADED, Kind.STALLED)
                        .number(Quantity.BEGIN_SECONDS, at, 1.1)
                        .exit(99),
                "p99<100ms");
    }

    private static Scenario everythingFails(Draw draw) {
        double rate = draw.of("rate", 50, 300);
        return scenario(
                draw,
                Loads.poisson(rate, 8, draw.seed()),
                Stalls.calm(rate, 0.003).fault(ALWAYS, 1, Fault.Kind.STATUS, 0.003),
                Truth.first(Kind.FAILING, Kind.NOTHING_ANSWERED)
                        .never(Kind.OVERLOADED, Kind.STALLED)
                        .exit(99));
    }

    private static Scenario quickErrors(Draw draw) {
        double rate = draw.of("rate", 150, 300);
        return scenario(
                draw,
                Loads.poisson(rate, 15, draw.seed()),
                World.of(Work.logNormal(0.08, 0.3), 1_000)
                        .fault(ALWAYS, draw.of("share", 0.1, 0.4), Fault.Kind.STATUS, 0.001),
                Truth.first(Kind.FAILING).never(Kind.OVERLOADED, Kind.STALLED).exit(99),
                "p99<500ms");
    }

    /** One name fails, or times out, more often than allowed; another does so less often. Some draws add other objectives. */
    private static Scenario oneName(Draw draw) {
        double rate = draw.of("rate", 100, 300);
        Fault.Kind kind = draw.either("status") ? Fault.Kind.STATUS : Fault.Kind.BLACK_HOLE;
        List<String> objectives =
                new ArrayList<>(List.of("pay: " + (draw.either("rate") ? "rate>=90%" : "errors<10%")));
        int others = draw.whole("others", 0, 3);
        if (others % 2 == 1) {
            objectives.add("errors<" + draw.of("limit", 1, 30) + "%");
        }
        if (others > 1) {
            objectives.add("list: errors<0.5%");
        }
        return scenario(
                draw,
                Loads.poisson(rate, 20, draw.seed()).timeout(Loads.seconds(1)),
                Stalls.calm(rate, 0.003)
                        .named(List.of("list", "search", "pay", "find", "show"), List.of(1.0, 1.0, 1.0, 1.0, 1.0))
                        .faultOf("pay", ALWAYS, draw.of("share", 0.15, 0.6), kind, 0.002)
                        .faultOf("list", ALWAYS, draw.of("list", 0, 0.03), kind, 0.002),
                Truth.first(Kind.FAILING, Kind.GAVE_UP)
                        .never(Kind.OVERLOADED, Kind.STALLED)
                        .exit(99),
                objectives.toArray(String[]::new));
    }
}
