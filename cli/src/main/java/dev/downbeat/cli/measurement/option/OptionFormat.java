package dev.downbeat.cli.measurement.option;

import dev.downbeat.cli.measurement.value.Attempts;
import dev.downbeat.cli.measurement.value.Attribute;
import dev.downbeat.cli.measurement.value.Body;
import dev.downbeat.cli.measurement.value.CountConverter;
import dev.downbeat.cli.measurement.value.DurationConverter;
import dev.downbeat.cli.measurement.value.Factor;
import dev.downbeat.cli.measurement.value.LookupWhen;
import dev.downbeat.cli.measurement.value.Refusal;
import dev.downbeat.cli.measurement.value.Seed;
import dev.downbeat.cli.measurement.value.SharePercent;
import dev.downbeat.cli.measurement.value.Size;
import dev.downbeat.cli.measurement.value.Speed;
import dev.downbeat.cli.measurement.value.Think;
import dev.downbeat.cli.measurement.value.Variable;
import dev.downbeat.cli.measurement.value.WarmUpTime;
import dev.downbeat.http.HttpRequest;
import dev.downbeat.http.options.HttpOptions.HttpVersion;
import dev.downbeat.http.requests.log.LogFormat;
import dev.downbeat.run.OfferedRate;
import dev.downbeat.run.Stage;
import dev.downbeat.simulate.ServiceLaw;
import dev.downbeat.simulate.SimulatedService.Stall;
import dev.downbeat.verdict.AskedObjective;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
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
        add(Path.class, Path::of, Path::toString);
        add(Integer.class, OptionFormat::number, number -> Integer.toString(number));
        add(Long.class, CountConverter::parse, number -> Long.toString(number));
        add(Duration.class, DurationConverter::parse, DurationConverter::text);
        add(OfferedRate.class, OfferedRate::parse, OfferedRate::text);
        add(Stage.class, Stage::parse, Stage::text);
        add(Think.class, Think::parse, Think::text);
        add(Speed.class, Speed::parse, Speed::text);
        add(LogFormat.class, LogFormat::parse, LogFormat::text);
        add(Seed.class, Seed::parse, Seed::toString);
        add(Size.class, Size::parse, size -> Integer.toString(size.bytes()));
        add(LookupWhen.class, LookupWhen::parse, LookupWhen::text);
        add(WarmUpTime.class, WarmUpTime::parse, WarmUpTime::text);
        add(HttpVersion.class, OptionFormat::httpVersion, HttpVersion::word);
        add(SharePercent.class, SharePercent::parse, SharePercent::text);
        add(Factor.class, Factor::parse, Factor::text);
        add(Attempts.class, Attempts::parse, Attempts::text);
        add(AskedObjective.class, AskedObjective::parse, AskedObjective::text);
        add(
                HttpRequest.Header.class,
                HttpRequest.Header::parse,
                header -> header.name() + ": " + header.value().reveal());
        add(Body.class, Body::parse, Body::text);
        add(Attribute.class, Attribute::parse, Attribute::text);
        add(Variable.class, Variable::parse, Variable::text);
        add(ServiceLaw.class, ServiceLaw::parse, ServiceLaw::describe);
        add(Stall.class, Stall::parse, Stall::describe);
        add(URI.class, URI::create, URI::toString);
        add(InetAddress.class, OptionFormat::address, InetAddress::getHostAddress);
    }

    private static <T> void add(Class<T> type, Function<String, T> read, Function<T, String> write) {
        ALL.put(type, new OptionFormat<>(read, write, List.of()));
    }

    private static HttpVersion httpVersion(String text) {
        return HttpVersion.of(text)
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is not auto, 1.1 or 2"));
    }

    static OptionFormat<?> of(Class<?> type) {
        OptionFormat<?> known = type.isEnum() && !ALL.containsKey(type) ? ofEnum(type) : ALL.get(type);
        if (known == null) {
            throw new IllegalArgumentException("there is no way to write a " + type.getSimpleName());
        }
        return known;
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

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException none) {
            throw new TypeConversionException("'" + text + "' is not a whole number");
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
