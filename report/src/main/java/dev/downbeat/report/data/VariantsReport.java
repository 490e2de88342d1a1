package dev.downbeat.report.data;

import dev.downbeat.analysis.RunOutcome;
import dev.downbeat.compare.Variants;
import java.util.List;

/**
 * Everything a report of variants shows.
 *
 * @param variants the variants
 * @param target the target, in one line
 * @param load the load of each variant, in one line
 * @param acceptUnsound whether an unsound measurement is accepted
 * @param command command line with all defaults, one word each, without secrets
 * @param version Downbeat's version
 */
public record VariantsReport(
        Variants variants, String target, String load, boolean acceptUnsound, List<String> command, String version) {
    public VariantsReport {
        command = List.copyOf(command);
    }

    /** The exit code: the most important one of the variants. */
    public int exitCode() {
        return RunOutcome.ofAll(variants.variants().stream()
                        .map(variant ->
                                variant.analysis().accepting(acceptUnsound).outcome())
                        .toList())
                .exitCode();
    }
}
