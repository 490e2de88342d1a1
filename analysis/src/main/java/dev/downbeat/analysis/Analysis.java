package dev.downbeat.analysis;

import dev.downbeat.event.Incident;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.Evidence;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.Steadiness;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.bound.ResponseIntervals;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A run with all that follows from it, made once: every report, file, gate and door reads it, and none of them judges again.
 * Immutable, and safe for use by several threads.
 */
public final class Analysis {
    private final Observations seen;
    private final Wishes wishes;
    private final RunVerdict verdict;
    private final List<Finding> findings;
    private final RunOutcome outcome;

    private Analysis(Observations seen, Wishes wishes, RunVerdict verdict, List<Finding> findings, RunOutcome outcome) {
        this.seen = seen;
        this.wishes = wishes;
        this.verdict = verdict;
        this.findings = List.copyOf(findings);
        this.outcome = outcome;
    }

    /** Analyses a run, without a warm-up. */
    public static Analysis of(RunResult result, Wishes wishes) {
        Observations seen = Observations.of(result);
        return of(seen, wishes, RunVerdict.of(seen, wishes.objectives(), wishes.rigour()));
    }

    /**
     * Analyses a run that was looked at while it went on.
     *
     * @param evidence of all these looks together
     */
    public static Analysis of(RunResult result, Wishes wishes, Evidence evidence) {
        Observations seen = Observations.of(result);
        return of(seen, wishes, RunVerdict.of(seen, wishes.objectives(), wishes.rigour(), evidence));
    }

    private static Analysis of(Observations seen, Wishes wishes, RunVerdict verdict) {
        List<Finding> findings = Findings.of(seen, verdict, wishes);
        return new Analysis(seen, wishes, verdict, findings, RunOutcome.of(verdict, findings, wishes));
    }

    /** A run that was analysed before, with what was found then: nothing is judged again. */
    public static Analysis saved(
            RunResult result, Wishes wishes, RunVerdict verdict, List<Finding> findings, RunOutcome outcome) {
        return new Analysis(Observations.of(result), wishes, verdict, findings, outcome);
    }

    /** A run whose objectives were judged before by a version that kept no findings. */
    public static Analysis judged(RunResult result, Wishes wishes, RunVerdict verdict) {
        return of(Observations.of(result), wishes, verdict);
    }

    /** The run itself. */
    public RunResult result() {
        return seen.result();
    }

    /** What the user wanted to know. */
    public Wishes wishes() {
        return wishes;
    }

    /** All that can be read off the run, also by the names of its requests. */
    public Observations seen() {
        return seen;
    }

    /** Bounds of the response times. */
    public ResponseBounds response() {
        return seen.response();
    }

    /** Bounds of the service times. */
    public ResponseBounds service() {
        return seen.service();
    }

    /** 95 % confidence intervals of the response times. */
    public ResponseIntervals intervals() {
        return seen.intervals();
    }

    /** Whether the service was the same throughout; empty if the load was not, or if the run was too short to say. */
    public Optional<Steadiness> steadiness() {
        return seen.steadiness();
    }

    /** Stalls, slow spells, outages and pauses, in the order of time. */
    public List<Incident> events() {
        return seen.events();
    }

    /** How the measurement and the objectives came out. */
    public RunVerdict verdict() {
        return verdict;
    }

    /** What the run shows, the weightiest first; at least one. */
    public List<Finding> findings() {
        return findings;
    }

    /** The finding that leads. */
    public Finding first() {
        return findings.get(0);
    }

    /** What follows for a script, and for the colour of a report. */
    public RunOutcome outcome() {
        return outcome;
    }

    /** The percentile rows of a report. */
    public List<PercentileRow> rows() {
        return PercentileRow.of(seen, verdict.objectives());
    }

    /** The percentiles that have an objective which is decided: they are told however few requests there are. */
    public Set<Double> decided() {
        return PercentileRow.decided(verdict.objectives());
    }

    /** The same where what cannot be decided passes. */
    public Analysis accepting(boolean acceptUndecided) {
        Wishes accepted = new Wishes(wishes.objectives(), wishes.rigour(), acceptUndecided);
        return new Analysis(seen, accepted, verdict, findings, RunOutcome.of(verdict, findings, accepted));
    }

    /** The same of a part of what was counted, with the judgement of the whole. */
    public Analysis of(RunResult part) {
        return new Analysis(Observations.of(part), wishes, verdict, findings, outcome);
    }
}
