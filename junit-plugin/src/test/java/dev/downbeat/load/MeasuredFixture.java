package dev.downbeat.load;

import dev.downbeat.report.data.RunReport;
import java.util.Optional;

/** Results of made-up runs: the library makes none of a report. */
public final class MeasuredFixture {
    private MeasuredFixture() {}

    public static Measured of(RunReport report) {
        return new Measured.OfRun(report, Optional.empty());
    }
}
