package dev.downbeat.report.data;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Wishes;
import dev.downbeat.run.RunResult;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.simulate.QueueLengths;
import dev.downbeat.verdict.AskedObjective;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.why.Watched;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * All that a report can show. Immutable.
 *
 * @param analysis what came of the run, and what follows from it
 * @param command the command line with all defaults filled in, one word each, without secrets
 * @param seed the seed in hexadecimal, if chance had a part
 * @param version version of Downbeat
 * @param machine where it ran
 * @param details more about the plan, in the order to be shown: names in snake_case; each value is a {@code String}, a
 *     {@code Long} or an {@code Integer}. A number is shown before its name ("64 connections"), a text after it.
 * @param queue how many requests waited at the service, which only a simulation knows
 * @param measurement what was asked for, without secrets, by the name of the command that takes it: a tree of JSON; empty
 *     if no command did
 * @param why what happened meanwhile in the service, or to it, and what that explains
 * @param beside a run that is drawn over the pictures of this one
 */
public record RunReport(
        Analysis analysis,
        List<String> command,
        Optional<String> seed,
        String version,
        MachineProfile machine,
        Map<String, Object> details,
        Optional<QueueLengths> queue,
        Map<String, Object> measurement,
        Why why,
        Optional<Beside> beside) {
    /**
     * Another run, to be seen beside this one; whether they differ, a comparison says.
     *
     * @param name what it is called there
     */
    public record Beside(String name, RunReport run) {}

    /** The detail that says why requests were waited for as they were. */
    public static final String PACING_REASON = "pacing_because";

    /** The detail that says why the JDK encrypts where nobody chose it. */
    public static final String TLS_ENGINE_REASON = "tls_engine_because";

    /** Details that are the reason for another, which they stand beside, and what they are called there. */
    public static final Map<String, String> REASONS = Collections.unmodifiableMap(
            new TreeMap<>(Map.of(PACING_REASON, "pacing", TLS_ENGINE_REASON, "tls_engine")));

    /** Names of the plan in JSON that a detail must not have. */
    private static final Set<String> TAKEN = Set.of(
            "workload",
            "arrivals",
            "description",
            "rate_per_s",
            "target",
            "duration_ns",
            "max_requests",
            "timeout_ns",
            "timeout_from",
            "drain_ns",
            "generators",
            "interval_ns");

    /** A report of a run alone. */
    public RunReport(
            Analysis analysis,
            List<String> command,
            Optional<String> seed,
            String version,
            MachineProfile machine,
            Map<String, Object> details,
            Optional<QueueLengths> queue,
            Map<String, Object> measurement,
            Why why) {
        this(analysis, command, seed, version, machine, details, queue, measurement, why, Optional.empty());
    }

    /** A report of a real run that was judged elsewhere. */
    public RunReport(
            RunResult result,
            RunVerdict verdict,
            List<String> command,
            Optional<String> seed,
            String version,
            MachineProfile machine,
            Map<String, Object> details) {
        this(Analysis.judged(result, Wishes.of(verdict), verdict), command, seed, version, machine, details);
    }

    /** A report of a real run that no command asked for: nobody saw the queue at the service, or watched it. */
    public RunReport(
            Analysis analysis,
            List<String> command,
            Optional<String> seed,
            String version,
            MachineProfile machine,
            Map<String, Object> details) {
        this(analysis, command, seed, version, machine, details, Optional.empty(), Map.of(), Why.NONE);
    }

    /** Copies the collections and checks the details. */
    public RunReport {
        command = List.copyOf(command);
        measurement = Collections.unmodifiableMap(new LinkedHashMap<>(measurement));
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
        details.forEach((name, value) -> {
            if (TAKEN.contains(name)) {
                throw new IllegalArgumentException("detail " + name + " must not be named like a part of every plan");
            }
            if (!(value instanceof String || value instanceof Long || value instanceof Integer)) {
                throw new IllegalArgumentException(
                        "detail " + name + " must be a String, Long or Integer, but was " + value);
            }
        });
    }

    /** What came of the run. */
    public RunResult result() {
        return analysis.result();
    }

    /** How the measurement and the objectives came out. */
    public RunVerdict verdict() {
        return analysis.verdict();
    }

    /** The same, held against other objectives, and against these alone. */
    public RunReport judgedBy(List<AskedObjective> asked) {
        return of(Analysis.of(result(), new Wishes(asked, verdict().rigour(), false)), why, beside);
    }

    /** The same where what cannot be decided passes. */
    public RunReport accepting(boolean acceptUndecided) {
        return of(analysis.accepting(acceptUndecided), why, beside);
    }

    /** The same of a part of what was counted. */
    public RunReport with(RunResult part) {
        return of(analysis.of(part), why, beside);
    }

    /**
     * The same with what happened in the service, or to it, and what follows from that.
     *
     * @param seen by all watchers; of more than {@link Watched#MOST} events the longest are kept, and a note says so
     */
    public RunReport with(List<Watched> seen) {
        return of(analysis, Why.of(result(), Watched.longest(seen), analysis.events()), beside);
    }

    /** The same with another run drawn over its pictures. */
    public RunReport beside(String name, RunReport other) {
        return of(analysis, why, Optional.of(new Beside(name, other)));
    }

    private RunReport of(Analysis judged, Why explained, Optional<Beside> drawnOver) {
        return new RunReport(
                judged, command, seed, version, machine, details, queue, measurement, explained, drawnOver);
    }
}
