package dev.downbeat.cli.measurement.option;

import dev.downbeat.cli.measurement.option.CliOption.TargetKind;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.Secret;
import dev.downbeat.http.requests.value.DynamicValues;
import dev.downbeat.json.RecordMember;
import java.lang.reflect.ParameterizedType;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.TypeConversionException;

/** A component of a record with its option. */
public record OptionComponent(RecordMember member, CliOption option) {
    public static final String YES = "true";
    private static final Pattern PASSWORD_ELSEWHERE = Pattern.compile("^[^:]*:(?:@|env:)");

    public static List<OptionComponent> of(Class<? extends Record> type) {
        return RecordMember.of(type).stream()
                .map(member -> new OptionComponent(member, option(member)))
                .toList();
    }

    private static CliOption option(RecordMember member) {
        CliOption.Of declaring = member.component().getAnnotation(CliOption.Of.class);
        return declaring == null
                ? Objects.requireNonNull(member.component().getAnnotation(CliOption.class), member.name())
                : RecordMember.of(declaring.value()).stream()
                        .filter(other -> other.name().equals(member.name()))
                        .findFirst()
                        .map(OptionComponent::option)
                        .orElseThrow(() -> new IllegalStateException(member + " is not in " + declaring.value()));
    }

    private Class<?> type() {
        return member.type();
    }

    /** The kinds of targets it applies to: its own, otherwise those of its record. */
    List<TargetKind> only() {
        CliOption.ForTargets all = member.component().getDeclaringRecord().getAnnotation(CliOption.ForTargets.class);
        return all == null || !List.of(option.only()).equals(List.of(TargetKind.ANY))
                ? List.of(option.only())
                : List.of(all.value());
    }

    /** Whether it is a group of options, that is a record. */
    public boolean isGroup() {
        return option.label().isEmpty() && Record.class.isAssignableFrom(type());
    }

    public boolean isParameter() {
        return !option.names()[0].startsWith("-");
    }

    public boolean isSwitch() {
        return type() == boolean.class;
    }

    public boolean isList() {
        return type() == List.class;
    }

    public boolean isOptional() {
        return type() == Optional.class;
    }

    /** The group's name in JSON. */
    public String groupName() {
        return member.name();
    }

    /** The longest name: {@code --rate}, {@code TARGET}. */
    public String name() {
        return Arrays.stream(option.names())
                .max(Comparator.comparingInt(String::length))
                .orElseThrow();
    }

    /** The name in JSON: {@code connect_timeout}, {@code target}. */
    String key() {
        return name().toLowerCase(Locale.ROOT).replaceFirst("^--?", "").replace('-', '_');
    }

    @SuppressWarnings("unchecked")
    public Class<? extends Record> group() {
        return (Class<? extends Record>) type();
    }

    @SuppressWarnings("unchecked")
    public OptionFormat<Object> format() {
        Class<?> type = type();
        if (member.component().getGenericType() instanceof ParameterizedType generic && (isList() || isOptional())) {
            type = (Class<?>) generic.getActualTypeArguments()[0];
        }
        return (OptionFormat<Object>)
                OptionFormat.of(type == int.class ? Integer.class : type == long.class ? Long.class : type);
    }

    /** Parses the value; the default if there are no texts. */
    Object read(List<String> texts) {
        return of(isSwitch() ? texts : texts.stream().map(this::read).toList());
    }

    /** The component of these values; the default if there are none. */
    Object of(List<?> values) {
        if (isSwitch()) {
            return !values.isEmpty();
        }
        if (isList()) {
            return values;
        }
        if (isOptional()) {
            return values.stream().findFirst();
        }
        Refusal.when(values.isEmpty() && option.defaultValue().isEmpty(), name() + " is missing");
        return values.isEmpty() ? read(option.defaultValue()) : values.get(0);
    }

    /** The values of a component, as for {@link #of}; empty if it is absent, or for a switch that is off. */
    List<?> values(Object part) {
        if (isSwitch()) {
            return part.equals(true) ? List.of(YES) : List.of();
        }
        if (part instanceof List<?> list) {
            return list;
        }
        return part instanceof Optional<?> optional ? optional.stream().toList() : List.of(part);
    }

    private Object read(String text) {
        try {
            return format().read().apply(text);
        } catch (IllegalArgumentException | TypeConversionException refused) {
            String of = isParameter() ? "" : "invalid value for option '" + name() + "' (" + option.label() + "): ";
            throw new TypeConversionException(of + Messages.of(refused));
        }
    }

    /** The texts that yield the value; empty if it is absent, or for a switch that is off. */
    List<String> texts(Object value) {
        return values(value).stream()
                .map(one -> isSwitch() ? YES : format().write().apply(one))
                .toList();
    }

    /** A text without its secrets. The names of environment variables are not secret, and show what a file uses. */
    String redacted(String text) {
        String masked = masked(text);
        return masked
                + DynamicValues.environment(text).stream()
                        .map(name -> "{{$env." + name + "}}")
                        .filter(place -> !masked.contains(place))
                        .collect(Collectors.joining());
    }

    private String masked(String text) {
        return switch (option.secret()) {
            case NONE -> text;
            case OF_URL -> Redaction.target(text);
            case OF_HEADER -> Redaction.header(text);
            case OF_ATTRIBUTE -> text.substring(0, text.indexOf('=') + 1) + Secret.HIDDEN;
            case OF_BODY -> text.startsWith("@") ? text : Secret.HIDDEN;
            case OF_USER ->
                Secret.HIDDEN + (PASSWORD_ELSEWHERE.matcher(text).find() ? text.substring(text.indexOf(':')) : "");
        };
    }

    boolean isDefault(Object value) {
        if (isOptional() || isList() || isSwitch()) {
            return texts(value).isEmpty();
        }
        return !option.defaultValue().isEmpty() && Objects.equals(value, of(List.of()));
    }

    Object get(Record value) {
        return member.get(value);
    }
}
