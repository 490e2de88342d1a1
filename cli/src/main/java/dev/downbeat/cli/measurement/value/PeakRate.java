package dev.downbeat.cli.measurement.value;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Step;
import dev.downbeat.arrival.Steps;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Workload;

/** The highest rate of a plan, if known beforehand. */
public final class PeakRate {
    private PeakRate() {}

    /** Requests per second of all generators; 0 if unknown. */
    public static double perSecond(RunPlan plan) {
        return plan.workload() instanceof Workload.Open open ? perSecond(open.arrivals()) : 0;
    }

    private static double perSecond(ArrivalProcess arrivals) {
        if (arrivals instanceof Constant constant) {
            return constant.rate().perSecond();
        }
        if (arrivals instanceof Poisson poisson) {
            return poisson.rate().perSecond();
        }
        if (arrivals instanceof Ramp ramp) {
            return Math.max(ramp.from().perSecond(), ramp.to().perSecond());
        }
        if (arrivals instanceof Steps steps) {
            return steps.steps().stream()
                    .map(Step::process)
                    .mapToDouble(PeakRate::perSecond)
                    .max()
                    .orElse(0);
        }
        return 0;
    }
}
