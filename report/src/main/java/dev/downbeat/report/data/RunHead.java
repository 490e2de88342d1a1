package dev.downbeat.report.data;

import dev.downbeat.run.RunPlan;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of a run before its first request. Immutable.
 *
 * @param plan the schedule
 * @param target the target, in one line
 * @param started wall-clock start time
 * @param command command line with all defaults, one word each, without secrets
 * @param seed hexadecimal seed, if anything is random
 * @param version Downbeat's version
 * @param machine the client's machine
 * @param details further details of the plan, as in {@link RunReport}
 * @param objectives the objectives
 * @param rigour the certainty required
 * @param measurement what was measured, as in {@link RunReport}
 */
public record RunHead(
        RunPlan plan,
        String target,
        Instant started,
        List<String> command,
        Optional<String> seed,
        String version,
        MachineProfile machine,
        Map<String, Object> details,
        List<ServiceLevelObjective> objectives,
        RequiredCertainty rigour,
        Map<String, Object> measurement) {
    public RunHead {
        command = List.copyOf(command);
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
        measurement = Collections.unmodifiableMap(new LinkedHashMap<>(measurement));
        objectives = List.copyOf(objectives);
    }

    public static RunHead of(RunReport report) {
        return new RunHead(
                report.result().plan(),
                report.result().target(),
                report.result().started(),
                report.command(),
                report.seed(),
                report.version(),
                report.machine(),
                report.details(),
                report.verdict().objectives().stream().map(JudgedObjective::slo).toList(),
                report.verdict().rigour(),
                report.measurement());
    }
}
