package dev.downbeat.compare;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Recording;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.PercentText;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.change.ShareChange;
import dev.downbeat.stats.level.LevelChange;
import dev.downbeat.stats.level.LevelChanges;
import dev.downbeat.stats.level.LevelChanges.LevelRun;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The builds of a service in order of time, and the lasting changes of its response times. Immutable.
 *
 * @param builds builds comparable with the newest
 * @param leftOut why other builds are not
 * @param newestLeftOut why the newest of all builds is not; empty if it is
 * @param series one for each judged percentile, ascending; empty if there are too few builds
 * @param notJudged the other percentiles; empty if there are too few builds
 */
public record History(
        List<Build> builds,
        List<Incomparable> leftOut,
        Optional<Incomparable> newestLeftOut,
        List<OfPercentile> series,
        List<NotJudged> notJudged) {
    private static final List<Double> PERCENTILES = Percentiles.of(Percentiles.Place.DECIDING);

    /** The probability of finding a change in a history without one, over all percentiles. */
    private static final double ERROR = 0.02;

    /**
     * One percentile over all builds.
     *
     * @param percentile above 0, below 100
     * @param nanos value of each build over all its runs
     * @param levels the levels found
     */
    public record OfPercentile(double percentile, List<Long> nanos, LevelChanges levels) {
        public OfPercentile {
            nanos = List.copyOf(nanos);
        }
    }

    /**
     * A percentile for which too many builds are too short.
     *
     * @param percentile above 0, below 100
     * @param isRequested whether the user requested it
     * @param why the reason, as a sentence about the percentile
     */
    public record NotJudged(double percentile, boolean isRequested, String why) {
        /** "p99 was not judged: the newest build has 200 of the 500 requests it needs". */
        public String text() {
            return Percentiles.name(percentile) + " was not judged: " + why;
        }

        /** The newest build, and at least half of all, must have enough requests. */
        private static Optional<NotJudged> of(double percentile, boolean isRequested, List<Build> builds) {
            long needed = ResponseBounds.neededFor(percentile);
            long newest = mostRequests(builds.get(builds.size() - 1));
            long enough = builds.stream()
                    .filter(build -> mostRequests(build) >= needed)
                    .count();
            String requests = Numbers.count(needed) + " requests it needs";
            if (newest < needed) {
                return Optional.of(new NotJudged(
                        percentile,
                        isRequested,
                        "the newest build has " + Numbers.count(newest) + " of the " + requests));
            }
            return enough >= LevelChanges.LEAST_BUILDS && 2 * enough >= builds.size()
                    ? Optional.empty()
                    : Optional.of(new NotJudged(
                            percentile,
                            isRequested,
                            enough + " of " + Numbers.count(builds.size(), "build") + " have the " + requests));
        }

        private static long mostRequests(Build build) {
            return build.runs().stream().mapToLong(History::requests).max().orElse(0);
        }
    }

    /**
     * A change of one percentile.
     *
     * @param percentile above 0, below 100
     * @param change place and size
     */
    public record Found(double percentile, LevelChange change) {
        /** Whether it became slower. */
        public boolean isRise() {
            return change.change() > 0;
        }
    }

    public History {
        builds = List.copyOf(builds);
        leftOut = List.copyOf(leftOut);
        series = List.copyOf(series);
        notJudged = List.copyOf(notJudged);
    }

    /**
     * Searches for changes. If the newest build fails and is slower than all others, it is left out, unless it is on the
     * level of a rise that began with another that fails.
     *
     * @param all builds in order of time, at least one
     * @param requested percentiles, each above 0 and below 100; if empty, p50, p90 and p99
     * @param acceptUnsound whether unsound runs count
     */
    public static History of(List<Build> all, List<Double> requested, boolean acceptUnsound) {
        List<Incomparable> leftOut = new ArrayList<>();
        List<Build> sound = without(run -> problemOf(run, acceptUnsound), all, leftOut);
        List<Build> alike =
                without(run -> unlike(run, sound.get(sound.size() - 1).runs().get(0)), sound, leftOut);
        List<Double> percentiles = (requested.isEmpty() ? PERCENTILES : requested)
                .stream().sorted().toList();
        Failing failing = Failing.of(alike);
        List<Build> known = without(run -> uncertain(run, alike, failing, percentiles), alike, leftOut);
        Build last = all.get(all.size() - 1);
        boolean isLastKnown =
                !known.isEmpty() && known.get(known.size() - 1).name().equals(last.name());
        if (!isLastKnown) {
            Optional<Incomparable> why = problemOf(last, acceptUnsound)
                    .or(() -> last.runs().stream()
                            .flatMap(run -> uncertain(run, alike, failing, percentiles).stream())
                            .findFirst());
            return judged(known, leftOut, why, percentiles, !requested.isEmpty());
        }
        History history = judged(known, leftOut, Optional.empty(), percentiles, !requested.isEmpty());
        Function<Build, Optional<Incomparable>> failure = build -> failure(build, alike, failing, percentiles);
        Optional<Incomparable> why = failure.apply(known.get(known.size() - 1));
        Predicate<Build> fails = build -> failure.apply(build).isPresent();
        if (why.isEmpty() || (history.hasRisenTo(fails) && !history.isNewestAbove())) {
            return history;
        }
        leftOut.add(why.get());
        History without = judged(known.subList(0, known.size() - 1), leftOut, why, percentiles, !requested.isEmpty());
        // a rise that only the newest build confirms still counts
        return history.hasRisenTo(fails) && !without.hasRisenTo(fails) ? history : without;
    }

    private static History judged(
            List<Build> known,
            List<Incomparable> leftOutBefore,
            Optional<Incomparable> newestLeftOut,
            List<Double> percentiles,
            boolean isRequested) {
        List<Incomparable> leftOut = new ArrayList<>(leftOutBefore);
        List<NotJudged> notJudged = new ArrayList<>();
        List<Double> judged = new ArrayList<>();
        if (known.size() >= LevelChanges.LEAST_BUILDS) {
            percentiles.forEach(percentile -> NotJudged.of(percentile, isRequested, known)
                    .ifPresentOrElse(notJudged::add, () -> judged.add(percentile)));
        }
        List<Build> kept = without(run -> tooShort(run, judged), known, leftOut);
        int older = Math.max(0, kept.size() - LevelChanges.MOST_BUILDS);
        if (older > 0) {
            leftOut.add(new Incomparable(
                    Incomparable.Kind.OLDER,
                    Numbers.count(older, "older build") + ": the newest " + LevelChanges.MOST_BUILDS
                            + " are compared"));
        }
        List<Build> builds = kept.subList(older, kept.size());
        return new History(
                builds,
                leftOut,
                newestLeftOut,
                builds.size() < LevelChanges.LEAST_BUILDS ? List.of() : series(builds, judged),
                notJudged);
    }

    /** Whether the newest build is an outlier above the last level of a percentile. */
    private boolean isNewestAbove() {
        int newest = builds.size() - 1;
        return series.stream()
                .anyMatch(one -> one.levels().outliers().contains(newest)
                        && one.nanos().get(newest)
                                > LevelChange.nanos(one.levels().level(newest)));
    }

    /** Whether a percentile's last change is a rise that began with such a build. */
    private boolean hasRisenTo(Predicate<Build> isFailing) {
        return regressions(Double.NEGATIVE_INFINITY, -1).stream()
                .anyMatch(found -> isFailing.test(builds.get(found.change().at())));
    }

    /** The builds without the runs that have a problem, which {@code leftOut} receives. */
    private static List<Build> without(
            Function<ComparedRun, Optional<Incomparable>> problem, List<Build> builds, List<Incomparable> leftOut) {
        List<Build> kept = new ArrayList<>();
        for (Build build : builds) {
            List<ComparedRun> runs = new ArrayList<>();
            for (ComparedRun run : build.runs()) {
                problem.apply(run).ifPresentOrElse(leftOut::add, () -> runs.add(run));
            }
            if (!runs.isEmpty()) {
                kept.add(new Build(build.name(), build.started(), runs));
            }
        }
        return kept;
    }

    private static List<OfPercentile> series(List<Build> builds, List<Double> percentiles) {
        List<Distribution> totals = builds.stream()
                .map(build -> build.side().total().responseAtLeast())
                .toList();
        return percentiles.stream()
                .map(percentile -> new OfPercentile(
                        percentile,
                        totals.stream()
                                .map(total -> total.valueAtPercentile(percentile))
                                .toList(),
                        LevelChanges.of(
                                builds.stream()
                                        .map(build -> levelRuns(build, percentile))
                                        .toList(),
                                ERROR / percentiles.size())))
                .toList();
    }

    private static List<LevelRun> levelRuns(Build build, double percentile) {
        return build.runs().stream()
                .map(run -> {
                    List<Distribution> stretches = run.stretches().stream()
                            .map(Recording::responseAtLeast)
                            .toList();
                    return LevelRun.of(stretches, percentile);
                })
                .toList();
    }

    /** The same history with one more reason why builds were left out. */
    public History withLeftOut(Optional<Incomparable> why) {
        List<Incomparable> all = new ArrayList<>(why.stream().toList());
        all.addAll(leftOut);
        return new History(builds, all, newestLeftOut, series, notJudged);
    }

    /** All changes, newest first; of several at one build, the one of the lowest percentile. */
    public List<Found> changes() {
        List<Found> found = new ArrayList<>();
        for (OfPercentile one : series) {
            one.levels().changes().forEach(change -> found.add(new Found(one.percentile(), change)));
        }
        found.sort(Comparator.<Found>comparingInt(one -> -one.change().at()).thenComparingDouble(Found::percentile));
        return found;
    }

    /** Index of the build with this name or prefix; empty if none or several match. */
    public OptionalInt indexOf(String name) {
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < builds.size(); i++) {
            if (builds.get(i).name().equals(name)) {
                return OptionalInt.of(i);
            }
            if (builds.get(i).name().startsWith(name)) {
                places.add(i);
            }
        }
        return places.size() == 1 ? OptionalInt.of(places.get(0)) : OptionalInt.empty();
    }

    /**
     * The last change of each percentile, if it made the percentile slower.
     *
     * @param tolerance the slowdown that must certainly (95 %) be exceeded; 0.1 is 10 %
     * @param since changes up to this build are known; -1 if none is
     */
    public List<Found> regressions(double tolerance, int since) {
        List<Found> worse = new ArrayList<>();
        for (OfPercentile one : series) {
            List<LevelChange> changes = one.levels().changes();
            if (!changes.isEmpty()) {
                LevelChange last = changes.get(changes.size() - 1);
                if (last.until() > since && last.change() > 0 && last.low() > tolerance) {
                    worse.add(new Found(one.percentile(), last));
                }
            }
        }
        return worse;
    }

    /**
     * The exit code: missed if the last change of a percentile made it slower; unsound if the history is inconclusive,
     * a requested percentile was not judged, or the newest build was left out.
     *
     * @param tolerance as in {@link #regressions}
     * @param since as in {@link #regressions}
     */
    public int exitCode(double tolerance, int since) {
        if (series.isEmpty()) {
            return ExitCode.UNSOUND;
        }
        if (!regressions(tolerance, since).isEmpty()) {
            return ExitCode.MISSED;
        }
        return newestLeftOut.isPresent() || notJudged.stream().anyMatch(NotJudged::isRequested)
                ? ExitCode.UNSOUND
                : ExitCode.MET;
    }

    /** The number of builds after one of {@link #builds}, including the newest if it was left out. */
    public int buildsSince(int build) {
        return builds.size() - 1 - build + (newestLeftOut.isPresent() ? 1 : 0);
    }

    /** Why no run of a build counts: the most serious reason. */
    private static Optional<Incomparable> problemOf(Build build, boolean acceptUnsound) {
        List<Incomparable> problems = build.runs().stream()
                .flatMap(run -> problemOf(run, acceptUnsound).stream())
                .toList();
        return problems.stream()
                .filter(problem -> !problem.kind().isAboutMachine())
                .findFirst()
                .or(() -> problems.stream().findFirst());
    }

    /** A problem of a run itself. Unsteady runs count, since the history measures the variation between runs. */
    private static Optional<Incomparable> problemOf(ComparedRun run, boolean acceptUnsound) {
        if (run.total().response().isEmpty()) {
            return Optional.of(new Incomparable(
                    Incomparable.Kind.NOTHING_ANSWERED, "no request of " + run.name() + " was answered"));
        }
        return run.doubts().stream()
                .filter(doubt -> !acceptUnsound && doubt.kind() != Incomparable.Kind.UNSTEADY)
                .findFirst();
    }

    /**
     * Why a percentile of a run is known too poorly to compare: too many requests timed out, or failed where those of
     * other runs did not, so its true value could exceed all others. Empty if even its lower bound does, which is a
     * rise in any case. Runs that are all like that are compared.
     */
    private static Optional<Incomparable> uncertain(
            ComparedRun run, List<Build> all, Failing failing, List<Double> percentiles) {
        Recording total = run.total();
        boolean isFailing = failing.runs().contains(run);
        return percentiles.stream()
                .filter(percentile -> (isFailing || !total.isKnownAt(percentile))
                        && ResponseBounds.hasEnoughFor(percentile, requests(run))
                        && atLeastNanos(total, percentile) <= mostKnownNanos(all, failing, percentile))
                .findFirst()
                .map(percentile -> total.isKnownAt(percentile) ? failing.more(run) : lowerBound(run, percentile));
    }

    /** Why a build that is slower than all others may not merely be slow: its requests fail where others' do not. */
    private static Optional<Incomparable> failure(
            Build build, List<Build> all, Failing failing, List<Double> percentiles) {
        return build.runs().stream()
                .flatMap(run -> failing.runs().contains(run)
                        ? Stream.of(failing.more(run))
                        : percentiles.stream()
                                .filter(percentile -> !run.total().isKnownAt(percentile)
                                        && ResponseBounds.hasEnoughFor(percentile, requests(run))
                                        && mostKnownNanos(all, failing, percentile) > Long.MIN_VALUE)
                                .map(percentile -> lowerBound(run, percentile)))
                .findFirst();
    }

    private static Incomparable lowerBound(ComparedRun run, double percentile) {
        return new Incomparable(
                Incomparable.Kind.LOWER_BOUND,
                Percentiles.name(percentile) + " of " + run.name() + " is only known to be at least "
                        + DurationText.rounded(atLeastNanos(run.total(), percentile)) + ": " + Failing.text(run)
                        + " of its requests failed");
    }

    /**
     * The runs with so many failures that the times of their other requests are not comparable.
     *
     * @param least the run with the smallest share of failures
     * @param runs those with more than twice its share, materially and not by chance
     */
    private record Failing(Optional<ComparedRun> least, Set<ComparedRun> runs) {
        /** The least relevant difference: one request in a hundred. */
        private static final double MATERIAL = 0.01;

        static Failing of(List<Build> builds) {
            List<ComparedRun> all =
                    builds.stream().flatMap(build -> build.runs().stream()).toList();
            Optional<ComparedRun> least = all.stream().min(Comparator.comparingDouble(Failing::share));
            Set<ComparedRun> more = Collections.newSetFromMap(new IdentityHashMap<>());
            least.ifPresent(best -> {
                double limit = 2 * share(best) + MATERIAL;
                all.stream()
                        .filter(run -> share(run) > limit
                                && ShareChange.of(
                                                alone(best).failures(),
                                                alone(run).failures(),
                                                false,
                                                1)
                                        .isMore())
                        .forEach(more::add);
            });
            return new Failing(least, more);
        }

        private static double share(ComparedRun run) {
            Recording total = run.total();
            return (double) ComparedRun.notAnswered(total) / Math.max(1, ComparedRun.planned(total));
        }

        static String text(ComparedRun run) {
            return PercentText.of(share(run));
        }

        Incomparable more(ComparedRun run) {
            return new Incomparable(
                    Incomparable.Kind.FAILS_MORE,
                    text(run) + " of the requests of " + run.name() + " failed, "
                            + least.map(best -> text(best) + " of those of " + best.name())
                                    .orElseThrow()
                            + ": times of the rest do not compare");
        }
    }

    /** Why a run has too few requests for one of these percentiles, ascending; the highest needs the most. */
    private static Optional<Incomparable> tooShort(ComparedRun run, List<Double> percentiles) {
        return percentiles.stream()
                .reduce((lower, higher) -> higher)
                .filter(highest -> !ResponseBounds.hasEnoughFor(highest, requests(run)))
                .map(highest -> new Incomparable(
                        Incomparable.Kind.TOO_SHORT,
                        run.name() + " has " + Numbers.count(requests(run), "request") + ", too few for "
                                + Percentiles.name(highest) + ", which needs "
                                + Numbers.count(ResponseBounds.neededFor(highest))));
    }

    private static long requests(ComparedRun run) {
        return run.total().responseAtLeast().count();
    }

    private static long mostKnownNanos(List<Build> all, Failing failing, double percentile) {
        return all.stream()
                .flatMap(build -> build.runs().stream())
                .filter(run -> !failing.runs().contains(run))
                .map(ComparedRun::total)
                .filter(total -> total.isKnownAt(percentile))
                .mapToLong(total -> atLeastNanos(total, percentile))
                .max()
                .orElse(Long.MIN_VALUE);
    }

    private static long atLeastNanos(Recording total, double percentile) {
        return total.responseAtLeast().valueAtPercentile(percentile);
    }

    private static ComparedSide alone(ComparedRun run) {
        return new ComparedSide(run.name(), List.of(run));
    }

    /** Why a run is not comparable with the newest. */
    private static Optional<Incomparable> unlike(ComparedRun run, ComparedRun newest) {
        return Comparability.differences(alone(newest), alone(run)).stream()
                .findFirst()
                .map(why -> new Incomparable(why.kind(), run.name() + ", unlike the newest: " + why.text()));
    }
}
