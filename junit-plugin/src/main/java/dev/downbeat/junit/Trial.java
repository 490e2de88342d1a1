package dev.downbeat.junit;

import dev.downbeat.load.Load;
import dev.downbeat.load.Measured;
import dev.downbeat.load.Verdict;
import dev.downbeat.run.RunResult;
import dev.downbeat.time.DurationText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** One load test: measures until something can be said, saves it, and says it. Use once. */
final class Trial {
    private final Asked asked;
    private final TestName name;
    private final RepeatedCall code;
    private final ExtensionContext context;
    private Duration length;

    Trial(Asked asked, TestName name, RepeatedCall code, ExtensionContext context) {
        this.asked = asked;
        this.name = name;
        this.code = code;
        this.context = context;
        length = asked.duration();
    }

    /** Throws unless every objective was met, and nothing is surely slower than in the baseline. */
    void decide() throws IOException {
        Optional<Baseline> baseline = baseline();
        Measured measured = measured();
        boolean interrupted = Thread.interrupted(); // else no file could be written
        Path report = new Reports(context, name).save(measured);
        if (code.forgotAnswer()) {
            throw new ExtensionConfigurationException("@LoadTest " + name.shown() + ": the method " + Answer.FORGOTTEN);
        }
        Optional<Finding> finding =
                baseline.isPresent() ? Optional.of(finding(baseline.get(), measured)) : Optional.empty();
        String said = measured.sentence()
                + finding.map(found -> "; " + found.sentence()).orElse("") + "; report: " + report;
        end(measured, finding, said);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Read before anything is measured: one that is garbled, or missing though required, ends the test at once. */
    private Optional<Baseline> baseline() {
        if (asked.isBaselineOff()) {
            return Optional.empty();
        }
        Path folder = Path.of(System.getProperty("downbeat.baselines", "src/test/downbeat"));
        Baseline baseline = new Baseline(folder, name, Host.own());
        if (asked.isBaselineRequired() && !baseline.whyNot().isEmpty()) {
            throw new ExtensionConfigurationException(
                    "@LoadTest " + name.shown() + ": a baseline is required: " + baseline.whyNot());
        }
        return Optional.of(baseline);
    }

    /** Only what was found to be well becomes a baseline. */
    private Finding finding(Baseline baseline, Measured measured) throws IOException {
        if (asked.replacesBaseline() || asked.addsBaseline()) {
            if (measured.verdict() != Verdict.MET) {
                return Finding.notCompared(
                        "the baseline", "it was to be written, and is not: only what is met becomes one");
            }
            return new Finding(false, false, asked.addsBaseline() ? baseline.add(measured) : baseline.update(measured));
        }
        return baseline.against(measured, asked.slowerAtMost());
    }

    private void end(Measured measured, Optional<Finding> finding, String said) {
        boolean isRed = finding.stream()
                .anyMatch(found -> found.isRed() || (asked.isBaselineRequired() && !found.isCompared()));
        if (isInterrupted(measured)) {
            fail(
                    "INTERRUPTED",
                    "INTERRUPTED after " + ran(measured) + " of " + DurationText.format(length.toNanos()) + ": " + said,
                    measured);
        }
        if (measured.verdict() == Verdict.MISSED || isRed) {
            fail("FAILED", said, measured);
        }
        if (isOpen(measured) && asked.isUndecidedAborted()) {
            print("UNDECIDED", said);
            throw new TestAbortedException("UNDECIDED: " + said);
        }
        if (isOpen(measured)) {
            fail("UNDECIDED", "UNDECIDED: " + said, measured);
        }
        print("PASSED", said);
        context.publishReportEntry("downbeat", said);
    }

    private static String ran(Measured measured) {
        return DurationText.rounded(measured.report().result().durationNanos());
    }

    private void fail(String word, String said, Measured measured) {
        print(word, said);
        throw new AssertionFailedError(said, measured.firstFailure().orElse(null));
    }

    /** Whoever reads the log of a build that succeeded sees what was shown, too. */
    @SuppressWarnings("SystemOut") // the console is where a build says things
    private void print(String word, String said) {
        String bare = said.startsWith(word) ? said.substring(said.indexOf(": ") + 2) : said;
        System.out.println("[downbeat] " + String.format(Locale.ROOT, "%s (%s) ", word, asked.words(length)) + bare);
    }

    /** Each run stands for itself: a run that is prolonged until it pleases would be right too often. */
    private Measured measured() {
        long leftNanos = asked.budget().toNanos() - length.toNanos();
        Measured measured = run();
        while (isOpen(measured) && !isInterrupted(measured) && 2 * length.toNanos() <= leftNanos) {
            length = length.multipliedBy(2);
            leftNanos -= length.toNanos();
            measured = run();
        }
        return measured;
    }

    private Measured run() {
        Load load = asked.load(length);
        return code.isAsync() ? load.runAsync(code::begin) : load.run(code::call);
    }

    private static boolean isInterrupted(Measured measured) {
        return measured.report().result().ending() == RunResult.Ending.INTERRUPTED;
    }

    private static boolean isOpen(Measured measured) {
        return measured.verdict() == Verdict.UNDECIDED || measured.verdict() == Verdict.UNSOUND;
    }
}
