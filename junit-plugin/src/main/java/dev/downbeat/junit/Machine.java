package dev.downbeat.junit;

import dev.downbeat.load.Measured;
import dev.downbeat.report.data.Reported;
import dev.downbeat.selfcheck.CrowdWatch;
import dev.downbeat.selfcheck.Crowding;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The machine that a load test runs on; in tests one on paper. */
@FunctionalInterface
interface Machine {
    /** What was measured, and what the machine did to anybody meanwhile, if it says so. */
    record Seen(Measured measured, Optional<Crowding> crowding) {
        /** Whether processes of others kept calls of any kind waiting. */
        boolean isCrowded() {
            return crowding.filter(Crowding::isCrowded).isPresent();
        }

        /** Whether what was missed may be their doing. */
        boolean isExcused() {
            return crowding.filter(seen -> Excuse.holds(measured, seen)).isPresent();
        }

        /** Why; empty if nobody knows. */
        String words() {
            return crowding.map(Crowding::text).orElse("");
        }
    }

    /** Measures and watches. */
    Seen beside(Set<Long> watched, Supplier<Measured> run);

    /** This one. */
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
            long startAt = Reported.of(measured).result().span().startAt();
            return new Seen(measured, crowding.map(seen -> seen.since(startAt)));
        };
    }
}
