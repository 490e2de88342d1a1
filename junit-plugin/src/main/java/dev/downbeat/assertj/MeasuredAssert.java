package dev.downbeat.assertj;

import dev.downbeat.load.Measured;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.SavedRun;
import dev.downbeat.verdict.ComparedRun;
import dev.downbeat.verdict.ComparedSide;
import dev.downbeat.verdict.Comparison;
import dev.downbeat.verdict.PercentileName;
import dev.downbeat.verdict.Slo;
import dev.downbeat.verdict.Verdict;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.AbstractDurationAssert;
import org.assertj.core.api.Assertions;

/**
 * Assertions on what a load showed.
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

    /** Begins a sentence; for a static import. */
    public static MeasuredAssert assertThat(Measured actual) {
        return new MeasuredAssert(actual);
    }

    /** Insists that the numbers can be believed. */
    public MeasuredAssert isSound() {
        isNotNull();
        if (actual.verdict().measurement() != Verdict.Measurement.SOUND) {
            failWithMessage("%s", actual.sentence());
        }
        return this;
    }

    /**
     * Insists on objectives, such as {@code p99<50ms}; one that the data do not decide is not met.
     *
     * @throws IllegalArgumentException with one line that says what is accepted
     */
    public MeasuredAssert meets(String... objectives) {
        isNotNull();
        List<Slo> slos = Arrays.stream(objectives).map(Slo::parse).toList();
        RunReport report = actual.report();
        Verdict verdict = Verdict.of(report.result(), slos);
        if (verdict.service() != Verdict.Service.MET) {
            RunReport judged = new RunReport(
                    report.result(),
                    verdict,
                    report.command(),
                    report.seed(),
                    report.version(),
                    report.machine(),
                    report.details(),
                    report.queue());
            failWithMessage("%s", new Measured(judged, actual.firstFailure()).sentence());
        }
        return this;
    }

    /**
     * The response time at a percentile, as a duration to insist on; at least that, where requests were not seen to end.
     *
     * @param percentile from 0 to 100
     */
    public AbstractDurationAssert<?> percentile(double percentile) {
        isNotNull();
        return Assertions.assertThat(Duration.ofNanos(actual.response().valueAtPercentile(percentile)))
                .as(
                        "%s of %s",
                        PercentileName.of(percentile), actual.report().result().target());
    }

    /**
     * Insists that it is not surely slower, at any percentile, than a run that was saved, and does not fail more.
     *
     * @param saved a {@code .hlog}, measured on this host at the same rate
     * @param tolerance how much slower is no regression; 0.1 is a tenth
     */
    public MeasuredAssert isNotSlowerThan(Path saved, double tolerance) {
        isNotNull();
        try (BufferedReader lines = Files.newBufferedReader(saved, StandardCharsets.UTF_8)) {
            Comparison comparison = Comparison.of(
                    new ComparedSide(
                            saved.toString(),
                            List.of(SavedRun.read(lines, saved.toString()).compared())),
                    new ComparedSide(
                            "this run",
                            List.of(ComparedRun.of("this run", actual.report().result(), actual.verdict()))));
            if (!comparison.doubts().isEmpty()) {
                failWithMessage("%s", comparison.doubts().get(0).text());
            }
            if (comparison.isRegression(tolerance)) {
                failWithMessage(
                        "%s is %s than %s",
                        actual.sentence(), comparison.outcome().word(), saved);
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return this;
    }
}
