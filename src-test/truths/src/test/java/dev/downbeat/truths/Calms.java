package dev.downbeat.truths;

import static dev.downbeat.truths.Family.certain;
import static dev.downbeat.truths.Family.noisy;

import dev.downbeat.run.RunPlan;
import dev.downbeat.truths.Truth.Quantity;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.List;
import java.util.Locale;

/** Runs without events: none may report an event, a doubt or a failure. */
final class Calms {
    private static final int MANY = 2_000;

    private Calms() {}

    static List<Family> families() {
        return List.of(
                noisy("calm-and-met", Calms::met),
                noisy("calm-and-too-slow", Calms::tooSlow),
                noisy("calm-nobody-asked", Calms::nobodyAsked),
                certain("one-second", Calms::oneSecond),
                certain("low-rate", Calms::lowRate),
                certain("few-requests", Calms::few),
                noisy("few-requests-for-the-percentile", Calms::fewForPercentile),
                certain("slower-than-the-load-is-long", Calms::afterTheLoad),
                certain("flat-and-slow", Calms::flat),
                certain("as-slow-as-the-load-is-long", Calms::slowAndShort),
                noisy("slow-throughout", Calms::slow),
                certain("answers-at-ticks", Calms::ticks),
                certain("bimodal", Calms::bimodal),
                certain("small-pool", Calms::smallPool),
                certain("ramp-below-capacity", Calms::ramp),
                certain("closed-loop", Calms::closed),
                certain("closed-loop-of-slow-handshakes", draw -> opensSlowly(draw, World.Step.HANDSHAKE)),
                certain("closed-loop-of-slow-lookups", draw -> opensSlowly(draw, World.Step.LOOKUP)),
                certain("few-clients-some-slow", Calms::fewClients),
                certain("one-connection-some-slow", Calms::oneConnection),
                noisy("thin-parts-of-a-load", Calms::thin),
                certain("hung-request-in-the-drain", Calms::hung),
                certain("last-answers-of-a-tail", Calms::lastAnswers),
                noisy("hung-requests-throughout", Calms::hungThroughout),
                noisy("slow-beyond-its-timeout", Calms::beyondTimeout),
                certain("interrupted", Calms::interrupted),
                noisy("one-name-too-slow", Calms::names),
                certain("below-a-millisecond", Calms::quick));
    }

    private static Truth calm(Kind kind, Kind... or) {
        return Truth.first(kind, or)
                .never(Kind.OVERLOADED, Kind.STALLED, Kind.NOT_OFFERED, Kind.OWN_DELAY, Kind.FAILING);
    }

    private static Scenario scenario(Draw draw, RunPlan.Builder plan, World world, Truth truth, String... objectives) {
        return Scenario.run(draw, new WorldRun(plan.build(), world, draw.seed()).result(), truth, objectives);
    }

    /** Each request opens a connection, which always takes longest: a rhythm of the whole run is no event. */
    private static Scenario opensSlowly(Draw draw, World.Step step) {
        int clients = draw.whole("clients", 10, 40);
        World world = World.of(Work.constant(draw.of("work", 0.05, 0.15)), clients)
                .connections(clients)
                .opensForEach(draw.of("opening", 0.2, 0.4), step, List.of());
        return scenario(
                draw,
                Loads.closed(clients, 0, draw.of("seconds", 12, 30), draw.seed()),
                world,
                Truth.first(Kind.MISSED)
                        .never(Kind.OVERLOADED, Kind.STALLED, Kind.SLOW, Kind.SLOW_LOOKUP, Kind.FAILING)
                        .exit(99),
                "p90<200ms");
    }

    private static Scenario met(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        return scenario(
                draw,
                Loads.poisson(rate, 30, draw.seed()),
                Stalls.calm(rate, draw.of("mean", 0.001, 0.008)),
                calm(Kind.MET)
                        .number(Quantity.ANSWERED_PER_SECOND, rate, rate * 0.05 + 1)
                        .exit(0),
                "p99<200ms");
    }

    private static Scenario tooSlow(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        return scenario(
                draw,
                Loads.poisson(rate, 30, draw.seed()),
                World.of(Work.logNormal(0.02, draw.of("sigma", 0.3, 0.6)), MANY),
                calm(Kind.MISSED).exit(99),
                "p99<25ms");
    }

    private static Scenario nobodyAsked(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        return scenario(
                draw,
                Loads.poisson(rate, 30, draw.seed()),
                Stalls.calm(rate, draw.of("mean", 0.001, 0.008)),
                calm(Kind.MEASURED, Kind.MET)
                        .number(Quantity.ANSWERED_PER_SECOND, rate, rate * 0.05 + 1)
                        .exit(0));
    }

    private static Scenario oneSecond(Draw draw) {
        double rate = draw.of("rate", 50, 1_000);
        return scenario(
                draw,
                Loads.poisson(rate, 1, draw.seed()),
                Stalls.calm(rate, draw.of("mean", 0.001, 0.008)),
                calm(Kind.MEASURED, Kind.MET).exit(0));
    }

    private static Scenario lowRate(Draw draw) {
        return scenario(
                draw,
                Loads.poisson(draw.of("rate", 0.5, 4), 30, draw.seed()),
                World.of(Work.exponential(draw.of("mean", 0.005, 0.05)), 10),
                calm(Kind.MEASURED, Kind.MET).exit(0));
    }

    private static Scenario few(Draw draw) {
        return scenario(
                draw,
                Loads.poisson(draw.of("rate", 5, 50), 100, draw.seed()).maxRequests(draw.whole("requests", 1, 60)),
                World.of(Work.exponential(draw.of("mean", 0.005, 0.05)), 10),
                calm(Kind.MEASURED, Kind.MET).exit(0));
    }

    /** Half the allowed share of requests is slower than the limit; in a few runs it is too many by chance. */
    private static Scenario fewForPercentile(Draw draw) {
        double percentile = draw.either("p99") ? 99 : 99.9;
        double allowed = 1 - percentile / 100;
        double mean = draw.of("mean", 0.003, 0.02);
        double limit = -mean * Math.log(allowed / 2);
        double enough = ResponseBounds.neededFor(percentile);
        return scenario(
                draw,
                Loads.poisson(draw.of("part", 0.05, 0.9) * enough / 10, 10, draw.seed()),
                World.of(Work.exponential(mean), MANY),
                calm(Kind.UNDECIDED).exit(98),
                String.format(Locale.ROOT, "p%s<%dus", percentile, Math.round(limit * 1e6)));
    }

    /** All answers come after the load has ended, and none is late. */
    private static Scenario afterTheLoad(Draw draw) {
        double service = draw.of("service", 2, 20);
        return scenario(
                draw,
                Loads.poisson(draw.of("rate", 50, 500), draw.of("load", 0.5, 5), draw.seed()),
                World.of(Work.logNormal(service, draw.of("sigma", 0, 0.1)), MANY),
                calm(Kind.MEASURED, Kind.MET).exit(0));
    }

    /** At first only fast requests can have been answered; the others are no backlog. */
    private static Scenario slowAndShort(Draw draw) {
        double length = draw.of("length", 5, 10);
        Work work = Work.logNormal(length * draw.of("median", 0.2, 0.45), draw.of("sigma", 0.5, 1));
        return scenario(
                draw,
                Loads.poisson(draw.of("rate", 150, 300), length, draw.seed())
                        .timeout(Loads.seconds(300))
                        .drain(Loads.seconds(300)),
                World.of(work, 10 * MANY),
                calm(Kind.MET).exit(0),
                "p50<100s");
    }

    /** Slow requests are answered later; that is no slowdown of the service. */
    private static Scenario slow(Draw draw) {
        Work work = Work.logNormal(draw.of("median", 0.5, 1.5), draw.of("sigma", 0.9, 1.3));
        return scenario(
                draw,
                Loads.poisson(100, draw.of("length", 20, 40), draw.seed())
                        .timeout(Loads.seconds(300))
                        .drain(Loads.seconds(300)),
                World.of(work, 10 * MANY),
                calm(Kind.MET)
                        .never(Kind.CHANGED, Kind.OVERLOADED, Kind.STALLED)
                        .exit(0),
                "p50<100s");
    }

    /** About ten connections, often all in use, without a stall. */
    private static Scenario flat(Draw draw) {
        double service = draw.of("service", 0.2, 0.6);
        int connections = draw.whole("connections", 8, 14);
        double rate = connections / service * draw.of("busy", 0.4, 0.65);
        return scenario(
                draw,
                Loads.poisson(rate, 40, draw.seed()),
                World.of(Work.constant(service), MANY).connections(connections),
                calm(Kind.MET).exit(0),
                "p95<5s");
    }

    private static Scenario ticks(Draw draw) {
        double rate = draw.of("rate", 50, 300);
        return scenario(
                draw,
                Loads.poisson(rate, 30, draw.seed()),
                World.of(Work.exponential(0.003), MANY).answersAtTicks(draw.of("tick", 0.3, 1)),
                calm(Kind.MET).exit(0),
                "p99<3s");
    }

    private static Scenario bimodal(Draw draw) {
        double rate = draw.of("rate", 80, 300);
        Work work = Work.mixed(Work.constant(0.005), Work.constant(0.08), draw.of("share", 0.2, 0.6));
        return scenario(
                draw,
                Loads.poisson(rate, 30, draw.seed()),
                World.of(work, MANY),
                calm(Kind.MET).exit(0),
                "p99<200ms");
    }

    private static Scenario smallPool(Draw draw) {
        int connections = draw.whole("connections", 2, 6);
        double rate = connections / 0.01 * draw.of("busy", 0.4, 0.7);
        return scenario(
                draw,
                Loads.poisson(rate, 30, draw.seed()),
                World.of(Work.exponential(0.01), MANY).connections(connections),
                calm(Kind.MET).exit(0),
                "p99<2s");
    }

    private static Scenario ramp(Draw draw) {
        double to = draw.of("to", 200, 800);
        int servers = (int) Math.ceil(to * 0.01 / draw.of("busy", 0.4, 0.7));
        return scenario(
                draw,
                Loads.ramp(to / draw.of("times", 4, 20), to, 30),
                World.of(Work.exponential(0.01), servers),
                calm(Kind.MET, Kind.CHANGED).exit(0),
                "p99<2s");
    }

    private static Scenario closed(Draw draw) {
        int clients = draw.whole("clients", 1, 30);
        return scenario(
                draw,
                Loads.closed(clients, draw.of("think", 0, 0.05), 20, draw.seed()),
                World.of(Work.exponential(0.005), draw.whole("servers", 1, 8)),
                calm(Kind.MET).exit(0),
                "p99<5s");
    }

    /** Now and then all clients wait for slow requests at the same time. */
    private static Scenario fewClients(Draw draw) {
        Work slow = Work.logNormal(draw.of("slow", 0.3, 1), 0.1);
        Work work = Work.mixed(Work.logNormal(0.005, 0.3), slow, draw.of("share", 0.01, 0.1));
        return scenario(
                draw,
                Loads.closed(draw.whole("clients", 1, 5), 0, 20, draw.seed()),
                World.of(work, MANY),
                calm(Kind.MET).exit(0),
                "p50<100ms");
    }

    /** Requests wait behind a slow one for the only connection. */
    private static Scenario oneConnection(Draw draw) {
        Work slow = Work.logNormal(draw.of("slow", 0.3, 0.6), 0.1);
        Work work = Work.mixed(Work.logNormal(0.005, 0.3), slow, draw.of("share", 0.01, 0.04));
        return scenario(
                draw,
                Loads.poisson(draw.of("rate", 10, 25), 30, draw.seed()),
                World.of(work, MANY).connections(1),
                calm(Kind.MET, Kind.SLOW).exit(0),
                "p50<5s");
    }

    /** Gaps between answers in the thin parts mean nothing for the dense parts, or vice versa. */
    private static Scenario thin(Draw draw) {
        double low = draw.of("low", 1, 20);
        double high = draw.of("high", 50, 400);
        boolean isRamp = draw.either("ramp");
        return scenario(
                draw,
                isRamp ? Loads.ramp(low, high, 30) : Loads.stages(10, draw.seed(), low, high, low),
                World.of(Work.logNormal(draw.of("median", 0.1, 1.5), 0.4), 10 * MANY),
                calm(Kind.MET).exit(0),
                "p50<30s");
    }

    /** One request is never answered; that must not affect the reported rate. */
    private static Scenario hung(Draw draw) {
        double rate = draw.of("rate", 80, 300);
        long one = draw.whole("request", 300, 900);
        Work usual = Work.exponential(0.003);
        Work work = (at, index, random) -> index == one ? Long.MAX_VALUE / 4 : usual.nanos(at, index, random);
        return scenario(
                draw,
                Loads.poisson(rate, 20, draw.seed()).timeout(Loads.seconds(draw.of("timeout", 10, 30))),
                World.of(work, MANY),
                calm(Kind.MET)
                        .number(Quantity.ANSWERED_PER_SECOND, rate, rate * 0.08 + 1)
                        .exit(0),
                "p99<100ms");
    }

    /** The slow requests among the last are answered when no others are left. */
    private static Scenario lastAnswers(Draw draw) {
        double rate = draw.of("rate", 80, 300);
        Work work = Work.mixed(Work.exponential(0.003), Work.constant(draw.of("slow", 0.5, 2)), 0.007);
        return scenario(
                draw,
                Loads.poisson(rate, 20, draw.seed()),
                World.of(work, MANY),
                calm(Kind.MET).exit(0),
                "p90<100ms");
    }

    /** Requests hang independently; that all of them end after the load is no common event. The first of them end late in the run. */
    private static Scenario hungThroughout(Draw draw) {
        Work slow = Work.constant(draw.either("hung") ? draw.of("age", 31, 60) : draw.of("slow", 8, 20));
        Work usual = Work.logNormal(draw.of("usual", 0.01, 0.2), draw.of("sigma", 0, 0.7));
        return scenario(
                draw,
                Loads.poisson(draw.of("rate", 50, 200), draw.of("length", 10, 30), draw.seed()),
                World.of(Work.mixed(usual, slow, draw.of("share", 0.02, 0.09)), 10 * MANY),
                Truth.first(Kind.MET, Kind.GAVE_UP, Kind.CHANGED)
                        .never(Kind.OVERLOADED, Kind.STALLED, Kind.SLOW, Kind.FAILING)
                        .exit(0),
                "p50<1s",
                "errors<50%");
    }

    /** Many requests exceed their timeout, as many at the start as at the end, but none queues. */
    private static Scenario beyondTimeout(Draw draw) {
        Work twoKinds = Work.mixed(Work.constant(0.6), Work.constant(5), draw.of("share", 0.1, 0.4));
        Work work = draw.either("exponential") ? Work.exponential(draw.of("mean", 0.4, 0.8)) : twoKinds;
        return scenario(
                draw,
                Loads.poisson(draw.of("rate", 15, 300), draw.of("length", 40, 80), draw.seed())
                        .timeout(Loads.seconds(1)),
                World.of(work, MANY),
                Truth.first(Kind.MET, Kind.GAVE_UP)
                        .never(Kind.OVERLOADED, Kind.NOT_OFFERED, Kind.FAILING)
                        .exit(0),
                "p50<980ms",
                "errors<60%");
    }

    private static Scenario interrupted(Draw draw) {
        double rate = draw.of("rate", 150, 500);
        RunPlan plan = Loads.poisson(rate, 30, draw.seed()).build();
        long stop = Math.round(draw.of("stop", 2, 25) * 1e9);
        return Scenario.run(
                draw,
                new WorldRun(plan, Stalls.calm(rate, 0.003), draw.seed()).result(stop),
                calm(Kind.MET, Kind.MEASURED).exit(0),
                "p99<200ms");
    }

    private static Scenario names(Draw draw) {
        double rate = draw.of("rate", 200, 400);
        double times = draw.of("times", 5, 10);
        return scenario(
                draw,
                Loads.poisson(rate, 30, draw.seed()),
                World.of(Work.logNormal(0.005, 0.3), MANY).named(List.of("browse", "order"), List.of(1.0, times)),
                calm(Kind.MISSED).exit(99),
                "order: p99<15ms",
                "browse: p99<100ms");
    }

    private static Scenario quick(Draw draw) {
        double rate = draw.of("rate", 200, 800);
        return scenario(
                draw,
                Loads.poisson(rate, 20, draw.seed()),
                World.of(Work.logNormal(draw.of("median", 0.0001, 0.0005), 0.3), MANY),
                calm(Kind.MET).exit(0),
                "p99<10ms");
    }
}
