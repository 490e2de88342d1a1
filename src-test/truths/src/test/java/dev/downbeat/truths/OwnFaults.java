package dev.downbeat.truths;

import static dev.downbeat.truths.Family.certain;

import dev.downbeat.run.RunPlan;
import dev.downbeat.truths.Truth.Quantity;
import java.util.List;
import java.util.SplittableRandom;

/** Delays caused by Downbeat itself, which must not be blamed on the service. */
final class OwnFaults {
    private OwnFaults() {}

    static List<Family> families() {
        return List.of(
                certain("own-pause", OwnFaults::pause),
                certain("own-pauses-all-the-time", OwnFaults::duty),
                certain("own-crowding", OwnFaults::crowded),
                certain("own-lateness", OwnFaults::late),
                certain("own-lateness-and-errors", OwnFaults::lateAndErrors),
                certain("own-pause-beside-a-stall", OwnFaults::pauseAndStall));
    }

    private static Scenario scenario(Draw draw, RunPlan.Builder plan, World world, Truth truth, String... objectives) {
        return Scenario.run(draw, new WorldRun(plan.build(), world, draw.seed()).result(), truth, objectives);
    }

    private static Scenario pause(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        double at = draw.of("at", 3, 15);
        return scenario(
                draw,
                Loads.poisson(rate, 20, draw.seed()),
                Stalls.calm(rate, 0.003).pausedOurselves(Span.ofSeconds(at, at + draw.of("pause", 0.4, 2))),
                Truth.first(Kind.OWN_PAUSE, Kind.UNDECIDED, Kind.OWN_DELAY, Kind.NOT_OFFERED)
                        .never(Kind.STALLED, Kind.OVERLOADED)
                        .exit(98),
                "p99<50ms");
    }

    /** A client that is paused for 10 to 60 % of each 100 ms. */
    private static Scenario duty(Draw draw) {
        double rate = draw.of("rate", 200, 600);
        double stopped = draw.of("stopped", 0.01, 0.06);
        World world = Stalls.calm(rate, 0.003);
        for (double at = 0.05; at < 20; at += 0.1) {
            world.pausedOurselves(Span.ofSeconds(at, at + stopped));
        }
        return scenario(
                draw,
                Loads.poisson(rate, 20, draw.seed()),
                world,
                Truth.first(Kind.OWN_PAUSE, Kind.UNDECIDED, Kind.OWN_DELAY, Kind.NOT_OFFERED, Kind.MET)
                        .never(Kind.STALLED, Kind.OVERLOADED)
                        .exit(0, 98),
                "p99<40ms");
    }

    /** Other processes take the processor for a few milliseconds at a time. */
    private static Scenario crowded(Draw draw) {
        double rate = draw.of("rate", 200, 600);
        double each = draw.of("each", 0.004, 0.02);
        double share = draw.of("share", 0.1, 0.4);
        SplittableRandom random = new SplittableRandom(draw.seed());
        World world = Stalls.calm(rate, 0.003);
        for (double at = 0.05; at < 20; ) {
            double length = -each * Math.log(1 - random.nextDouble());
            world.pausedOurselves(Span.ofSeconds(at, at + length));
            at += length - each * (1 - share) / share * Math.log(1 - random.nextDouble());
        }
        return scenario(
                draw,
                Loads.poisson(rate, 20, draw.seed()),
                world,
                Truth.first(Kind.OWN_PAUSE, Kind.UNDECIDED, Kind.OWN_DELAY, Kind.NOT_OFFERED, Kind.MET)
                        .never(Kind.STALLED, Kind.OVERLOADED)
                        .exit(0, 98),
                "p99<50ms");
    }

    /** Each send takes longer than the interval between requests. */
    private static Scenario late(Draw draw) {
        double rate = draw.of("rate", 300, 800);
        return scenario(
                draw,
                Loads.poisson(rate, 10, draw.seed()),
                Stalls.calm(rate, 0.003).sendingTakes(draw.of("times", 1.3, 2.5) / rate),
                Truth.first(Kind.NOT_OFFERED, Kind.OWN_DELAY, Kind.UNDECIDED)
                        .never(Kind.STALLED, Kind.OVERLOADED)
                        .exit(98),
                "p99<50ms");
    }

    /** Failures count, however late the client was. */
    private static Scenario lateAndErrors(Draw draw) {
        double rate = draw.of("rate", 300, 800);
        return scenario(
                draw,
                Loads.poisson(rate, 10, draw.seed()),
                Stalls.calm(rate, 0.003)
                        .sendingTakes(draw.of("times", 1.3, 2.5) / rate)
                        .fault(new Span(0, Long.MAX_VALUE), draw.of("share", 0.1, 0.5), Fault.Kind.STATUS, 0.001),
                Truth.first(Kind.NOT_OFFERED, Kind.OWN_DELAY, Kind.FAILING)
                        .never(Kind.STALLED, Kind.OVERLOADED)
                        .exit(99));
    }

    private static Scenario pauseAndStall(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        double length = draw.of("stall", 1, 3);
        double at = draw.of("at", 10, 15);
        return scenario(
                draw,
                Loads.poisson(rate, 20, draw.seed()),
                Stalls.calm(rate, 0.003)
                        .pausedOurselves(Span.ofSeconds(4, 4 + draw.of("pause", 0.3, 0.6)))
                        .stall(Span.ofSeconds(at, at + length)),
                Truth.first(Kind.STALLED, Kind.NOT_OFFERED)
                        .never(Kind.OVERLOADED)
                        .number(Quantity.EVENTS, 1, 0)
                        .number(Quantity.LENGTH_SECONDS, length, 0.15)
                        .exit(99),
                "p99<100ms");
    }
}
