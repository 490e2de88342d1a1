package dev.downbeat.http.requests.value;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.requests.value.Value.Draw;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The dollar variables of IntelliJ and the REST Client. */
public final class DynamicValues {
    static final String ACCEPTED = "$uuid, $timestamp, $isoTimestamp, $randomInt, $random.integer(a, b),"
            + " $random.alphabetic(n), $random.alphanumeric(n), $random.hexadecimal(n), $env.NAME";

    private static final Pattern CALL =
            Pattern.compile("\\$random\\.(integer|alphabetic|alphanumeric|hexadecimal)\\s*\\(([^)]*)\\)");
    private static final Pattern OF_ENVIRONMENT = Pattern.compile("\\{\\{[^{}$]*\\$(?:env\\.|processEnv )([^{}]*)}}");
    private static final Pattern RANDOM_INT = Pattern.compile("\\$randomInt(?:\\s+(-?\\d+)\\s+(-?\\d+))?");
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final String DIGITS = "0123456789";
    private static final String HEX = DIGITS + "abcdef";
    private static final int MOST_CHARACTERS = 10_000;
    private static final long USUAL_BOUND = 1_000;
    private static final DateTimeFormatter ISO_MILLIS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private final Map<String, String> environment;

    DynamicValues(Map<String, String> environment) {
        this.environment = environment;
    }

    /** The environment variables that a text refers to. */
    public static List<String> environment(String text) {
        return OF_ENVIRONMENT
                .matcher(text)
                .results()
                .map(found -> found.group(1).strip())
                .distinct()
                .toList();
    }

    /** The value of {@code $env.NAME} and {@code $processEnv NAME}; empty for any other name. */
    Optional<String> fixed(String name, SourcePosition spot) {
        String variable = name.startsWith("$env.")
                ? name.substring("$env.".length())
                : name.startsWith("$processEnv ") ? name.substring("$processEnv ".length()) : "";
        if (variable.isEmpty()) {
            return Optional.empty();
        }
        String value = environment.get(variable.strip());
        if (value == null) {
            throw spot.refusal(
                    "{{" + name + "}} has no value: the environment variable " + variable.strip() + " is not set");
        }
        return Optional.of(value);
    }

    /** A value that varies between requests; refuses an unknown name. */
    Value of(String name, SourcePosition spot) {
        Matcher call = CALL.matcher(name);
        if (call.matches()) {
            return called(call.group(1), call.group(2), name, spot);
        }
        Matcher randomInt = RANDOM_INT.matcher(name);
        if (randomInt.matches()) {
            return randomInt.group(1) == null
                    ? integer(0, USUAL_BOUND)
                    : between(randomInt.group(1), randomInt.group(2), name, spot);
        }
        return switch (name) {
            case "$uuid", "$guid", "$random.uuid" -> DynamicValues::uuid;
            case "$timestamp" ->
                (draw, into) -> {
                    into.decimal(System.currentTimeMillis() / 1000);
                    return null;
                };
            case "$isoTimestamp", "$datetime iso8601" ->
                (draw, into) -> {
                    into.append(ISO_MILLIS.format(Instant.now()).getBytes(StandardCharsets.US_ASCII));
                    return null;
                };
            default -> throw spot.refusal("unknown variable {{" + name + "}} (accepted: " + ACCEPTED + ")");
        };
    }

    private static Value called(String function, String arguments, String name, SourcePosition spot) {
        List<String> given = List.of(arguments.strip().split("\\s*,\\s*", -1));
        if (function.equals("integer")) {
            if (arguments.isBlank()) {
                return integer(0, USUAL_BOUND);
            }
            if (given.size() != 2) {
                throw spot.refusal("{{" + name + "}} must have two whole numbers, such as $random.integer(1, 5)");
            }
            return between(given.get(0), given.get(1), name, spot);
        }
        int count = given.size() == 1 && given.get(0).matches("[0-9]{1,5}") ? Integer.parseInt(given.get(0)) : -1;
        if (count < 1 || count > MOST_CHARACTERS) {
            throw spot.refusal("{{" + name + "}} must have a number of characters from 1 to " + MOST_CHARACTERS);
        }
        String from = switch (function) {
            case "alphabetic" -> LETTERS;
            case "hexadecimal" -> HEX;
            default -> LETTERS + DIGITS;
        };
        return (draw, into) -> {
            for (int i = 0; i < count; i++) {
                into.one(from.charAt((int) draw.below(from.length())));
            }
            return null;
        };
    }

    private static Value between(String from, String to, String name, SourcePosition spot) {
        try {
            long least = Long.parseLong(from);
            long bound = Long.parseLong(to);
            if (least < bound && bound - least > 0) {
                return integer(least, bound);
            }
        } catch (NumberFormatException none) {
            throw spot.refusal("{{" + name + "}} must have two whole numbers, such as $random.integer(1, 5)");
        }
        throw spot.refusal("{{" + name + "}}: the first number must be below the second");
    }

    private static Value integer(long least, long bound) {
        return (draw, into) -> {
            into.decimal(least + draw.below(bound - least));
            return null;
        };
    }

    private static @Nullable Outcome uuid(Draw draw, RequestBytes into) {
        long high = (draw.nextLong() & 0xFFFFFFFFFFFF0FFFL) | 0x4000L;
        long low = (draw.nextLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L;
        hex(high >>> 32, 8, into);
        into.one('-');
        hex(high >>> 16, 4, into);
        into.one('-');
        hex(high, 4, into);
        into.one('-');
        hex(low >>> 48, 4, into);
        into.one('-');
        hex(low, 12, into);
        return null;
    }

    private static void hex(long bits, int digits, RequestBytes into) {
        for (int digit = digits - 1; digit >= 0; digit--) {
            into.one(HEX.charAt((int) (bits >>> (4 * digit)) & 15));
        }
    }
}
