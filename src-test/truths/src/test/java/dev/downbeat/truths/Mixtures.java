package dev.downbeat.truths;

import static dev.downbeat.truths.Family.certain;

import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import java.util.ArrayList;
import java.util.List;

/** Random combinations of events. Every answer is allowed that does not contradict itself. */
final class Mixtures {
    private static final List<String> OBJECTIVES = List.of(
            "p50<4ms",
            "p50<20ms",
            "p90<15ms",
            "p95<30ms",
            "p99<50ms",
            "p99<1s",
            "p99.9<2s",
            "p99.99<1s",
            "max<500ms",
            "mean<10ms",
            "errors<0.5%",
            "errors<5%",
            "rate>=99%",
            "rate>=80%");

    private static final Truth ANYTHING = Truth.first(Kind.MET, Kind.values()).exit(0, 1, 98, 99);

    private Mixtures() {}

    static List<Family> families() {
        return List.of(
                certain(
                        "several-things-at-once",
                        draw -> one(draw, draw.of("rate", 40, 300), draw.of("seconds", 4, 25))),
                certain("hardly-a-request", draw -> one(draw, draw.of("rate", 0.1, 5), draw.of("seconds", 0.2, 4))),
                certain("two-of-several-things", Mixtures::two));
    }

    private static Scenario one(Draw draw, double rate, double seconds) {
        List<String> names = names(draw);
        RunResult run = run(draw, plan(draw, rate, seconds), seconds, names);
        List<String> requested = new ArrayList<>();
        for (int i = draw.whole("objectives", 0, 4); i > 0; i--) {
            String name = names.isEmpty() || draw.either("of-all") ? "" : names.get(draw.whole("of", 0, 2)) + ": ";
            String objective = name + OBJECTIVES.get(draw.whole("objective", 0, OBJECTIVES.size() - 1));
            if (!requested.contains(objective)) {
                requested.add(objective);
            }
        }
        return Scenario.run(draw, run, ANYTHING, requested.toArray(String[]::new));
    }

    /** The same load on two services. */
    private static Scenario two(Draw draw) {
        List<String> names = names(draw);
        double rate = draw.of("rate", 40, 300);
        double seconds = draw.of("seconds", 10, 25);
        RunPlan plan = plan(draw, rate, seconds);
        return Scenario.pair(draw, run(draw, plan, seconds, names), run(draw, plan, seconds, names), ANYTHING);
    }

    private static List<String> names(Draw draw) {
        return draw.either("names") ? List.of("list", "pay", "search") : List.of();
    }

    private static RunResult run(Draw draw, RunPlan plan, double seconds, List<String> names) {
        World world = World.of(
                        Work.mixed(
                                Work.logNormal(draw.of("median", 0.0005, 0.03), 0.4),
                                Work.logNormal(draw.of("slow", 0.05, 0.5), 0.3),
                                draw.either("two-kinds") ? draw.of("share", 0.001, 0.2) : 0),
                        draw.either("small") ? draw.whole("servers", 1, 4) : 2_000)
                .backends(draw.whole("backends", 1, 2))
                .named(names, List.of(1.0, draw.of("pay", 0.5, 8), 1.0));
        for (int i = draw.whole("faults", 0, 2); i > 0; i--) {
            world.fault(
                    span(draw, seconds),
                    draw.either("all") ? 1 : draw.of("part", 0.001, 0.5),
                    Fault.Kind.values()[draw.whole("kind", 0, Fault.Kind.values().length - 1)],
                    draw.of("after", 0.001, 0.1));
        }
        for (int i = draw.whole("stalls", 0, 2); i > 0; i--) {
            world.stall(span(draw, seconds / 3));
        }
        if (draw.either("pause")) {
            world.pausedOurselves(span(draw, seconds / 5));
        }
        if (draw.either("pool")) {
            world.connections(draw.whole("connections", 1, 20));
        }
        long stop = draw.either("stopped") && draw.either("early")
                ? Math.round(draw.of("stop", Math.min(0.5, seconds / 2), seconds) * 1e9)
                : Long.MAX_VALUE;
        return new WorldRun(plan, world, draw.seed()).result(stop);
    }

    private static RunPlan plan(Draw draw, double rate, double seconds) {
        RunPlan.Builder plan = switch (draw.whole("load", 0, 3)) {
            case 0 -> Loads.ramp(rate / 4, rate, seconds);
            case 1 -> Loads.stages(seconds / 3, draw.seed(), rate / 2, rate, rate / 3);
            case 2 -> Loads.closed(draw.whole("clients", 1, 10), draw.of("think", 0, 0.05), seconds, draw.seed());
            default -> Loads.poisson(rate, seconds, draw.seed());
        };
        return plan.timeout(Loads.seconds(draw.of("timeout", 0.3, 5))).build();
    }

    private static Span span(Draw draw, double seconds) {
        double from = draw.of("from", 0, seconds);
        return Span.ofSeconds(from, from + draw.of("length", 0.2, seconds));
    }
}
