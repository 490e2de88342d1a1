package dev.downbeat.junit;

import dev.downbeat.load.Load;
import dev.downbeat.watch.Watchers;
import dev.downbeat.why.WatchResult;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * What to watch during a load test. Immutable.
 *
 * @param isSelf whether the service is in this JVM
 * @param specs in the syntax of {@link Watchers#parse}
 */
record WatchSettings(boolean isSelf, List<String> specs) {
    private static final Pattern PROCESS = Pattern.compile("(?:jvm|pid):(\\d{1,18})");
    private static final Pattern NAME = Pattern.compile("\\$\\{([^}]+)}");

    WatchSettings {
        specs = List.copyOf(specs);
    }

    /**
     * The watches of a test, its class and its enclosing classes.
     *
     * @throws ExtensionConfigurationException with one line if one is invalid
     */
    static WatchSettings of(boolean isSelf, TestClasses classes, Method method, String name) {
        List<String> specs = new ArrayList<>();
        AnnotationSupport.findAnnotation(method, Watch.class).ifPresent(watch -> specs.addAll(List.of(watch.value())));
        for (Class<?> each : classes.all()) {
            AnnotationSupport.findAnnotation(each, Watch.class)
                    .ifPresent(watch -> specs.addAll(List.of(watch.value())));
        }
        List<String> filled = new ArrayList<>();
        for (String spec : specs) {
            String lead = "@LoadTest " + name + ": @Watch(\"" + spec + "\"): ";
            filled.add(substituted(
                    spec,
                    lead,
                    field -> ofField(classes, field, lead)
                            .orElseThrow(
                                    () -> new ExtensionConfigurationException(lead + "there is no system property '"
                                            + field + "', and no static field of that name"))));
            try {
                Watchers.parse(filled.get(filled.size() - 1)).close();
            } catch (IllegalArgumentException refused) {
                throw new ExtensionConfigurationException(lead + refused.getMessage());
            }
        }
        return new WatchSettings(isSelf, filled);
    }

    /** Substitutes system properties, or other values for names that are none; {@code lead} starts error messages. */
    static String substituted(String text, String lead, UnaryOperator<String> otherwise) {
        return NAME.matcher(text).replaceAll(found -> {
            String property = System.getProperty(found.group(1));
            String value = property == null ? otherwise.apply(found.group(1)) : property;
            if (value.contains("${")) {
                throw new ExtensionConfigurationException(
                        lead + "the build did not set '" + found.group(1) + "': its value is " + value);
            }
            return Matcher.quoteReplacement(value);
        });
    }

    private static Optional<String> ofField(TestClasses classes, String name, String lead) {
        for (Class<?> each : classes.all()) {
            for (Class<?> owner = each; owner != null; owner = owner.getSuperclass()) {
                for (Field field : owner.getDeclaredFields()) {
                    if (field.getName().equals(name) && Modifier.isStatic(field.getModifiers())) {
                        return Optional.of(valueOf(field, lead));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static String valueOf(Field field, String lead) {
        Object value;
        try {
            field.setAccessible(true);
            value = field.get(null);
        } catch (IllegalAccessException | RuntimeException closed) {
            throw new ExtensionConfigurationException(
                    lead + "the field " + field.getName() + " cannot be read: " + closed.getMessage());
        }
        if (value == null) {
            throw new ExtensionConfigurationException(
                    lead + "the field " + field.getName() + " is null when the test begins: set it in @BeforeAll");
        }
        return value instanceof Process process
                ? Long.toString(process.pid())
                : value instanceof ProcessHandle handle ? Long.toString(handle.pid()) : value.toString();
    }

    Set<Long> processes() {
        return specs.stream()
                .map(PROCESS::matcher)
                .filter(Matcher::matches)
                .map(found -> Long.valueOf(found.group(1)))
                .collect(Collectors.toSet());
    }

    /** A load with new watchers, each for one run. */
    Load on(Load load) {
        Load watched = load;
        if (isSelf) {
            watched = watched.watch(Watchers.self());
        }
        for (String spec : specs) {
            watched = watched.watch(Watchers.parse(spec));
        }
        return watched;
    }

    static String words(WatchResult seen) {
        return seen.source() + (seen.notes().isEmpty() ? "" : ": " + String.join(", ", seen.notes()));
    }
}
