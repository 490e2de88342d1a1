package dev.downbeat.compare;

import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.change.QuantileChange;
import dev.downbeat.verdict.bound.ResponseIntervals;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds reasons why two sides are not comparable. */
final class Comparability {
    /** Rates that differ by more count as different loads. */
    private static final double RATE_TOLERANCE = 0.05;

    /** Poisson arrivals vary by chance; differences up to this many standard deviations do not count. */
    private static final double CHANCE = 4;

    private Comparability() {}

    static List<Incomparable> doubts(ComparedSide base, ComparedSide other) {
        List<Incomparable> doubts = common(base, other, rate(base, other));
        for (ComparedSide side : List.of(base, other)) {
            if (!isLongEnough(side)) {
                ComparedRun run = side.counted().get(0);
                doubts.add(new Incomparable(
                        Incomparable.Kind.TOO_SHORT,
                        run.name() + " is too short for intervals: " + length(run) + " of at least "
                                + QuantileChange.LEAST_SECONDS + "; measure longer, or use several runs"));
            }
        }
        return doubts;
    }

    /** The length of a run that is too short, or the number of its intervals if these are too few. */
    private static String length(ComparedRun run) {
        int stretches = run.stretches().size();
        boolean isShort = run.lengthNanos() < QuantileChange.LEAST_SECONDS * ResponseIntervals.LEAST_STRETCH_NANOS;
        return isShort ? stretches + " s" : Numbers.count(stretches, "interval");
    }

    static List<Incomparable> doubtsOfTurns(ComparedSide base, ComparedSide other) {
        List<Incomparable> doubts = common(base, other, meanRate(base, other));
        if (base.runs().size() < Comparison.LEAST_TURNS) {
            doubts.add(new Incomparable(
                    Incomparable.Kind.TOO_SHORT,
                    "only " + Numbers.count(base.runs().size(), "turn was", "turns were") + " measured: at least "
                            + Comparison.LEAST_TURNS + " are needed to tell a difference from chance"));
        }
        return doubts;
    }

    static boolean isLongEnough(ComparedSide side) {
        return hasAtLeast(QuantileChange.LEAST_SECONDS, side);
    }

    /** Whether enough seconds without incidents are left to detect a large difference. */
    static boolean hasEnoughLeft(ComparedSide calm) {
        return hasAtLeast(QuantileChange.LEAST_SECONDS_LEFT, calm);
    }

    private static boolean hasAtLeast(int seconds, ComparedSide side) {
        List<ComparedRun> counted = side.counted();
        return counted.size() > 1 || counted.get(0).stretches().size() >= seconds;
    }

    private static List<Incomparable> common(ComparedSide base, ComparedSide other, Optional<Incomparable> rate) {
        List<Incomparable> doubts = new ArrayList<>();
        for (ComparedSide side : List.of(base, other)) {
            boolean isAnAnswer = side == other && other.isOverloadedUnlike(base);
            side.runs()
                    .forEach(run -> run.doubts().stream()
                            .filter(doubt -> !(isAnAnswer && doubt.kind() == Incomparable.Kind.UNSTEADY))
                            .filter(doubt -> !doubt.kind().isWeighedByRow() && !doubts.contains(doubt))
                            .forEach(doubts::add));
        }
        doubts.addAll(differences(base, other, rate));
        for (ComparedSide side : List.of(base, other)) {
            boolean isKnown = side.runs().stream()
                    .flatMap(run -> run.doubts().stream())
                    .anyMatch(doubt -> doubt.kind() == Incomparable.Kind.NOTHING_ANSWERED);
            if (side.total().response().isEmpty() && !isKnown) {
                doubts.add(Incomparable.nothingAnswered(side.name()));
            }
        }
        return doubts;
    }

    /** Differences between separate runs in load and machine. */
    static List<Incomparable> differences(ComparedSide base, ComparedSide other) {
        return differences(base, other, rate(base, other));
    }

    private static List<Incomparable> differences(ComparedSide base, ComparedSide other, Optional<Incomparable> rate) {
        List<Incomparable> doubts = new ArrayList<>();
        workload(base, other, doubts);
        rate.ifPresent(doubts::add);
        load(base, other, doubts);
        host(base, other, doubts);
        return doubts;
    }

    private static Stream<ComparedRun> runs(ComparedSide base, ComparedSide other) {
        return Stream.of(base, other).flatMap(side -> side.runs().stream());
    }

    /** All runs must have been measured on the first run's host. */
    private static void host(ComparedSide base, ComparedSide other, List<Incomparable> doubts) {
        ComparedRun first = base.runs().get(0);
        runs(base, other)
                .filter(run -> !run.host().differenceTo(first.host()).isEmpty())
                .findFirst()
                .ifPresent(run -> doubts.add(new Incomparable(
                        Incomparable.Kind.DIFFERENT_HOST,
                        run.name() + " and " + first.name() + " ran in different environments ("
                                + run.host().differenceTo(first.host())
                                + "). Measure both in the same, preferably alternately")));
    }

    /** All runs must have requested the load of the first one. Kinds of loads are compared separately. */
    private static void load(ComparedSide base, ComparedSide other, List<Incomparable> doubts) {
        ComparedRun first = base.runs().get(0);
        runs(base, other)
                .filter(run -> run.workload().equals(first.workload()))
                .filter(run ->
                        !run.requestedLoad().differenceTo(first.requestedLoad()).isEmpty())
                .findFirst()
                .ifPresent(run -> doubts.add(new Incomparable(
                        Incomparable.Kind.DIFFERENT_LOAD,
                        "the loads of " + run.name() + " and " + first.name() + " differ ("
                                + run.requestedLoad().differenceTo(first.requestedLoad())
                                + "). Measure both with the same load")));
    }

    private static void workload(ComparedSide base, ComparedSide other, List<Incomparable> doubts) {
        List<String> kinds = runs(base, other)
                .map(ComparedRun::workload)
                .filter(kind -> !kind.isEmpty())
                .distinct()
                .sorted()
                .toList();
        if (kinds.size() > 1) {
            doubts.add(new Incomparable(
                    Incomparable.Kind.DIFFERENT_WORKLOAD,
                    "the workloads are of different kinds (" + String.join(", ", kinds)
                            + "): their response times are not comparable"));
        }
    }

    /** All separate runs must have the first known rate; a mean would hide unlike runs. */
    private static Optional<Incomparable> rate(ComparedSide base, ComparedSide other) {
        List<ComparedSide> known = runs(base, other)
                .filter(run -> run.ratePerSecond().isPresent())
                .map(run -> new ComparedSide(run.name(), List.of(run)))
                .toList();
        return known.stream()
                .skip(1)
                .flatMap(run -> meanRate(known.get(0), run).stream())
                .findFirst();
    }

    /** Turns alternate, so their means are compared, which vary less. */
    private static Optional<Incomparable> meanRate(ComparedSide base, ComparedSide other) {
        if (base.ratePerSecond().isEmpty() || other.ratePerSecond().isEmpty()) {
            return Optional.empty();
        }
        double one = base.ratePerSecond().getAsDouble();
        double two = other.ratePerSecond().getAsDouble();
        long least = Math.max(1, Math.min(ComparedRun.planned(base.total()), ComparedRun.planned(other.total())));
        double allowed = RATE_TOLERANCE + CHANCE * Math.sqrt(2.0 / least);
        return Math.abs(two - one) <= allowed * Math.max(one, two)
                ? Optional.empty()
                : Optional.of(new Incomparable(
                        Incomparable.Kind.DIFFERENT_LOAD,
                        "the loads differ: " + base.name() + " planned " + Numbers.rate(one) + ", " + other.name() + " "
                                + Numbers.rate(two) + ". Measure both at the same rate"));
    }
}
