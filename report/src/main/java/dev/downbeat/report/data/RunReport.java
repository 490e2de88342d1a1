package dev.downbeat.report.data;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.run.RunResult;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.simulate.QueueLengths;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.why.WatchResult;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Everything a report of a run shows. Immutable.
 *
 * @param analysis the run and its analysis
 * @param command command line with all defaults, one word each, without secrets
 * @param seed hexadecimal seed, if anything is random
 * @param version Downbeat's version
 * @param machine the client's machine
 * @param details further details of the plan in display order: names in snake_case; values are {@code String},
 *     {@code Long} or {@code Integer}. A number is shown before its name ("64 connections"), a text after it.
 * @param queue length of the service's queue, known to simulations only
 * @param measurement what was measured, without secrets, by command: a JSON tree; empty if no command was used
 * @param why events of the service during the run, and what they explain
 * @param beside another run to overlay on the charts
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
        Diagnosis why,
        Optional<Beside> beside) {
    /**
     * Another run to overlay. Whether the runs differ is a matter for a comparison.
     *
     * @param name its displayed name
     */
    public record Beside(String name, RunReport run) {}

    /** The detail with the reason for the choice of pacing. */
    public static final String PACING_REASON = "pacing_because";

    /** The detail with the reason for using the JDK's TLS by default. */
    public static final String TLS_ENGINE_REASON = "tls_engine_because";

    /** Details that give the reason of another detail, and their displayed name. */
    public static final Map<String, String> REASONS = Collections.unmodifiableMap(
            new TreeMap<>(Map.of(PACING_REASON, "pacing", TLS_ENGINE_REASON, "tls_engine")));

    /** The member of {@link #measurement} with the digests of the files that requests come from, by path. */
    public static final String FILES = "files";

    /** JSON names of the plan that a detail must not use. */
    private static final Set<String> RESERVED_NAMES = Set.of(
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

    public RunReport(
            Analysis analysis,
            List<String> command,
            Optional<String> seed,
            String version,
            MachineProfile machine,
            Map<String, Object> details,
            Optional<QueueLengths> queue,
            Map<String, Object> measurement,
            Diagnosis why) {
        this(analysis, command, seed, version, machine, details, queue, measurement, why, Optional.empty());
    }

    /** A report of a real run that was judged already. */
    public RunReport(
            RunResult result,
            RunVerdict verdict,
            List<String> command,
            Optional<String> seed,
            String version,
            MachineProfile machine,
            Map<String, Object> details) {
        this(Analysis.judged(result, Criteria.of(verdict), verdict), command, seed, version, machine, details);
    }

    /** A report of a real run without a command: neither its queue nor its service was watched. */
    public RunReport(
            Analysis analysis,
            List<String> command,
            Optional<String> seed,
            String version,
            MachineProfile machine,
            Map<String, Object> details) {
        this(analysis, command, seed, version, machine, details, Optional.empty(), Map.of(), Diagnosis.NONE);
    }

    public RunReport {
        command = List.copyOf(command);
        measurement = Collections.unmodifiableMap(new LinkedHashMap<>(measurement));
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
        details.forEach((name, value) -> {
            if (RESERVED_NAMES.contains(name)) {
                throw new IllegalArgumentException("detail " + name + " must not be named like a part of every plan");
            }
            if (!(value instanceof String || value instanceof Long || value instanceof Integer)) {
                throw new IllegalArgumentException(
                        "detail " + name + " must be a String, Long or Integer, but was " + value);
            }
        });
    }

    public RunResult result() {
        return analysis.result();
    }

    /** Digests of the files that the requests of a saved measurement came from, by path; empty if none is known. */
    public static Map<String, String> files(Map<String, Object> measurement) {
        Map<String, String> files = new TreeMap<>();
        if (measurement.get(FILES) instanceof Map<?, ?> known) {
            known.forEach((path, digest) -> files.put(String.valueOf(path), String.valueOf(digest)));
        }
        return files;
    }

    public RunVerdict verdict() {
        return analysis.verdict();
    }

    /** The same run judged by these objectives only. */
    public RunReport judgedBy(List<ServiceLevelObjective> objectives) {
        return of(Analysis.of(result(), new Criteria(objectives, verdict().rigour(), false)), why, beside);
    }

    /** The same report, with undecided objectives treated as passed. */
    public RunReport accepting(boolean acceptUndecided) {
        return of(analysis.accepting(acceptUndecided), why, beside);
    }

    /** The same report for a part of the recording. */
    public RunReport with(RunResult part) {
        return of(analysis.of(part), why, beside);
    }

    /**
     * The same report with the service's events and what they explain.
     *
     * @param seen results of all watchers; beyond {@link WatchResult#MOST} events the longest are kept, with a note
     */
    public RunReport with(List<WatchResult> seen) {
        return of(analysis, Diagnosis.of(result(), WatchResult.longest(seen), analysis.events()), beside);
    }

    /**
     * The same report with its origin.
     *
     * @param repeating the command that repeats it; empty if there is none
     * @param measured what was measured, from the command line or another entry point
     */
    public RunReport from(List<String> repeating, Map<String, Object> measured) {
        return new RunReport(analysis, repeating, seed, version, machine, details, queue, measured, why, beside);
    }

    /** The same report with another run overlaid on its charts. */
    public RunReport beside(String name, RunReport other) {
        return of(analysis, why, Optional.of(new Beside(name, other)));
    }

    private RunReport of(Analysis judged, Diagnosis explained, Optional<Beside> drawnOver) {
        return new RunReport(
                judged, command, seed, version, machine, details, queue, measurement, explained, drawnOver);
    }

    /** A format for runs. Implementations are stateless and thread-safe. */
    @FunctionalInterface
    public interface ReportFormat {
        /**
         * Writes the whole report; does not close {@code out}.
         *
         * @throws IOException if {@code out} fails
         */
        void write(RunReport report, Appendable out) throws IOException;
    }
}
