package dev.downbeat.truths;

import static dev.downbeat.truths.Family.certain;
import static dev.downbeat.truths.Family.noisy;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Workload;
import dev.downbeat.simulate.RetryPolicy;
import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.simulate.Simulation;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.truths.Truth.Quantity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Overloaded services, and some that only look overloaded. */
final class Overloads {
    private static final double RATES = 0.06;

    private Overloads() {}

    static List<Family> families() {
        return List.of(
                certain("overload", Overloads::patient),
                certain("overload-nobody-asked", Overloads::nobodyAsked),
                certain("overload-all-answers-too-late", Overloads::tooLate),
                certain("overload-drops-the-abandoned", Overloads::dropping),
                noisy("overload-at-a-low-rate", Overloads::lowRate),
                certain("overload-by-a-ramp", Overloads::ramp),
                certain("overload-by-a-ramp-timeouts", Overloads::rampWithTimeouts),
                certain("overload-in-the-last-stage", Overloads::lastStage),
                certain("overload-in-the-middle-stage", Overloads::middleStage),
                certain("overload-into-the-next-stage", Overloads::nextStage),
                certain("overload-after-a-stall", Overloads::afterStall),
                certain("overload-refusals", Overloads::bounded),
                certain("overload-small-pool", Overloads::smallPool),
                certain("overload-small-pool-of-a-simulation", Overloads::simulatedPool),
                certain("overload-small-pool-fast-and-slow", Overloads::fastAndSlow),
                certain("overload-until-it-scales", Overloads::scaled),
                certain("overload-with-timeouts-until-it-scales", Overloads::scaledWithTimeouts),
                certain("overload-while-others-are-served", Overloads::others),
                certain("overload-until-a-ramp-falls", Overloads::fallingRamp),
                certain("overload-beside-own-pauses", Overloads::ownPauses),
                certain("overload-shared-servers", Overloads::shared),
                certain("overload-by-retries", Overloads::retries),
                certain("overload-by-endless-retries", Overloads::collapse),
                noisy("busy-but-not-overloaded", Overloads::nearCapacity),
                noisy("busy-with-rare-long-requests", Overloads::uneven),
                certain("handshakes-one-at-a-time", Overloads::handshakes),
                certain("slow-for-a-while-without-a-queue", draw -> slowWithoutQueue(draw, false)),
                certain("slow-for-a-while-without-a-queue-on-a-ramp", draw -> slowWithoutQueue(draw, true)));
    }

    private static Truth overloaded(double capacity, double rate) {
        return Truth.first(Kind.OVERLOADED)
                .never(Kind.STALLED)
                .between(Quantity.ANSWERED_PER_SECOND, capacity * (1 - RATES) - 2, capacity * (1 + RATES) + 2)
                .number(Quantity.OFFERED_PER_SECOND, rate, rate * RATES + 2)
                .exit(99);
    }

    /** A service that can answer {@code perSecond} requests per second. */
    private static World capacity(double perSecond, int servers) {
        return World.of(Work.exponential(servers / perSecond), servers);
    }

    private static Scenario patient(Draw draw) {
        double rate = draw.of("rate", 200, 500);
        double capacity = rate * draw.of("share", 0.5, 0.9);
        RunPlan plan = Loads.poisson(rate, 20, draw.seed()).build();
        World world = capacity(capacity, draw.whole("servers", 1, 8));
        return Scenario.run(
                draw, new WorldRun(plan, world, draw.seed()).result(), overloaded(capacity, rate), "p99<50ms");
    }

    private static Scenario nobodyAsked(Draw draw) {
        double rate = draw.of("rate", 200, 500);
        double capacity = rate * draw.of("share", 0.5, 0.88);
        RunPlan plan = Loads.poisson(rate, 20, draw.seed()).build();
        World world = capacity(capacity, draw.whole("servers", 1, 8));
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                overloaded(capacity, rate).exit(0));
    }

    /** The service keeps working on abandoned requests; after a while it answers none in time. */
    private static Scenario tooLate(Draw draw) {
        double rate = draw.of("rate", 300, 800);
        double capacity = rate * draw.of("share", 0.35, 0.75);
        double timeout = draw.of("timeout", 1, 2);
        RunPlan plan = Loads.poisson(rate, draw.of("length", 10, 20), draw.seed())
                .timeout(Loads.seconds(timeout))
                .build();
        return Scenario.run(
                draw,
                new WorldRun(plan, capacity(capacity, draw.whole("servers", 1, 4)), draw.seed()).result(),
                Truth.first(Kind.OVERLOADED)
                        .never(Kind.STALLED)
                        .number(Quantity.OFFERED_PER_SECOND, rate, rate * RATES)
                        .exit(99),
                "p99<50ms");
    }

    private static Scenario dropping(Draw draw) {
        double rate = draw.of("rate", 300, 800);
        double capacity = rate * draw.of("share", 0.35, 0.8);
        double timeout = draw.of("timeout", 1, 2);
        RunPlan plan = Loads.poisson(rate, draw.of("length", 10, 20), draw.seed())
                .timeout(Loads.seconds(timeout))
                .build();
        World world = capacity(capacity, draw.whole("servers", 1, 4)).dropsAbandoned(true);
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                Truth.first(Kind.OVERLOADED)
                        .never(Kind.STALLED)
                        .number(Quantity.OFFERED_PER_SECOND, rate, rate * RATES)
                        .exit(99),
                "p99<50ms");
    }

    /** Each request opens a connection, and the TLS handshakes are the limit. */
    private static Scenario handshakes(Draw draw) {
        double each = draw.of("handshake", 0.3, 0.45);
        double rate = draw.of("excess", 1.6, 2.5) / each;
        RunPlan plan = Loads.poisson(rate, draw.of("seconds", 20, 40), draw.seed())
                .timeout(Loads.seconds(120))
                .build();
        World world = World.of(Work.exponential(0.002), 8)
                .connections(draw.whole("connections", 20, 60))
                .opensForEach(each, World.Step.HANDSHAKE, List.of())
                .oneAtATime();
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                Truth.first(Kind.OVERLOADED).never(Kind.STALLED).exit(99),
                "p50<1s");
    }

    /** A few requests per second; those that queue for long time out. */
    private static Scenario lowRate(Draw draw) {
        double rate = draw.of("rate", 1, 12);
        double capacity = rate * draw.of("share", 0.45, 0.75);
        int servers = draw.whole("servers", 1, 4);
        RunPlan plan = Loads.poisson(rate, draw.of("requests", 200, 600) / rate, draw.seed())
                .timeout(Loads.seconds(draw.of("timeout", 4, 10) * servers / capacity))
                .build();
        World world = World.of(Work.logNormal(servers / capacity, draw.of("sigma", 0.1, 0.5)), servers)
                .dropsAbandoned(draw.either("drops"));
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                Truth.first(Kind.OVERLOADED).never(Kind.STALLED).exit(99),
                "p50<1ms");
    }

    /** During the overload, the answered rate is at most the capacity, and the offered rate is between it and the ramp's end. */
    private static Truth overloadedByRamp(double capacity, double to) {
        return Truth.first(Kind.OVERLOADED)
                .never(Kind.STALLED)
                .between(Quantity.ANSWERED_PER_SECOND, 0, capacity * (1 + RATES) + 2)
                .between(Quantity.OFFERED_PER_SECOND, capacity * (1 - RATES), to * (1 + RATES))
                .exit(99);
    }

    private static Scenario ramp(Draw draw) {
        double to = draw.of("to", 400, 900);
        double capacity = to * draw.of("share", 0.4, 0.65);
        RunPlan plan = Loads.ramp(50, to, 15).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, capacity(capacity, draw.whole("servers", 1, 8)), draw.seed()).result(),
                overloadedByRamp(capacity, to),
                "p99<50ms");
    }

    private static Scenario rampWithTimeouts(Draw draw) {
        double to = draw.of("to", 400, 900);
        double capacity = to * draw.of("share", 0.4, 0.65);
        RunPlan plan = Loads.ramp(50, to, 15)
                .timeout(Loads.seconds(draw.of("timeout", 1, 2)))
                .build();
        World world = capacity(capacity, draw.whole("servers", 1, 4)).dropsAbandoned(draw.either("drops"));
        return Scenario.run(
                draw, new WorldRun(plan, world, draw.seed()).result(), overloadedByRamp(capacity, to), "p99<50ms");
    }

    /** The rates are those of the overloaded stage, not means over both stages. */
    private static Scenario lastStage(Draw draw) {
        double low = draw.of("low", 50, 150);
        double high = draw.of("high", 400, 600);
        double capacity = high * draw.of("share", 0.6, 0.85);
        RunPlan plan = Loads.stages(12, draw.seed(), low, high).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, capacity(capacity, draw.whole("servers", 2, 8)), draw.seed()).result(),
                overloaded(capacity, high),
                "p99<50ms");
    }

    private static Scenario middleStage(Draw draw) {
        double low = draw.of("low", 50, 150);
        double high = draw.of("high", 400, 600);
        double capacity = high * draw.of("share", 0.6, 0.8);
        RunPlan plan = Loads.stages(10, draw.seed(), low, high, low).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, capacity(capacity, draw.whole("servers", 2, 8)), draw.seed()).result(),
                overloaded(capacity, high),
                "p99<50ms");
    }

    /** Late answers in the first stage, and none in time in the second: one overload, worst in the second stage. */
    private static Scenario nextStage(Draw draw) {
        double high = draw.of("high", 400, 600);
        double higher = high * draw.of("times", 1.2, 2);
        double capacity = high * draw.of("share", 0.4, 0.7);
        RunPlan plan = Loads.stages(12, draw.seed(), high, higher)
                .timeout(Loads.seconds(draw.of("timeout", 1, 2)))
                .build();
        return Scenario.run(
                draw,
                new WorldRun(plan, capacity(capacity, draw.whole("servers", 1, 4)), draw.seed()).result(),
                Truth.first(Kind.OVERLOADED)
                        .never(Kind.STALLED)
                        .number(Quantity.OFFERED_PER_SECOND, higher, higher * RATES)
                        .between(Quantity.ANSWERED_PER_SECOND, 0, capacity * RATES)
                        .exit(99),
                "p99<50ms");
    }

    /** The next stage overloads the service before it has caught up after a stall. From then on, overload is the cause. */
    private static Scenario afterStall(Draw draw) {
        double low = draw.of("low", 200, 300);
        double high = draw.of("high", 600, 900);
        double capacity = high * draw.of("share", 0.5, 0.7);
        double length = draw.of("stall", 1, 2);
        double at = 12 - length - draw.of("before", 0.2, 0.6);
        RunPlan plan = Loads.stages(12, draw.seed(), low, high).build();
        World world = capacity(capacity, draw.whole("servers", 2, 8)).stall(Span.ofSeconds(at, at + length));
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                Truth.first(Kind.OVERLOADED)
                        .between(Quantity.ANSWERED_PER_SECOND, capacity * (1 - RATES) - 2, capacity * (1 + RATES) + 2)
                        .number(Quantity.OFFERED_PER_SECOND, high, high * RATES + 2)
                        .exit(99),
                "p99<50ms");
    }

    /** A request that finds the queue full is rejected at once. */
    private static Scenario bounded(Draw draw) {
        double rate = draw.of("rate", 200, 500);
        double capacity = rate * draw.of("share", 0.5, 0.85);
        RunPlan plan = Loads.poisson(rate, 15, draw.seed()).build();
        World world = capacity(capacity, 4).queueLimit(draw.whole("queue", 5, 50));
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                Truth.first(Kind.OVERLOADED, Kind.FAILING).never(Kind.STALLED).exit(99),
                "p99<2s");
    }

    /** The service could answer all requests, but there are too few connections. */
    private static Scenario smallPool(Draw draw) {
        int connections = draw.whole("connections", 4, 12);
        double service = draw.of("service", 0.2, 0.5);
        double carried = connections / service;
        double rate = carried * draw.of("times", 1.4, 2.5);
        RunPlan plan = Loads.poisson(rate, 20, draw.seed()).build();
        World world = World.of(Work.constant(service), 1_000).connections(connections);
        return Scenario.run(
                draw, new WorldRun(plan, world, draw.seed()).result(), overloaded(carried, rate), "p99<600ms");
    }

    /** A simulation knows its connections, too: they carry a request per service time each. */
    private static Scenario simulatedPool(Draw draw) {
        int connections = draw.whole("connections", 5, 20);
        double service = draw.of("service", 0.1, 0.3);
        double carried = connections / service;
        RunPlan plan = Loads.poisson(carried * draw.of("times", 1.3, 2), 20, draw.seed())
                .build();
        SimulatedService many = SimulatedService.of(new ServiceLaw.Constant(Math.round(service * 1e9)))
                .servers(200);
        return Scenario.run(
                draw,
                new Simulation(plan, many, RetryPolicy.none(), draw.seed(), connections)
                        .run(Progress.none())
                        .result(),
                Truth.first(Kind.OVERLOADED)
                        .never(Kind.STALLED)
                        .number(Quantity.CARRIED_PER_SECOND, carried, carried * RATES)
                        .exit(99),
                "p99<1s");
    }

    /** Most requests are fast, but the rare slow ones occupy the connections most of the time. */
    private static Scenario fastAndSlow(Draw draw) {
        int connections = draw.whole("connections", 4, 12);
        double fast = draw.of("fast", 0.01, 0.05);
        double slow = draw.of("slow", 0.4, 1);
        double share = draw.of("share", 0.2, 0.4);
        double carried = connections / (fast * (1 - share) + slow * share);
        double rate = carried * draw.of("times", 1.5, 2.2);
        RunPlan plan = Loads.poisson(rate, 40, draw.seed()).build();
        World world = World.of(Work.mixed(Work.constant(fast), Work.constant(slow), share), 1_000)
                .connections(connections);
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                Truth.first(Kind.OVERLOADED)
                        .never(Kind.STALLED)
                        .number(Quantity.ANSWERED_PER_SECOND, carried, carried * 0.15 + 2)
                        .number(Quantity.CARRIED_PER_SECOND, carried, carried * 0.15 + 2)
                        .exit(99),
                "p99<600ms");
    }

    /** From some moment on, new requests cost less. The overload ends once the earlier ones are answered. */
    private static Scenario scaled(Draw draw) {
        double rate = draw.of("rate", 60, 400);
        double share = draw.of("share", 0.5, 0.8);
        double seconds = draw.of("seconds", 20, 40);
        double end = seconds * draw.of("end", 0.4, 0.75);
        double scaledAt = end * share;
        double capacity = rate * share;
        int servers = draw.whole("servers", 1, 4);
        double costs = share / draw.of("capacity", 2, 4);
        Work work = Work.exponential(servers / capacity).times(at -> at < scaledAt ? 1 : costs);
        RunPlan plan = Loads.poisson(rate, seconds, draw.seed()).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, World.of(work, servers), draw.seed()).result(),
                overloaded(capacity, rate)
                        .number(Quantity.BEGIN_SECONDS, 0, 1)
                        .number(Quantity.LENGTH_SECONDS, end, 2 + end * 0.1),
                "p99<50ms");
    }

    /** Waiting requests time out, so the overload ends soon after new requests cost less. */
    private static Scenario scaledWithTimeouts(Draw draw) {
        double rate = draw.of("rate", 150, 400);
        double share = draw.of("share", 0.4, 0.7);
        double seconds = draw.of("seconds", 20, 40);
        double scaledAt = seconds * draw.of("at", 0.4, 0.7);
        double timeout = draw.of("timeout", 1, 2);
        int servers = draw.whole("servers", 1, 4);
        Work work = Work.exponential(servers / (rate * share)).times(at -> at < scaledAt ? 1 : share / 2);
        RunPlan plan = Loads.poisson(rate, seconds, draw.seed())
                .timeout(Loads.seconds(timeout))
                .build();
        return Scenario.run(
                draw,
                new WorldRun(plan, World.of(work, servers).dropsAbandoned(true), draw.seed()).result(),
                Truth.first(Kind.OVERLOADED)
                        .never(Kind.STALLED)
                        .number(Quantity.OFFERED_PER_SECOND, rate, rate * RATES)
                        .number(Quantity.BEGIN_SECONDS, 0, 1)
                        .between(Quantity.LENGTH_SECONDS, scaledAt - 1.5, scaledAt + timeout + 1.5)
                        .exit(99),
                "p99<50ms");
    }

    /** For a while each request costs more, and the capacity does not suffice. */
    private static Scenario others(Draw draw) {
        double rate = draw.of("rate", 100, 400);
        double share = draw.of("share", 0.5, 0.7);
        double from = draw.of("from", 1, 10);
        double until = from + draw.of("for", 6, 8);
        double end = from + (until - from) / share;
        double capacity = rate * share;
        Work work = Work.exponential(4 / capacity).times(at -> at > from && at < until ? 1 : share / 2);
        RunPlan plan = Loads.poisson(rate, 30, draw.seed()).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, World.of(work, 4), draw.seed()).result(),
                Truth.first(Kind.OVERLOADED)
                        .never(Kind.STALLED)
                        .between(Quantity.ANSWERED_PER_SECOND, capacity * (1 - RATES) - 2, capacity * 1.12 + 2)
                        .number(Quantity.BEGIN_SECONDS, from, 2)
                        .number(Quantity.LENGTH_SECONDS, end - from, 3)
                        .exit(99),
                "p99<50ms");
    }

    /** The load falls below the capacity before the run ends. */
    private static Scenario fallingRamp(Draw draw) {
        double from = draw.of("from", 400, 900);
        double to = from * draw.of("to", 0.05, 0.2);
        double capacity = from * draw.of("share", 0.5, 0.7);
        double end = 20 * (from - capacity) / (from - to);
        RunPlan plan = Loads.ramp(from, to, 20).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, capacity(capacity, draw.whole("servers", 1, 8)), draw.seed()).result(),
                Truth.first(Kind.OVERLOADED)
                        .never(Kind.STALLED)
                        .between(Quantity.ANSWERED_PER_SECOND, capacity * (1 - RATES) - 2, capacity * (1 + RATES) + 2)
                        .between(Quantity.OFFERED_PER_SECOND, capacity, from)
                        .number(Quantity.BEGIN_SECONDS, 0, 1)
                        .number(Quantity.LENGTH_SECONDS, end, 2 + 0.1 * end)
                        .exit(99),
                "p99<50ms");
    }

    /** There are too few connections for the load, even without the waits that client pauses add. */
    private static Scenario ownPauses(Draw draw) {
        int connections = draw.whole("connections", 4, 8);
        double service = draw.of("service", 0.1, 0.2);
        double rate = connections / service * draw.of("times", 2, 3);
        RunPlan plan = Loads.poisson(rate, 15, draw.seed()).build();
        World world = World.of(Work.constant(service), 1_000).connections(connections);
        double stopped = draw.of("stopped", 0.1, 0.3);
        for (double at = 0.5; at < 15; at++) {
            world.pausedOurselves(Span.ofSeconds(at, at + stopped));
        }
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                Truth.first(Kind.OVERLOADED, Kind.NOT_OFFERED)
                        .never(Kind.STALLED)
                        .exit(99),
                "p99<500ms");
    }

    private static Scenario shared(Draw draw) {
        double rate = draw.of("rate", 100, 200);
        double capacity = rate * draw.of("share", 0.5, 0.8);
        RunPlan plan = Loads.poisson(rate, 15, draw.seed())
                .timeout(Loads.seconds(draw.of("timeout", 2, 4)))
                .build();
        World world = capacity(capacity, 2).sharing().dropsAbandoned(draw.either("drops"));
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                Truth.first(Kind.OVERLOADED).never(Kind.STALLED).exit(99),
                "p99<50ms");
    }

    /** The load is below the capacity, but a stall causes so many retries that the service never recovers. */
    private static Scenario retries(Draw draw) {
        double rate = draw.of("rate", 150, 300);
        double busy = draw.of("busy", 0.75, 0.85);
        RunPlan plan = RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(Math.round(rate)), draw.seed())))
                .duration(Loads.seconds(20))
                .timeout(Loads.seconds(3))
                .build();
        SimulatedService service = SimulatedService.of(new ServiceLaw.Exponential(Math.round(busy / rate * 1e9)))
                .stall(new dev.downbeat.time.Stall(3_000_000_000L, 2_000_000_000L, 0));
        RetryPolicy policy = RetryPolicy.of(10, 300_000_000L);
        return Scenario.run(
                draw,
                new Simulation(plan, service, policy, draw.seed())
                        .run(dev.downbeat.run.Progress.none())
                        .result(),
                Truth.first(Kind.OVERLOADED, Kind.GAVE_UP, Kind.FAILING).exit(99),
                "p99<50ms");
    }

    /** The load is below the capacity, but late answers are retried forever: the service stays busy, and no answer is in time. */
    private static Scenario collapse(Draw draw) {
        double rate = draw.of("rate", 150, 300);
        double busy = draw.of("busy", 0.75, 0.85);
        long serviceNanos = Math.round(busy / rate * 1e9);
        RunPlan plan = RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(Math.round(rate)), draw.seed())))
                .duration(Loads.seconds(20))
                .timeout(Loads.seconds(60))
                .drain(Duration.ZERO)
                .build();
        RetryPolicy policy = new RetryPolicy(
                Integer.MAX_VALUE,
                8 * serviceNanos,
                RetryPolicy.GiveUp.AT_LATE_ANSWER,
                new RetryPolicy.Pause(0, 1, 0, RetryPolicy.Jitter.NONE),
                Optional.empty(),
                Optional.empty());
        return Scenario.run(
                draw,
                new Simulation(plan, SimulatedService.of(new ServiceLaw.Exponential(serviceNanos)), policy, draw.seed())
                        .run(dev.downbeat.run.Progress.none())
                        .result(),
                Truth.first(Kind.OVERLOADED).never(Kind.STALLED).exit(99),
                "p99<50ms");
    }

    private static Scenario nearCapacity(Draw draw) {
        double rate = draw.of("rate", 300, 600);
        double busy = draw.of("busy", 0.8, 0.93);
        RunPlan plan = Loads.poisson(rate, 30, draw.seed()).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, capacity(rate / busy, 4), draw.seed()).result(),
                Truth.first(Kind.MET).never(Kind.STALLED, Kind.OVERLOADED).exit(0),
                "p99<10s");
    }

    /** The queue grows whenever several long requests coincide, and sometimes nothing is answered for a while. */
    private static Scenario uneven(Draw draw) {
        double rate = draw.of("rate", 50, 400);
        double busy = draw.of("busy", 0.8, 0.9);
        int servers = draw.whole("servers", 1, 4);
        double usual = draw.of("usual", 0.2, 0.8);
        double share = draw.of("share", 0.02, 0.2);
        double mean = servers * busy / rate;
        Work work = Work.mixed(
                Work.exponential(usual * mean), Work.exponential(mean * (1 - usual * (1 - share)) / share), share);
        RunPlan plan =
                Loads.poisson(rate, draw.of("seconds", 15, 60), draw.seed()).build();
        return Scenario.run(
                draw,
                new WorldRun(plan, World.of(work, servers), draw.seed()).result(),
                Truth.first(Kind.MET, Kind.SLOW, Kind.CHANGED, Kind.STALLED)
                        .never(Kind.OVERLOADED)
                        .exit(0),
                "p99<100s");
    }

    /** For a while, or to the end, each request takes seconds, but none queues. */
    private static Scenario slowWithoutQueue(Draw draw, boolean isRamp) {
        double rate = draw.of("rate", 60, 400);
        double seconds = draw.of("seconds", 20, 60);
        double from = seconds * draw.of("from", 0.05, 0.6);
        double until = draw.either("to the end") ? seconds : from + (seconds - from) * draw.of("until", 0.2, 0.9);
        RunPlan plan = (isRamp ? Loads.ramp(rate / 4, rate, seconds) : Loads.poisson(rate, seconds, draw.seed()))
                .timeout(Loads.seconds(60))
                .build();
        World world = slowBetween(from, until, draw.of("slow", 1, 6));
        return Scenario.run(
                draw,
                new WorldRun(plan, world, draw.seed()).result(),
                Truth.first(Kind.MET, Kind.SLOW, Kind.CHANGED, Kind.STALLED)
                        .never(Kind.OVERLOADED)
                        .exit(0),
                "p50<60s");
    }

    /** A service of unlimited concurrency whose requests take {@code slow} seconds on average between two times. */
    static World slowBetween(double from, double until, double slow) {
        return World.of(Work.exponential(0.005).times(at -> at > from && at < until ? slow / 0.005 : 1), World.ENOUGH);
    }
}
