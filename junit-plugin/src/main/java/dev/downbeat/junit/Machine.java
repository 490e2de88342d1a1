package dev.downbeat.junit;

import dev.downbeat.compare.ComparedRun;
import dev.downbeat.load.Measured;
import dev.downbeat.report.data.ReportAccess;
import dev.downbeat.selfcheck.CrowdWatch;
import dev.downbeat.selfcheck.CrowdWatch.Crowding;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The machine that runs a load test; simulated in tests. */
@FunctionalInterface
interface Machine {
    /** A measurement, and the effect of other processes during it, if known. */
    record Seen(Measured measured, Optional<Crowding> crowding) {
        /** Whether other processes delayed even control calls. */
        boolean isCrowded() {
            return crowding.filter(Crowding::isCrowded).isPresent();
        }

        /** Whether they may have caused a missed objective. */
        boolean isExcused() {
            return crowding.filter(seen -> MachineInterference.holds(measured, seen))
                    .isPresent();
        }

        /** The measurement for a comparison, with what others may have added to it. */
        ComparedRun compared(String name) {
            ComparedRun run = ComparedRun.of(
                    name,
                    ReportAccess.of(measured).analysis().seen(),
                    ReportAccess.of(measured).verdict());
            long startAt = ReportAccess.of(measured).result().span().startAt();
            return crowding.map(seen -> run.beside(seen, startAt)).orElse(run);
        }

        /** Of several measurements, the one whose control calls were the latest; empty if others delayed none. */
        static Optional<Seen> mostCrowded(List<Seen> all) {
            return all.stream()
                    .filter(Seen::isCrowded)
                    .max(Comparator.comparingLong(
                            seen -> seen.crowding.orElseThrow().controlP99Nanos()));
        }

        /** The reason; empty if unknown. */
        String words() {
            return crowding.map(Crowding::text).orElse("");
        }
    }

    /** Measures and watches. */
    Seen observe(Set<Long> watched, Supplier<Measured> run);

    /** The actual machine. */
    static Machine real() {
        return (watched, run) -> {
            CrowdWatch watch = CrowdWatch.start(watched);
            Optional<Crowding> crowding;
            Measured measured;
            try {
                measured = run.get();
            } finally {
                crowding = watch.stop();
            }
            long startAt = ReportAccess.of(measured).result().span().startAt();
            return new Seen(measured, crowding.map(seen -> seen.since(startAt)));
        };
    }
}
