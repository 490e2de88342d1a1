package dev.downbeat.cli;

import dev.downbeat.exchange.Target;
import dev.downbeat.run.RunPlan;
import dev.downbeat.verdict.Slo;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * All that a measurement needs to know.
 *
 * @param target what is aimed at
 * @param plan what is meant to happen
 * @param slos what is asked of the service
 * @param acceptUnsound whether a measurement in doubt goes for a sound one
 * @param command the command line with defaults filled in, without secrets
 * @param seed as the user may type it; empty if there is no chance in the plan
 * @param details more about the plan, for the report
 * @param untilDecided whether the run may end as soon as each objective is surely met or missed
 */
record Job(
        Target target,
        RunPlan plan,
        List<Slo> slos,
        boolean acceptUnsound,
        List<String> command,
        String seed,
        Map<String, Object> details,
        boolean untilDecided) {
    Job {
        slos = List.copyOf(slos);
        command = List.copyOf(command);
    }

    /** The same, to begin at a time by the clock of the wall. */
    Job startingAt(Instant start) {
        return new Job(target, plan.startingAt(start), slos, acceptUnsound, command, seed, details, untilDecided);
    }
}
