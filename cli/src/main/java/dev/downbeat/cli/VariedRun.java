package dev.downbeat.cli;

import dev.downbeat.report.data.VariantsReport;
import dev.downbeat.report.view.VariantsHtml;
import dev.downbeat.report.view.VariantsJson;
import dev.downbeat.report.view.VariantsText;
import dev.downbeat.verdict.Variants;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** {@code run --vary}: each variant is the command line with other words, so that it means what it would mean alone. */
final class VariedRun {
    private final RunCommand command;
    private final String target;
    private final Console console;
    private final Interruption interruption;

    VariedRun(RunCommand command, String target, Console console, Interruption interruption) {
        this.command = command;
        this.target = target;
        this.console = console;
        this.interruption = interruption;
    }

    /** Measures and reports; the exit code. */
    int run() throws IOException {
        PairedOutput output = new PairedOutput("--vary", console);
        List<SlicedJob> jobs = jobs();
        command.watchOnce(interruption);
        Turns turns = new Turns(jobs, command.vary.turns, console, interruption);
        List<Variants.Measured> measured = turns.run();
        if (measured.isEmpty()) {
            interruption.finished();
            return interruption.exitCode();
        }
        Job first = jobs.get(0).whole();
        VariantsReport report = new VariantsReport(
                Variants.of(measured, first.slos()),
                first.target().describe(),
                load(jobs),
                first.acceptUnsound(),
                first.command(),
                Version.text());
        boolean written = output.write(new PairedOutput.Views(
                out -> VariantsText.write(report, console.colour(), out),
                out -> VariantsText.write(report, false, out),
                out -> VariantsJson.write(report, out),
                out -> VariantsHtml.write(report, out)));
        interruption.finished();
        return turns.exitCode(report.exitCode(), written);
    }

    private String load(List<SlicedJob> jobs) {
        Job first = jobs.get(0).whole();
        return PlanText.load(first.plan()) + ", " + jobs.size() + " variants in turns, each in " + command.vary.turns
                + " slices of " + Turns.sliceText(first.plan(), command.vary.turns)
                + (first.seed().isEmpty() ? "" : ", seed " + first.seed());
    }

    private List<SlicedJob> jobs() throws IOException {
        int turns = command.vary.checkedTurns();
        List<List<Setting>> combinations = command.vary.combinations();
        if (combinations.size() < 2) {
            throw new TypeConversionException("--vary needs at least two values to compare: NAME=VALUE,VALUE");
        }
        combinations.get(0).forEach(this::refuseIfGiven);
        command.job(target); // its mistakes first, and it draws the seed
        List<SlicedJob> jobs = new ArrayList<>();
        for (List<Setting> settings : combinations) {
            String name = settings.stream().map(Setting::toString).collect(Collectors.joining(" "));
            try {
                SlicedJob job = with(settings).sliced(name, target, turns);
                Turns.check(job.whole().plan(), turns);
                jobs.add(job);
            } catch (ParameterException | TypeConversionException refused) {
                throw new TypeConversionException("--vary " + name + ": " + Messages.of(refused));
            }
        }
        return jobs;
    }

    private void refuseIfGiven(Setting setting) {
        String option = setting.varied().option();
        if (command.spec.commandLine().getParseResult().hasMatchedOption(option)) {
            OptionSpec spec = command.spec.findOption(option);
            throw new TypeConversionException("--vary " + setting.varied().word() + " and "
                    + String.join(", ", spec.names()) + " are mutually exclusive: say each value in --vary");
        }
    }

    /** The words of a variant stand right behind the command's name: there may be a "--" further on. */
    private RunCommand with(List<Setting> settings) {
        List<String> words = new ArrayList<>(command.originalWords());
        List<String> more = new ArrayList<>(command.load.wordsUnsaid());
        settings.forEach(setting -> more.addAll(setting.words()));
        words.addAll(words.indexOf("run") + 1, more);
        CommandLine line = Downbeat.commandLine();
        line.parseArgs(words.toArray(new String[0]));
        RunCommand variant =
                Objects.requireNonNull(line.getSubcommands().get("run")).getCommand();
        variant.takeQueueOf(command);
        variant.asking.connection.connections = variant.asking.connection.connections == null
                ? command.asking.connection.connections
                : variant.asking.connection.connections;
        return variant;
    }
}
