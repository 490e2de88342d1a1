package dev.downbeat.compare;

import dev.downbeat.event.Overload;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Recording;
import dev.downbeat.stats.change.ShareChange;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One of two systems that are compared.
 *
 * @param name as a reader may call it
 * @param runs of it; at least one
 */
public record ComparedSide(String name, List<ComparedRun> runs) {
    /** Copies the list; refuses none. */
    public ComparedSide {
        runs = List.copyOf(runs);
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("runs must be at least 1, but was 0");
        }
    }

    /** The same of the requests of one name alone. */
    ComparedSide named(String request) {
        return new ComparedSide(
                name, runs.stream().map(run -> run.named(request)).toList());
    }

    /** Everything counted in all runs. */
    public Recording total() {
        return runs.stream().map(ComparedRun::total).reduce(Recording.empty(), Recording::plus);
    }

    /** The mean of the runs' intended rates; empty if one is not known. */
    public OptionalDouble ratePerSecond() {
        return runs.stream().allMatch(run -> run.ratePerSecond().isPresent())
                ? runs.stream()
                        .mapToDouble(run -> run.ratePerSecond().orElse(0))
                        .average()
                : OptionalDouble.empty();
    }

    /** The worst phase of all runs in which the service answered less than it was asked; empty if there was none. */
    public Optional<Overload> overload() {
        return runs.stream()
                .flatMap(run -> run.calm().stream())
                .flatMap(calm -> calm.overload().stream())
                .max(Comparator.comparingDouble(Overload::missingShare));
    }

    /** Whether it answers less than it is asked, and the base does not. */
    boolean isOverloadedUnlike(ComparedSide base) {
        return overload().isPresent() && base.overload().isEmpty();
    }

    /** The least the response times can have been, by run and stretch. */
    List<List<Distribution>> times() {
        return runs.stream()
                .map(run ->
                        run.stretches().stream().map(Recording::responseAtLeast).toList())
                .toList();
    }

    /** The same without the seconds in which there were incidents. */
    ComparedSide calm() {
        return new ComparedSide(
                name, runs.stream().map(ComparedRun::withoutIncidents).toList());
    }

    /** What was not answered, of all: by run if there are several, else by stretch. */
    ShareChange.Side failures() {
        boolean isOneRun = runs.size() == 1;
        List<Recording> blocks = isOneRun
                ? runs.get(0).stretches()
                : runs.stream().map(ComparedRun::total).toList();
        return new ShareChange.Side(
                blocks.stream()
                        .map(block -> new ShareChange.Tally(ComparedRun.notAnswered(block), ComparedRun.planned(block)))
                        .toList(),
                isOneRun);
    }
}
