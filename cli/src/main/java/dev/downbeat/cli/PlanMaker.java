package dev.downbeat.cli;

import dev.downbeat.report.file.PlanFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** Makes the plan of a command line, with everything chosen that it leaves to chance or to us. */
final class PlanMaker {
    private PlanMaker() {}

    /**
     * The plan.
     *
     * @param parsed of a command that has the options of {@code run}
     * @param beside options of it that are not of the load
     * @param unsaid words that say what it left open
     * @param job that was made of it
     * @param shards how many parts
     * @throws IOException if a file that it names cannot be read
     */
    static PlanFile plan(ParseResult parsed, Set<String> beside, List<String> unsaid, Job job, int shards)
            throws IOException {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(PlanWords.of(parsed, beside));
        words.addAll(unsaid);
        // once more, so that each option has its long name and its place
        CommandLine line = Downbeat.commandLine();
        List<String> load =
                PlanWords.of(line.parseArgs(words.toArray(String[]::new)).subcommand(), Set.of());
        List<String> command = new ArrayList<>(List.of("run"));
        command.addAll(load);
        return new PlanFile(
                Version.text(),
                PlanWords.id(load, shards),
                shards,
                job.seed().isEmpty() ? Optional.empty() : Optional.of(job.seed()),
                job.target().describe(),
                PlanText.load(job.plan()),
                command);
    }
}
