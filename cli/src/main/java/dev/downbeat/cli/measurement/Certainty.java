package dev.downbeat.cli.measurement;

import dev.downbeat.verdict.Rigour;

/** How much is asked of the verdict. Each component is described by its {@link Word}. */
public record Certainty(
        @Word(
                names = "--sure",
                help =
                        "An objective is only met or missed if its whole 95 %% confidence interval is on that side: else 98.")
        boolean sure,

        @Word(
                names = "--strict",
                help = "Every doubt is 98: own delays that change no answer, and a service that is not steady.")
        boolean strict) {
    /** The same for a verdict. */
    public Rigour rigour() {
        return new Rigour(sure, strict);
    }
}
