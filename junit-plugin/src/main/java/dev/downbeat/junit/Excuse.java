package dev.downbeat.junit;

import dev.downbeat.event.Incident;
import dev.downbeat.load.Measured;
import dev.downbeat.report.data.Reported;
import dev.downbeat.selfcheck.CrowdWatch.Crowding;
import dev.downbeat.verdict.AskedObjective;
import dev.downbeat.verdict.JudgedObjective;
import java.util.List;

/** Decides whether other processes on the machine, rather than the service, may have caused a missed objective. */
final class Excuse {
    private Excuse() {}

    /**
     * Whether every missed objective is a time limit, the excess is no more than other processes can explain, and the
     * service never stalled while a control call was on time.
     */
    static boolean holds(Measured measured, Crowding crowding) {
        List<JudgedObjective> missed = Reported.of(measured).verdict().objectives().stream()
                .filter(each -> each.status() == JudgedObjective.Status.MISSED)
                .toList();
        long startAt = Reported.of(measured).result().span().startAt();
        return !missed.isEmpty()
                && missed.stream().allMatch(each -> isExplained(each, crowding))
                && Reported.of(measured).analysis().events().stream()
                        .filter(event -> event.cause() == Incident.Cause.SERVICE_STALL)
                        .allMatch(event -> crowding.explains(startAt + event.startNanos(), event.lengthNanos()));
    }

    private static boolean isExplained(JudgedObjective missed, Crowding crowding) {
        return missed.valueNanos().isPresent()
                && crowding.explains(missed.valueNanos().getAsLong() - limitNanos(missed.slo()));
    }

    private static long limitNanos(AskedObjective slo) {
        if (slo instanceof AskedObjective.Percentile percentile) {
            return percentile.limitNanos();
        }
        return slo instanceof AskedObjective.Mean mean ? mean.limitNanos() : 0;
    }
}
