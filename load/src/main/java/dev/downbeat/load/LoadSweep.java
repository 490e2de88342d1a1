package dev.downbeat.load;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.RateRuns;
import dev.downbeat.capacity.RateSearch;
import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.exchange.SystemUnderTest;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.load.LoadSettings.Subject;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.data.WorkloadText;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.Numbers;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.caveat.RunDefect;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * A search for the highest rate that meets the objectives, like {@code downbeat sweep}:
 *
 * <pre>{@code
 * SustainedRate found = Load.perSecond(100)
 *         .duration(Duration.ofSeconds(20))
 *         .objectives("p99<20ms")
 *         .sweepTo(8_000)
 *         .run(Http.get("http://localhost:8080/orders"));
 * }</pre>
 *
 * <p>The rate rises in steps of 50 %, each with new connections, until the service fails or the highest rate is
 * reached. Then the search narrows the gap to 5 %, and longer runs confirm both ends.
 *
 * <p>Immutable: each setter returns a new sweep. Thread-safe, but run one at a time, like a {@link Load}. A null argument
 * throws a {@link NullPointerException}.
 */
public final class LoadSweep {
    private static final double SLOWEST_PER_SECOND = 0.001;
    private static final double FASTEST_PER_SECOND = 1e8;
    private static final Duration DEFAULT_BUDGET = Duration.ofMinutes(15);

    private final LoadSettings settings;
    private final double fromPerSecond;
    private final double toPerSecond;
    private final Duration budget;

    private LoadSweep(LoadSettings settings, double fromPerSecond, double toPerSecond, Duration budget) {
        this.settings = settings;
        this.fromPerSecond = fromPerSecond;
        this.toPerSecond = toPerSecond;
        this.budget = budget;
    }

    static LoadSweep of(LoadSettings settings, double toPerSecond) {
        double from = settings.shape
                .steadyPerSecond()
                .orElseThrow(() -> new IllegalArgumentException(
                        "sweepTo is for an open load at one rate, such as perSecond(500), but this is "
                                + settings.shape));
        refuse(
                toPerSecond < from || toPerSecond > FASTEST_PER_SECOND,
                "sweepTo must be from " + Numbers.rate(from) + ", the first rate, to 100M/s, but was "
                        + Numbers.rate(toPerSecond));
        refuse(
                settings.duration.toNanos() < SearchPlan.LEAST_STEP_NANOS,
                "the duration of each rate of a sweep must be at least 3s, but was "
                        + LoadSettings.text(settings.duration));
        refuse(
                from < SLOWEST_PER_SECOND || from * settings.duration.toNanos() < 1e9,
                "the first rate of a sweep must be at least 0.001/s and one request in a duration, but was "
                        + Numbers.rate(from));
        refuse(settings.rigour.isStrict(), "strict is for one load: a sweep always requires confidence");
        refuse(!settings.watches.isEmpty(), "watch is for one load: watch the highest rate in a load of its own");
        Duration least = leastBudget(settings);
        return new LoadSweep(settings, from, toPerSecond, least.compareTo(DEFAULT_BUDGET) > 0 ? least : DEFAULT_BUDGET);
    }

    /** Time for one rate, its confirmation, and the last responses of both. */
    private static Duration leastBudget(LoadSettings settings) {
        return settings.duration.multipliedBy(5);
    }

    private static void refuse(boolean isWrong, String message) {
        if (isWrong) {
            throw new IllegalArgumentException(message);
        }
    }

    /**
     * The time limit of the search without warm-ups; the default is 15 min, or five durations if they are longer. A
     * confirmation takes at least three durations, and a quarter of the budget, at most 60 s.
     *
     * @param limit at least five durations, at most 3650 days
     * @throws IllegalArgumentException if {@code limit} is out of range
     */
    public LoadSweep budget(Duration limit) {
        ArgumentChecks.aboveZero("budget", limit);
        refuse(
                limit.compareTo(leastBudget(settings)) < 0,
                "budget must be at least five durations, " + LoadSettings.text(leastBudget(settings))
                        + ", for a rate and its confirmation, but was " + LoadSettings.text(limit));
        return new LoadSweep(settings, fromPerSecond, toPerSecond, limit);
    }

    /**
     * Searches with blocking code, as {@link Load#run(BlockingCode)} measures it; its limit of calls in flight may be what
     * limits the rate. Interrupting this thread ends the search and returns the results so far, if there are any. Code that
     * certainly returns before its work is done is refused. If that is only possible, {@link Load#run(BlockingCode)}
     * reports it, but a search does not, so run one load first.
     *
     * @throws IllegalArgumentException if an objective names a request: code has no names
     * @throws LoadException if not even the first rate could be measured, or the code leaves work behind at any rate
     */
    public SustainedRate run(BlockingCode code) {
        return search(settings.blocking(code));
    }

    /**
     * Searches with code that completes a stage, as {@link Load#runAsync} measures it; otherwise like {@link
     * #run(BlockingCode)}.
     *
     * @throws IllegalArgumentException if an objective names a request: code has no names
     * @throws LoadException if not even the first rate could be measured
     */
    public SustainedRate runAsync(AsyncCode code) {
        return search(settings.async(code));
    }

    /**
     * Searches with a remote service, as {@link Load#run(SystemUnderTest)} measures it; otherwise like {@link
     * #run(BlockingCode)}. Its connections may be the limit; if a higher rate shows it, {@link SustainedRate#text} says so.
     *
     * @throws IllegalArgumentException as {@link Load#run(SystemUnderTest)}, or if rows of data are used once
     * @throws LoadException if not even the first rate could be measured, such as when nobody listens
     */
    public SustainedRate run(SystemUnderTest system) {
        return search(settings.system(system));
    }

    private SustainedRate search(Subject subject) {
        refuse(
                subject.isDataUsedOnce(),
                "each rate would begin with the first row of dataOnce: use data or randomData");
        LoadSettings drawn = subject.settings();
        SearchPlan plan = new SearchPlan(
                fromPerSecond,
                toPerSecond,
                settings.duration.toNanos(),
                budget.toNanos(),
                subject.objectives(),
                SearchPlan.PRECISION,
                OptionalLong.empty());
        boolean isRandom = settings.shape.isRandom();
        OptionalLong seed = isRandom ? OptionalLong.of(drawn.seed()) : OptionalLong.empty();
        RateRuns runs = new RateRuns(plan, seed, this::limitDrain, run -> subject.target());
        try {
            LoadSettings.LibraryWarmUp.once();
            Capacity capacity = new RateSearch(
                            plan, (rate, nanos) -> requireCompleteWork(runs.measure(rate, nanos)), step -> {})
                    .run();
            String seedText = drawn.seedText().orElse("");
            SweepReport report = new SweepReport(
                    capacity,
                    subject.target().describe(),
                    SweepReport.load(plan, isRandom, seedText) + ", " + conditions(subject),
                    List.of(),
                    seedText,
                    LoadSettings.version(),
                    LoadSettings.origin(),
                    false);
            return new SustainedRate(report, subject.reasons().first());
        } catch (IOException stopped) {
            throw new LoadException(
                    String.valueOf(stopped.getMessage()),
                    subject.reasons().first().orElse(stopped));
        }
    }

    /** What the caller set besides the rates, and the limits of code. */
    private String conditions(Subject subject) {
        Map<String, Object> details = settings.withWarmUp(subject.details());
        details.put("timeout", DurationText.format(settings.timeout.toNanos()));
        return details.entrySet().stream()
                .map(one -> WorkloadText.detail(one.getKey(), one.getValue()))
                .collect(Collectors.joining(", "));
    }

    private void limitDrain(RunPlan.Builder plan) {
        settings.applyTo(plan);
        boolean isLongTimeout = settings.timeout.compareTo(SearchPlan.LONGEST_DRAIN) > 0;
        plan.drain(isLongTimeout ? SearchPlan.LONGEST_DRAIN : settings.timeout);
    }

    /** Refuses the times of code that only starts its work: it would sustain any rate. */
    private static RunResult requireCompleteWork(RunResult run) {
        long left = run.counts().count(TargetCounts.LEFT_WORK);
        if (left > 0) {
            throw new LoadException(new RunDefect.WorkLeftBehind(left, true).text());
        }
        return run;
    }

    /** The load and the highest rate, such as {@code Poisson 500/s to 8,000/s, each for 10s}. */
    @Override
    public String toString() {
        return settings.shape + " to " + Numbers.rate(toPerSecond) + ", each for "
                + LoadSettings.text(settings.duration);
    }
}
