package dev.downbeat.junit;

import dev.downbeat.compare.ComparedRun;
import dev.downbeat.event.Incident;
import dev.downbeat.load.Measured;
import dev.downbeat.report.data.ReportAccess;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.selfcheck.CpuContentionMonitor;
import dev.downbeat.selfcheck.CpuContentionMonitor.CpuContention;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The machine that runs a load test; simulated in tests. */
@FunctionalInterface
interface Machine {
    /** A measurement, and the effect of other processes during it, if known. */
    record Observation(Measured measured, Optional<CpuContention> crowding) {
        /** Whether other processes delayed even control calls. */
        boolean isCrowded() {
            return crowding.filter(CpuContention::isCrowded).isPresent();
        }

        /**
         * Whether they, rather than the service, may have caused a missed objective: every missed one is a time limit, the
         * excess is no more than they can explain, and the service never stalled while two control calls were on time.
         */
        boolean isExcused() {
            return crowding.filter(this::isExplainedBy).isPresent();
        }

        private boolean isExplainedBy(CpuContention others) {
            RunReport report = ReportAccess.of(measured);
            List<JudgedObjective> missed = report.verdict().objectives().stream()
                    .filter(each -> each.status() == JudgedObjective.Status.MISSED)
                    .toList();
            long startAt = report.result().span().startAt();
            return !missed.isEmpty()
                    && missed.stream().allMatch(each -> isExplained(each, others))
                    && report.analysis().events().stream()
                            .filter(event -> event.cause() == Incident.Cause.SERVICE_STALL
                                    || event.cause() == Incident.Cause.SLOW_LOOKUP)
                            .allMatch(event -> others.explains(startAt + event.startNanos(), event.lengthNanos()));
        }

        private static boolean isExplained(JudgedObjective missed, CpuContention others) {
            long limitNanos = missed.slo() instanceof ServiceLevelObjective.OfTime time ? time.limitNanos() : 0;
            return missed.valueNanos().isPresent()
                    && others.explains(missed.valueNanos().getAsLong() - limitNanos);
        }

        /** The measurement for a comparison, with what others may have added to it. */
        ComparedRun compared(String name) {
            ComparedRun run = ComparedRun.of(
                    name,
                    ReportAccess.of(measured).analysis().observations(),
                    ReportAccess.of(measured).verdict());
            long startAt = ReportAccess.of(measured).result().span().startAt();
            return crowding.map(seen -> run.allowingFor(seen, startAt)).orElse(run);
        }

        /** Of several measurements, the one whose control calls were the latest; empty if others delayed none. */
        static Optional<Observation> mostCrowded(List<Observation> all) {
            return all.stream()
                    .filter(Observation::isCrowded)
                    .max(Comparator.comparingLong(
                            seen -> seen.crowding.orElseThrow().controlP99Nanos()));
        }

        /** The reason; empty if unknown. */
        String words() {
            return crowding.map(CpuContention::text).orElse("");
        }
    }

    Observation observe(Set<Long> watched, Supplier<Measured> run);

    static Machine real() {
        return (watched, run) -> {
            CpuContentionMonitor watch = CpuContentionMonitor.start(watched);
            Optional<CpuContention> crowding;
            Measured measured;
            try {
                measured = run.get();
            } finally {
                crowding = watch.stop();
            }
            long startAt = ReportAccess.of(measured).result().span().startAt();
            return new Observation(measured, crowding.map(seen -> seen.since(startAt)));
        };
    }
}
