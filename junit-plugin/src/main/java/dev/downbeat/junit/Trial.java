package dev.downbeat.junit;

import dev.downbeat.load.Arrivals;
import dev.downbeat.load.BlockingCode;
import dev.downbeat.load.Load;
import dev.downbeat.load.Measured;
import dev.downbeat.load.Verdict;
import dev.downbeat.time.DurationText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** One load test: measures until something can be said, saves it, and says it. Use once. */
final class Trial {
    private final LoadTest test;
    private final String[] objectives;
    private final BlockingCode code;
    private final ExtensionContext context;

    Trial(LoadTest test, String[] objectives, BlockingCode code, ExtensionContext context) {
        this.test = test;
        this.objectives = objectives;
        this.code = code;
        this.context = context;
    }

    /** Throws unless every objective was met, and nothing is surely slower than in the baseline. */
    void decide() throws IOException {
        double tolerance = tolerance();
        Measured measured = measured();
        Reports reports = new Reports(context);
        Path report = reports.save(measured);
        Optional<Baseline.Finding> baseline = baseline(reports.baseline(), measured, tolerance);
        String said = measured.sentence()
                + baseline.map(finding -> "; " + finding.sentence()).orElse("") + "; report: " + report;
        if (measured.verdict() == Verdict.MISSED || baseline.stream().anyMatch(Baseline.Finding::isSlower)) {
            throw new AssertionFailedError(said, measured.firstFailure().orElse(null));
        }
        if (isOpen(measured)) {
            undecided("UNDECIDED: " + said, measured);
        }
        context.publishReportEntry("downbeat", said);
    }

    private void undecided(String said, Measured measured) {
        boolean aborts = "aborts".equals(System.getProperty("downbeat.undecided"));
        if (aborts || test.undecided() == LoadTest.Undecided.IS_ABORTED) {
            throw new TestAbortedException(said);
        }
        throw new AssertionFailedError(said, measured.firstFailure().orElse(null));
    }

    /** Only what was found to be well becomes one. */
    private static Optional<Baseline.Finding> baseline(Baseline baseline, Measured measured, double tolerance)
            throws IOException {
        boolean isWell = measured.verdict() == Verdict.MET;
        if ("update".equals(System.getProperty("downbeat.baseline"))) {
            return isWell ? Optional.of(new Baseline.Finding(false, baseline.update(measured))) : Optional.empty();
        }
        return baseline.exists() ? Optional.of(baseline.against(measured, tolerance)) : Optional.empty();
    }

    private double tolerance() {
        if (!(test.slowerAtMost() >= 0)) {
            throw new ExtensionConfigurationException(
                    "@LoadTest " + name() + ": slowerAtMost must be at least 0, but was " + test.slowerAtMost());
        }
        return test.slowerAtMost();
    }

    /** Each run stands for itself: a run that is prolonged until it pleases would be right too often. */
    private Measured measured() {
        Duration length = duration("duration", test.duration());
        long leftNanos = duration("budget", test.budget()).toNanos() - length.toNanos();
        Measured measured = load(length).run(code);
        while (isOpen(measured) && 2 * length.toNanos() <= leftNanos) {
            length = length.multipliedBy(2);
            leftNanos -= length.toNanos();
            measured = load(length).run(code);
        }
        return measured;
    }

    private Load load(Duration length) {
        try {
            Load load = Load.open(arrivals())
                    .seed(test.seed())
                    .named(name())
                    .duration(length)
                    .warmUp(duration("warmUp", test.warmUp()))
                    .timeout(duration("timeout", test.timeout()))
                    .objectives(objectives);
            return test.inFlight() == 0 ? load : load.inFlight(test.inFlight());
        } catch (IllegalArgumentException refused) {
            throw new ExtensionConfigurationException("@LoadTest " + name() + ": " + refused.getMessage(), refused);
        }
    }

    private Arrivals arrivals() {
        Arrivals random = Arrivals.perSecond(test.perSecond());
        return test.arrivals() == LoadTest.Arrivals.POISSON ? random : random.evenly();
    }

    private Duration duration(String what, String text) {
        try {
            return Duration.ofNanos(DurationText.parseNanos(text));
        } catch (IllegalArgumentException refused) {
            throw new ExtensionConfigurationException(
                    "@LoadTest " + name() + ": " + what + ": " + refused.getMessage(), refused);
        }
    }

    private String name() {
        return context.getRequiredTestClass().getSimpleName() + "."
                + context.getRequiredTestMethod().getName();
    }

    private static boolean isOpen(Measured measured) {
        return measured.verdict() == Verdict.UNDECIDED || measured.verdict() == Verdict.UNSOUND;
    }
}
