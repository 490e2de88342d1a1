package dev.downbeat.cli;

import dev.downbeat.verdict.Slo;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What is asked of the service. */
final class ObjectiveOptions {
    @Option(
            names = "--slo",
            paramLabel = "OBJECTIVE",
            converter = SloConverter.class,
            description = {
                "p99<50ms, p99.9<=1s, max<2s, mean<10ms,",
                "errors<0.1%% or rate>=99%%; repeatable. errors<1%% holds unless another limit of errors or rate is"
                        + " given."
            })
    List<Slo> given = new ArrayList<>();

    @Option(names = "--accept-unsound", description = "Lets a measurement in doubt pass: 0 or 99 instead of 98.")
    boolean acceptUnsound;

    /** What was given, and the default limit of errors unless that was given: a run of refusals must never be green. */
    List<Slo> slos() {
        return Slo.withDefaults(given);
    }
}
