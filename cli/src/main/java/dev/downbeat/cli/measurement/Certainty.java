package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.verdict.Rigour;

/** How much is asked of the verdict. Each component is described by its {@link CliOption}. */
public record Certainty(
        @CliOption(
                names = "--sure",
                help = "Decides an objective only if its whole 95 %% CI is on one side; otherwise 98.")
        boolean sure,

        @CliOption(
                names = "--strict",
                help = "Exits with 98 for every doubt, also for own delays that change no answer and for a service "
                        + "that is not steady.")
        boolean strict) {
    /** The same for a verdict. */
    public Rigour rigour() {
        return new Rigour(sure, strict);
    }
}
