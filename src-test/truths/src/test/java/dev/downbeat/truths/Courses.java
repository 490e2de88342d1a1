package dev.downbeat.truths;

import static dev.downbeat.truths.Family.certain;
import static dev.downbeat.truths.Family.noisy;

import dev.downbeat.run.RunPlan;
import dev.downbeat.truths.Truth.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Services whose response times change during a run. */
final class Courses {
    private static final int MANY = 2_000;

    private Courses() {}

    static List<Family> families() {
        return List.of(
                certain("slow-start", Courses::slowStart),
                certain("cold-cache", Courses::coldCache),
                certain("drift", Courses::drift),
                certain("tenfold-drift-of-scattered-times", Courses::tenfold),
                certain("tail-grows-median-stays", Courses::tailGrows),
                certain("slower-from-the-middle-on", Courses::levelChange),
                certain("busy-spells", Courses::busySpells),
                noisy("wandering-level", Courses::wandering),
                certain("slow-for-some-seconds", Courses::slowSpell),
                certain("slow-spell-nobody-asked", Courses::slowSpellNobodyAsked));
    }

    private static Scenario scenario(
            Draw draw, double rate, double seconds, Work work, Truth truth, String... objectives) {
        RunPlan plan = Loads.poisson(rate, seconds, draw.seed()).build();
        return Scenario.run(draw, new WorldRun(plan, World.of(work, MANY), draw.seed()).result(), truth, objectives);
    }

    private static Truth calm(Kind kind, Kind... or) {
        return Truth.first(kind, or).never(Kind.OVERLOADED, Kind.STALLED, Kind.NOT_OFFERED, Kind.OWN_DELAY);
    }

    private static Scenario slowStart(Draw draw) {
        double rate = draw.of("rate", 200, 400);
        double times = draw.of("times", 2, 6);
        double until = draw.of("until", 1, 3);
        Work work = Work.logNormal(0.005, 0.3).times(at -> at < until ? times : 1);
        return scenario(
                draw, rate, 30, work, calm(Kind.MET, Kind.SLOW, Kind.CHANGED).exit(0), "p99<500ms");
    }

    private static Scenario coldCache(Draw draw) {
        double rate = draw.of("rate", 200, 400);
        double times = draw.of("times", 3, 10);
        double decay = draw.of("decay", 0.5, 1.5);
        Work work = Work.logNormal(0.005, 0.3).times(at -> 1 + times * Math.exp(-at / decay));
        return scenario(
                draw, rate, 30, work, calm(Kind.MET, Kind.SLOW, Kind.CHANGED).exit(0), "p99<500ms");
    }

    private static Scenario drift(Draw draw) {
        double rate = draw.of("rate", 200, 400);
        double share = draw.of("share", 0.005, 0.02);
        Work work = Work.logNormal(0.02, 0.2).times(at -> 1 + share * at);
        return scenario(
                draw,
                rate,
                30,
                work,
                calm(Kind.MEASURED, Kind.CHANGED, Kind.SLOW, Kind.MET).exit(0));
    }

    /** Neither the times nor their logarithms are a line with an even scatter. */
    private static Scenario tenfold(Draw draw) {
        double seconds = draw.of("seconds", 60, 240);
        double growth = draw.of("times", 6, 12) - 1;
        Work work = Work.exponential(0.005).times(at -> 1 + growth * at / seconds);
        return scenario(
                draw,
                draw.of("rate", 50, 200),
                seconds,
                work,
                calm(Kind.CHANGED).exit(0));
    }

    private static Scenario tailGrows(Draw draw) {
        double rate = draw.of("rate", 300, 500);
        double times = draw.of("times", 5, 10);
        double from = draw.of("from", 10, 16);
        SplittableRandom coin = new SplittableRandom(draw.seed());
        Work slow = Work.logNormal(0.01 * times, 0.3);
        Work usual = Work.logNormal(0.01, 0.3);
        Work work = (at, index, random) ->
                (at / 1e9 > from && coin.nextDouble() < 0.06 ? slow : usual).nanos(at, index, random);
        return scenario(
                draw, rate, 30, work, calm(Kind.SLOW, Kind.CHANGED, Kind.MISSED).exit(99), "p99<35ms");
    }

    private static Scenario levelChange(Draw draw) {
        double rate = draw.of("rate", 200, 400);
        double times = draw.of("times", 1.5, 3);
        double from = draw.of("from", 10, 20);
        Work work = Work.logNormal(0.01, 0.2).times(at -> at > from ? times : 1);
        return scenario(
                draw, rate, 30, work, calm(Kind.SLOW, Kind.CHANGED, Kind.MISSED).exit(99), "p90<13ms");
    }

    private static Scenario busySpells(Draw draw) {
        double rate = draw.of("rate", 200, 400);
        double spell = draw.of("spell", 1, 8);
        double times = draw.of("times", 5, 12);
        double first = draw.of("first", 4, 10);
        Work work = Work.logNormal(0.005, 0.3).times(at -> at > first && (at - first) % 20 < spell ? times : 1);
        return scenario(
                draw, rate, 40, work, calm(Kind.SLOW, Kind.CHANGED, Kind.MISSED).exit(99), "p99<20ms");
    }

    /** An autocorrelated level that varies by about 20 %. */
    private static Scenario wandering(Draw draw) {
        double rate = draw.of("rate", 200, 400);
        double memory = draw.of("memory", 3, 30);
        SplittableRandom random = new SplittableRandom(draw.seed());
        List<Double> levels = new ArrayList<>();
        double level = Work.normal(random);
        double stays = Math.exp(-1 / memory);
        for (int i = 0; i < 120; i++) {
            levels.add(Math.exp(0.2 * level));
            level = stays * level + Math.sqrt(1 - stays * stays) * Work.normal(random);
        }
        Work work =
                Work.logNormal(0.005, 0.3).times(at -> levels.get(Math.min(levels.size() - 1, (int) Math.max(0, at))));
        return scenario(draw, rate, 40, work, calm(Kind.MET, Kind.CHANGED).exit(0), "p99<100ms");
    }

    private static Scenario slowSpell(Draw draw) {
        double rate = draw.of("rate", 200, 400);
        double from = draw.of("from", 8, 15);
        double length = draw.of("length", 2, 6);
        double times = draw.of("times", 3, 6);
        Work work = Work.logNormal(0.01, 0.2).times(at -> at > from && at < from + length ? times : 1);
        return scenario(
                draw, rate, 30, work, calm(Kind.SLOW, Kind.CHANGED, Kind.MISSED).exit(99), "p95<25ms");
    }

    private static Scenario slowSpellNobodyAsked(Draw draw) {
        double rate = draw.of("rate", 200, 400);
        double from = draw.of("from", 8, 15);
        double length = draw.of("length", 3, 6);
        double times = draw.of("times", 4, 8);
        Work work = Work.logNormal(0.01, 0.2).times(at -> at > from && at < from + length ? times : 1);
        return scenario(
                draw,
                rate,
                30,
                work,
                calm(Kind.SLOW)
                        .number(Quantity.BEGIN_SECONDS, from, 1.2)
                        .number(Quantity.LENGTH_SECONDS, length, 1.6)
                        .exit(0));
    }
}
