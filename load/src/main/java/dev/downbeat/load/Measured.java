package dev.downbeat.load;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.view.ReportFormat;
import dev.downbeat.report.view.TextReport;
import dev.downbeat.verdict.Verdict;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a load showed. Immutable.
 *
 * @param report all of it, ready for every {@link ReportFormat}
 * @param firstFailure the first exception that the measured code threw, if one came through
 */
public record Measured(RunReport report, Optional<Throwable> firstFailure) {
    /** Whether the measurement can be trusted, and whether the service met its objectives. */
    public Verdict verdict() {
        return report.verdict();
    }

    /** What became of every request that was meant to be sent. */
    public Ledger ledger() {
        return report.result().ledger();
    }

    /**
     * What callers waited, from when each request was meant to start, in nanoseconds. Requests whose end was not seen
     * count with the time they had lasted: a percentile that they reach is a lower bound.
     */
    public Distribution response() {
        return report.result().recording().responseAtLeast();
    }

    /** How long answered requests took from when they were sent, in nanoseconds: what a stopwatch in a loop would say. */
    public Distribution service() {
        return report.result().recording().service();
    }

    /** What is to be said about it in one sentence, worst first. */
    public String sentence() {
        return new Sentence(report).text();
    }

    /**
     * Insists that the numbers can be believed.
     *
     * @return this
     * @throws AssertionError with {@link #sentence} if the measurement is unsound
     */
    public Measured throwIfUnsound() {
        return verdict().measurement() == Verdict.Measurement.SOUND ? this : failed();
    }

    /**
     * Insists that every objective was met, by numbers that can be believed.
     *
     * @return this
     * @throws AssertionError with {@link #sentence} if an objective was missed or could not be decided, or if the
     *     measurement is unsound
     */
    public Measured throwUnlessMet() {
        boolean met = verdict().service() == Verdict.Service.MET || verdict().service() == Verdict.Service.NONE;
        return met ? throwIfUnsound() : failed();
    }

    private Measured failed() {
        throw new AssertionError(sentence(), firstFailure.orElse(null));
    }

    /** The report as the command line shows it. */
    public String text() {
        StringBuilder text = new StringBuilder();
        try {
            TextReport.plain().write(report, text);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible); // a StringBuilder takes everything
        }
        return text.toString();
    }

    /**
     * Saves the report.
     *
     * @param file is made or replaced, and its folder made
     * @param format such as {@link dev.downbeat.report.view.JsonReport}
     * @throws IOException if it cannot be written
     */
    public void save(Path file, ReportFormat format) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            format.write(report, out);
        }
    }

    @Override
    public String toString() {
        return sentence();
    }
}
