package dev.downbeat.run.engine;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.Saturation;
import dev.downbeat.run.agenda.DueRequests;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Combined data of a run's generators after they have ended.
 *
 * @param generators at least one
 */
record GeneratorTotals(List<Generator> generators) {
    /** Downbeat's work after the last response, such as merging, is not part of the run. */
    long durationNanos(long startAt) {
        return generators.stream()
                .mapToLong(generator -> Math.max(0, generator.endedAt() - startAt))
                .max()
                .orElseThrow();
    }

    /** The error thrown by the target's code, if any. */
    Optional<String> failure() {
        return generators.stream()
                .map(Generator::failure)
                .filter(Objects::nonNull)
                .map(String::valueOf)
                .findFirst();
    }

    LaneCounts counts(long startAt) {
        List<Lane> lanes = generators.stream().map(Generator::lane).toList();
        List<DueRequests> schedules =
                generators.stream().map(Generator::schedule).toList();
        return new LaneCounts(
                lanes.stream().map(Lane::connections).reduce(ConnectionCounts.NONE, ConnectionCounts::plus),
                lanes.stream()
                        .map(Lane::counts)
                        .reduce(TargetCounts.NONE, TargetCounts::plus)
                        .later(-startAt),
                schedules.stream().mapToLong(DueRequests::peakBacklog).sum(),
                schedules.stream()
                        .max(Comparator.comparingLong(DueRequests::peakBacklog))
                        .orElseThrow()
                        .peakBacklogNanos(),
                generators.stream().map(Generator::saturation).reduce(Saturation.NONE, Saturation::plus));
    }

    Interruptions interruptions() {
        return generators.stream()
                .map(generator -> generator.books().interruptions())
                .reduce(Interruptions.UNKNOWN, Interruptions::beside);
    }

    KeptRequests kept() {
        KeptRequests kept = KeptRequests.NONE;
        long seen = 0;
        for (Generator generator : generators) {
            kept = kept.plus(
                    generator.books().keeper().kept(),
                    seen,
                    generator.books().keeper().seen());
            seen += generator.books().keeper().seen();
        }
        return kept;
    }
}
