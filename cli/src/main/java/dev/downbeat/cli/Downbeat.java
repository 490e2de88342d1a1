package dev.downbeat.cli;

import dev.downbeat.verdict.ExitCode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.InitializationException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line's front door. */
@Command(
        name = "downbeat",
        synopsisHeading = "%n",
        header = "Load and response times, measured from when each request was meant to start.",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Try:  downbeat run                                  what a stalled service looks like",
            "      downbeat run http://localhost:8080/ -R 500 -d 30s --slo 'p99<50ms'"
        },
        versionProvider = Version.class,
        mixinStandardHelpOptions = true)
public final class Downbeat implements Root, Runnable {
    private static final Set<String> VERBOSE = Set.of("-v", "--verbose");

    /** In the order of the help. */
    private static final Map<String, Class<?>> COMMANDS = commands(
            RunCommand.class,
            CompareCommand.class,
            SweepCommand.class,
            SheetCommand.class,
            PositionCommand.class,
            SessionCommand.class,
            SimulateCommand.class,
            ServeCommand.class,
            ProveCommand.class,
            PlanCommand.class,
            MergeCommand.class,
            ReportCommand.class,
            RerunCommand.class,
            Completion.class);

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Says more on stderr; a stack trace where something of ours breaks.")
    private boolean verbose;

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            scope = ScopeType.INHERIT,
            description = "auto (on a terminal, unless NO_COLOR is set; default), always or never.")
    private Colour colour = Colour.AUTO;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything runs
    CommandSpec spec;

    /** A shell's completion script. */
    @Command(
            name = "completion",
            hidden = true,
            header = "Prints a completion script for bash and zsh: source <(downbeat completion)")
    static final class Completion extends GenerateCompletion {}

    /** The process: parses, runs, exits. */
    public static void main(String[] args) {
        if (args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"))) {
            System.out.println(Version.line()); // asked by scripts in loops: not worth loading every command for
            return;
        }
        System.exit(execute(commandLine(args), args));
    }

    /** What a shell gets; a line of another tool is answered, never run. */
    static int execute(CommandLine line, String... args) {
        Optional<String> foreign = ForeignLine.answer(args);
        if (foreign.isPresent()) {
            line.getErr().println("downbeat: " + foreign.get());
            line.getErr().flush();
            return ExitCode.USAGE;
        }
        for (String word : args) {
            if (word.matches("-h\\w+")) { // hey's -h2 would be a request for help, and end with 0
                line.getErr().println("downbeat: unknown option: " + word);
                line.getErr().flush();
                return ExitCode.USAGE;
            }
        }
        try {
            return line.execute(ArgFiles.escapeBodies(args));
        } catch (InitializationException unreadable) { // an @FILE of options
            line.getErr().println("downbeat: " + Errors.ofOptionsFile(unreadable));
            line.getErr().flush();
            return ExitCode.USAGE;
        }
    }

    /** With all commands. */
    static CommandLine commandLine() {
        return commandLine(COMMANDS);
    }

    /** For these words: with the command that they name alone, since to prepare all of them takes longer than most runs start. */
    static CommandLine commandLine(String... words) {
        for (int i = 0; i < words.length; i++) {
            Class<?> named = COMMANDS.get(words[i]);
            if (named != null && named != Completion.class) { // which is about all
                return commandLine(Map.of(words[i], named));
            }
            if (words[i].equals("--color")) {
                i++; // its value
            } else if (!words[i].startsWith("--color=") && !VERBOSE.contains(words[i])) {
                break;
            }
        }
        return commandLine();
    }

    private static CommandLine commandLine(Map<String, Class<?>> commands) {
        CommandLine line = new CommandLine(new Downbeat());
        commands.forEach(line::addSubcommand);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setUnmatchedOptionsAllowedAsOptionParameters(false);
        GroupedOptions.install(line.getSubcommands().values());
        CommandLine rerun = line.getSubcommands().get("rerun");
        if (rerun != null) {
            rerun.setStopAtPositional(true); // what stands behind the file is for the command that is repeated
        }
        line.setParameterExceptionHandler(Errors::usage);
        line.setExecutionExceptionHandler(Errors::thrown);
        return line;
    }

    private static Map<String, Class<?>> commands(Class<?>... commands) {
        Map<String, Class<?>> named = new LinkedHashMap<>();
        for (Class<?> command : commands) {
            named.put(command.getAnnotation(Command.class).name(), command);
        }
        return Collections.unmodifiableMap(named);
    }

    @Override
    public boolean isVerbose() {
        return verbose;
    }

    @Override
    public Colour colour() {
        return colour;
    }

    @Override
    public CommandLine another() {
        return commandLine();
    }

    /** Without a command there is nothing to do. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing, such as 'downbeat run'");
    }
}
