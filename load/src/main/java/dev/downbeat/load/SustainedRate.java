package dev.downbeat.load;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.file.AtomicFile;
import dev.downbeat.report.file.SweepFile;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.view.sweep.SweepView;
import dev.downbeat.stats.Numbers;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The result of a {@link LoadSweep}: an interval, from the highest rate shown to be sustained to the lowest shown to be
 * too high.
 *
 * <pre>{@code
 * assertTrue(found.perSecond().orElse(0) >= 800, found.sentence());
 * }</pre>
 *
 * <p>Immutable, thread-safe. A null argument throws a {@link NullPointerException}.
 */
public final class SustainedRate {
    private final SweepReport report;
    private final Optional<Throwable> firstFailure;

    SustainedRate(SweepReport report, Optional<Throwable> firstFailure) {
        this.report = report;
        this.firstFailure = firstFailure;
    }

    private Capacity capacity() {
        return report.capacity();
    }

    /**
     * The highest rate at which every objective was met with a confidence of 95 %, without growing response times, in a
     * run of at least three durations, alone or with those before it.
     *
     * @return requests per second; empty if there is none, or no time was left to confirm it: {@link #sentence} says which
     */
    public OptionalDouble perSecond() {
        return capacity().isConfirmed() ? capacity().sustainablePerSecond() : OptionalDouble.empty();
    }

    /**
     * The lowest rate at which an objective was missed with a confidence of 95 %, or response times kept growing.
     *
     * @return requests per second; empty if no rate was too high, so that the service may sustain more
     */
    public OptionalDouble tooHighPerSecond() {
        return capacity().tooHighPerSecond();
    }

    /** Whether the search came to its end: neither its budget, an interrupt nor the service ended it early. */
    public boolean isComplete() {
        return !capacity().isCutShort();
    }

    /** The result at each rate, in ascending order of rate; at least one. Unmodifiable. */
    public List<Step> steps() {
        return capacity().steps().stream().map(Step::new).toList();
    }

    /** The first exception of the code at any rate, if any, for its stack trace. It may be of a warm-up. */
    public Optional<Throwable> firstFailure() {
        return firstFailure;
    }

    /** The result in one sentence, as the command line shows it, after the name of what was measured. */
    public String sentence() {
        return report.target() + ": " + report.partial().map(end -> end + "; ").orElse("")
                + new SweepView(report).headline();
    }

    /** The report as the command line shows it: several lines. */
    public String text() {
        return SavedText.of(out -> Renderer.TEXT.write(new SweepView(report), out));
    }

    /**
     * Saves the report in the format of the file extension: {@code .txt}, {@code .md}, {@code .html}, {@code .json},
     * {@code .xml} (JUnit), or {@code .downbeat}, of which {@code downbeat report} makes the others.
     *
     * @param file created or replaced; a missing folder is created
     * @throws IllegalArgumentException if the extension is not one of these
     * @throws LoadException if the file cannot be written
     */
    public void save(Path file) {
        SavedText.save(file, content(file));
    }

    private AtomicFile.Content content(Path file) {
        return switch (SavedText.extension(file)) {
            case ".downbeat" -> out -> SweepFile.write(report, out);
            case ".txt" -> in(Renderer.TEXT);
            case ".html" -> in(Renderer.HTML);
            case ".json" -> in(Renderer.JSON);
            case ".md" -> in(Renderer.MARKDOWN);
            case ".xml" -> in(Renderer.JUNIT);
            default -> throw SavedText.refused(file, ".txt, .html, .json, .md, .xml or .downbeat");
        };
    }

    private AtomicFile.Content in(Renderer format) {
        return SavedText.utf8(out -> format.write(new SweepView(report), out));
    }

    /** The {@link #sentence}. */
    @Override
    public String toString() {
        return sentence();
    }

    /** The result at one rate. Immutable. */
    public static final class Step {
        private final RateStep step;

        private Step(RateStep step) {
            this.step = step;
        }

        /** The planned requests per second. */
        public double perSecond() {
            return step.perSecond();
        }

        /**
         * Whether the rate met the objectives, with a confidence of 95 %. {@link Verdict#MISSED} includes growing response
         * times; {@link Verdict#UNSOUND} means that this machine may have been the limit.
         */
        public Verdict verdict() {
            return switch (step.outcome()) {
                case PASS -> Verdict.MET;
                case MISSED, GROWING -> Verdict.MISSED;
                case UNDECIDED -> Verdict.UNDECIDED;
                case UNSOUND -> Verdict.UNSOUND;
            };
        }

        /** The reason in a few words; empty if the rate met the objectives. */
        public String reason() {
            return step.reason();
        }

        /** Answered requests per second. */
        public double answeredPerSecond() {
            return step.answeredPerSecond();
        }

        /** Response times after settling, as in {@link Measured#response()}. */
        public Times response() {
            return new Times(step.recording().responseAtLeast());
        }

        /** Such as {@code 500/s: missed, p99: measured 61 ms}. */
        @Override
        public String toString() {
            String why = step.reason().isEmpty() ? "" : ", " + step.reason();
            return Numbers.rate(step.perSecond()) + ": " + step.outcome().word() + why;
        }
    }
}
