package dev.downbeat.junit;

import dev.downbeat.event.Incident;
import dev.downbeat.load.Measured;
import dev.downbeat.report.data.ReportAccess;
import dev.downbeat.selfcheck.CrowdWatch.Crowding;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.util.List;

/** Decides whether other processes on the machine, rather than the service, may have caused a missed objective. */
final class MachineInterference {
    private MachineInterference() {}

    /**
     * Whether every missed objective is a time limit, the excess is no more than other processes can explain, and the
     * service never stalled while two control calls were on time.
     */
    static boolean holds(Measured measured, Crowding crowding) {
        List<JudgedObjective> missed = ReportAccess.of(measured).verdict().objectives().stream()
                .filter(each -> each.status() == JudgedObjective.Status.MISSED)
                .toList();
        long startAt = ReportAccess.of(measured).result().span().startAt();
        return !missed.isEmpty()
                && missed.stream().allMatch(each -> isExplained(each, crowding))
                && ReportAccess.of(measured).analysis().events().stream()
                        .filter(event -> event.cause() == Incident.Cause.SERVICE_STALL)
                        .allMatch(event -> crowding.explains(startAt + event.startNanos(), event.lengthNanos()));
    }

    private static boolean isExplained(JudgedObjective missed, Crowding crowding) {
        return missed.valueNanos().isPresent()
                && crowding.explains(missed.valueNanos().getAsLong() - limitNanos(missed.slo()));
    }

    private static long limitNanos(ServiceLevelObjective slo) {
        return slo instanceof ServiceLevelObjective.OfTime time ? time.limitNanos() : 0;
    }
}
