package dev.downbeat.report.view;

import dev.downbeat.record.Recording;
import dev.downbeat.report.data.SideBySide;
import dev.downbeat.report.data.WorkloadText;
import dev.downbeat.report.paper.Ink;
import dev.downbeat.report.paper.Lines;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ResponseBounds;
import dev.downbeat.verdict.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Several results on a screen of 80 columns: a line for each. */
public final class SideBySideText {
    static final List<Double> SHOWN = List.of(50.0, 90.0, 99.0, 99.9, 100.0);

    /** What is not to be found here, and where it is. */
    static final String NO_TEST =
            "Nothing is tested here: whether a difference is more than chance, downbeat compare says.";

    private SideBySideText() {}

    /**
     * Writes all of it.
     *
     * @param colour whether with ANSI colours
     */
    public static void write(SideBySide report, boolean colour, Appendable out) throws IOException {
        Ink ink = colour ? Ink.ANSI : Ink.NONE;
        Lines lines = new Lines(out);
        int number = 1;
        for (SideBySide.Named named : report.results()) {
            String label = String.format(Locale.ROOT, "%3d  ", number++);
            lines.paragraph(
                    label, ink.bold(named.name()) + "  " + named.result().target());
            lines.paragraph("     ", WorkloadText.line(named.report()));
        }
        lines.blank();
        lines.unwrapped(row("", List.of("p50", "p90", "p99", "p99.9", "max"), ""));
        number = 1;
        for (SideBySide.Named named : report.results()) {
            lines.unwrapped(row(Integer.toString(number++), times(named), "  " + painted(named, ink)));
        }
        lines.blank();
        for (String difference : report.differences()) {
            lines.paragraph(ink.doubt("  ! "), difference);
        }
        lines.paragraph("  ", ink.faint(NO_TEST));
    }

    private static String row(String name, List<String> cells, String last) {
        Object[] all = new ArrayList<>(cells).toArray();
        return String.format(Locale.ROOT, "%3s", name) + String.format(Locale.ROOT, "%10s%10s%10s%10s%10s", all) + last;
    }

    /** Response times at {@link #SHOWN}, as far as there are requests enough. */
    static List<String> times(SideBySide.Named named) {
        Recording recording = named.result().recording();
        ResponseBounds bounds = ResponseBounds.of(recording);
        return SHOWN.stream()
                .map(percentile -> bounds.carries(percentile)
                        ? (bounds.isKnownAt(percentile) ? "" : "≥ ")
                                + DurationText.rounded(bounds.atLeastNanos(percentile))
                        : "–")
                .toList();
    }

    private static String painted(SideBySide.Named named, Ink ink) {
        Verdict verdict = named.report().verdict();
        return verdict.measurement() == Verdict.Measurement.UNSOUND
                ? ink.bad("UNSOUND")
                : verdict.service() == Verdict.Service.MISSED ? ink.bad("MISSED") : verdict(named);
    }

    /** Of the service, if the measurement is sound. */
    static String verdict(SideBySide.Named named) {
        Verdict verdict = named.report().verdict();
        if (verdict.measurement() == Verdict.Measurement.UNSOUND) {
            return "UNSOUND";
        }
        return switch (verdict.service()) {
            case MET -> "met";
            case MISSED -> "MISSED";
            case UNDECIDED -> "undecided";
            case NONE -> "sound";
        };
    }
}
