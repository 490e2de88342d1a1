package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.SafeText;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.util.List;

/** The objectives. {@link CliOption} describes each component. */
public record Objectives(
        @CliOption(
                names = "--slo",
                label = "OBJECTIVE",
                help = {
                    "p99<50ms, p99.9<=1s, max<2s, mean<10ms,",
                    "errors<0.1%% or rate>=99%%; repeatable. Default: errors<1%%, unless you limit errors or rate."
                })
        List<ServiceLevelObjective> given,

        @CliOption(names = "--accept-unsound", help = "Exits with 0 instead of 98.")
        boolean acceptUnsound) {
    public Objectives {
        given = given.stream().map(Objectives::redacted).toList();
    }

    /** The objective with its request's name as reports show it, without secrets. */
    private static ServiceLevelObjective redacted(ServiceLevelObjective given) {
        return given instanceof ServiceLevelObjective.Named named
                ? new ServiceLevelObjective.Named(SafeText.line(Redaction.line(named.name())), named.slo())
                : given;
    }

    /** {@link ServiceLevelObjective#withDefaults}, so that a run of refusals is never green. */
    public List<ServiceLevelObjective> slos() {
        return ServiceLevelObjective.withDefaults(given);
    }

    /** How much certainty a verdict needs. {@link CliOption} describes each component. */
    public record Certainty(
            @CliOption(
                    names = "--sure",
                    help =
                            "Decides each --slo only if its whole 95 %% CI is on one side of the limit; otherwise exits with 98.")
            boolean sure,

            @CliOption(
                    names = "--strict",
                    help = "Exits with 98 for any doubt, including own delays that affect no objective and an"
                            + " unsteady service.")
            boolean strict) {
        public RequiredCertainty rigour() {
            return new RequiredCertainty(sure, strict);
        }
    }
}
