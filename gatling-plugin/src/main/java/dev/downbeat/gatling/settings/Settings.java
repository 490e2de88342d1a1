package dev.downbeat.gatling.settings;

import dev.downbeat.gatling.version.ExitWord;
import dev.downbeat.gatling.version.UserMistake;
import dev.downbeat.selfcheck.PropertyNames;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.Rigour;
import dev.downbeat.verdict.Slo;
import dev.downbeat.watch.Watchers;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What a simulation asks of Downbeat. System properties go before what its protocol says, so that one may be tried without
 * a change of the source.
 *
 * @param objectives what is asked of the service as a whole, and of its requests and groups by name; {@link #EVERY} is the name
 *     of each request
 * @param correctsGatlingReport whether Gatling's own report shows corrected times
 * @param pace what becomes of iterations that a paced loop is late for
 * @param acceptsUnsound whether a measurement in doubt goes for a sound one in the exit code
 * @param failsUndecided whether an objective that is undecided ends Gatling as a missed one does
 * @param exit in whose words Gatling's JVM ends
 * @param rigour how much is asked of the verdict
 * @param warmUpNanos requests that are meant to start before this are sent and not counted; {@link #UNTIL_WARM} for as long as
 *     this JVM loads and compiles
 * @param folder where to save; empty for Gatling's own results folder
 * @param watches what is watched meanwhile, as {@link Watchers#parse} reads it
 * @param own how Downbeat's own requests are sent
 */
public record Settings(
        List<Slo> objectives,
        boolean correctsGatlingReport,
        PaceMode pace,
        boolean acceptsUnsound,
        boolean failsUndecided,
        ExitWord exit,
        Rigour rigour,
        long warmUpNanos,
        Optional<Path> folder,
        List<String> watches,
        OwnSettings own) {
    public static final String PREFIX = PropertyNames.PREFIX;

    public static final long UNTIL_WARM = -1;

    public static final String EVERY = "*";

    public Settings {
        objectives = List.copyOf(objectives);
        watches = List.copyOf(watches);
    }

    /** Settings that may still be changed, and what they are unless said otherwise. Not thread-safe. */
    public static final class Draft {
        public List<Slo> objectives = Slo.defaults();
        public boolean correctsGatlingReport;
        public PaceMode pace = PaceMode.CATCH_UP;
        public boolean acceptsUnsound;
        public boolean failsUndecided;
        public ExitWord exit = ExitWord.GATLING;
        public Rigour rigour = Rigour.PLAIN;
        public long warmUpNanos;
        public Optional<Path> folder = Optional.empty();
        public List<String> watches = List.of();
        public int connections = 64;
        public Duration connectTimeout = Duration.ofSeconds(10);
        public Duration requestTimeout = Duration.ofSeconds(60);
        public boolean verify = true;
        public Optional<String> region = Optional.empty();
        public Optional<URI> endpoint = Optional.empty();
        public OwnSettings.Queues queues = OwnSettings.Queues.USUAL;

        private Draft() {}

        Settings settings() {
            return new Settings(
                    objectives,
                    correctsGatlingReport,
                    pace,
                    acceptsUnsound,
                    failsUndecided,
                    exit,
                    rigour,
                    warmUpNanos,
                    folder,
                    watches,
                    new OwnSettings(connections, connectTimeout, requestTimeout, verify, region, endpoint, queues));
        }
    }

    public static Settings defaults() {
        return new Draft().settings();
    }

    /** Whether nobody has asked for anything: what is missed then is said and fails nothing. */
    public boolean asksForNothing() {
        return objectives.stream().noneMatch(Slo::isAsked);
    }

    /** These settings, to be changed. */
    private Draft draft() {
        Draft draft = new Draft();
        draft.objectives = objectives;
        draft.correctsGatlingReport = correctsGatlingReport;
        draft.pace = pace;
        draft.acceptsUnsound = acceptsUnsound;
        draft.failsUndecided = failsUndecided;
        draft.exit = exit;
        draft.rigour = rigour;
        draft.warmUpNanos = warmUpNanos;
        draft.folder = folder;
        draft.watches = watches;
        draft.connections = own.connections();
        draft.connectTimeout = own.connectTimeout();
        draft.requestTimeout = own.requestTimeout();
        draft.verify = own.verify();
        draft.region = own.region();
        draft.endpoint = own.endpoint();
        draft.queues = own.queues();
        return draft;
    }

    /** These settings, but for a change. */
    public Settings with(Consumer<Draft> change) {
        Draft draft = draft();
        change.accept(draft);
        return draft.settings();
    }

    /** Refuses a system property that is misspelt: it would ask for nothing. */
    public static void refuseUnknown(Properties system) {
        PropertyNames.refusal(system, PropertyNames.ofGatling()).ifPresent(unknown -> {
            throw new UserMistake(unknown);
        });
    }

    /** These settings, but for what the system properties say otherwise. */
    public Settings withProperties(Function<String, String> properties) {
        return with(draft -> {
            draft.objectives = said(properties, "objectives")
                    .map(text -> parseAll(text.split(",", -1)))
                    .orElse(objectives);
            draft.correctsGatlingReport =
                    choice(properties, "gatlingReport", "corrected", "plain", correctsGatlingReport);
            draft.pace = said(properties, "pace").map(PaceMode::parse).orElse(pace);
            draft.acceptsUnsound = choice(properties, "acceptUnsound", "true", "false", acceptsUnsound);
            draft.failsUndecided = choice(properties, "undecided", "fails", "passes", failsUndecided);
            draft.exit = said(properties, "exitCode").map(Settings::exitWord).orElse(exit);
            draft.rigour = new Rigour(
                    choice(properties, "sure", "true", "false", rigour.isSure()),
                    choice(properties, "strict", "true", "false", rigour.isStrict()));
            draft.warmUpNanos = said(properties, "warmUp").map(Settings::nanos).orElse(warmUpNanos);
            draft.folder = said(properties, "saveTo").map(Path::of).or(() -> folder);
            draft.watches = said(properties, "watch")
                    .map(text -> watches("-D" + PREFIX + "watch", text.strip().split("\\s+", -1)))
                    .orElse(watches);
        });
    }

    public static List<Slo> parseAll(String... objectives) {
        return Arrays.stream(objectives).map(Settings::slo).toList();
    }

    private static Slo slo(String text) {
        try {
            return Slo.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw new UserMistake(String.valueOf(malformed.getMessage()));
        }
    }

    /**
     * What can be watched.
     *
     * @param where it is said, for the message
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

    private static ExitWord exitWord(String text) {
        for (ExitWord word : ExitWord.values()) {
            if (word.name().toLowerCase(Locale.ROOT).equals(text)) {
                return word;
            }
        }
        throw new UserMistake("-D" + PREFIX + "exitCode must be gatling, downbeat or none, but was '" + text + "'");
    }

    private static Optional<String> said(Function<String, String> properties, String name) {
        return Optional.ofNullable(properties.apply(PREFIX + name));
    }

    private static boolean choice(
            Function<String, String> properties, String name, String yes, String no, boolean otherwise) {
        Optional<String> said = said(properties, name);
        if (said.isPresent() && !said.get().equals(yes) && !said.get().equals(no)) {
            throw new UserMistake(
                    "-D" + PREFIX + name + " must be " + yes + " or " + no + ", but was '" + said.get() + "'");
        }
        return said.map(yes::equals).orElse(otherwise);
    }
}
