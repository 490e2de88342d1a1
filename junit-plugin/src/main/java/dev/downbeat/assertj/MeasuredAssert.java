package dev.downbeat.assertj;

import dev.downbeat.compare.ComparedNames;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.ComparedSide;
import dev.downbeat.compare.Comparison;
import dev.downbeat.compare.Gate;
import dev.downbeat.compare.Host;
import dev.downbeat.exchange.FileFailures;
import dev.downbeat.load.Measured;
import dev.downbeat.load.Objective;
import dev.downbeat.report.data.ReportAccess;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.SavedRun;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.AbstractDurationAssert;
import org.assertj.core.api.Assertions;

/**
 * Assertions on the result of a load.
 *
 * <pre>{@code
 * assertThat(orders).isSound().meets("p99<50ms", "errors<0.1%");
 * assertThat(orders).percentile(99.9).isLessThan(Duration.ofMillis(200));
 * }</pre>
 *
 * <p>Not thread-safe.
 */
public final class MeasuredAssert extends AbstractAssert<MeasuredAssert, Measured> {
    private MeasuredAssert(Measured actual) {
        super(actual, MeasuredAssert.class);
    }

    /** Entry point, for a static import. */
    public static MeasuredAssert assertThat(Measured actual) {
        return new MeasuredAssert(actual);
    }

    /**
     * Asserts that the times can be trusted.
     *
     * @throws AssertionError with the sentence if they cannot
     */
    public MeasuredAssert isSound() {
        isNotNull();
        if (!actual.isSound()) {
            failWithMessage("%s", actual.sentence());
        }
        return this;
    }

    /**
     * Asserts that objectives such as {@code p99<50ms} are met; an undecided objective is not met. As everywhere, {@code
     * errors<1%} must not be missed unless the errors or the rate have a limit.
     *
     * @throws IllegalArgumentException with one line that names the accepted forms
     * @throws AssertionError with the sentence if one was missed or undecided, or if the load was interrupted or its target
     *     broke
     */
    public MeasuredAssert meets(String... objectives) {
        isNotNull();
        if (objectives.length == 0) {
            throw new IllegalArgumentException("which objectives must be met? Such as \"p99<50ms\"");
        }
        return requireMet(actual.judgedBy(objectives));
    }

    /** Asserts that objectives are met; see {@link #meets(String...)}. */
    public MeasuredAssert meets(Objective first, Objective... more) {
        isNotNull();
        return requireMet(actual.judgedBy(first, more));
    }

    private MeasuredAssert requireMet(Measured judged) {
        RunReport report = ReportAccess.of(judged);
        if (report.result().isCutShort()
                || report.verdict().objectives().stream().anyMatch(MeasuredAssert::isOpenOrMissed)) {
            failWithMessage("%s", judged.sentence());
        }
        return this;
    }

    private static boolean isOpenOrMissed(JudgedObjective objective) {
        return objective.status() == JudgedObjective.Status.MISSED || objective.isOpen();
    }

    /**
     * The response time at a percentile, for further assertions. It is a lower bound if unfinished requests affect it.
     *
     * @param percentile from 0 to 100
     * @throws IllegalArgumentException if {@code percentile} is out of range
     * @throws AssertionError if there are too few requests for this percentile
     */
    public AbstractDurationAssert<?> percentile(double percentile) {
        isNotNull();
        Optional<Duration> time = actual.p(percentile);
        if (time.isEmpty()) {
            failWithMessage(
                    "%s", ResponseBounds.shortage(percentile, actual.response().count()));
        }
        return Assertions.assertThat(time.orElseThrow()).as("%s of %s", Percentiles.name(percentile), actual.name());
    }

    /**
     * Asserts that the result is not confidently slower than a saved run at any percentile, and has no higher failure
     * rate. Each request with an objective of its own ({@code place order: p99<80ms}) is also compared by name.
     *
     * @param saved a {@code .hlog} file, measured on this host at the same rate
     * @param tolerance accepted slowdown; 0.1 is 10 %, at least 0
     * @throws IllegalArgumentException if {@code tolerance} is out of range
     * @throws AssertionError if the result is slower, is worse in another way, or is not comparable
     * @throws UncheckedIOException if the file cannot be read
     */
    public MeasuredAssert isNotSlowerThan(Path saved, double tolerance) {
        isNotNull();
        if (!(tolerance >= 0) || Double.isInfinite(tolerance)) {
            throw new IllegalArgumentException("tolerance must be at least 0, but was " + tolerance);
        }
        try (BufferedReader lines = Files.newBufferedReader(saved, StandardCharsets.UTF_8)) {
            Comparison comparison = Comparison.of(
                    new ComparedSide(
                            saved.toString(),
                            List.of(SavedRun.read(lines, saved.toString()).compared())),
                    new ComparedSide(
                            "this run",
                            List.of(ComparedRun.of(
                                            "this run",
                                            ReportAccess.of(actual).analysis().observations(),
                                            ReportAccess.of(actual).verdict())
                                    .withHost(Host.of(ReportAccess.of(actual).machine())))));
            ComparedNames names = ComparedNames.of(comparison, namesWithObjectives());
            Gate gate = Gate.of(comparison, names, Gate.Question.within(tolerance));
            if (gate.decision() == Gate.Decision.NOT_COMPARABLE) {
                failWithMessage("%s", comparison.doubts().get(0).text());
            }
            if (comparison.isRegression(tolerance)) {
                failWithMessage(
                        "%s; compared with %s: %s",
                        actual.sentence(), saved, comparison.outcome().word());
            }
            for (String missing : names.onlyOther()) {
                failWithMessage("'%s' cannot be compared: %s has no request of this name", missing, saved);
            }
            for (String worse : gate.worseNames().keySet()) {
                failWithMessage("%s; '%s' is worse than in %s", actual.sentence(), worse, saved);
            }
        } catch (IOException unreadable) {
            throw FileFailures.unreadable(saved, unreadable);
        }
        return this;
    }

    private Set<String> namesWithObjectives() {
        return ReportAccess.of(actual).verdict().objectives().stream()
                .map(JudgedObjective::slo)
                .filter(ServiceLevelObjective.Named.class::isInstance)
                .map(slo -> ((ServiceLevelObjective.Named) slo).name())
                .collect(Collectors.toSet());
    }
}
