package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.verdict.Rigour;

/** How much certainty a verdict needs. {@link CliOption} describes each component. */
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
    /** The certainty for a verdict. */
    public Rigour rigour() {
        return new Rigour(sure, strict);
    }
}
