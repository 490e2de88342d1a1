package dev.downbeat.cli;

import dev.downbeat.arrival.Rate;
import dev.downbeat.cli.command.AuditCommand;
import dev.downbeat.cli.command.CompareCommand;
import dev.downbeat.cli.command.ExplainCommand;
import dev.downbeat.cli.command.HelpCommand;
import dev.downbeat.cli.command.HistoryCommand;
import dev.downbeat.cli.command.IdleCommand;
import dev.downbeat.cli.command.LastCommand;
import dev.downbeat.cli.command.MergeCommand;
import dev.downbeat.cli.command.PlanCommand;
import dev.downbeat.cli.command.PositionCommand;
import dev.downbeat.cli.command.ProveCommand;
import dev.downbeat.cli.command.ReportCommand;
import dev.downbeat.cli.command.RerunCommand;
import dev.downbeat.cli.command.RunCommand;
import dev.downbeat.cli.command.ServeCommand;
import dev.downbeat.cli.command.SessionCommand;
import dev.downbeat.cli.command.SimulateCommand;
import dev.downbeat.cli.command.StopCommand;
import dev.downbeat.cli.command.SweepCommand;
import dev.downbeat.cli.command.WatchCommand;
import dev.downbeat.cli.console.ErrorLines;
import dev.downbeat.cli.console.NamedPercentile;
import dev.downbeat.cli.console.Root;
import dev.downbeat.cli.file.LastRuns;
import dev.downbeat.cli.file.ObjectStore;
import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.help.ArgFiles;
import dev.downbeat.cli.help.Completion;
import dev.downbeat.cli.help.Defaults;
import dev.downbeat.cli.help.GroupedOptions;
import dev.downbeat.cli.job.LiveOptions;
import dev.downbeat.cli.job.LiveOptions.WatchSpec;
import dev.downbeat.cli.measurement.option.CountParser;
import dev.downbeat.cli.measurement.option.DurationParser;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.OptionFormat;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Size;
import dev.downbeat.cli.meet.MeetingPlace;
import dev.downbeat.cli.shard.ShardOptions;
import dev.downbeat.cli.shard.ShardOptions.StartTime;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.cli.terminal.Terminal;
import dev.downbeat.cli.terminal.Version;
import dev.downbeat.cli.turns.Tolerance;
import dev.downbeat.report.file.UndecidedPolicy;
import dev.downbeat.run.OfferedRate.RateText;
import dev.downbeat.run.Shard;
import dev.downbeat.selfcheck.PropertyNames;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.time.Stall;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

@Command(
        name = "downbeat",
        synopsisHeading = "%n",
        header = "Load and response times, measured from when each request was meant to start.",
        commandListHeading = "",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples",
            "  downbeat run          shows what a stalled service looks like, in 10 seconds",
            "  downbeat run http://localhost:8080/ -R 500 -d 30s --slo 'p99<50ms'",
            "  downbeat help run     all options of run, by group"
        },
        versionProvider = Version.class,
        mixinStandardHelpOptions = true,
        addMethodSubcommands = false)
public final class DownbeatMain implements Root, Runnable {
    private static final Set<String> VERBOSE = Set.of("-v", "--verbose");
    private static final String NO_UNSAFE = "io.netty.noUnsafe";

    /** Commands in the order of the help. */
    private static final List<String> COMMANDS = List.of(
            "run",
            "sweep",
            "position",
            "idle",
            "compare",
            "explain",
            "history",
            "session",
            "simulate",
            "audit",
            "prove",
            "serve",
            "last",
            "report",
            "rerun",
            "plan",
            "watch",
            "stop",
            "merge",
            "help",
            "completion");

    /** The heading of each group in the help, by its first command. */
    private static final Map<String, String> GROUPS = Map.of(
            "run", "Measure",
            "compare", "Understand",
            "prove", "Check Downbeat",
            "last", "Results and shards",
            "help", "Help");

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Shows all details, and more messages on stderr.")
    private boolean verbose;

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            scope = ScopeType.INHERIT,
            description = "auto (on a terminal, unless NO_COLOR is set; default), always or never.")
    private Terminal.Colour colour = Terminal.Colour.AUTO;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything runs
    CommandSpec spec;

    private final Optional<LastRuns> lastRuns;

    /** Creates a command line that keeps no runs for {@code downbeat last}. */
    public DownbeatMain() {
        this(Optional.empty());
    }

    /** Creates a command line that keeps its runs there. */
    DownbeatMain(Optional<LastRuns> lastRuns) {
        this.lastRuns = lastRuns;
    }

    public static void main(String[] args) {
        if (args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"))) {
            System.out.println(Version.line()); // scripts call it in loops: do not load every command
            return;
        }
        if (isHelpWritten(args)) {
            return;
        }
        System.exit(run(System.getenv(), args));
    }

    /** Parses and runs a command line; returns the exit code. */
    static int run(Map<String, String> environment, String... args) {
        silenceNetty();
        System.setProperty("picocli.disable.closures", "true"); // picocli looks for Groovy's in every jar otherwise
        Optional<String> refusal =
                undecoded(args).or(() -> PropertyNames.refusal(System.getProperties(), PropertyNames.all()));
        if (refusal.isPresent()) {
            System.err.println("downbeat: " + refusal.get());
            return ExitCode.USAGE;
        }
        DownbeatMain root = new DownbeatMain(LastRuns.of(environment));
        CommandLine line = commandLine(root, args);
        try {
            Defaults.install(line, environment, args);
        } catch (TypeConversionException refused) {
            System.err.println("downbeat: " + refused.getMessage());
            return ExitCode.USAGE;
        }
        return execute(line, args);
    }

    /** In the locale C, the JVM replaces every byte beyond ASCII: a body would be sent with other characters. */
    private static Optional<String> undecoded(String... args) {
        String characters = System.getProperty("sun.jnu.encoding", "UTF-8");
        return characters.equals("UTF-8") || String.join("", args).indexOf('\uFFFD') < 0
                ? Optional.empty()
                : Optional.of("the locale's character set, " + characters
                        + ", lacks characters of the command line: set LC_ALL=C.UTF-8");
    }

    /** From JDK 24 on, the JVM would print a warning about Netty's Unsafe above reports. */
    private static void silenceNetty() {
        if (Runtime.version().feature() >= 24 && System.getProperty(NO_UNSAFE) == null) {
            System.setProperty(NO_UNSAFE, "true");
        }
    }

    /** Writes a help if the arguments ask for one; on a terminal in its width and with colours. */
    private static boolean isHelpWritten(String... args) {
        boolean isTerminal = Terminal.isStdoutTerminal();
        if (isTerminal || Terminal.Colour.AUTO.isOn(System.getenv(), isTerminal)) {
            return false;
        }
        Optional<String> help = WrittenHelp.of(args);
        help.ifPresent(System.out::print);
        return help.isPresent();
    }

    /**
     * Runs a command line and returns its exit code. A line of another tool or an earlier Downbeat is answered but
     * never run.
     */
    public static int execute(CommandLine line, String... args) {
        String[] words = ArgFiles.escapeBodies(args);
        Optional<String> refusal = ForeignCommandLine.answer(args)
                .or(() -> RemovedWords.answer(args))
                .or(() -> Stream.of(args)
                        .filter(word -> word.matches("-h\\w+")) // hey's -h2 would print the help, and exit with 0
                        .findFirst()
                        .map(word -> "unknown option: " + word))
                .or(() -> ArgFiles.unreadable(words).map(why -> "cannot read the options in " + why));
        if (refusal.isPresent()) {
            line.getErr().println("downbeat: " + refusal.get());
            line.getErr().flush();
            return ExitCode.USAGE;
        }
        try {
            return line.execute(words);
        } catch (Error broken) {
            line.getErr()
                    .println("downbeat: " + broken
                            + (broken instanceof LinkageError ? Messages.REPLACED : ".")
                            + " What a run with -o NAME.downbeat recorded until then is in NAME.downbeat.part.");
            line.getErr().flush();
            return ExitCode.NOTHING;
        }
    }

    public static CommandLine commandLine() {
        return commandLine(new DownbeatMain(), all());
    }

    /**
     * A command line for these arguments. It contains only the command they name, since creating all commands takes
     * longer than starting most runs.
     */
    public static CommandLine commandLine(DownbeatMain root, String... words) {
        for (int i = 0; i < words.length; i++) {
            Class<?> named = named(words[i]);
            if (named != null && named != HelpCommand.class && named != Completion.class) { // about all commands
                return commandLine(root, Map.of(words[i], named));
            }
            if (words[i].equals("--color")) {
                i++; // the option's value
            } else if (!words[i].startsWith("--color=") && !VERBOSE.contains(words[i])) {
                break;
            }
        }
        return commandLine(root, all());
    }

    private static CommandLine commandLine(DownbeatMain root, Map<String, Class<?>> commands) {
        CommandLine line = new CommandLine(root);
        commands.forEach(line::addSubcommand);
        registerParsers(line);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setUnmatchedOptionsAllowedAsOptionParameters(false);
        GroupedOptions.install(line.getSubcommands().values());
        line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, DownbeatMain::grouped);
        CommandLine rerun = line.getSubcommands().get("rerun");
        if (rerun != null) {
            rerun.setStopAtPositional(true); // arguments after the file belong to the command that is repeated
        }
        line.setParameterExceptionHandler(ErrorLines::usage);
        line.setExecutionExceptionHandler(ErrorLines::thrown);
        return line;
    }

    /** How options of each type are parsed; picocli passes it on to the commands that were added before. */
    private static void registerParsers(CommandLine line) {
        register(line, int.class, OptionFormat::wholeNumber);
        register(line, Integer.class, OptionFormat::wholeNumber);
        register(line, Long.class, CountParser::parse);
        register(line, Size.class, Size::parse);
        register(line, Duration.class, DurationParser::parse);
        register(line, Instant.class, ExplainCommand::instant);
        register(line, InetSocketAddress.class, LiveOptions::address);
        register(line, WatchSpec.class, WatchSpec::parse);
        register(line, OutputFile.class, OutputFile::parse);
        register(line, Path.class, ObjectStore::local);
        register(line, MeetingPlace.class, text -> MeetingPlace.parse(text, System.getenv()));
        register(line, Shard.class, ShardOptions::shard);
        register(line, StartTime.class, text -> StartTime.parse(text, Instant.now()));
        register(line, Tolerance.class, Tolerance::parse);
        register(line, NamedPercentile.class, NamedPercentile::parse);
        register(line, Rate.class, RateText::parse);
        register(line, ServiceLaw.class, ServiceLaw::parse);
        register(line, Stall.class, Stall::parse);
        register(line, UndecidedPolicy.class, UndecidedPolicy::parse);
    }

    /** Only one class implements picocli's interface: the launcher keeps such out of its archive of loaded classes. */
    private static <T> void register(CommandLine line, Class<T> type, Function<String, T> parser) {
        line.registerConverter(type, text -> Refusal.wrap(() -> parser.apply(text)));
    }

    private static String grouped(Help help) {
        StringBuilder list = new StringBuilder();
        help.commandSpec().subcommands().forEach((name, command) -> {
            if (GROUPS.containsKey(name)) {
                list.append(PlanText.format("%n%s:%n", GROUPS.get(name)));
            }
            list.append(PlanText.format(
                    "  %-11s %s%n",
                    name,
                    String.join(" ", command.getCommandSpec().usageMessage().header())));
        });
        return list.toString();
    }

    private static Map<String, Class<?>> all() {
        Map<String, Class<?>> all = new LinkedHashMap<>();
        COMMANDS.forEach(name -> all.put(name, Objects.requireNonNull(named(name))));
        return all;
    }

    /** A switch rather than a map of all, so that only the named class is loaded. */
    private static @Nullable Class<?> named(String word) {
        return switch (word) {
            case "run" -> RunCommand.class;
            case "sweep" -> SweepCommand.class;
            case "position" -> PositionCommand.class;
            case "idle" -> IdleCommand.class;
            case "compare" -> CompareCommand.class;
            case "explain" -> ExplainCommand.class;
            case "history" -> HistoryCommand.class;
            case "session" -> SessionCommand.class;
            case "simulate" -> SimulateCommand.class;
            case "audit" -> AuditCommand.class;
            case "prove" -> ProveCommand.class;
            case "serve" -> ServeCommand.class;
            case "last" -> LastCommand.class;
            case "report" -> ReportCommand.class;
            case "rerun" -> RerunCommand.class;
            case "plan" -> PlanCommand.class;
            case "watch" -> WatchCommand.class;
            case "stop" -> StopCommand.class;
            case "merge" -> MergeCommand.class;
            case "help" -> HelpCommand.class;
            case "completion" -> Completion.class;
            default -> null;
        };
    }

    @Override
    public boolean isVerbose() {
        return verbose;
    }

    @Override
    public Terminal.Colour colour() {
        return colour;
    }

    @Override
    public Optional<LastRuns> lastRuns() {
        return lastRuns;
    }

    @Override
    public CommandLine another() {
        DownbeatMain root = new DownbeatMain(lastRuns);
        root.verbose = verbose;
        root.colour = colour;
        return commandLine(root, all());
    }

    @Override
    public Optional<String> removedOption(String option, List<String> words) {
        return RemovedWords.ofOption(option, words);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing, such as 'downbeat run'");
    }

    /**
     * Helps of 80 columns, rendered at build time, since picocli takes longer than most short runs. A test compares them
     * with picocli's.
     */
    static final class WrittenHelp {
        private WrittenHelp() {}

        /** The help that the arguments ask for; empty if they do not, or for unknown commands. */
        public static Optional<String> of(String... words) {
            return switch (words.length) {
                case 1 -> isHelp(words[0]) || words[0].equals("help") ? text("help.txt") : Optional.empty();
                case 2 -> ofTwo(words[0], words[1]);
                default -> Optional.empty();
            };
        }

        private static Optional<String> ofTwo(String first, String second) {
            if (first.equals("help")) {
                return isHelp(second) ? text("help-help.txt") : whole(second);
            }
            return isHelp(second) ? text(first, "-short").or(() -> whole(first)) : Optional.empty();
        }

        private static boolean isHelp(String word) {
            return word.equals("--help") || word.equals("-h");
        }

        private static Optional<String> whole(String command) {
            return text(command, "");
        }

        private static Optional<String> text(String command, String which) {
            return command.chars().allMatch(letter -> letter >= 'a' && letter <= 'z')
                    ? text("help-" + command + which + ".txt")
                    : Optional.empty();
        }

        private static Optional<String> text(String name) {
            try (InputStream in = WrittenHelp.class.getResourceAsStream("/dev/downbeat/cli/" + name)) {
                return in == null
                        ? Optional.empty()
                        : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException unreadable) {
                return Optional.empty();
            }
        }
    }

    /** Answers a command or an option of earlier versions with its replacement. */
    private static final class RemovedWords {
        private static final String ARRAY =
                "plan writes no array jobs: pass the plan to each task, as in 'downbeat run --plan env:DOWNBEAT_PLAN"
                        + " --meet s3://BUCKET/FOLDER'; it finds its index";
        private static final Map<String, String> OPTIONS = Map.of(
                "sweep --against",
                "--against was removed from sweep: sweep each target, or measure both at one rate with compare --live",
                "--aws-batch",
                ARRAY,
                "--array",
                ARRAY,
                "--qps",
                "--qps was removed: use -R",
                "-z",
                "-z was removed: use -d",
                "plan --detect",
                "--detect was removed from plan: compare two runs of one service; the interval of the change is what such runs detect",
                "--targets",
                "--targets was removed: write each target of vegeta's list as a line"
                        + " 'curl -X METHOD -H HEADER --data-binary @BODY URL' (and -H Content-Type: for none), for --curl @FILE");
        private static final Map<String, String> REPLACED = Map.of(
                "sheet",
                "the command 'sheet' was removed: 'downbeat sweep TARGET -o sweep.html' finds the sustainable rate and the times below"
                        + " it, 'downbeat position TARGET -o position.html' what new and used connections cost");

        private RemovedWords() {}

        public static Optional<String> answer(String... args) {
            List<String> words = List.of(args);
            List<String> rest = words.indexOf("help") == 0 ? words.subList(1, words.size()) : words;
            String command = rest.isEmpty() ? "" : rest.get(0);
            Optional<String> option = words.stream()
                    .flatMap(word -> ofOption(word.split("=", 2)[0], words).stream())
                    .findFirst();
            return option.or(() -> Optional.ofNullable(REPLACED.get(command)));
        }

        /** The answer for a removed option; empty if the command, any of these words, still has it. */
        static Optional<String> ofOption(String option, List<String> words) {
            return Stream.concat(Stream.of(option), words.stream().map(word -> word + " " + option))
                    .flatMap(key -> Optional.ofNullable(OPTIONS.get(key)).stream())
                    .findFirst();
        }
    }
}
