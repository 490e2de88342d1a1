package dev.downbeat.report.data;

/** A result of the library, to Downbeat's own modules: {@code dev.downbeat.load.Measured} promises nobody its report. */
public interface Reported {
    /** All of it. */
    RunReport report();

    /** The report of a {@code Measured}. */
    static RunReport of(Object measured) {
        return ((Reported) measured).report();
    }
}
