package dev.downbeat.junit;

import dev.downbeat.load.ArrivalLaw;
import dev.downbeat.load.Arrivals;
import dev.downbeat.load.Load;
import dev.downbeat.report.file.UndecidedPolicy;
import dev.downbeat.run.OfferedRate;
import dev.downbeat.run.Stage;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * The configuration of a load test: its annotation with the build's overrides. Invalid values are rejected with one
 * line that names the test. Immutable.
 */
final class LoadTestSettings {
    private static final String DEFAULT_DURATION = "10s";
    private static final Duration LEAST_BUDGET = Duration.ofMinutes(1);
    private static final String UPDATE = "update";

    /** Policies for undecided objectives that only load tests have. */
    private static final Map<String, LoadTest.Undecided> UNDECIDED = Map.of(
            "fails-unless-machine-busy",
            LoadTest.Undecided.FAILS_UNLESS_MACHINE_BUSY,
            "aborts",
            LoadTest.Undecided.ABORTS);

    private static final String UNTIL_STEADY = "auto";

    /** Before each turn except the first in a build. */
    private static final Duration WARM_UP_OF_TURN = Duration.ofSeconds(1);

    private static final List<String> NEVER_ZERO = List.of("duration", "timeout");

    private final LoadTest test;
    private final BuildOverrides overrides;
    private final String name;
    private final String[] objectives;
    private final String rate;
    private final List<Stage> stages;
    private final Duration duration;
    private final Optional<Duration> warmUp;
    private final Duration timeout;
    private final Duration budget;
    private final LoadTest.Undecided undecided;
    private final UndecidedPolicy policy;
    private final String baseline;
    private final double slowerAtMost;

    LoadTestSettings(LoadTest test, BuildOverrides overrides, String name, String... objectives) {
        this.test = test;
        this.overrides = overrides;
        this.name = name;
        this.objectives = objectives.clone();
        Optional<BuildOverrides.SourcedValue> otherRate = overrides.get("rate");
        List<Stage> ofTest = Arrays.stream(test.stages())
                .map(each -> read("stages", () -> Stage.parse(each)))
                .toList();
        stages = otherRate.isPresent() ? List.of() : ofTest;
        rate = otherRate
                .map(value -> read(value.where(), () -> rate(value.text())))
                .orElseGet(() -> stages.isEmpty() ? rateOfTest() : "");
        duration = duration("duration", durationOfTest(ofTest));
        warmUp = givenWarmUp();
        timeout = duration("timeout", test.timeout());
        budget = duration("budget", test.budget().isEmpty() ? text(usualBudget()) : test.budget());
        policy = property("undecided", LoadTestSettings::policy).orElseGet(this::policyOfTest);
        undecided = property("undecided", text -> UNDECIDED.getOrDefault(text, LoadTest.Undecided.FAILS))
                .orElse(test.undecided());
        baseline = property("baseline", LoadTestSettings::baseline)
                .orElse(test.baseline().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        slowerAtMost = property("slowerAtMost", Double::parseDouble).orElse(test.slowerAtMost());
        check();
    }

    /** Empty for a warm-up until steady. */
    private Optional<Duration> givenWarmUp() {
        String text =
                overrides.get("warmUp").map(BuildOverrides.SourcedValue::text).orElse(test.warmUp());
        return text.equals(UNTIL_STEADY) ? Optional.empty() : Optional.of(duration("warmUp", test.warmUp()));
    }

    private String rateOfTest() {
        boolean isNumber = test.perSecond() != 0;
        if (test.rate().isEmpty()) {
            if (!isNumber) {
                throw refused("the rate is missing: rate = \"200/s\", perSecond = 200 or stages = \"30s:200/s\"");
            }
            return read("perSecond", () -> {
                Arrivals.perSecond(test.perSecond());
                return test.perSecond() + "/s";
            });
        }
        return read("rate", () -> rate(test.rate()));
    }

    private static String rate(String given) {
        OfferedRate read = OfferedRate.parse(given);
        if (read.isZero()) {
            throw new IllegalArgumentException("it must be above 0, but was '" + read.text() + "'");
        }
        return read.text();
    }

    /** Another rate does not change for how long the stages last. */
    private String durationOfTest(List<Stage> ofTest) {
        if (!test.duration().isEmpty()) {
            return test.duration();
        }
        return ofTest.isEmpty()
                ? DEFAULT_DURATION
                : text(ofTest.stream().map(Stage::duration).reduce(Duration.ZERO, Duration::plus));
    }

    /** Enough for the first run and one of double length. */
    private Duration usualBudget() {
        Duration both = duration.multipliedBy(3).plus(warmUp().multipliedBy(2));
        return both.compareTo(LEAST_BUDGET) > 0 ? both : LEAST_BUDGET;
    }

    private void check() {
        int ways =
                (test.rate().isEmpty() ? 0 : 1) + (test.perSecond() == 0 ? 0 : 1) + (test.stages().length == 0 ? 0 : 1);
        if (ways > 1) {
            throw refused("rate, perSecond and stages are mutually exclusive: use one");
        }
        if (test.stages().length != 0 && !test.duration().isEmpty()) {
            throw refused("stages set the duration: remove duration = \"" + test.duration() + "\"");
        }
        if (!(slowerAtMost >= 0) || Double.isInfinite(slowerAtMost)) {
            throw refused("slowerAtMost must be at least 0, but was " + slowerAtMost);
        }
        if (test.inFlight() < 0) {
            throw refused("inFlight must be at least 0, but was " + test.inFlight());
        }
        load(duration);
        try {
            ServiceLevelObjective.Named.refuseUnknown(
                    Arrays.stream(objectives).map(ServiceLevelObjective::parse).toList(), List.of());
        } catch (IllegalArgumentException refused) {
            throw refused(String.valueOf(refused.getMessage()));
        }
    }

    private UndecidedPolicy policyOfTest() {
        int most = test.failsAfter();
        if (most != 0 && test.undecided() != LoadTest.Undecided.PASSES) {
            throw refused("failsAfter is for undecided = PASSES, but undecided was " + test.undecided());
        }
        if (most < 0 || most > UndecidedPolicy.MOST_COUNTED) {
            throw refused("failsAfter must be from 0 to " + UndecidedPolicy.MOST_COUNTED + ", but was " + most);
        }
        if (test.undecided() != LoadTest.Undecided.PASSES) {
            return UndecidedPolicy.FAILS;
        }
        return most == 0 ? UndecidedPolicy.PASSES : new UndecidedPolicy(most);
    }

    private static UndecidedPolicy policy(String text) {
        return UNDECIDED.containsKey(text)
                ? UndecidedPolicy.FAILS
                : UndecidedPolicy.parse(text, "fails-unless-machine-busy", "aborts");
    }

    private static String baseline(String text) {
        List<String> known = List.of("required", "when-comparable", "off", UPDATE, "add");
        if (!known.contains(text)) {
            throw new IllegalArgumentException(
                    "it must be one of " + String.join(", ", known) + ", but was '" + text + "'");
        }
        return text;
    }

    private <T> Optional<T> property(String key, Function<String, T> reading) {
        return overrides.get(key).map(value -> read(value.where(), () -> reading.apply(value.text())));
    }

    private Duration duration(String key, String ofTest) {
        Optional<BuildOverrides.SourcedValue> value = overrides.get(key);
        String where = value.map(BuildOverrides.SourcedValue::where).orElse(key);
        String text = value.map(BuildOverrides.SourcedValue::text).orElse(ofTest);
        return read(where, () -> {
            long nanos = DurationText.parseNanos(text);
            if (nanos == 0 && NEVER_ZERO.contains(key)) {
                throw new IllegalArgumentException("it must be above 0, but was '" + text + "'");
            }
            return Duration.ofNanos(nanos);
        });
    }

    private <T> T read(String where, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (NumberFormatException none) {
            throw refused(where + ": it must be a number");
        } catch (IllegalArgumentException refused) {
            throw refused(where + ": " + refused.getMessage());
        }
    }

    private ExtensionConfigurationException refused(String why) {
        return new ExtensionConfigurationException("@LoadTest " + name + ": " + why);
    }

    private static String text(Duration length) {
        return DurationText.word(length.toNanos());
    }

    /** The load for a given length: ramps and stages are stretched to it. */
    Load load(Duration length) {
        try {
            Load load = Load.open(
                            test.arrivals() == ArrivalLaw.POISSON
                                    ? arrivals(length)
                                    : arrivals(length).evenly())
                    .seed(test.seed())
                    .named(name)
                    .duration(length)
                    .timeout(timeout)
                    .objectives(objectives);
            Load warm = warmUp.map(load::warmUp).orElseGet(load::warmUpUntilSteady);
            return test.inFlight() == 0 ? warm : warm.inFlight(test.inFlight());
        } catch (IllegalArgumentException refused) {
            throw refused(String.valueOf(refused.getMessage()));
        }
    }

    private Arrivals arrivals(Duration length) {
        if (stages.isEmpty()) {
            return OfferedRate.parse(rate).isRamp() ? Arrivals.stages(text(length) + ":" + rate) : Arrivals.rate(rate);
        }
        double all =
                stages.stream().mapToDouble(stage -> stage.duration().toNanos()).sum();
        double stretch = length.toNanos() / all;
        return Arrivals.stages(stages.stream()
                .map(stage ->
                        new Stage(Duration.ofNanos(Math.round(stage.duration().toNanos() * stretch)), stage.rate()))
                .map(Stage::text)
                .toArray(String[]::new));
    }

    /** A slice of the load for one of several turns, each with its own times; after the first turn the code is warm. */
    Load slice(int turn, int turns) {
        Load slice = load(duration.dividedBy(turns)).seed(test.seed() + turn);
        return turn > 0 && warmUp.isEmpty() ? slice.warmUp(WARM_UP_OF_TURN) : slice;
    }

    /** The length of the warm-up; zero if it depends on the service. */
    Duration warmUp() {
        return warmUp.orElse(Duration.ZERO);
    }

    Duration turnLength(int turns) {
        return duration.dividedBy(turns).plus(warmUp.orElse(WARM_UP_OF_TURN));
    }

    /** A description: {@code 200/s for 20 s}. */
    String words(Duration length) {
        String load = stages.isEmpty()
                ? rate
                : String.join(", ", stages.stream().map(Stage::text).toList());
        return load + " for " + DurationText.format(length.toNanos());
    }

    Duration duration() {
        return duration;
    }

    Duration budget() {
        return budget;
    }

    boolean isUndecidedAborted() {
        return undecided == LoadTest.Undecided.ABORTS;
    }

    /** Whether the last of this many undecided runs in a row passes. */
    boolean passesUndecided(boolean isCrowded, int inARow) {
        return policy.passes(inARow) || (undecided == LoadTest.Undecided.FAILS_UNLESS_MACHINE_BUSY && isCrowded);
    }

    double slowerAtMost() {
        return slowerAtMost;
    }

    boolean isBaselineRequired() {
        return baseline.equals("required");
    }

    boolean isBaselineOff() {
        return baseline.equals("off");
    }

    boolean replacesBaseline() {
        return baseline.equals(UPDATE);
    }

    boolean addsBaseline() {
        return baseline.equals("add");
    }
}
