package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.verdict.AskedObjective;
import java.util.List;

/** What is asked of the service. Each component is described by its {@link CliOption}. */
public record Objectives(
        @CliOption(
                names = "--slo",
                label = "OBJECTIVE",
                help = {
                    "p99<50ms, p99.9<=1s, max<2s, mean<10ms,",
                    "errors<0.1%% or rate>=99%%; repeatable. errors<1%% holds unless another limit of errors or rate is"
                            + " given."
                })
        List<AskedObjective> given,

        @CliOption(
                names = "--accept-unsound",
                help = "Exits with 0 instead of 98 for an undecided objective or an unsound measurement.")
        boolean acceptUnsound) {
    public Objectives {
        given = List.copyOf(given);
    }

    /** What was given, and the default limit of errors unless that was given: a run of refusals must never be green. */
    public List<AskedObjective> slos() {
        return AskedObjective.withDefaults(given);
    }
}
