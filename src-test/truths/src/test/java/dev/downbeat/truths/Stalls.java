package dev.downbeat.truths;

import static dev.downbeat.truths.Family.certain;

import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.simulate.RetryPolicy;
import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.simulate.Simulation;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.time.Stall;
import dev.downbeat.truths.Truth.Quantity;
import java.util.ArrayList;
import java.util.List;

/** Services that stall. */
final class Stalls {
    /** Tolerance in seconds for the begin and length of a stall: requests in progress, and the gap before. */
    private static final double OFF = 0.15;

    private Stalls() {}

    static List<Family> families() {
        return List.of(
                certain("one-stall", Stalls::one),
                certain("several-stalls", Stalls::several),
                certain("periodic-stalls", Stalls::periodic),
                certain("stall-beyond-the-end", Stalls::beyondTheEnd),
                certain("stall-without-end", Stalls::withoutEnd),
                certain("stall-with-timeouts", Stalls::withTimeouts),
                certain("stall-with-retries", Stalls::withRetries),
                certain("stall-of-a-third", Stalls::third),
                certain("short-stall", Stalls::brief),
                certain("stall-nobody-asked", Stalls::nobodyAsked),
                certain("stall-at-the-start", Stalls::atTheStart),
                certain("stall-of-the-whole-load", Stalls::wholeLoad),
                certain("half-the-backends-stall", Stalls::half),
                certain("a-backend-stalls-past-the-end", Stalls::oneOfSeveralBeyondTheEnd),
                certain("stall-in-a-closed-loop", Stalls::closed),
                certain("stall-of-few-clients", Stalls::fewClients),
                certain("stall-in-the-thin-part", Stalls::thin),
                certain("stall-within-the-objective", Stalls::within),
                certain("stall-beside-times-of-the-limit", Stalls::atTheLimit),
                certain("stall-of-a-service-too-slow-anyway", Stalls::tooSlowAnyway),
                certain("long-stall-of-a-service-too-slow-anyway", Stalls::longAndTooSlowAnyway),
                certain("stall-beside-own-pauses", Stalls::besideOwnPauses),
                certain("stall-with-long-catch-up", Stalls::longCatchUp),
                certain("stall-of-a-service-that-each-request-connects-to", Stalls::eachConnects),
                certain("slow-lookup", Stalls::slowLookup),
                certain("stall-of-all-connects", draw -> noneOpens(draw, World.Step.CONNECT)),
                certain("stall-of-all-handshakes", draw -> noneOpens(draw, World.Step.HANDSHAKE)),
                certain("slow-lookups-in-a-row", Stalls::slowLookupsInARow));
    }

    /** A service that is busy at most 50 % of the time. */
    static World calm(double rate, double meanSeconds) {
        return World.of(Work.exponential(meanSeconds), (int) Math.ceil(2 * rate * meanSeconds) + 1);
    }

    private static Truth stalled(Span stall) {
        return Truth.first(Kind.STALLED)
                .never(Kind.OVERLOADED)
                .number(Quantity.EVENTS, 1, 0)
                .number(Quantity.BEGIN_SECONDS, stall.fromNanos() / 1e9, OFF)
                .number(Quantity.LENGTH_SECONDS, stall.lengthSeconds(), OFF);
    }

    private static Scenario one(Draw draw) {
        double rate = draw.of("rate", 150, 600);
        double mean = draw.of("mean", 0.001, 0.008);
        double length = draw.of("stall", 0.5, 3);
        double at = draw.of("at", 2, 14);
        Span stall = Span.ofSeconds(at, at + length);
        RunPlan plan = Loads.poisson(rate, 20, draw.seed()).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, calm(rate, mean).stall(stall), draw.seed()).result(),
                stalled(stall).exit(99),
                "p99<100ms");
    }

    private static Scenario several(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        int count = draw.whole("stalls", 2, 4);
        World world = calm(rate, draw.of("mean", 0.001, 0.005));
        double longest = 0;
        for (int i = 0; i < count; i++) {
            double length = draw.of("stall", 0.5, 1.2);
            double at = 2 + 6 * i + draw.of("later", 0, 3);
            longest = Math.max(longest, length);
            world.stall(Span.ofSeconds(at, at + length));
        }
        RunPlan plan = Loads.poisson(rate, 28, draw.seed()).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                Truth.first(Kind.STALLED)
                        .never(Kind.OVERLOADED)
                        .between(Quantity.EVENTS, 1, count) // those that caused the tail
                        .number(Quantity.LENGTH_SECONDS, longest, OFF)
                        .exit(99),
                "p99<100ms");
    }

    private static Scenario periodic(Draw draw) {
        double rate = draw.of("rate", 200, 500);
        double period = draw.of("period", 3, 6);
        double length = draw.of("stall", 0.35, 0.8);
        double first = draw.of("first", 1, 3);
        World world = calm(rate, 0.002);
        int count = 0;
        for (double at = first; at + length < 29; at += period) {
            world.stall(Span.ofSeconds(at, at + length));
            count++;
        }
        RunPlan plan = Loads.poisson(rate, 30, draw.seed()).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                Truth.first(Kind.STALLED)
                        .never(Kind.OVERLOADED)
                        .number(Quantity.EVENTS, count, 0)
                        .number(Quantity.LENGTH_SECONDS, length, OFF)
                        .exit(99),
                "p99<100ms");
    }

    private static Scenario beyondTheEnd(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        double at = draw.of("at", 15, 19.7);
        double length = draw.of("stall", 5.2, 9);
        Span stall = Span.ofSeconds(at, at + length);
        RunPlan plan = Loads.poisson(rate, 20, draw.seed()).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, calm(rate, 0.003).stall(stall), draw.seed()).result(),
                stalled(stall).exit(99),
                "p99<100ms");
    }

    /** The service never recovers. The report has the begin of the stall and no end. */
    private static Scenario withoutEnd(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        double at = draw.of("at", 3, 16);
        double timeout = draw.of("timeout", 1, 8);
        RunPlan plan = Loads.poisson(rate, 20, draw.seed())
                .timeout(Loads.seconds(timeout))
                .build();
        return Scenario.run(
                draw,
                new WorldRun(plan, calm(rate, 0.003).stall(Span.withoutEnd(at)), draw.seed()).result(),
                Truth.first(Kind.STALLED, Kind.FAILING, Kind.GAVE_UP)
                        .never(Kind.OVERLOADED)
                        .number(Quantity.EVENTS, 1, 0)
                        .number(Quantity.BEGIN_SECONDS, at, OFF)
                        .between(Quantity.LENGTH_SECONDS, 20 - at - OFF, 20 - at + timeout + OFF)
                        .exit(99),
                "p99<100ms");
    }

    /** Requests that time out during the stall do so because of it. */
    private static Scenario withTimeouts(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        double timeout = draw.of("timeout", 0.5, 1.5);
        double at = draw.of("at", 3, 12);
        double length = timeout + draw.of("longer", 0.5, 3);
        Span stall = Span.ofSeconds(at, at + length);
        RunPlan plan = Loads.poisson(rate, 20, draw.seed())
                .timeout(Loads.seconds(timeout))
                .build();
        boolean drops = draw.either("drops");
        World world = calm(rate, 0.002).stall(stall).dropsAbandoned(drops);
        double inVain = drops ? 0 : length / 2; // abandoned requests are worked on first
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                Truth.first(Kind.STALLED)
                        .never(Kind.OVERLOADED)
                        .number(Quantity.EVENTS, 1, 0)
                        .number(Quantity.BEGIN_SECONDS, at, OFF)
                        .between(Quantity.LENGTH_SECONDS, length - OFF, length + inVain + OFF)
                        .exit(99),
                "p99<100ms");
    }

    /** A caller that gives up is no sign that the service is alive. */
    private static Scenario withRetries(Draw draw) {
        double rate = draw.of("rate", 100, 300);
        double timeout = draw.of("attempt's timeout", 0.05, 0.2);
        double at = draw.of("at", 3, 12);
        Span stall = Span.ofSeconds(at, at + draw.of("stall", 0.8, 3));
        RunPlan plan = Loads.poisson(rate, 20, draw.seed()).build();
        SimulatedService service = SimulatedService.of(new ServiceLaw.Exponential(1_000_000))
                .stall(new Stall(stall.fromNanos(), stall.toNanos() - stall.fromNanos(), 0));
        RetryPolicy policy = RetryPolicy.of(draw.whole("attempts", 2, 3), Math.round(timeout * 1e9));
        return Scenario.run(
                draw,
                new Simulation(plan, service, policy, draw.seed())
                        .run(Progress.none())
                        .result(),
                Truth.first(Kind.STALLED, Kind.FAILING).never(Kind.OVERLOADED).exit(99),
                "p99<20ms");
    }

    /** A long stall is an event, not a change of the service. Most waiting requests time out. */
    private static Scenario third(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        double at = draw.of("at", 8, 20);
        Span stall = Span.ofSeconds(at, at + draw.of("stall", 7, 10));
        RunPlan plan = Loads.poisson(rate, 30, draw.seed())
                .timeout(Loads.seconds(draw.of("timeout", 4, 6)))
                .build();
        World world = calm(rate, 0.002).stall(stall).dropsAbandoned(true);
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                stalled(stall).never(Kind.OVERLOADED, Kind.CHANGED).exit(99),
                "p99<100ms");
    }

    /** A third of a second is about 1 % of a 30 s run. */
    private static Scenario brief(Draw draw) {
        double rate = draw.of("rate", 300, 600);
        double at = draw.of("at", 3, 25);
        Span stall = Span.ofSeconds(at, at + draw.of("stall", 0.35, 0.5));
        RunPlan plan = Loads.poisson(rate, 30, draw.seed()).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, calm(rate, 0.002).stall(stall), draw.seed()).result(),
                stalled(stall).exit(99),
                "p99.5<100ms");
    }

    private static Scenario nobodyAsked(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        double at = draw.of("at", 2, 15);
        Span stall = Span.ofSeconds(at, at + draw.of("stall", 0.6, 3));
        RunPlan plan = Loads.poisson(rate, 20, draw.seed()).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, calm(rate, 0.003).stall(stall), draw.seed()).result(),
                stalled(stall).exit(0));
    }

    private static Scenario atTheStart(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        Span stall = Span.ofSeconds(0, draw.of("stall", 0.8, 3));
        RunPlan plan = Loads.poisson(rate, 20, draw.seed()).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, calm(rate, 0.003).stall(stall), draw.seed()).result(),
                stalled(stall).exit(99),
                "p99<100ms");
    }

    /** A service that starts late: most or all requests wait for the end of the stall. */
    private static Scenario wholeLoad(Draw draw) {
        double rate = draw.of("rate", 100, 500);
        Span stall = Span.ofSeconds(0, draw.of("stall", 4, 12));
        RunPlan plan = Loads.poisson(rate, 5, draw.seed()).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, calm(rate, 0.003).stall(stall), draw.seed()).result(),
                stalled(stall).exit(99),
                "p99<100ms");
    }

    /** The other backends keep answering. */
    private static Scenario half(Draw draw) {
        double rate = draw.of("rate", 200, 500);
        int backends = draw.whole("backends", 2, 3);
        double at = draw.of("at", 3, 12);
        Span stall = Span.ofSeconds(at, at + draw.of("stall", 1, 4));
        RunPlan plan = Loads.poisson(rate, 20, draw.seed()).build();
        World world = calm(rate / backends, 0.003).backends(backends).firstStalls(stall);
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                Truth.first(Kind.STALLED, Kind.SLOW).never(Kind.OVERLOADED).exit(99),
                "p99<100ms");
    }

    /** After the load, only the stalled backend (at most 50 % busy) still answers. The stall began before. */
    private static Scenario oneOfSeveralBeyondTheEnd(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        int backends = draw.whole("backends", 2, 4);
        double at = draw.of("at", 16, 19.5);
        double past = draw.of("past", 0.3, 1.5);
        RunPlan plan = Loads.poisson(rate, 20, draw.seed()).build();
        World world = calm(rate / backends, 0.003).backends(backends).firstStalls(Span.ofSeconds(at, 20 + past));
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                Truth.first(Kind.STALLED, Kind.SLOW)
                        .never(Kind.OVERLOADED)
                        .number(Quantity.EVENTS, 1, 0)
                        .number(Quantity.BEGIN_SECONDS, at, OFF)
                        .between(Quantity.LENGTH_SECONDS, 20 + past - at - OFF, 20 + past - at + (20 - at) / 2 + OFF)
                        .exit(99),
                "p99.5<100ms");
    }

    /** Only one request per client meets the stall, so a closed-loop tool shows next to nothing. */
    private static Scenario closed(Draw draw) {
        int clients = draw.whole("clients", 10, 40);
        double at = draw.of("at", 3, 15);
        double length = draw.of("stall", 1, 3);
        Span stall = Span.ofSeconds(at, at + length);
        RunPlan plan = Loads.closed(clients, 0.02, 20, draw.seed()).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, World.of(Work.exponential(0.003), clients).stall(stall), draw.seed()).result(),
                stalled(stall).exit(99),
                "max<500ms");
    }

    /** Two clients that wait at the same time are no coincidence. */
    private static Scenario fewClients(Draw draw) {
        int clients = draw.whole("clients", 2, 5);
        double at = draw.of("at", 3, 15);
        Span stall = Span.ofSeconds(at, at + draw.of("stall", 0.5, 3));
        RunPlan plan = Loads.closed(clients, 0, 20, draw.seed()).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, World.of(Work.exponential(0.003), clients).stall(stall), draw.seed()).result(),
                stalled(stall).exit(99),
                "max<400ms");
    }

    private static Scenario thin(Draw draw) {
        double low = draw.of("low", 20, 40);
        double at = draw.of("at", 3, 6);
        Span stall = Span.ofSeconds(at, at + draw.of("stall", 1.2, 3));
        RunPlan plan = Loads.stages(10, draw.seed(), low, 10 * low).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, calm(10 * low, 0.01).stall(stall), draw.seed()).result(),
                Truth.first(Kind.STALLED)
                        .never(Kind.OVERLOADED)
                        .number(Quantity.EVENTS, 1, 0)
                        .number(Quantity.BEGIN_SECONDS, at, 0.3)
                        .number(Quantity.LENGTH_SECONDS, stall.lengthSeconds(), 0.3)
                        .exit(99),
                "p99.5<100ms");
    }

    /** The objective is met despite a stall. Either may come first, and neither is a failure. */
    private static Scenario within(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        double at = draw.of("at", 2, 15);
        Span stall = Span.ofSeconds(at, at + draw.of("stall", 0.6, 2));
        RunPlan plan = Loads.poisson(rate, 20, draw.seed()).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, calm(rate, 0.003).stall(stall), draw.seed()).result(),
                Truth.first(Kind.STALLED, Kind.MET).never(Kind.OVERLOADED).number(Quantity.EVENTS, 1, 0),
                "p50<100ms");
    }

    /** A response time equal to the limit is not below it. */
    private static Scenario atTheLimit(Draw draw) {
        double at = draw.of("at", 3, 14);
        Span stall = Span.ofSeconds(at, at + draw.of("stall", 0.6, 2));
        World world = World.of(Work.constant(0.002), 50).stall(stall);
        RunPlan plan = Loads.poisson(draw.of("rate", 100, 300), 20, draw.seed()).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                Truth.first(Kind.STALLED, Kind.MISSED)
                        .never(Kind.OVERLOADED)
                        .missedAnyway()
                        .exit(99),
                "p99<2ms");
    }

    /** Many requests exceed the limit even without the stall or client pause. */
    private static Scenario tooSlowAnyway(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        double at = draw.of("at", 3, 14);
        Span event = Span.ofSeconds(at, at + draw.of("event", 0.6, 2));
        List<String> names = draw.either("names") ? List.of("list", "pay") : List.of();
        Work slow = Work.logNormal(draw.of("slow", 0.12, 0.2), 0.05);
        World world = World.of(Work.mixed(Work.logNormal(0.003, 0.3), slow, draw.of("share", 0.15, 1)), 2_000)
                .named(names, List.of(1.0, 1.0));
        boolean isOwnPause = draw.either("ours");
        RunPlan plan = Loads.poisson(rate, 20, draw.seed()).build();
        String of = names.isEmpty() ? "" : "pay: ";
        return Scenario.run(
                draw,
                new WorldRun(plan, isOwnPause ? world.pausedOurselves(event) : world.stall(event), draw.seed())
                        .result(),
                (isOwnPause
                                ? Truth.first(Kind.OWN_PAUSE, Kind.NOT_OFFERED, Kind.MISSED)
                                : Truth.first(Kind.STALLED, Kind.MISSED))
                        .never(Kind.OVERLOADED, isOwnPause ? Kind.STALLED : Kind.OWN_PAUSE)
                        .missedAnyway()
                        .exit(99),
                of + List.of("p90<100ms", "p95<100ms", "p99<100ms").get(draw.whole("percentile", 0, 2)));
    }

    /** The stall and its backlog fill the whole run. */
    private static Scenario longAndTooSlowAnyway(Draw draw) {
        double at = draw.of("at", 0.6, 1.5);
        Span stall = Span.ofSeconds(at, at + draw.of("stall", 4, 6));
        World world = World.of(Work.logNormal(draw.of("slow", 0.12, 0.2), 0.05), 2_000)
                .stall(stall);
        RunPlan plan = Loads.poisson(draw.of("rate", 150, 500), 10, draw.seed()).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                Truth.first(Kind.STALLED, Kind.MISSED)
                        .never(Kind.OVERLOADED)
                        .missedAnyway()
                        .exit(99),
                List.of("p50<100ms", "p90<100ms", "p99<100ms").get(draw.whole("percentile", 0, 2)));
    }

    /** Client pauses alone put about 1 % of the requests beyond the limit. */
    private static Scenario besideOwnPauses(Draw draw) {
        double at = draw.of("at", 8, 12);
        Span stall = Span.ofSeconds(at, at + draw.of("stall", 1, 2));
        World world = World.of(Work.logNormal(0.003, 0.3), 50).stall(stall);
        int pauses = draw.whole("pauses", 1, 3);
        for (int i = 0; i < pauses; i++) {
            double pausedAt = 1 + 2 * i + draw.of("later", 0, 1);
            world.pausedOurselves(Span.ofSeconds(pausedAt, pausedAt + draw.of("pause", 0.25, 0.45)));
        }
        RunPlan plan = Loads.poisson(draw.of("rate", 200, 500), 20, draw.seed()).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                Truth.first(Kind.STALLED).never(Kind.OVERLOADED).exit(99),
                "p99<50ms");
    }

    /** A busy service takes long to catch up after a stall. That is no overload. */
    private static Scenario longCatchUp(Draw draw) {
        double busy = draw.of("busy", 0.7, 0.85);
        double rate = draw.of("rate", 200, 500);
        double at = draw.of("at", 4, 10);
        Span stall = Span.ofSeconds(at, at + draw.of("stall", 1, 2.5));
        RunPlan plan = Loads.poisson(rate, 30, draw.seed()).build();
        World world = World.of(Work.exponential(8 * busy / rate), 8).stall(stall);
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                stalled(stall).exit(99),
                "p99<400ms");
    }

    /** A stall is one even if each request opens a connection. */
    private static Scenario eachConnects(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        double at = draw.of("at", 3, 14);
        Span stall = Span.ofSeconds(at, at + draw.of("stall", 0.6, 3));
        RunPlan plan = Loads.poisson(rate, 20, draw.seed()).build();
        World world = calm(rate, 0.002)
                .stall(stall)
                .connections(draw.whole("connections", 20, 60))
                .opensForEach(draw.of("opening", 0.0005, 0.003), World.Step.HANDSHAKE, List.of());
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                stalled(stall).exit(99),
                "p99<100ms");
    }

    /** The service answers at once, whoever reaches it. */
    private static Scenario slowLookup(Draw draw) {
        return opensSlowly(
                draw,
                World.Step.LOOKUP,
                Truth.first(Kind.SLOW_LOOKUP).never(Kind.OVERLOADED, Kind.STALLED, Kind.UNREACHABLE));
    }

    /** Nothing is answered meanwhile, so a slow connect or TLS handshake cannot be told from a stall of the service. */
    private static Scenario noneOpens(Draw draw, World.Step step) {
        return opensSlowly(draw, step, Truth.first(Kind.STALLED).never(Kind.OVERLOADED, Kind.UNREACHABLE));
    }

    private static Scenario opensSlowly(Draw draw, World.Step step, Truth truth) {
        double rate = draw.of("rate", 30, 500);
        double at = draw.of("at", 3, 14);
        Span slow = Span.ofSeconds(at, at + draw.of("slow", 0.6, 3));
        RunPlan plan = Loads.poisson(rate, 20, draw.seed()).build();
        World world = calm(rate, 0.002)
                .connections(draw.whole("connections", 8, 60))
                .opensForEach(draw.of("opening", 0.0005, 0.003), step, List.of(slow));
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                truth.number(Quantity.EVENTS, 1, 0)
                        .number(Quantity.BEGIN_SECONDS, at, OFF)
                        .number(Quantity.LENGTH_SECONDS, slow.lengthSeconds(), OFF)
                        .exit(99),
                "p99<100ms");
    }

    /** One lookup after another is slow, which is no rhythm of the service. */
    private static Scenario slowLookupsInARow(Draw draw) {
        double rate = draw.of("rate", 30, 100);
        double at = draw.of("at", 2, 5);
        double each = draw.of("each", 0.8, 1.6);
        int count = draw.whole("lookups", 5, 7);
        List<Span> slow = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            slow.add(Span.ofSeconds(at + i * (each + 0.01), at + i * (each + 0.01) + each));
        }
        RunPlan plan = Loads.poisson(rate, 25, draw.seed()).build();
        World world = calm(rate, 0.001)
                .connections(draw.whole("connections", 16, 30))
                .opensForEach(0.0005, World.Step.LOOKUP, slow);
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                Truth.first(Kind.SLOW_LOOKUP)
                        .never(Kind.OVERLOADED, Kind.STALLED, Kind.UNREACHABLE)
                        .between(Quantity.EVENTS, 1, count)
                        .number(Quantity.LENGTH_SECONDS, each, OFF)
                        .exit(99),
                "p99<100ms");
    }
}
