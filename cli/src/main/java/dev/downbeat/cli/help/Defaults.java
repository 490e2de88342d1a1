package dev.downbeat.cli.help;

import dev.downbeat.cli.measurement.LoadOptions;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.http.requests.value.TextFile;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/**
 * Defaults for options that a command line does not give: from {@code DOWNBEAT_...} in the environment, otherwise from
 * the user's options file. The values used are listed on stderr. For one command line.
 */
public final class Defaults implements IDefaultValueProvider {
    private static final String PREFIX = "DOWNBEAT_";

    /** Options for a single run, with their own variable, or for child processes; and a permission for one file. */
    private static final Set<String> COMMAND_LINE_ONLY = Set.of(
            "--allow-exec",
            "--allow-env",
            "--help",
            "--help-all",
            "--version",
            "--plan",
            "--shard",
            "--start-at",
            "--processes",
            "--show",
            "--last",
            "--list");

    private static final String ONLY_THERE = " is allowed on the command line only";

    /** Names after the prefix that set no option. */
    private static final Set<String> OTHER_VARIABLES = Set.of(
            "HOME",
            "VERSION",
            "LAST",
            "JAVA",
            "JARS",
            "JAVA_OPTS",
            "PYTHON",
            "RESULTS",
            "RUN",
            "TRUSTSTORE_PASSWORD",
            "CLIENT_CERT_PASSWORD");

    /** The value of $DOWNBEAT_PORT that Kubernetes sets if a service is called downbeat. */
    private static final String PORT_OF_SERVICE = "(?:tcp|udp|sctp)://.*";

    private final Map<String, String> environment;
    private final Map<String, String> file;
    private final String fileName;
    private final List<String> words;
    private final List<String> used = new ArrayList<>();

    private Defaults(Map<String, String> environment, Map<String, String> file, String fileName, List<String> words) {
        this.environment = environment;
        this.file = file;
        this.fileName = fileName;
        this.words = words;
    }

    /**
     * Installs the defaults; lists the values used on stderr.
     *
     * @throws TypeConversionException if the file is invalid, or a variable or the file has a removed option
     */
    public static void install(CommandLine line, Map<String, String> environment, String... words) {
        List<String> expanded = ArgFiles.expanded(words);
        if (expanded.stream().anyMatch(word -> word.equals("--plan") || word.startsWith("--plan="))) {
            return; // a plan is complete
        }
        OptionNames names = new OptionNames(line);
        checkVariables(environment, names, expanded);
        Optional<Path> file = file(environment);
        Map<String, String> options = file.isPresent() ? read(file.get(), names, expanded) : Map.of();
        Defaults defaults =
                new Defaults(environment, options, file.map(Path::toString).orElse(""), expanded);
        line.setDefaultValueProvider(defaults);
        boolean quiet = expanded.contains("-q") || expanded.contains("--quiet");
        var wrong = line.getParameterExceptionHandler();
        line.setParameterExceptionHandler((refused, args) -> {
            defaults.printUsed(line, false);
            return wrong.handleParseException(refused, args);
        });
        line.setExecutionStrategy(parsed -> {
            defaults.printUsed(line, quiet);
            return new CommandLine.RunLast().execute(parsed);
        });
    }

    private void printUsed(CommandLine line, boolean quiet) {
        if (!used.isEmpty() && !quiet) {
            line.getErr().println("downbeat: defaults used: " + String.join(", ", used));
            line.getErr().flush();
        }
    }

    /** Empty if the name cannot be that of a file here, such as one beyond ASCII in the locale C. */
    private static Optional<Path> file(Map<String, String> environment) {
        String home = environment.getOrDefault("HOME", System.getProperty("user.home", "."));
        String config = environment.getOrDefault("XDG_CONFIG_HOME", "");
        try {
            return Optional.of((config.isEmpty() ? Path.of(home, ".config") : Path.of(config))
                    .resolve("downbeat")
                    .resolve("options"));
        } catch (InvalidPathException undecoded) {
            return Optional.empty();
        }
    }

    private static Map<String, String> read(Path file, OptionNames names, List<String> words) {
        if (!Files.isRegularFile(file)) {
            return Map.of();
        }
        Map<String, String> options = new HashMap<>();
        String lines = Refusal.wrap(() -> TextFile.read(file, 1));
        for (String text : lines.lines().map(String::strip).toList()) {
            if (!text.isEmpty() && !text.startsWith("#")) {
                String[] parts = text.split("\\s*=\\s*", 2);
                String name = parts[0].replaceFirst("^--", "");
                Optional<String> removed = names.removed(name, words);
                refuse(removed.isPresent(), file, removed.orElse(""));
                refuse(COMMAND_LINE_ONLY.contains("--" + name), file, "--" + name + ONLY_THERE);
                refuse(!names.contains(name), file, "no option is called '" + Messages.line(parts[0]) + "'");
                refuse(
                        options.put(name, parts.length == 2 ? parts[1] : "true") != null,
                        file,
                        name + " is given twice");
            }
        }
        return options;
    }

    private static void refuse(boolean wrong, Path file, String why) {
        Refusal.when(wrong, file + ": " + why + " (a line is NAME = VALUE, such as connections = 16)");
    }

    /**
     * Refuses a removed option, which would silently change the load. A similar name is only pointed out: the variable
     * may have another purpose, such as those that Kubernetes sets for a service.
     */
    private static void checkVariables(Map<String, String> environment, OptionNames names, List<String> words) {
        for (String variable : new TreeSet<>(environment.keySet())) {
            String bare = variable.startsWith(PREFIX) ? variable.substring(PREFIX.length()) : "";
            if (bare.isEmpty() || OTHER_VARIABLES.contains(bare)) {
                continue;
            }
            String name = bare.toLowerCase(Locale.ROOT).replace('_', '-');
            names.removed(name, words).ifPresent(why -> {
                throw new TypeConversionException("$" + variable + ": " + why);
            });
            if (COMMAND_LINE_ONLY.contains("--" + name)) {
                names.line().getErr().println("downbeat: $" + variable + " sets no option: --" + name + ONLY_THERE);
            }
            names.similar(name)
                    .ifPresent(meant -> names.line()
                            .getErr()
                            .println("downbeat: $" + variable + " matches no option; did you mean --" + meant + "?"));
        }
    }

    @Override
    public @Nullable String defaultValue(ArgSpec arg) {
        if (!(arg instanceof OptionSpec option)
                || option.hidden()
                || COMMAND_LINE_ONLY.contains(option.longestName())) {
            return null;
        }
        if (isGiven(option)) {
            return null;
        }
        String bare = option.longestName().replaceFirst("^-+", "");
        String variable = PREFIX + bare.toUpperCase(Locale.ROOT).replace('-', '_');
        Optional<String> ofVariable = Optional.ofNullable(environment.get(variable))
                .filter(value -> !value.isEmpty())
                .filter(value -> !value.matches(PORT_OF_SERVICE));
        String value = ofVariable.orElse(file.get(bare));
        if (value != null && LoadOptions.isOverridden(option.longestName(), this::isGiven)) {
            return null;
        }
        if (value != null) {
            String source = option.longestName() + " from " + (ofVariable.isPresent() ? "$" + variable : fileName);
            if (!used.contains(source)) {
                used.add(source);
            }
        }
        return value;
    }

    private boolean isGiven(OptionSpec option) {
        return Stream.of(option.names()).anyMatch(this::isGiven);
    }

    /** Whether the option is given: as a word, with its value after an equals sign, or as a letter with its value. */
    private boolean isGiven(String name) {
        return words.stream()
                .anyMatch(word -> word.equals(name)
                        || word.startsWith(name + "=")
                        || (name.length() == 2 && word.startsWith(name) && !word.startsWith("--")));
    }
}
