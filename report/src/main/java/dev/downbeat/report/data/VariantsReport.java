package dev.downbeat.report.data;

import dev.downbeat.analysis.RunOutcome;
import dev.downbeat.compare.Variants;
import java.util.List;

/**
 * All that a report of variants can show.
 *
 * @param variants what was found
 * @param target what was aimed at, in one line
 * @param load what each variant was asked, in one line
 * @param acceptUnsound whether a measurement in doubt goes for a sound one
 * @param command the command line with all defaults filled in, one word each, without secrets
 * @param version version of Downbeat
 */
public record VariantsReport(
        Variants variants, String target, String load, boolean acceptUnsound, List<String> command, String version) {
    public VariantsReport {
        command = List.copyOf(command);
    }

    /** What a script is told: of the variants' own exit codes the one that weighs most. */
    public int exitCode() {
        return RunOutcome.ofAll(variants.variants().stream()
                        .map(variant ->
                                variant.analysis().accepting(acceptUnsound).outcome())
                        .toList())
                .exitCode();
    }
}
