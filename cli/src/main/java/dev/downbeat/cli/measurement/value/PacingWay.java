package dev.downbeat.cli.measurement.value;

import dev.downbeat.http.wait.Pacing;

/** {@code --pacing}: a way to wait, or an automatic choice. */
public enum PacingWay {
    AUTO,
    BLOCK,
    HYBRID,
    SPIN;

    /** The choice for a rate per second (0 if unknown), a number of generators, and a local or remote service. */
    public Pacing.Choice of(double perSecond, int generators, boolean isLocal) {
        return switch (this) {
            case AUTO ->
                Pacing.suited(
                        (long) (perSecond / generators),
                        generators,
                        Runtime.getRuntime().availableProcessors(),
                        isLocal);
            case BLOCK -> asked(Pacing.BLOCK);
            case HYBRID -> asked(Pacing.HYBRID);
            case SPIN -> asked(Pacing.SPIN);
        };
    }

    private static Pacing.Choice asked(Pacing way) {
        return new Pacing.Choice(way, "asked for");
    }
}
