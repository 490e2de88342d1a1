package dev.downbeat.gatling.settings;

import dev.downbeat.gatling.version.ExitCodePolicy;
import dev.downbeat.gatling.version.UserMistake;
import dev.downbeat.report.file.UndecidedPolicy;
import dev.downbeat.selfcheck.PropertyNames;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.watch.Watchers;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A simulation's settings for Downbeat. System properties override the protocol, so that one can be tried without
 * changing the source.
 *
 * @param objectives those asked for, for the service as a whole, and by name for requests and groups; {@link #EVERY}
 *     stands for each request
 * @param correctsGatlingReport whether Gatling's own report shows corrected times
 * @param pace how late iterations of a paced loop are handled
 * @param acceptsUnsound whether an unsound measurement counts as sound in the exit code
 * @param undecided what becomes of an undecided objective; empty for what is usual with {@code exit}
 * @param exit whose exit codes Gatling's JVM uses
 * @param rigour how strict the verdict is
 * @param warmUpNanos requests intended to start before this are sent but not counted; {@link #UNTIL_WARM} for as long
 *     as this JVM loads and compiles
 * @param folder output folder; empty for Gatling's results folder
 * @param watches what to watch, in the syntax of {@link Watchers#parse}
 * @param sqs settings of Downbeat's own requests
 */
public record Settings(
        List<ServiceLevelObjective> objectives,
        boolean correctsGatlingReport,
        PaceMode pace,
        boolean acceptsUnsound,
        Optional<UndecidedPolicy> undecided,
        ExitCodePolicy exit,
        RequiredCertainty rigour,
        long warmUpNanos,
        Optional<Path> folder,
        List<String> watches,
        SqsSettings sqs) {
    public static final String PREFIX = PropertyNames.PREFIX;

    public static final long UNTIL_WARM = -1;

    public static final String EVERY = "*";

    public Settings {
        objectives = List.copyOf(objectives);
        watches = List.copyOf(watches);
    }

    /** Mutable settings with their defaults. Not thread-safe. */
    public static final class Draft {
        public List<ServiceLevelObjective> objectives = new ArrayList<>();
        public boolean correctsGatlingReport;
        public PaceMode pace = PaceMode.CATCH_UP;
        public boolean acceptsUnsound;
        public Optional<UndecidedPolicy> undecided = Optional.empty();
        public ExitCodePolicy exit = ExitCodePolicy.GATLING;
        public RequiredCertainty rigour = RequiredCertainty.PLAIN;
        public long warmUpNanos;
        public Optional<Path> folder = Optional.empty();
        public List<String> watches = new ArrayList<>();
        public int connections = 64;
        public Duration connectTimeout = Duration.ofSeconds(10);
        public Duration requestTimeout = Duration.ofSeconds(60);
        public boolean verify = true;
        public Optional<String> region = Optional.empty();
        public Optional<URI> endpoint = Optional.empty();
        public String transport = "downbeat";
        public int retries;
        public boolean queueIsMine;
        public Optional<String> topic = Optional.empty();

        private Draft() {}

        private Settings settings() {
            return new Settings(
                    objectives,
                    correctsGatlingReport,
                    pace,
                    acceptsUnsound,
                    undecided,
                    exit,
                    rigour,
                    warmUpNanos,
                    folder,
                    watches,
                    new SqsSettings(
                            connections,
                            connectTimeout,
                            requestTimeout,
                            verify,
                            region,
                            endpoint,
                            transport,
                            retries,
                            queueIsMine,
                            topic));
        }
    }

    /** The defaults with changes. */
    public static Settings of(Consumer<Draft> changes) {
        Draft draft = new Draft();
        changes.accept(draft);
        return draft.settings();
    }

    /** Whether no objective is configured, so that a miss of the default is reported but fails nothing. */
    public boolean hasNoObjectives() {
        return objectives.isEmpty();
    }

    /** Whether the result may fail a build: one that passes Gatling's own assertions must not fail until an objective is set. */
    public boolean canFailBuild() {
        return exit == ExitCodePolicy.DOWNBEAT || exit == ExitCodePolicy.GATLING && !hasNoObjectives();
    }

    /** Rejects unknown system properties, since a misspelt one would have no effect. */
    public static void refuseUnknown(Properties system) {
        PropertyNames.refusal(system, PropertyNames.ofGatling()).ifPresent(unknown -> {
            throw new UserMistake(unknown);
        });
    }

    /** The settings given as system properties, which override those of the source. */
    public static Consumer<Draft> properties(Function<String, String> properties) {
        return draft -> {
            property(properties, "objectives").ifPresent(text -> draft.objectives = objectives(text));
            draft.correctsGatlingReport = oneOf(
                    properties,
                    "gatlingReport",
                    draft.correctsGatlingReport,
                    is -> is ? "corrected" : "plain",
                    List.of(true, false));
            draft.pace = oneOf(properties, "pace", draft.pace, PaceMode::word, List.of(PaceMode.values()));
            draft.acceptsUnsound = isSet(properties, "acceptUnsound", draft.acceptsUnsound);
            property(properties, "undecided").ifPresent(text -> draft.undecided = Optional.of(undecided(text)));
            draft.exit = oneOf(
                    properties,
                    "exitCode",
                    draft.exit,
                    code -> code.name().toLowerCase(Locale.ROOT),
                    List.of(ExitCodePolicy.values()));
            draft.rigour = new RequiredCertainty(
                    isSet(properties, "sure", draft.rigour.isSure()),
                    isSet(properties, "strict", draft.rigour.isStrict()));
            property(properties, "warmUp").ifPresent(text -> draft.warmUpNanos = nanos(text));
            property(properties, "saveTo").ifPresent(text -> draft.folder = Optional.of(folder(text)));
            property(properties, "watch")
                    .ifPresent(text -> draft.watches =
                            watches("-D" + PREFIX + "watch", text.strip().split("\\s+", -1)));
        };
    }

    private static Path folder(String text) {
        if (text.isBlank()) {
            throw new UserMistake("-D" + PREFIX + "saveTo: it is empty");
        }
        return Path.of(text);
    }

    private static UndecidedPolicy undecided(String text) {
        try {
            return UndecidedPolicy.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw new UserMistake("-D" + PREFIX + "undecided: " + malformed.getMessage());
        }
    }

    private static List<ServiceLevelObjective> objectives(String text) {
        try {
            return parseAll(text.split(",", -1));
        } catch (UserMistake malformed) {
            throw new UserMistake("-D" + PREFIX + "objectives: " + malformed.getMessage());
        }
    }

    public static List<ServiceLevelObjective> parseAll(String... objectives) {
        return Arrays.stream(objectives).map(Settings::slo).toList();
    }

    private static ServiceLevelObjective slo(String text) {
        try {
            return ServiceLevelObjective.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw new UserMistake(String.valueOf(malformed.getMessage()));
        }
    }

    /**
     * Parses what to watch.
     *
     * @param where the origin of the setting, for error messages
     */
    public static List<String> watches(String where, String... specs) {
        for (String spec : specs) {
            try {
                Watchers.parse(spec).close();
            } catch (IllegalArgumentException refused) {
                throw new UserMistake(where + ": " + refused.getMessage());
            }
        }
        return List.of(specs);
    }

    private static long nanos(String text) {
        try {
            return text.equals("auto") ? UNTIL_WARM : DurationText.parseNanos(text);
        } catch (IllegalArgumentException malformed) {
            throw new UserMistake("-D" + PREFIX + "warmUp must be auto or a time: " + malformed.getMessage());
        }
    }

    private static Optional<String> property(Function<String, String> properties, String name) {
        return Optional.ofNullable(properties.apply(PREFIX + name));
    }

    private static boolean isSet(Function<String, String> properties, String name, boolean fallback) {
        return oneOf(properties, name, fallback, String::valueOf, List.of(true, false));
    }

    private static <T> T oneOf(
            Function<String, String> properties, String name, T fallback, Function<T, String> word, List<T> values) {
        return property(properties, name)
                .map(text -> values.stream()
                        .filter(value -> word.apply(value).equals(text))
                        .findFirst()
                        .orElseThrow(() -> new UserMistake("-D" + PREFIX + name + " must be "
                                + values.stream()
                                        .map(word)
                                        .collect(Collectors.joining(", "))
                                        .replaceFirst(", (?=[^,]*$)", " or ")
                                + ", but was '" + text + "'")))
                .orElse(fallback);
    }
}
