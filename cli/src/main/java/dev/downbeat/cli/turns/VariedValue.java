package dev.downbeat.cli.turns;

import dev.downbeat.cli.console.ErrorLines;
import dev.downbeat.cli.measurement.ConnectionOptions.LookupWhen;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.exchange.Redaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.TypeConversionException;

/** One value of a varied option, as the user wrote it. */
public record VariedValue(Varied varied, String value) {
    private static final Pattern DATABASE = Pattern.compile("jdbc:[a-z]+://(?:[^/?@]*@)?([^?]+)(?:[?].*)?");

    private static final String NONE = "none";

    private static final Set<Varied> UNLIMITED = EnumSet.of(Varied.MAX_REQUESTS, Varied.REPLACE_AFTER, Varied.MAX_IDLE);

    /**
     * Options that can vary: how requests are sent, but not the requests or the load. A switch has no value and is on
     * or off.
     */
    public enum Varied {
        CONNECTIONS("--connections", ""),
        HTTP("--http", ""),
        STREAMS("--streams", ""),
        KEEP_ALIVE("--no-keepalive", "off"),
        PRECONNECT("--no-preconnect", "off"),
        PACING("--pacing", ""),
        MAX_REQUESTS("--max-requests", ""),
        REPLACE_AFTER("--replace-after", ""),
        MAX_IDLE("--max-idle", ""),
        LOOKUP("--lookup", ""),
        TCP_NODELAY("--tcp-delay", "off"),
        TCP_KEEPALIVE("--tcp-keepalive", "on"),
        RESUME("--no-resume", "off"),
        TLS_VERSION("--tls-version", ""),
        TLS_ENGINE("--tls-engine", ""),
        TRANSPORT("--transport", ""),
        ENDPOINT("--endpoint", ""),
        REGION("--region", ""),
        IN_FLIGHT("--in-flight", ""),
        RETRIES("--retries", ""),
        BATCH_SIZE("--batch-size", ""),
        MESSAGE_SIZE("--message-size", ""),
        MESSAGE_GROUPS("--message-groups", ""),
        CONSUMERS("--consumers", ""),
        POLL_WAIT("--poll-wait", ""),
        ENCRYPTED("--encrypted", "on"),
        IDLE_CONNECTIONS("--idle-connections", ""),
        URL("TARGET", "");

        private final String option;
        private final String whenGiven;

        Varied(String option, String whenGiven) {
            this.option = option;
            this.whenGiven = whenGiven;
        }

        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        public String option() {
            return option;
        }

        private boolean isSwitch() {
            return !whenGiven.isEmpty();
        }

        private static Varied of(String word) {
            return Arrays.stream(values())
                    .filter(varied -> varied.word().equals(word))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("--vary cannot vary '" + word + "'"
                            + ErrorLines.Suggestions.orAll(
                                    word,
                                    Arrays.stream(values()).map(Varied::word).toList())));
        }
    }

    /** Parses {@code connections=1,10,50}. */
    static List<VariedValue> parse(String text) {
        int equals = text.indexOf('=');
        Refusal.when(equals < 1, "--vary must be NAME=VALUE,VALUE such as connections=1,10,50, but was '" + text + "'");
        Varied varied = Varied.of(text.substring(0, equals));
        List<VariedValue> settings = new ArrayList<>();
        for (String value : text.substring(equals + 1).split(",", -1)) {
            VariedValue setting = new VariedValue(varied, value.strip());
            Refusal.when(
                    settings.contains(setting) || setting.value.isEmpty(),
                    "--vary " + text + " names "
                            + (setting.value.isEmpty() ? "an empty value" : "'" + setting.value + "' twice"));
            Refusal.when(
                    varied.isSwitch() && !setting.value.equals("on") && !setting.value.equals("off"),
                    "--vary " + varied.word() + " takes on and off, but was '" + setting.value + "'");
            if (varied == Varied.LOOKUP) {
                LookupWhen.parse(setting.value); // which limits lookups, before the first one
            }
            settings.add(setting);
        }
        return settings;
    }

    /** The same text without secrets. */
    public static String redacted(String text) {
        List<VariedValue> settings = parse(text);
        return settings.stream()
                .map(setting -> Redaction.word(setting.value))
                .collect(Collectors.joining(",", settings.get(0).varied.word() + "=", ""));
    }

    public static <R extends Record> R of(R measurement, List<VariedValue> settings) {
        Map<String, List<String>> given = new HashMap<>();
        settings.forEach(one -> given.put(one.varied.option(), one.isOption() ? List.of(one.value) : List.of()));
        return Values.overriding(measurement, given);
    }

    /** Whether the option is given: a switch may be off, and a limit may be none. */
    private boolean isOption() {
        return varied.isSwitch() ? value.equals(varied.whenGiven) : !(value.equals(NONE) && UNLIMITED.contains(varied));
    }

    /** The shortest clear form; for a database's URL, its place. */
    public String brief() {
        Matcher database = DATABASE.matcher(Redaction.word(value));
        return database.matches() ? varied.word() + "=" + database.group(1) : toString();
    }

    @Override
    public String toString() {
        return varied.word() + "=" + Redaction.word(value);
    }
}
