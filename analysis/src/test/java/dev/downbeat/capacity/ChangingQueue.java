package dev.downbeat.capacity;

import static dev.downbeat.capacity.SearchOnPaper.MU;
import static dev.downbeat.capacity.SearchOnPaper.SECOND;

import dev.downbeat.capacity.RateSearch.RateMeasurement;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.verdict.RunFixture;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * A queue with one server that is slow or stands still now and then. Each run meets it at a random moment.
 *
 * @param slowFactor how much longer a request takes in a slow spell
 * @param spellSeconds how long these last on average; 0 if there are none
 * @param eachSeconds one spell or stall comes in so many seconds: spells on average, stalls exactly
 * @param stallSeconds how long nobody is served; 0 if it does not stand still
 */
record ChangingQueue(double slowFactor, double spellSeconds, double eachSeconds, double stallSeconds) {
    static ChangingQueue spells(double factor, double seconds, double eachSeconds) {
        return new ChangingQueue(factor, seconds, eachSeconds, 0);
    }

    static ChangingQueue stalls(double seconds, double eachSeconds) {
        return new ChangingQueue(1, 0, eachSeconds, seconds);
    }

    RateMeasurement measurement(long seed, SearchPlan plan) {
        SplittableRandom random = new SplittableRandom(seed * 1_000_003 + 17);
        return (perSecond, nanos) -> run(perSecond, nanos, plan, random);
    }

    private interface Requests {
        void request(double dueSecond, double seconds);
    }

    /** In their order, which is also that of their ends. */
    private void requests(double perSecond, double seconds, SplittableRandom random, Requests requests) {
        double usual = 1 / MU;
        double stall = random.nextDouble() * eachSeconds - eachSeconds;
        boolean slow = spellSeconds > 0 && random.nextDouble() < spellSeconds / eachSeconds;
        double until = 0;
        double free = 0;
        for (double due = random.nextExponential() / perSecond;
                due < seconds;
                due += random.nextExponential() / perSecond) {
            double begin = Math.max(free, due);
            while (stall + eachSeconds <= begin) {
                stall += eachSeconds;
            }
            begin = Math.max(begin, stall + stallSeconds);
            while (spellSeconds > 0 && begin >= until) {
                slow = until > 0 ? !slow : slow;
                until += random.nextExponential() * (slow ? spellSeconds : eachSeconds - spellSeconds);
            }
            free = begin + usual * random.nextExponential() * (slow ? slowFactor : 1);
            requests.request(due, free - due);
        }
    }

    private RunResult run(double perSecond, long nanos, SearchPlan plan, SplittableRandom random) {
        RunPlan run = SearchOnPaper.runPlan(plan, perSecond, nanos, random.nextLong());
        long end = nanos + 2 * SECOND;
        RunFixture fixture = new RunFixture().workload(run.workload(), Duration.ofNanos(nanos));
        long[] until = {plan.stretchNanos()};
        requests(perSecond, (double) nanos / SECOND, random, (dueSecond, seconds) -> {
            long due = Math.round(dueSecond * SECOND);
            long took = Math.round(seconds * SECOND);
            for (; until[0] <= nanos && due + took >= until[0]; until[0] += plan.stretchNanos()) {
                fixture.until(until[0]);
            }
            if (due + took > end) {
                fixture.inFlight(1, end - due);
            } else {
                fixture.answeredAt(due, 1, took);
            }
        });
        for (; until[0] <= nanos; until[0] += plan.stretchNanos()) {
            fixture.until(until[0]);
        }
        RunResult seen = fixture.ended(RunSpan.Ending.COMPLETE, end).result();
        return new RunResult(
                run, seen.target(), seen.span(), seen.recording(), seen.intervals(), seen.lanes(), seen.health());
    }
}
