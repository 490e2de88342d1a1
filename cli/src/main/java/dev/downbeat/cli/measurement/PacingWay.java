package dev.downbeat.cli.measurement;

import dev.downbeat.http.Pacing;

/** {@code --pacing}: a way to wait, or the choice left to us. */
public enum PacingWay {
    AUTO,
    BLOCK,
    HYBRID,
    SPIN;

    /** The way for a load of so many requests per second (0: not known) over so many generators, to a service near or far. */
    public Pacing of(double perSecond, int generators, boolean isLocal) {
        return switch (this) {
            case AUTO ->
                Pacing.suited(
                        (long) (perSecond / generators),
                        generators,
                        Runtime.getRuntime().availableProcessors(),
                        isLocal);
            case BLOCK -> Pacing.BLOCK;
            case HYBRID -> Pacing.HYBRID;
            case SPIN -> Pacing.SPIN;
        };
    }
}
