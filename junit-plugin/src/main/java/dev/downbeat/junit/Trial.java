package dev.downbeat.junit;

import dev.downbeat.compare.Comparison;
import dev.downbeat.compare.Host;
import dev.downbeat.load.Load;
import dev.downbeat.load.LoadException;
import dev.downbeat.load.Measured;
import dev.downbeat.load.Verdict;
import dev.downbeat.run.RunResult;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.time.DurationText;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** One load test: measures until something can be said, saves it, and says it. Use once. */
final class Trial {
    private static final String AGAINST = "downbeat.against";
    private static final int MOST_TURNS = 100;

    private final Asked asked;
    private final TestName name;
    private final RepeatedCall code;
    private final Optional<Against> against;
    private final Watches watches;
    private final ExtensionContext context;
    private Duration length;

    Trial(
            Asked asked,
            TestName name,
            RepeatedCall code,
            Optional<Against> against,
            Watches watches,
            ExtensionContext context) {
        this.asked = asked;
        this.name = name;
        this.code = code;
        this.against = against;
        this.watches = watches;
        this.context = context;
        length = asked.duration();
    }

    /** Throws unless every objective was met, and nothing is surely slower than what it is compared with. */
    void decide() {
        Reports reports = new Reports(context, name);
        Optional<Baseline> baseline = baseline();
        against.ifPresent(other -> code.calls(OtherBuild.own(other)));
        Optional<OtherBuild> build = otherBuild();
        Measured measured;
        List<Finding> findings = new ArrayList<>();
        boolean interrupted;
        try {
            code.measuredBy(Thread.currentThread());
            measured = measured();
            endIfAborted();
            interrupted = Thread.interrupted() || isInterrupted(measured); // cleared, else no file could be written
            if (build.isPresent() && !interrupted) {
                findings.add(besideOther(against.orElseThrow(), build.get()));
                interrupted = Thread.interrupted();
            }
        } finally {
            code.measuredBy(null);
            build.ifPresent(OtherBuild::close);
        }
        endIfAborted(); // also by a call that was still going on when the measurement ended
        String report = saved(reports, measured, findings);
        if (code.forgotAnswer()) {
            throw new ExtensionConfigurationException("@LoadTest " + name.shown() + ": the method " + Answer.FORGOTTEN);
        }
        if (baseline.isPresent()) {
            Finding found = finding(baseline.get(), measured, !interrupted);
            boolean isMissing = asked.isBaselineRequired() && !found.isCompared();
            findings.add(isMissing ? new Finding(true, false, found.sentence()) : found);
        }
        end(measured, findings, said(measured, findings, report));
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** As for any test: an assumption that does not hold is neither a failure nor a request that failed. */
    private void endIfAborted() {
        code.aborted().ifPresent(notHere -> {
            Thread.interrupted(); // by the call that was aborted
            print("ABORTED", name.shown() + ": " + notHere.getMessage());
            throw notHere;
        });
    }

    /** Where the report is; a disk that became full takes no verdict away. */
    private static String saved(Reports reports, Measured measured, List<Finding> findings) {
        try {
            return "; report: " + reports.save(measured);
        } catch (IOException | LoadException failed) {
            findings.add(new Finding(true, false, "the report was not saved: " + failed.getMessage()));
            return "";
        }
    }

    private String said(Measured measured, List<Finding> findings, String report) {
        StringBuilder said = new StringBuilder(measured.sentence());
        if (measured.report().verdict().isUnsoundInTimesAlone()) {
            said.append("; no @Slo asks for times");
        }
        measured.report().why().watched().stream()
                .filter(seen -> seen.toNanos() == seen.fromNanos())
                .forEach(seen -> said.append("; not watched: ").append(Watches.words(seen)));
        boolean isOtherNamed = System.getProperty(AGAINST) != null;
        if (against.isPresent() != isOtherNamed) {
            said.append("; not compared with another build: ")
                    .append(isOtherNamed ? "the test has no @Against" : "-D" + AGAINST + "=URL or a jar names none");
        }
        findings.forEach(found -> said.append("; ").append(found.sentence()));
        return said.append(report).toString();
    }

    private Optional<OtherBuild> otherBuild() {
        String named = System.getProperty(AGAINST);
        if (against.isEmpty() || named == null) {
            return Optional.empty();
        }
        int turns = against.get().turns();
        if (turns < Comparison.LEAST_TURNS || turns > MOST_TURNS) {
            throw new ExtensionConfigurationException("@LoadTest " + name.shown() + ": @Against: turns must be from "
                    + Comparison.LEAST_TURNS + " to " + MOST_TURNS + ", but were " + turns);
        }
        return Optional.of(OtherBuild.open(named, against.get()));
    }

    private Finding besideOther(Against other, OtherBuild build) {
        URI own = OtherBuild.own(other);
        return InTurns.compare(own, build.service(), other.turns(), asked.slowerAtMost(), (service, turn) -> {
            code.calls(service);
            return run(asked.slice(turn, other.turns()));
        });
    }

    /** Read before anything is measured: one that is garbled, or missing though required, ends the test at once. */
    private Optional<Baseline> baseline() {
        if (asked.isBaselineOff()) {
            return Optional.empty();
        }
        Path folder = Path.of(System.getProperty("downbeat.baselines", "src/test/downbeat"));
        Host host = Host.of(MachineProfile.measure());
        if (asked.replacesBaseline()) {
            return Optional.of(Baseline.toReplace(folder, name, host));
        }
        Baseline baseline = new Baseline(folder, name, host);
        if (asked.isBaselineRequired() && !baseline.whyNot().isEmpty()) {
            throw new ExtensionConfigurationException(
                    "@LoadTest " + name.shown() + ": a baseline is required: " + baseline.whyNot());
        }
        return Optional.of(baseline);
    }

    /** Only what was found to be well becomes a baseline: the beginning of a run may be, and is no measure for whole ones. */
    private Finding finding(Baseline baseline, Measured measured, boolean cameToItsEnd) {
        if (asked.replacesBaseline() || asked.addsBaseline()) {
            if (!cameToItsEnd || measured.verdict() != Verdict.MET || !measured.isSound()) {
                return Finding.notCompared(
                        "the baseline",
                        "it was not written: only a load test that came to its end, is met, and whose times are sound,"
                                + " becomes one");
            }
            try {
                return new Finding(
                        false, false, asked.addsBaseline() ? baseline.add(measured) : baseline.update(measured));
            } catch (IOException failed) {
                return new Finding(true, false, "the baseline was not written: " + failed);
            }
        }
        return baseline.against(measured, asked.slowerAtMost());
    }

    private void end(Measured measured, List<Finding> findings, String said) {
        boolean isRed = findings.stream().anyMatch(Finding::isRed);
        if (isInterrupted(measured)) {
            fail(
                    "INTERRUPTED",
                    "INTERRUPTED after " + ran(measured) + " of " + DurationText.format(length.toNanos()) + ": ",
                    said,
                    measured);
        }
        if (measured.verdict() == Verdict.MISSED || isRed) {
            fail("FAILED", "", said, measured);
        }
        if (isOpen(measured) && asked.isUndecidedAborted()) {
            print("UNDECIDED", said);
            throw new TestAbortedException("UNDECIDED: " + said);
        }
        if (isOpen(measured)) {
            fail("UNDECIDED", "UNDECIDED: ", said, measured);
        }
        print("PASSED", said);
        context.publishReportEntry("downbeat", said);
    }

    private static String ran(Measured measured) {
        return DurationText.rounded(measured.report().result().durationNanos());
    }

    private void fail(String word, String lead, String said, Measured measured) {
        print(word, said);
        throw new AssertionFailedError(lead + said, measured.firstFailure().orElse(null));
    }

    /** Whoever reads the log of a build that succeeded sees what was shown, too. */
    @SuppressWarnings("SystemOut") // the console is where a build says things
    private void print(String word, String said) {
        System.out.println("[downbeat] " + String.format(Locale.ROOT, "%s (%s) ", word, asked.words(length)) + said);
    }

    /** Each run stands for itself: a run that is prolonged until it pleases would be right too often. */
    private Measured measured() {
        long leftNanos = asked.budget().toNanos() - length.toNanos();
        Measured measured = run(watches.on(asked.load(length)));
        while (isOpen(measured) && !isInterrupted(measured) && 2 * length.toNanos() <= leftNanos) {
            length = length.multipliedBy(2);
            leftNanos -= length.toNanos();
            measured = run(watches.on(asked.load(length)));
        }
        return measured;
    }

    private Measured run(Load load) {
        return code.isAsync() ? load.runAsync(code::begin) : load.run(code::call);
    }

    private static boolean isInterrupted(Measured measured) {
        return measured.report().result().ending() == RunResult.Ending.INTERRUPTED;
    }

    private static boolean isOpen(Measured measured) {
        return measured.verdict() == Verdict.UNDECIDED
                || (measured.verdict() == Verdict.UNSOUND
                        && !measured.report().verdict().isUnsoundInTimesAlone());
    }
}
