package dev.downbeat.cli.measurement.option;

import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpOptions.HttpVersion;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.time.Stall;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * Converts a type of value to text and back without loss.
 *
 * @param read parses a text; refuses an invalid one with one line
 * @param write formats a value, always in the same way
 * @param choices all texts, if there are few; otherwise empty
 */
public record OptionFormat<T>(Function<String, T> read, Function<T, String> write, List<String> choices) {
    private static final Map<Class<?>, OptionFormat<?>> ALL = new HashMap<>();

    static {
        add(String.class, text -> text, text -> text);
        add(Path.class, OptionFormat::file, Path::toString);
        add(Integer.class, OptionFormat::wholeNumber, number -> Integer.toString(number));
        add(Long.class, CountParser::parse, number -> Long.toString(number));
        add(Duration.class, DurationParser::parse, DurationParser::text);
        add(Seed.class, Seed::parse, Seed::toString);
        add(Size.class, Size::parse, size -> Integer.toString(size.bytes()));
        add(HttpVersion.class, OptionFormat::httpVersion, HttpVersion::word);
        add(
                HttpRequest.Header.class,
                HttpRequest.Header::parse,
                header -> header.name() + ": " + header.value().reveal());
        add(ServiceLaw.class, ServiceLaw::parse, ServiceLaw::describe);
        add(Stall.class, Stall::parse, Stall::describe);
        add(URI.class, OptionFormat::url, URI::toString);
        add(InetAddress.class, OptionFormat::address, InetAddress::getHostAddress);
    }

    private static <T> void add(Class<T> type, Function<String, T> read, Function<T, String> write) {
        ALL.put(type, new OptionFormat<>(read, write, List.of()));
    }

    private static URI url(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException other) {
            throw new TypeConversionException(
                    "'" + text + "' is not http://HOST or https://HOST, with a port if need be");
        }
    }

    private static HttpVersion httpVersion(String text) {
        return HttpVersion.of(text)
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is not auto, 1.1 or 2"));
    }

    static OptionFormat<?> of(Class<?> type) {
        OptionFormat<?> known = ALL.get(type);
        return known != null ? known : type.isEnum() ? ofEnum(type) : ofOwnText(type);
    }

    /** Of a type that has {@code static parse(String)} and {@code text()}. */
    private static OptionFormat<Object> ofOwnText(Class<?> type) {
        try {
            Method parse = type.getMethod("parse", String.class);
            Method text = type.getMethod("text");
            parse.setAccessible(true);
            text.setAccessible(true);
            return new OptionFormat<>(
                    written -> call(parse, null, written), value -> (String) call(text, value), List.of());
        } catch (NoSuchMethodException none) {
            throw new IllegalArgumentException("there is no way to write a " + type.getSimpleName(), none);
        }
    }

    private static Object call(Method method, @Nullable Object object, Object... arguments) {
        try {
            return method.invoke(object, arguments);
        } catch (InvocationTargetException refused) {
            throw refused.getCause() instanceof RuntimeException own ? own : new IllegalStateException(refused);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static OptionFormat<Object> ofEnum(Class<?> type) {
        List<String> words =
                Arrays.stream(type.getEnumConstants()).map(OptionFormat::word).toList();
        return new OptionFormat<>(
                text -> {
                    int at = words.indexOf(text.toLowerCase(Locale.ROOT).replace('_', '-'));
                    Refusal.when(at < 0, "it must be one of " + String.join(", ", words) + ", but was '" + text + "'");
                    return type.getEnumConstants()[at];
                },
                OptionFormat::word,
                words);
    }

    /** A constant as typed: {@code send-batch}. */
    public static String word(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static int wholeNumber(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException none) {
            throw new TypeConversionException("'" + text + "' is not a whole number such as 10");
        }
    }

    /** Parses the name of a file. An empty one, such as from an unset variable, would be the working folder. */
    public static Path file(String text) {
        Refusal.when(text.isEmpty(), "the name of a file is empty");
        try {
            return Path.of(text);
        } catch (InvalidPathException impossible) {
            throw new TypeConversionException("'" + text + "' cannot be the name of a file");
        }
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException unknown) {
            throw new TypeConversionException("unknown host '" + text + "'");
        }
    }
}
