package dev.downbeat.truths;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Spacing;
import dev.downbeat.arrival.Step;
import dev.downbeat.arrival.Steps;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Load plans from rates per second and lengths in seconds. */
final class Loads {
    private Loads() {}

    static Duration seconds(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    /** Poisson arrivals at a constant rate. */
    static RunPlan.Builder poisson(double perSecond, double seconds, long seed) {
        return RunPlan.builder(new Workload.Open(new Poisson(rate(perSecond), seed)))
                .duration(seconds(seconds));
    }

    private static Rate rate(double perSecond) {
        return new Rate(Math.round(perSecond * 60), Duration.ofMinutes(1).toNanos());
    }

    static RunPlan.Builder ramp(double from, double to, double seconds) {
        return RunPlan.builder(new Workload.Open(
                        new Ramp(rate(from), rate(to), seconds(seconds).toNanos(), new Spacing.Even())))
                .duration(seconds(seconds));
    }

    /** Stages of equal length. */
    static RunPlan.Builder stages(double eachSeconds, long seed, double... perSecond) {
        List<Step> steps = new ArrayList<>();
        for (double each : perSecond) {
            steps.add(new Step(
                    new Poisson(rate(each), seed + steps.size()),
                    seconds(eachSeconds).toNanos()));
        }
        return RunPlan.builder(new Workload.Open(new Steps(steps))).duration(seconds(eachSeconds * perSecond.length));
    }

    static RunPlan.Builder closed(int clients, double thinkSeconds, double seconds, long seed) {
        return RunPlan.builder(
                        new Workload.Closed(clients, new ThinkTime.Exponential(Math.round(thinkSeconds * 1e9), seed)))
                .duration(seconds(seconds));
    }
}
