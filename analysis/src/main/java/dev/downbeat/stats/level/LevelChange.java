package dev.downbeat.stats.level;

/**
 * A lasting change of a series' level, in natural logarithms of times. Immutable.
 *
 * @param at first build of the new level; for a drift, its first build
 * @param earliest first build that may have caused it, with a confidence of 95 %
 * @param latest last build that may have caused it
 * @param until last build of a drift; otherwise {@code at}
 * @param before logarithm of the previous level
 * @param after logarithm of the new level
 * @param reach half width of the difference's 95 % interval
 */
public record LevelChange(int at, int earliest, int latest, int until, double before, double after, double reach) {
    /** Whether the change is gradual, so that no single build caused it. */
    public boolean isDrift() {
        return until > at;
    }

    /** The nanoseconds of a level's logarithm. */
    public static long nanos(double log) {
        return Math.round(Math.exp(log));
    }

    /** The relative change; 0.1 is a tenth slower. */
    public double change() {
        return Math.expm1(after - before);
    }

    /** Lower end of its 95 % interval. */
    public double low() {
        return Math.expm1(after - before - reach);
    }

    /** Upper end of its 95 % interval. */
    public double high() {
        return Math.expm1(after - before + reach);
    }
}
