package dev.downbeat.truths;

import static dev.downbeat.truths.Family.certain;
import static dev.downbeat.truths.Family.noisy;

import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Comparisons of two services. */
final class Pairs {
    private static final int MANY = 2_000;

    private Pairs() {}

    static List<Family> families() {
        return List.of(
                certain("faster-but-stalls", Pairs::fasterButStalls),
                certain("equal-but-stalls", Pairs::equalButStalls),
                certain("stall-in-the-base-only", Pairs::stallInTheBase),
                noisy("runs-that-differ-by-chance", Pairs::byChance),
                certain("fails-more", Pairs::failsMore),
                certain("other-answers-nothing", Pairs::answersNothing),
                certain("fails-more-and-is-not-steady", Pairs::failsMoreAndIsNotSteady),
                noisy("errors-in-spells-of-5-s", draw -> errorsInSpells(draw, 5, 25)),
                noisy("errors-in-spells-of-20-s", draw -> errorsInSpells(draw, 20, 60)),
                noisy("slower-in-the-tail-only", Pairs::tailOnly),
                noisy("slower-by-half", Pairs::byHalf),
                noisy("faster-by-half", Pairs::fasterByHalf),
                noisy("identical", Pairs::identical),
                noisy("three-runs-a-side-a-fifth-slower", Pairs::aFifthSlower),
                noisy("three-runs-a-side-that-differ-by-chance", Pairs::severalByChance),
                certain("stalls-twice-as-often", Pairs::twiceAsOften),
                certain("other-is-overloaded", Pairs::overloaded),
                certain("base-is-overloaded", Pairs::keepsUp),
                certain("other-is-slow-for-a-while-without-a-queue", Pairs::slowForAWhile),
                certain("ten-times-slower-beside-our-own-delay", Pairs::tenTimesSlowerThanOwnDelay),
                noisy("our-own-delay-in-the-other-only", draw -> ownDelayInOne(draw, false)),
                noisy("our-own-delay-in-the-base-only", draw -> ownDelayInOne(draw, true)));
    }

    private static RunResult calm(Draw draw, double rate, double seconds, Work work) {
        return run(draw, rate, seconds, World.of(work, MANY));
    }

    private static RunResult run(Draw draw, double rate, double seconds, World world) {
        return new WorldRun(Loads.poisson(rate, seconds, draw.seed()).build(), world, draw.seed()).result();
    }

    private static Work usual(double median) {
        return Work.logNormal(median, 0.4);
    }

    private static Scenario fasterButStalls(Draw draw) {
        double rate = draw.of("rate", 200, 400);
        double faster = draw.of("faster", 0.6, 0.85);
        double at = draw.of("at", 5, 20);
        double length = draw.of("stall", 0.7, 2);
        RunResult base = calm(draw, rate, 30, usual(0.005));
        RunResult other =
                run(draw, rate, 30, World.of(usual(0.005 * faster), MANY).stall(Span.ofSeconds(at, at + length)));
        return Scenario.pair(
                draw,
                base,
                other,
                Truth.first(Kind.STALLS_MORE, Kind.MIXED, Kind.SLOWER)
                        .never(Kind.FASTER, Kind.SAME)
                        .exit(99));
    }

    private static Scenario equalButStalls(Draw draw) {
        double rate = draw.of("rate", 200, 400);
        double at = draw.of("at", 5, 20);
        double length = draw.of("stall", 0.7, 2);
        RunResult base = calm(draw, rate, 30, usual(0.005));
        RunResult other = run(draw, rate, 30, World.of(usual(0.005), MANY).stall(Span.ofSeconds(at, at + length)));
        return Scenario.pair(
                draw,
                base,
                other,
                Truth.first(Kind.STALLS_MORE, Kind.MIXED, Kind.SLOWER)
                        .never(Kind.FASTER, Kind.SAME)
                        .exit(99));
    }

    /** The absence of a single stall proves nothing and is no regression. */
    private static Scenario stallInTheBase(Draw draw) {
        double rate = draw.of("rate", 200, 400);
        double at = draw.of("at", 5, 20);
        double length = draw.of("stall", 0.7, 2);
        RunResult base = run(draw, rate, 30, World.of(usual(0.005), MANY).stall(Span.ofSeconds(at, at + length)));
        RunResult other = calm(draw, rate, 30, usual(0.005));
        return Scenario.pair(
                draw,
                base,
                other,
                Truth.first(Kind.CANNOT_TELL, Kind.FASTER, Kind.SAME)
                        .never(Kind.SLOWER, Kind.STALLS_MORE, Kind.MIXED)
                        .exit(0));
    }

    /** Single runs of one service differ by as much, because of memory placement, the JIT compiler and other load. */
    private static Scenario byChance(Draw draw) {
        double rate = draw.of("rate", 200, 400);
        double change = draw.of("change", -0.06, 0.06);
        return Scenario.pair(
                draw,
                calm(draw, rate, 30, usual(0.005)),
                calm(draw, rate, 30, usual(0.005 * (1 + change))),
                Truth.first(Kind.CANNOT_TELL, Kind.SAME)
                        .never(Kind.SLOWER, Kind.FASTER, Kind.MIXED)
                        .exit(0));
    }

    private static Scenario failsMore(Draw draw) {
        double rate = draw.of("rate", 200, 400);
        Span always = new Span(0, Long.MAX_VALUE);
        RunResult base = calm(draw, rate, 30, usual(0.005));
        RunResult other = run(
                draw,
                rate,
                30,
                World.of(usual(0.004), MANY).fault(always, draw.of("share", 0.02, 0.1), Fault.Kind.STATUS, 0.002));
        return Scenario.pair(draw, base, other, Truth.first(Kind.FAILS_MORE).exit(99));
    }

    /** A service that answers nothing has no response times, but its failures are known. */
    private static Scenario answersNothing(Draw draw) {
        double rate = draw.of("rate", 200, 400);
        Span always = new Span(0, Long.MAX_VALUE);
        Fault.Kind kind = draw.either("status") ? Fault.Kind.STATUS : Fault.Kind.BLACK_HOLE;
        return Scenario.pair(
                draw,
                calm(draw, rate, 30, usual(0.005)),
                run(draw, rate, 30, World.of(usual(0.005), MANY).fault(always, 1, kind, 0.002)),
                Truth.first(Kind.FAILS_MORE).exit(99));
    }

    /** Unsteady response times do not cast doubt on failure counts. */
    private static Scenario failsMoreAndIsNotSteady(Draw draw) {
        double rate = draw.of("rate", 200, 400);
        double from = draw.of("from", 10, 20);
        double times = draw.of("times", 2, 4);
        World other = World.of(usual(0.005).times(at -> at > from ? times : 1), MANY)
                .fault(new Span(0, Long.MAX_VALUE), draw.of("share", 0.1, 0.7), Fault.Kind.STATUS, 0.002);
        return Scenario.pair(
                draw,
                calm(draw, rate, 30, usual(0.005)),
                run(draw, rate, 30, other),
                Truth.first(Kind.FAILS_MORE).exit(99));
    }

    /** Both fail equally often in the long run; their bursts of errors differ by chance. */
    private static Scenario errorsInSpells(Draw draw, double spell, double between) {
        double rate = draw.of("rate", 50, 100);
        double seconds = draw.of("seconds", 60, 120);
        double share = draw.of("share", 0.1, 0.5);
        return Scenario.pair(
                draw,
                run(draw, rate, seconds, inSpells(draw, spell, between, seconds, share)),
                run(draw, rate, seconds, inSpells(draw, spell, between, seconds, share)),
                Truth.first(Kind.CANNOT_TELL, Kind.SAME)
                        .never(Kind.FAILS_MORE, Kind.STALLS_MORE, Kind.SLOWER, Kind.FASTER, Kind.MIXED)
                        .exit(0));
    }

    private static World inSpells(Draw draw, double spell, double between, double seconds, double share) {
        World world = World.of(usual(0.005), MANY);
        SplittableRandom random = new SplittableRandom(draw.seed());
        double at = random.nextDouble() < spell / (spell + between) ? 0 : random.nextExponential() * between;
        while (at < seconds) {
            double end = at + random.nextExponential() * spell;
            world.fault(Span.ofSeconds(at, end), share, Fault.Kind.STATUS, 0.002);
            at = end + random.nextExponential() * between;
        }
        return world;
    }

    private static Scenario tailOnly(Draw draw) {
        double rate = draw.of("rate", 300, 500);
        double times = draw.of("times", 4, 8);
        Work base = Work.mixed(usual(0.005), usual(0.005), 0.04);
        Work other = Work.mixed(usual(0.005), usual(0.005 * times), 0.04);
        return Scenario.pair(
                draw,
                calm(draw, rate, 40, base),
                calm(draw, rate, 40, other),
                Truth.first(Kind.SLOWER, Kind.MIXED)
                        .never(Kind.FASTER, Kind.SAME)
                        .exit(99));
    }

    private static Scenario byHalf(Draw draw) {
        double rate = draw.of("rate", 300, 500);
        return Scenario.pair(
                draw,
                calm(draw, rate, 40, usual(0.005)),
                calm(draw, rate, 40, usual(0.005 * draw.of("times", 1.4, 1.8))),
                Truth.first(Kind.SLOWER).exit(99));
    }

    private static Scenario fasterByHalf(Draw draw) {
        double rate = draw.of("rate", 300, 500);
        return Scenario.pair(
                draw,
                calm(draw, rate, 40, usual(0.005)),
                calm(draw, rate, 40, usual(0.005 * draw.of("times", 0.5, 0.65))),
                Truth.first(Kind.FASTER).exit(0));
    }

    private static Scenario identical(Draw draw) {
        double rate = draw.of("rate", 300, 500);
        return Scenario.pair(
                draw,
                calm(draw, rate, 40, usual(0.005)),
                calm(draw, rate, 40, usual(0.005)),
                Truth.first(Kind.CANNOT_TELL, Kind.SAME)
                        .never(Kind.SLOWER, Kind.FASTER, Kind.MIXED)
                        .exit(0));
    }

    private static List<RunResult> several(Draw draw, double rate, double times) {
        List<RunResult> runs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            runs.add(calm(draw, rate, 25, usual(0.005 * times * draw.of("run", 0.97, 1.03))));
        }
        return runs;
    }

    private static Scenario aFifthSlower(Draw draw) {
        double rate = draw.of("rate", 200, 300);
        double times = draw.of("times", 1.2, 1.3);
        return Scenario.sides(
                draw,
                several(draw, rate, 1),
                several(draw, rate, times),
                Truth.first(Kind.SLOWER).exit(99));
    }

    private static Scenario severalByChance(Draw draw) {
        double rate = draw.of("rate", 200, 300);
        return Scenario.sides(
                draw,
                several(draw, rate, 1),
                several(draw, rate, 1),
                Truth.first(Kind.CANNOT_TELL, Kind.SAME)
                        .never(Kind.SLOWER, Kind.FASTER, Kind.MIXED)
                        .exit(0));
    }

    /** Periodic stalls, twice as many in the new run. */
    private static Scenario twiceAsOften(Draw draw) {
        double rate = draw.of("rate", 150, 250);
        double length = draw.of("stall", 0.6, 1.2);
        World base = World.of(usual(0.003), MANY);
        World other = World.of(usual(0.003), MANY);
        double first = draw.of("first", 3, 9);
        for (double at = first; at < 118; at += 20) {
            other.stall(Span.ofSeconds(at, at + length));
        }
        for (double at = first; at < 118; at += 40) {
            base.stall(Span.ofSeconds(at, at + length));
        }
        return Scenario.pair(
                draw,
                run(draw, rate, 120, base),
                run(draw, rate, 120, other),
                Truth.first(Kind.STALLS_MORE, Kind.SLOWER, Kind.MIXED, Kind.CANNOT_TELL)
                        .never(Kind.SAME, Kind.FASTER)
                        .exit(0, 98, 99));
    }

    private static Scenario overloaded(Draw draw) {
        double rate = draw.of("rate", 200, 400);
        double capacity = rate * draw.of("share", 0.6, 0.85);
        return Scenario.pair(
                draw,
                run(draw, rate, 25, World.of(Work.exponential(0.01), 16)),
                run(draw, rate, 25, World.of(Work.exponential(4 / capacity), 4)),
                Truth.first(Kind.OVERLOADED).exit(99));
    }

    private static Scenario keepsUp(Draw draw) {
        double rate = draw.of("rate", 200, 400);
        double capacity = rate * draw.of("share", 0.6, 0.85);
        return Scenario.pair(
                draw,
                run(draw, rate, 25, World.of(Work.exponential(4 / capacity), 4)),
                run(draw, rate, 25, World.of(Work.exponential(0.01), 16)),
                Truth.first(Kind.KEEPS_UP).exit(0));
    }

    /** For a while each request takes seconds, but none queues. */
    private static Scenario slowForAWhile(Draw draw) {
        double rate = draw.of("rate", 100, 400);
        double from = draw.of("from", 5, 15);
        World other = Overloads.slowBetween(from, from + draw.of("for", 20, 30), draw.of("slow", 3, 6));
        return Scenario.pair(
                draw,
                patient(draw, rate, World.of(Work.exponential(0.005), MANY)),
                patient(draw, rate, other),
                Truth.first(Kind.CANNOT_TELL, Kind.SLOWER, Kind.MIXED, Kind.NOT_COMPARABLE, Kind.STALLS_MORE)
                        .never(Kind.OVERLOADED)
                        .exit(0, 98, 99));
    }

    private static RunResult patient(Draw draw, double rate, World world) {
        RunPlan plan =
                Loads.poisson(rate, 60, draw.seed()).timeout(Loads.seconds(120)).build();
        return new WorldRun(plan, world, draw.seed()).result();
    }

    /** The service gets slower by at least ten times Downbeat's own delays. */
    private static Scenario tenTimesSlowerThanOwnDelay(Draw draw) {
        double rate = draw.of("rate", 200, 400);
        double each = draw.of("each", 0.002, 0.004);
        double share = draw.of("share", 0.3, 0.5);
        return Scenario.pair(
                draw,
                run(draw, rate, 30, crowded(draw, usual(0.005), each, share)),
                run(draw, rate, 30, crowded(draw, usual(0.05), each, share)),
                Truth.first(Kind.SLOWER).exit(99));
    }

    private static Scenario ownDelayInOne(Draw draw, boolean inTheBase) {
        double rate = draw.of("rate", 200, 400);
        World paused = crowded(draw, usual(0.005), draw.of("each", 0.002, 0.02), draw.of("share", 0.1, 0.5));
        RunResult late = run(draw, rate, 30, paused);
        RunResult onTime = calm(draw, rate, 30, usual(0.005));
        return Scenario.pair(
                draw,
                inTheBase ? late : onTime,
                inTheBase ? onTime : late,
                Truth.first(Kind.CANNOT_TELL, Kind.SAME, Kind.NOT_COMPARABLE)
                        .never(Kind.SLOWER, Kind.FASTER, Kind.MIXED, Kind.STALLS_MORE)
                        .exit(0));
    }

    /** Other processes take Downbeat's processor for a few milliseconds at a time. */
    private static World crowded(Draw draw, Work work, double each, double share) {
        World world = World.of(work, MANY);
        SplittableRandom random = new SplittableRandom(draw.seed());
        for (double at = 0.05; at < 30; ) {
            double length = each * random.nextExponential();
            world.pausedOurselves(Span.ofSeconds(at, at + length));
            at += length + each * (1 - share) / share * random.nextExponential();
        }
        return world;
    }
}
