package dev.downbeat.junit;

import dev.downbeat.event.Incident;
import dev.downbeat.load.Measured;
import dev.downbeat.report.data.Reported;
import dev.downbeat.selfcheck.Crowding;
import dev.downbeat.verdict.Objective;
import dev.downbeat.verdict.Slo;
import java.util.List;

/** Decides whether the machine rather than the service may have caused a missed objective. */
final class Excuse {
    private Excuse() {}

    /**
     * Whether every missed objective is a time limit, the excess is no more than other processes can explain, and the
     * service never stalled while a control call was on time.
     */
    static boolean holds(Measured measured, Crowding crowding) {
        List<Objective> missed = Reported.of(measured).verdict().objectives().stream()
                .filter(each -> each.status() == Objective.Status.MISSED)
                .toList();
        long startAt = Reported.of(measured).result().span().startAt();
        return !missed.isEmpty()
                && missed.stream().allMatch(each -> isExplained(each, crowding))
                && Reported.of(measured).analysis().events().stream()
                        .filter(event -> event.cause() == Incident.Cause.SERVICE_STALL)
                        .allMatch(event -> crowding.explains(startAt + event.startNanos(), event.lengthNanos()));
    }

    private static boolean isExplained(Objective missed, Crowding crowding) {
        return missed.valueNanos().isPresent()
                && crowding.explains(missed.valueNanos().getAsLong() - limitNanos(missed.slo()));
    }

    private static long limitNanos(Slo slo) {
        if (slo instanceof Slo.Percentile percentile) {
            return percentile.limitNanos();
        }
        return slo instanceof Slo.Mean mean ? mean.limitNanos() : 0;
    }
}
