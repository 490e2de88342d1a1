package dev.downbeat.cli.console;

import dev.downbeat.cli.console.Console.OutputOptions;
import dev.downbeat.cli.console.Interruption.Measuring;
import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.report.file.UndecidedPolicy;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

public final class UndecidedOption {
    @Option(
            names = "--undecided",
            paramLabel = "POLICY",
            completionCandidates = Policies.class,
            description =
                    "If undecided: fails (98), passes (0), or fails-after-3: three in a row pass, counted in a file"
                            + " next to the first -o. Default 98; for compare 0.")
    @Nullable
    UndecidedPolicy policy;

    /** Makes XML pass or fail as the exit code does; refuses a counting policy without a place for its count. */
    public void applyTo(OutputOptions output) {
        if (policy != null && policy.isCounted() && file(output).isEmpty()) {
            throw new TypeConversionException("--undecided " + policy.text()
                    + " needs a local -o, beside which it keeps its count: add -o result.downbeat");
        }
        if (policy != null) {
            boolean passes =
                    policy.passes(file(output).map(UndecidedPolicy::nextInARow).orElse(1));
            output.files =
                    output.files.stream().map(file -> file.ifUndecided(passes)).toList();
        }
    }

    public boolean isGiven() {
        return policy != null;
    }

    private static Optional<Path> file(OutputOptions output) {
        return output.files.stream()
                .filter(file -> file.object().isEmpty())
                .map(OutputFile::path)
                .map(UndecidedOption::beside)
                .findFirst();
    }

    private static Path beside(Path result) {
        String name = String.valueOf(result.getFileName());
        return result.resolveSibling(name.substring(0, name.lastIndexOf('.')) + UndecidedPolicy.EXTENSION);
    }

    static final class Policies implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("fails", "passes", "fails-after-3").iterator();
        }
    }

    /** The exit code of the work under the policy; reports the outcome to GitHub. */
    public int after(Measuring work, Console console) throws IOException {
        return after(work, () -> false, console);
    }

    /** The same for work that by default exits with 0 if undecided. */
    public int after(Measuring work, BooleanSupplier wasUndecided, Console console) throws IOException {
        GitHubSteps gitHub = new GitHubSteps(System.getenv(), console);
        int code;
        try {
            code = work.run();
        } catch (IOException | RuntimeException | Error nothing) {
            gitHub.verdict(ExitCode.NOTHING);
            throw nothing;
        }
        boolean isUndecided = code == ExitCode.UNSOUND || (wasUndecided.getAsBoolean() && code == ExitCode.MET);
        gitHub.verdict(isUndecided ? ExitCode.UNSOUND : code);
        UndecidedPolicy chosen = policy;
        boolean isResult = isUndecided || code == ExitCode.MET || code == ExitCode.MISSED;
        if (chosen == null || !isResult) {
            return code; // a build that broke says nothing about those before it
        }
        int inARow = chosen.isCounted()
                ? UndecidedPolicy.inARow(file(console.output()).orElseThrow(), isUndecided)
                : 1;
        if (!isUndecided) {
            return code;
        }
        boolean passes = chosen.passes(inARow);
        String text = "undecided" + (chosen.isCounted() ? ", " + UndecidedPolicy.inWords(inARow) : "") + ": "
                + (passes ? "passes" : "fails") + " by --undecided " + chosen.text();
        console.note(text);
        gitHub.undecided(text);
        return passes ? ExitCode.MET : ExitCode.UNSOUND;
    }
}
