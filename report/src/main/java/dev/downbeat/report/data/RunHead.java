package dev.downbeat.report.data;

import dev.downbeat.run.RunPlan;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.verdict.AskedObjective;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.Rigour;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that is known of a run before its first request. Immutable.
 *
 * @param plan what is meant to happen
 * @param target what is aimed at, in one line
 * @param started wall-clock time of the begin
 * @param command the command line with all defaults filled in, one word each, without secrets
 * @param seed the seed in hexadecimal, if chance has a part
 * @param version version of Downbeat
 * @param machine where it runs
 * @param details more about the plan, as in {@link RunReport}
 * @param objectives what is asked of the service
 * @param rigour how much is asked of the verdict
 * @param measurement what was asked for, as in {@link RunReport}
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
        List<AskedObjective> objectives,
        Rigour rigour,
        Map<String, Object> measurement) {
    public RunHead {
        command = List.copyOf(command);
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
        measurement = Collections.unmodifiableMap(new LinkedHashMap<>(measurement));
        objectives = List.copyOf(objectives);
    }

    /** The head of a run that is over. */
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
