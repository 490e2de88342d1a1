package dev.downbeat.cli;

import dev.downbeat.report.file.ForeignFile;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.run.Shard;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/** {@code run --plan}: the words of the plan, with those that say which part of it and where the result goes. */
final class PlannedRun {
    private static final String STDIN = "-";
    private static final String VARIABLE = "env:";

    /** What may stand beside --plan. */
    private static final Set<String> OWN =
            Set.of("--plan", "--shard", "--start-at", "--output", "--json", "--quiet", "--verbose", "--color");

    private final RunCommand command;
    private final String place;

    PlannedRun(RunCommand command, String place) {
        this.command = command;
        this.place = place;
    }

    /** Runs it; the exit code. */
    int run() throws IOException {
        ParseResult parsed = command.spec.commandLine().getParseResult();
        if (command.target != null) {
            throw new TypeConversionException("--plan says what to measure: leave " + command.target + " out");
        }
        for (OptionSpec option : parsed.matchedOptions()) {
            if (!OWN.contains(option.longestName())) {
                throw new TypeConversionException("--plan says all about the load: leave " + option.longestName()
                        + " out, or make another plan with it");
            }
        }
        PlanFile plan = read(place);
        List<String> words = new ArrayList<>(ForeignWords.measuring(plan.command(), "--plan " + place));
        words.addAll(1, own(parsed));
        words.add(1, "--shard=" + shard(plan));
        words.add(1, "--plan-id=" + plan.id());
        CommandLine line = Downbeat.commandLine();
        line.setOut(command.spec.commandLine().getOut());
        line.setErr(command.spec.commandLine().getErr());
        line.setExpandAtFiles(false);
        return line.execute(words.toArray(String[]::new));
    }

    /** The words beside --plan, and --shard, which may come from the engine. */
    private static List<String> own(ParseResult parsed) {
        List<String> words = new ArrayList<>();
        for (OptionSpec option : parsed.matchedOptions()) {
            String name = option.longestName();
            if (!name.equals("--plan") && !name.equals("--shard")) {
                words.addAll(PlanWords.words(option));
            }
        }
        return words;
    }

    private Shard shard(PlanFile plan) {
        Shard given = command.shards.shard;
        if (given != null && given.count() != plan.shards()) {
            throw new TypeConversionException("the plan has " + plan.shards() + " shards, but --shard was " + given);
        }
        if (given != null) {
            return given;
        }
        OptionalInt index = ArrayIndex.of(System.getenv(), plan.shards());
        if (index.isEmpty() && plan.shards() > 1) {
            throw new TypeConversionException("which shard of " + plan.shards()
                    + "? Neither --shard I/N nor JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX, SLURM_ARRAY_TASK_ID"
                    + " or NOMAD_ALLOC_INDEX says");
        }
        return new Shard(index.orElse(0), plan.shards());
    }

    static PlanFile read(String place) {
        try {
            PlanFile plan = PlanFile.parse(text(place));
            if (plan.command().isEmpty() || !plan.command().get(0).equals("run")) {
                throw new IOException("its command is not 'run'");
            }
            return plan;
        } catch (IOException | InvalidPathException unreadable) {
            String why = unreadable instanceof IOException broken ? Errors.ofFile(broken) : Messages.of(unreadable);
            throw new TypeConversionException("--plan " + place + " cannot be read: " + why);
        }
    }

    private static String text(String place) throws IOException {
        if (place.equals(STDIN)) {
            return ForeignFile.text(System.in);
        }
        if (place.startsWith(VARIABLE)) {
            String text = System.getenv(place.substring(VARIABLE.length()));
            if (text == null) {
                throw new IOException("there is no such variable");
            }
            return text;
        }
        return ForeignFile.text(Path.of(place));
    }

    /** Refuses words that are not those of the plan any more. */
    static void check(String id, String here) {
        if (!here.equals(id)) {
            throw new TypeConversionException("the plan's id is " + id + ", but its words and the files they name give "
                    + here + ": one of them was changed since, or another version of Downbeat made it");
        }
    }
}
