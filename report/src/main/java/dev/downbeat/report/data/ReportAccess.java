package dev.downbeat.report.data;

/**
 * Gives Downbeat's own modules the report of a library result; {@code dev.downbeat.load.Measured} does not expose it.
 */
public interface ReportAccess {
    RunReport report();

    /** The same {@code Measured} with another report. */
    ReportAccess with(RunReport other);

    static RunReport of(Object measured) {
        return ((ReportAccess) measured).report();
    }
}
