package dev.downbeat.load;

import dev.downbeat.record.Ledger;
import dev.downbeat.report.data.Reported;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.paper.Paper;
import dev.downbeat.report.view.RunView;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.Caveat;
import dev.downbeat.verdict.Slo;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What a load showed: the times, what became of each request, and what may be concluded.
 *
 * <p>{@link #p}, {@link #mean} and {@link #max} are of the response time: what callers waited, from when each request was
 * meant to start. Requests whose end was not seen count with the time they had lasted, so a percentile that they reach is a
 * lower bound; {@link #isLowerBound} says which.
 *
 * <p>Every request that was meant to be sent has exactly one fate: {@link #planned} is the sum of {@link #answered}, {@link
 * #failed}, {@link #timedOut}, {@link #inFlight} and {@link #neverSent}.
 *
 * <p>Immutable, thread-safe. An argument that is null is refused with a {@link NullPointerException}.
 */
public abstract sealed class Measured {
    private static final double NANOS_PER_SECOND = 1e9;

    final RunReport report;
    private final Optional<Throwable> firstFailure;

    private Measured(RunReport report, Optional<Throwable> firstFailure) {
        this.report = Objects.requireNonNull(report, "report");
        this.firstFailure = Objects.requireNonNull(firstFailure, "firstFailure");
    }

    private RunResult result() {
        return report.result();
    }

    private Ledger ledger() {
        return result().ledger();
    }

    /** What was measured, as {@link Load#named} or {@link LiveRecorder} says. */
    public String name() {
        return result().target();
    }

    /**
     * A percentile of the response time.
     *
     * @param percentile from 0 to 100, such as 99 or 99.9
     * @return empty if too few requests were measured to speak of it: p99 needs 500
     * @throws IllegalArgumentException if {@code percentile} is out of range
     */
    public Optional<Duration> p(double percentile) {
        return response().p(percentile);
    }

    /**
     * The mean response time.
     *
     * @throws LoadException if no request was measured
     */
    public Duration mean() {
        return response().mean();
    }

    /**
     * The longest response time.
     *
     * @throws LoadException if no request was measured
     */
    public Duration max() {
        return response().max();
    }

    /**
     * Whether the response time at a percentile is at least what {@link #p} says, and nobody knows how much more.
     *
     * @param percentile from 0 to 100
     * @throws IllegalArgumentException if {@code percentile} is out of range
     */
    public boolean isLowerBound(double percentile) {
        return !result().recording().isKnownAt(percentile);
    }

    /** What callers waited, from when each request was meant to start; those that did not end, as long as they had lasted. */
    public Times response() {
        return new Times(result().recording().responseAtLeast());
    }

    /**
     * {@link #response} without the requests of a live service that had not ended: the next {@link LiveRecorder#take} has each of
     * them again, so whoever adds up what was taken counts none of them twice.
     */
    public Times ended() {
        return result().plan().workload() instanceof Workload.External external && external.isOfCallers()
                ? new Times(result().recording().response())
                : response();
    }

    /**
     * {@link #response} of the requests of one name, where a target has several.
     *
     * @param request the name; a name that no request had has no times
     */
    public Times response(String request) {
        return new Times(result().recording().named(request).responseAtLeast());
    }

    /** How long answered requests took from when they were sent: what a stopwatch in a loop would say. */
    public Times service() {
        return new Times(result().recording().service());
    }

    /** Answered requests a second, from the start of the run until the last request had ended; 0 if there was none. */
    public double rate() {
        long nanos = result().durationNanos();
        return nanos == 0 ? 0 : answered() * NANOS_PER_SECOND / nanos;
    }

    /** The share of the planned requests that failed or timed out, from 0 to 1; 0 if none was planned. */
    public double errors() {
        return planned() == 0 ? 0 : (double) (failed() + timedOut()) / planned();
    }

    /** How many requests were meant to start. */
    public long planned() {
        return ledger().planned();
    }

    /** How many were answered. */
    public long answered() {
        return ledger().answered();
    }

    /** How many failed; {@link #failures} says why. */
    public long failed() {
        return ledger().failed();
    }

    /** How many took longer than the timeout. */
    public long timedOut() {
        return ledger().timedOut();
    }

    /** How many had been sent, and had not ended when it was over. */
    public long inFlight() {
        return ledger().inFlight();
    }

    /** How many were due, and were not sent before it was over. */
    public long neverSent() {
        return ledger().neverSent();
    }

    /** How many failed for which reason, such as the name of the exception; unmodifiable. */
    public Map<String, Long> failures() {
        return Map.copyOf(result().recording().failures());
    }

    /** The first exception that the measured code threw, if one came through: its stack says more than a count. */
    public Optional<Throwable> firstFailure() {
        return firstFailure;
    }

    /**
     * Whether the times can be believed: no reason for {@link #doubts} was found. High percentiles may hold delays of this
     * process all the same, and {@link #text} says how much.
     */
    public boolean isSound() {
        return report.verdict().hasSoundTimes();
    }

    /** Why the times must not be believed, one line each, the weightiest first; empty if {@link #isSound}. */
    public List<String> doubts() {
        return report.verdict().doubtsOfTimes().stream().map(Caveat::text).toList();
    }

    /** What may be concluded about the objectives. */
    public Verdict verdict() {
        return Verdict.of(report.analysis());
    }

    /**
     * The same measurement, judged by other objectives, and by these alone.
     *
     * @param objectives such as {@code p99<50ms}, as in {@link Load#objectives}, but nothing is added to them
     * @throws IllegalArgumentException with one line that says what is accepted
     */
    public Measured judgedBy(String... objectives) {
        return judgedBy(Arrays.stream(objectives).map(Slo::parse).toList());
    }

    /** The same measurement, judged by other objectives, and by these alone. */
    public Measured judgedBy(Objective... objectives) {
        return judgedBy(Objective.slos(objectives));
    }

    private Measured judgedBy(List<Slo> asked) {
        return new Measured.OfRun(report.judgedBy(asked), firstFailure);
    }

    /** What is to be said about it in one sentence: the objectives, the worst first, and whether it can be believed. */
    public String sentence() {
        return new Sentence(report).text();
    }

    /**
     * Insists that the numbers can be believed, as far as the verdict says.
     *
     * @return this
     * @throws AssertionError with {@link #sentence} unless {@link #isSound}
     */
    public Measured throwIfUnsound() {
        return isSound() ? this : failing();
    }

    /**
     * Insists that every objective was met, with all delays of this process.
     *
     * @return this
     * @throws AssertionError with {@link #sentence} unless {@link #verdict} is {@link Verdict#MET}
     */
    public Measured throwUnlessMet() {
        return verdict() == Verdict.MET ? this : failing();
    }

    private Measured failing() {
        throw new AssertionError(sentence(), firstFailure.orElse(null));
    }

    /** The report as the command line shows it: several lines. */
    public String text() {
        StringBuilder text = new StringBuilder();
        try {
            RunView.on(Paper.TEXT).write(report, text);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible); // a StringBuilder takes everything
        }
        return text.toString();
    }

    /**
     * Saves the report, in the format that the file extension says: {@code .txt} and {@code .md} to be read, {@code .html} to
     * be looked at, {@code .json} and {@code .csv} for programs, {@code .xml} for build servers (JUnit), {@code .hlog} and
     * {@code .downbeat} to be compared and merged by the command line.
     *
     * @param file is made or replaced, and its folder made
     * @throws IllegalArgumentException if the extension is none of these
     * @throws LoadException if the file cannot be written
     */
    public void save(Path file) {
        try {
            SavedAs.write(report, file);
        } catch (IOException refused) {
            throw LoadException.of(file, "written", refused);
        }
    }

    /** The one kind there is: what it says, it takes from a report, which is promised to nobody. */
    static final class OfRun extends Measured implements Reported {
        OfRun(RunReport report, Optional<Throwable> firstFailure) {
            super(report, firstFailure);
        }

        @Override
        public RunReport report() {
            return report;
        }
    }

    /** The {@link #sentence}. */
    @Override
    public String toString() {
        return sentence();
    }
}
