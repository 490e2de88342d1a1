package dev.downbeat.stats.level;

/**
 * One lasting change of the level of a series, in natural logarithms of times. Immutable.
 *
 * @param at the first build of the new level; of a drift, its first build
 * @param earliest the first build that it may have come with, with a confidence of 95 %
 * @param latest the last build that it may have come with
 * @param until of a drift the last build of it; else {@code at}
 * @param before the logarithm of the level before
 * @param after the logarithm of the level since
 * @param reach by how much the difference may be larger or smaller, with a confidence of 95 %
 */
public record LevelChange(int at, int earliest, int latest, int until, double before, double after, double reach) {
    /** Whether no single build did it. */
    public boolean isDrift() {
        return until > at;
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
